"""The suite of `test_provider_model.py` holds these against servers; here is what it does not reach."""

import asyncio

import pytest

from cellwright.errors import ModelError
from cellwright.models.access import Access, Key
from cellwright.models.attempts import Patience, attempts
from cellwright.models.model import EndPart, TextPart

ACCESS = Access("openai", "m", None, Key("key-of-the-test"))


class RefusedError(Exception):
    status_code = 503


def tried(*outcomes, tries=4):
    """The parts and the number of attempts, each of which gives parts or raises."""
    left = list(outcomes)

    async def begin():
        for part in left.pop(0):
            if isinstance(part, Exception):
                raise part
            yield part

    async def collect():
        return [part async for part in attempts(begin, ACCESS, Patience(tries=tries, pause=0.0))]

    return asyncio.run(collect()), len(outcomes) - len(left)


def test_the_first_attempt_that_gives_parts_is_the_turn():
    whole = [TextPart("a"), EndPart()]
    assert tried([RefusedError()], [RefusedError()], whole, whole) == (whole, 3)


def test_after_its_last_try_it_says_how_often_it_tried():
    with pytest.raises(ModelError, match=r"openai \(503\) after 2 tries: RefusedError; "):
        tried([RefusedError()], [RefusedError()], tries=2)


def test_nothing_is_asked_for_again_once_a_part_was_passed_on():
    with pytest.raises(ModelError, match="what came of the turn is kept"):
        tried([TextPart("a"), RefusedError()], [TextPart("b"), EndPart()])


def test_an_error_for_the_person_is_passed_on_as_it_is():
    with pytest.raises(ModelError, match=r"^the model refused$"):
        tried([ModelError("the model refused")], [EndPart()])


def test_an_error_in_our_own_code_is_not_tried_again():
    with pytest.raises(ModelError, match="openai: a bug"):
        tried([ZeroDivisionError("a bug")], [EndPart()])
