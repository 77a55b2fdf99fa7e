"""Room in a conversation that is about to outgrow what the model can be sent.

What costs most and is needed least goes first: old results of tools are put into files, where the model can read them
again. If that is not enough, the older part is summed up. What comes last stays as it is, since the model is in the
midst of it. All that is recorded is what was taken away, so that a log tells the shorter conversation as well. The rule
that must never break: a call is never parted from its result, and the log still holds all that was said.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from cellwright.calls.hook_stages import notify
from cellwright.calls.passage import Setup
from cellwright.calls.spill import READER
from cellwright.context.context_window import Gauge
from cellwright.context.shortening import Shortening
from cellwright.context.summary import Summary, summary_by_model, summary_by_rule
from cellwright.context.token_estimate import estimated_tokens, message_tokens
from cellwright.hooks.hook import Occasion
from cellwright.messages import Message, ModelMessage, ToolMessage, Usage
from cellwright.models.model import Model, Request
from cellwright.runs.price import PLAYED
from cellwright.runs.transcript import Transcript
from cellwright.text.quantity import quantity

SHORT = 400
"""Characters of a result that is not worth putting away."""
GROWN = 1.2
"""How much larger it must be than it was left, if that was more than wished, before room is made again."""


class Compaction:
    """Watches the size of a run's conversation and makes room in time. Mutable: it remembers what it has counted."""

    def __init__(self, model: Model, system: str, transcript: Transcript, setup: Setup) -> None:
        self._model = model
        self._system = system
        self._transcript = transcript
        self._setup = setup
        self._gauge: Gauge | None = None
        self._least = 0
        """The size below which no room is made again."""

    async def make_room(self) -> None:
        """Makes the conversation shorter if the next request would fill the model's window.

        Raises:
            BudgetSpent: if the turn in which a model wrote the summary was one too many.
        """
        window, transcript = self._setup.window, self._transcript
        if window is None:
            return
        if self._gauge is None:
            self._gauge = Gauge(estimated_tokens(self._system) + len(self._setup.listing().json) // 4)
        before = self._gauge.tokens(transcript.messages)
        if before < max(window.full, self._least):
            return
        await notify(Occasion("before_compaction", self._setup.env.cwd, self._setup.policy.mode), self._setup)
        first = _first_of_last(transcript.messages, window.roomy // 2)
        shortening = Shortening(self._put_away(transcript.messages[:first]))
        after = self._gauge.begin_again(shortening.of(transcript.messages))
        summary = None
        if after > window.roomy and first > 1:
            summary = await self._summary(shortening.of(transcript.messages)[:first])
            shortening = replace(shortening, summary=summary.text, first_kept=first)
            after = self._gauge.begin_again(shortening.of(transcript.messages))
        if shortening.put_away or summary:
            transcript.messages = shortening.of(transcript.messages)
            self._tell(shortening, summary, before, after)
        self._least = int(after * GROWN)

    def _put_away(self, messages: Sequence[Message]) -> dict[str, str]:
        spill, has_reader = self._setup.env.spill, self._setup.registry.get(READER) is not None
        long = [
            each for each in messages if isinstance(each, ToolMessage) and (len(each.content) > SHORT or each.images)
        ]
        return {each.call_id: spill.put_away(each, has_reader) for each in long}

    async def _summary(self, messages: Sequence[Message]) -> Summary:
        window = self._setup.window
        plays = self._model.name.partition(":")[0] in PLAYED
        by = window.summary_by if window and window.summary_by else "rule" if plays else "model"
        if by == "rule":
            return summary_by_rule(messages)
        shown = self._setup.listing()
        summary = await summary_by_model(
            messages, self._model, Request(self._system, (), shown.definitions, shown.json)
        )
        self._setup.env.spending.add(summary.usage)
        self._transcript.usage += summary.usage
        return summary

    def _tell(self, shortening: Shortening, summary: Summary | None, before: int, after: int) -> None:
        done = [f"{quantity(len(shortening.put_away), 'old result')} put into files"] * bool(shortening.put_away)
        if summary:
            who = "the model" if summary.by == "model" else "rule"
            done.append(f"{quantity(shortening.first_kept, 'message')} summed up by {who}")
        self._setup.log.record(
            "compacted",
            put_away=dict(shortening.put_away),
            summary=shortening.summary,
            first_kept=shortening.first_kept,
            usage=summary.usage if summary else Usage(),
            cost=self._setup.env.spending.money,
            text=f"room was made for what comes: {' and '.join(done)}; about {before:,} tokens are now {after:,}"
            + (f" ({summary.problem})" if summary and summary.problem else ""),
        )


def _first_of_last(messages: Sequence[Message], room: int) -> int:
    """The place from which on messages stay as they are: those that fit into the room, whole turns, at least one."""
    place, size = len(messages), 0
    while place and size + message_tokens(messages[place - 1]) <= room:
        place -= 1
        size += message_tokens(messages[place])
    turns = [number for number, message in enumerate(messages) if isinstance(message, ModelMessage)]
    last = turns[-1] if turns else len(messages)
    while place < last and isinstance(messages[place], ToolMessage):
        place += 1
    return min(place, last)
