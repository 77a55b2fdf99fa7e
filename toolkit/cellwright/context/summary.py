"""The part of a conversation that no longer fits, in a few words.

A model writes the better summary, since it knows what matters; it is asked with the conversation as it had it, so that
a provider still has that in its cache. Where no model can be asked, or it fails, a rule does: what the person asked,
what was called and came of it, what was said last. The rule that must never break: there is a summary, whatever a
model says, and it is bounded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from msgspec import Struct

from cellwright.errors import ModelError
from cellwright.messages import Message, ModelMessage, ToolMessage, Usage, UserMessage
from cellwright.models.model import NO_USAGE, Model, Request
from cellwright.models.reading import Reading

SECONDS = 120.0
"""Time that a model has for it."""
LONGEST = 12_000
"""Characters of a summary."""
PROMPT = 2_000
"""Characters of what the person said once."""
CALLS = 60
"""Calls that are named, the last ones."""
BRIEF = 160
"""Characters of a call's arguments, and of what came of it."""
MARK = "[Summary of the conversation so far"
ASK = (
    "The conversation is about to be shortened, since it no longer fits. Write down all that is needed to go on "
    "without it: what the person asked for, in their words; what was found out and decided; which files, cells and "
    "commands were touched, and how they stand now; what is left to do. Call no tool. Write nothing else."
)


class Summary(Struct, frozen=True):
    """The text that stands for a part of a conversation."""

    text: str
    by: str
    """`model` or `rule`."""
    usage: Usage = NO_USAGE
    problem: str = ""
    """Why no model wrote it, though one was asked."""


async def summary_by_model(messages: Sequence[Message], model: Model, asked: Request) -> Summary:
    """The summary as the model writes it; by rule if it fails, takes too long or says nothing.

    `asked` has the system prompt and the tools as the model has them.
    """
    conversation = (*messages, UserMessage(ASK))
    request = Request(asked.system, conversation, asked.definitions, asked.definitions_json)
    reading = Reading(set(), lambda part: None, lambda call: None)
    problem = "it gave no text"
    try:
        async with asyncio.timeout(SECONDS):
            await reading.follow(model, request)
    except TimeoutError:
        problem = f"it took more than {SECONDS:.0f} s"
    except ModelError as error:
        problem = str(error)
    turn = reading.message
    if turn.text.strip() and turn.stop != "broken":
        return Summary(_framed("written by the model", len(messages), turn.text.strip()), "model", turn.usage)
    by_rule = summary_by_rule(messages)
    return Summary(by_rule.text, by_rule.by, turn.usage, f"the model wrote no summary: {problem}")


def summary_by_rule(messages: Sequence[Message]) -> Summary:
    """What the person asked, what was called and came of it, and what the model said last."""
    text = "\n".join((*_said(messages), *_called(messages), *_told_last(messages)))
    return Summary(_framed("made by rule", len(messages), text), "rule")


def _framed(how: str, count: int, text: str) -> str:
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]}\n[...]\n{text[-LONGEST // 2 :]}"
    return f"{MARK}, {how}: {count:,} messages that no longer fit]\n{text}\n[End of the summary]"


def _said(messages: Sequence[Message]) -> Iterator[str]:
    """What the person said; an earlier summary first, as it is."""
    for message in messages:
        if isinstance(message, UserMessage):
            most = LONGEST // 2 if message.text.startswith(MARK) else PROMPT
            more = " [...]" if len(message.text) > most else ""
            yield f"The person, or a note: {message.text[:most]}{more}"


def _called(messages: Sequence[Message]) -> Iterator[str]:
    results = {message.call_id: message for message in messages if isinstance(message, ToolMessage)}
    calls = [call for message in messages if isinstance(message, ModelMessage) for call in message.calls]
    if len(calls) > CALLS:
        yield f"{len(calls) - CALLS:,} earlier calls are not named."
    for call in calls[-CALLS:]:
        result = results.get(call.id)
        came = "no result" if result is None else ("ok" if result.ok else "failed") + f": {_short(result.content)}"
        yield f"Called {call.name} {_short(call.arguments)} -> {came}"


def _told_last(messages: Sequence[Message]) -> Iterator[str]:
    texts = [message.text for message in messages if isinstance(message, ModelMessage) and message.text.strip()]
    if texts:
        yield f"You said last: {texts[-1][:PROMPT]}"


def _short(text: str) -> str:
    line = " ".join(text[: 4 * BRIEF].split())
    return line if len(line) <= BRIEF else line[: BRIEF - 1] + "…"
