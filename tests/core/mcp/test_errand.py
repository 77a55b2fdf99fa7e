"""A call on its way, met at its questions and its end; with clients it is tested with the service."""

import asyncio

import pytest
from mcp_types import ElicitResult

from cellwright.mcp.errand import Errand, answer_of
from cellwright.person.approval import Allow, Deny, Unavailable


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        (ElicitResult(action="accept", content={"answer": "allow"}), Allow()),
        (ElicitResult(action="accept", content={"answer": "deny", "reason": 3}), Deny()),
        (ElicitResult(action="decline", content={"answer": "allow"}), Deny()),
        (ElicitResult(action="cancel", content={"answer": "allow"}), Unavailable("the person dismissed the question")),
        (ElicitResult(action="accept"), Unavailable("the client answered None, not allow or deny")),
        (ElicitResult(action="accept", content={"answer": ["allow"]}), None),
    ],
)
def test_only_a_plain_yes_is_a_yes(given, answer):
    found = answer_of(given)
    assert found == answer if answer else isinstance(found, Unavailable)


def test_a_client_that_cant_ask_is_told_what_to_do():
    answer = asyncio.run(Errand(None, can_ask=False).ask(None))
    assert "allow the tool by a rule" in answer.reason


def test_an_errand_that_was_not_begun_is_met_nowhere():
    with pytest.raises(LookupError, match="was not begun"):
        asyncio.run(Errand(None, can_ask=True).met())
