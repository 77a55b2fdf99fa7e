"""Tokens of a text, about."""

from cellwright.context.token_estimate import PICTURE, estimated_tokens, message_tokens
from cellwright.messages import Call, Image, ModelMessage, ToolMessage, UserMessage

ENGLISH = "The quick brown fox jumps over the lazy dog, and runs away from it in the end."
TOKENS = 18
"""As the tokenizer cl100k_base counts it."""


def test_english_is_estimated_within_a_quarter():
    assert abs(estimated_tokens(ENGLISH) - TOKENS) <= TOKENS / 4


def test_other_scripts_need_more_tokens_than_ascii_of_the_same_length():
    assert estimated_tokens("日本語のテキスト") > 2 * estimated_tokens("abcdefgh")


def test_no_text_is_estimated_as_nothing():
    assert estimated_tokens("a") == 1


def test_a_message_counts_with_its_calls_and_pictures():
    bare, calls = ModelMessage("so"), ModelMessage("so", (Call("1", "add", '{"a": 1}' * 100),))
    assert message_tokens(calls) > message_tokens(bare) + 200
    picture = ToolMessage("1", "plot", "done", images=(Image("image/png", "QUJD"),))
    assert message_tokens(picture) > PICTURE > message_tokens(UserMessage(ENGLISH))
