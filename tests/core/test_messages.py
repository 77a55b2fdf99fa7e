import functools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.messages import (
    Beginning,
    Call,
    ModelMessage,
    ToolMessage,
    Usage,
    UserMessage,
    clean_json,
    clean_text,
    told,
    unanswered_calls,
)


@pytest.mark.parametrize(
    ("given", "clean"),
    [
        ("plain", "plain"),
        ("grüße 😀", "grüße 😀"),
        ("x\ud83dy", "x\ufffdy"),
        ("x\ud83d", "x\ufffd"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("\ud83d\ude00", "😀"),
        ("\ufeffa\ud800b", "\ufeffa\ufffdb"),
        ("", ""),
    ],
)
def test_only_unpaired_surrogates_are_replaced_and_pairs_are_joined(given, clean):
    assert clean_text(given) == clean
    json.dumps(clean_text(given), ensure_ascii=False).encode("utf-8")


def test_usage_adds_up_field_by_field():
    assert Usage(1, 2, 3) + Usage(10, 20, 30) == Usage(11, 22, 33)


def test_calls_without_a_tool_message_are_unanswered_in_their_order():
    first, second, third = (Call(f"c{i}", "t", "{}") for i in range(3))
    conversation = (UserMessage("go"), ModelMessage("", (first, second, third)), ToolMessage("c1", "t", "done"))
    assert unanswered_calls(conversation) == (first, third)
    assert unanswered_calls(()) == ()


class MuteError(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class Endless(ExceptionGroup):
    @property
    def exceptions(self):
        return (self,)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("boom"), "ValueError: boom"),
        (ValueError(), "ValueError"),
        (ValueError("a\ud83db"), "ValueError: a\ufffdb"),
        (MuteError(), "MuteError (whose text can't be read)"),
        (
            ExceptionGroup("g", [ValueError("a"), ExceptionGroup("h", [KeyError("k")])]),
            "ExceptionGroup: ValueError: a; KeyError: 'k'",
        ),
        (
            functools.reduce(lambda inner, _: ExceptionGroup("g", [inner]), range(3000), ValueError("a")),
            "ExceptionGroup: ValueError: a",
        ),
        (
            Endless("g", [ValueError("a")]),
            "Endless: ValueError: a",
        ),
        (
            ExceptionGroup("g", [ValueError(n) for n in range(9)]),
            "ExceptionGroup: " + "; ".join(f"ValueError: {n}" for n in range(5)) + "; ...",
        ),
    ],
)
def test_an_exception_is_told_whatever_its_own_text_does(error, text):
    assert told(error) == text


@pytest.mark.parametrize(
    "place", [0, -1, 2, -3, slice(None), slice(1, None), slice(-2, None), slice(None, None, -1), slice(5, 9)]
)
def test_the_beginning_of_a_list_reads_like_a_tuple_of_it(place):
    messages = [UserMessage(text) for text in "abcde"]
    beginning, same = Beginning(messages[:3]), tuple(messages[:3])
    assert beginning[place] == same[place]
    assert (len(beginning), [*beginning], [*reversed(beginning)]) == (3, [*same], [*reversed(same)])
    assert (beginning == same, hash(beginning) == hash(same), messages[1] in beginning) == (True, True, True)


def test_what_comes_after_the_beginning_is_not_in_it():
    messages = [UserMessage("a")]
    beginning = Beginning(messages)
    messages.append(UserMessage("b"))
    assert ([*beginning], messages[1] in beginning, beginning == (messages[0],)) == ([messages[0]], False, True)
    for place in (1, -2):
        with pytest.raises(IndexError):
            beginning[place]


ESCAPES = [
    (r'{"a": "x\ud99cy"}', r'{"a": "x\ufffdy"}'),
    (r'{"a": "\uDC00\ud83d"}', r'{"a": "\ufffd\ufffd"}'),
    (r'{"a": "\ud83d\uD83D\ude00"}', r'{"a": "\ufffd\uD83D\ude00"}'),
    (r'{"a": "\ud83d\ude00 \u00e9"}', None),
    (r'{"a": "\\ud83d"}', None),
    (r'{"a": "\\\ud83d"}', r'{"a": "\\\ufffd"}'),
    (r'{"a": "\ud83', None),
    ('{"a": "\ud83d"}', '{"a": "\ufffd"}'),
]


@pytest.mark.parametrize(("text", "clean"), ESCAPES)
def test_unpaired_surrogates_written_as_escapes_are_replaced_and_nothing_else(text, clean):
    assert clean_json(text) == (text if clean is None else clean)


PIECES = st.sampled_from([r"\ud83d", r"\uDE00", r"\\", r"\n", r"\u00e9", "ud83d", "é", '"', "{"])


@given(st.lists(PIECES))
def test_whatever_json_is_cleaned_means_the_same_but_for_unpaired_surrogates(pieces):
    text = '"' + "".join(pieces) + '"'
    try:
        value = json.loads(text)
    except ValueError:
        return
    assert json.loads(clean_json(text)) == clean_text(value)
