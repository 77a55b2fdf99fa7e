import json

import pytest

from cellwright.messages import Call, ModelMessage, ToolMessage, Usage, UserMessage, clean_text, told, unanswered_calls


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


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("boom"), "ValueError: boom"),
        (ValueError(), "ValueError"),
        (ValueError("a\ud83db"), "ValueError: a\ufffdb"),
        (MuteError(), "MuteError (whose text can't be read)"),
    ],
)
def test_an_exception_is_told_whatever_its_own_text_does(error, text):
    assert told(error) == text
