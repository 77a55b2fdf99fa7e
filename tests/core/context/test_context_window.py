"""The size of a conversation, and how much of it a model can be sent."""

import pytest

from cellwright.context.context_window import ContextWindow, Gauge, known_window
from cellwright.context.token_estimate import message_tokens
from cellwright.errors import UsageError
from cellwright.messages import ModelMessage, ToolMessage, Usage, UserMessage

SAID = UserMessage("go" * 100)


@pytest.mark.parametrize("tokens", [0, -1, True, 1.5, "many"])
def test_a_window_of_no_number_is_refused_with_one_that_would_do(tokens):
    with pytest.raises(UsageError, match="give a number such as 200_000"):
        ContextWindow(tokens)


def test_what_a_provider_counted_replaces_the_estimate_of_all_before():
    gauge = Gauge(around=50)
    assert gauge.tokens([SAID]) == 50 + message_tokens(SAID)
    turn, result = ModelMessage("so", usage=Usage(1_000, 20)), ToolMessage("1", "add", "3")
    assert gauge.tokens([SAID, turn, result]) == 1_020 + message_tokens(result)


def test_only_messages_that_are_new_are_counted():
    gauge, messages = Gauge(0), [SAID]
    first = gauge.tokens(messages)
    assert gauge.tokens(messages) == first
    messages.append(SAID)
    assert gauge.tokens(messages) == 2 * first


def test_after_a_shortening_the_old_count_of_a_provider_holds_no_more():
    gauge, turn = Gauge(10), ModelMessage("so", usage=Usage(1_000, 20))
    assert gauge.tokens([SAID, turn]) == 1_020
    assert gauge.begin_again([turn]) == 10 + message_tokens(turn)


def test_the_windows_of_large_providers_are_known_and_no_other():
    assert known_window("anthropic:claude-sonnet-4-5") == ContextWindow(200_000)
    for name in ("scripted", "scripted:tour", "recorded:x", "openai:none-such", "none"):
        assert known_window(name) is None
