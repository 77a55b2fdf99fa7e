"""Two runs side by side: which steps are the same, where they part, and what each of them took.

A fork, another model, another prompt: what became of it is seen by holding it against the run before. Steps are put
side by side by what the model did in them, its words and its calls, so that a step more or less does not shift all that
follows. The rule that must never break: a comparison is worked out from the events alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from msgspec import Struct

from cellwright.log.events import Event
from cellwright.log.saved_message import turn_of
from cellwright.messages import Usage
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden

WIDTH = 60
"""Letters of a step's words in plain text."""


class ComparedCall(Struct, frozen=True):
    """A call of a step, and what came of it."""

    name: str
    arguments: str
    outcome: str
    """`ok`, the error type, or nothing if it has no result yet."""
    content: str


class ComparedStep(Struct, frozen=True):
    """What the model did in a step."""

    turn: int
    text: str
    calls: tuple[ComparedCall, ...]
    usage: Usage

    @property
    def deed(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """What it said and called, whatever came of it."""
        return self.text, tuple((call.name, call.arguments) for call in self.calls)

    @property
    def line(self) -> str:
        """The step in one line."""
        calls = ", ".join(f"{call.name} {call.arguments} [{call.outcome}]" for call in self.calls)
        told = mark_hidden(" ".join(f"{self.text} {calls}".split()))
        return f"{self.turn}. {told[: WIDTH - 1]}…" if len(told) > WIDTH else f"{self.turn}. {told}"


class Pair(Struct, frozen=True):
    """Two steps side by side; one is missing where the other run has a step more."""

    left: ComparedStep | None
    right: ComparedStep | None

    @property
    def is_same(self) -> bool:
        """Whether the model did the same, and the same came of it."""
        left, right = self.left, self.right
        return left is not None and right is not None and (left.text, left.calls) == (right.text, right.calls)


class Comparison(Struct, frozen=True):
    """Two runs, step by step."""

    left: RecordedRun
    right: RecordedRun
    pairs: tuple[Pair, ...]

    @property
    def first_difference(self) -> Pair | None:
        """The first steps that are not the same; None if all are."""
        return next((pair for pair in self.pairs if not pair.is_same), None)

    @property
    def text(self) -> str:
        """The comparison as plain text: a line for each step that both did the same, two for others."""
        lines = [f"- {_head(self.left)}", f"+ {_head(self.right)}"]
        for pair in self.pairs:
            if pair.is_same and pair.left:
                lines.append(f"  {pair.left.line}")
                continue
            lines += [f"{sign} {step.line}" for sign, step in (("-", pair.left), ("+", pair.right)) if step]
        return "\n".join(lines)


def compare(left: RecordedRun, right: RecordedRun) -> Comparison:
    """Holds one run against another."""
    return Comparison(left, right, tuple(_pairs(tuple(_steps(left.events)), tuple(_steps(right.events)))))


def _pairs(left: Sequence[ComparedStep], right: Sequence[ComparedStep]) -> Iterator[Pair]:
    deeds = [step.deed for step in left], [step.deed for step in right]
    for _, a, b, c, d in SequenceMatcher(None, *deeds, autojunk=False).get_opcodes():
        for one, other in zip_longest(left[a:b], right[c:d]):
            yield Pair(one, other)


def _steps(events: Sequence[Event]) -> Iterator[ComparedStep]:
    results = {event.data["id"]: event.data for event in events if event.kind == "result"}
    for event in events:
        if event.kind != "message":
            continue
        turn, calls = turn_of(event.data), []
        for call in turn.calls:
            found = results.get(call.id, {})
            outcome = ("ok" if found["ok"] else found["error_type"]) if found else ""
            calls.append(ComparedCall(call.name, call.arguments, outcome, found.get("content", "")))
        yield ComparedStep(event.data["turn"], turn.text, tuple(calls), turn.usage)


def _head(run: RecordedRun) -> str:
    used = run.usage.input_tokens + run.usage.output_tokens
    cost = "" if run.cost is None else f", ${run.cost:.4f}"
    return f"{run.id} ({run.model_name}): {run.stop_reason or 'going on'}, {quantity(used, 'token')}{cost}"
