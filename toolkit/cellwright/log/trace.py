"""The way one call took, as data and as a view: which stages it passed, what was decided by whom, and the time in each.

Nothing is measured here: a trace is read from the events of the run, so that a log from last year gives the same one.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Any

from msgspec import Struct

from cellwright.log.events import Event
from cellwright.text.visible_text import mark_hidden
from cellwright.views.bar import bar
from cellwright.views.table import Table

HOOK_STAGES = {"before_call": "before_hooks", "after_call": "after_hooks"}
"""The stage in which the hooks of an event are asked."""


BAR = 30
"""Letters of the widest bar of a trace in text."""


class Step(Struct, frozen=True):
    """One stage of a call."""

    stage: str
    seconds: float
    note: str = ""
    """What was decided or changed there, and by whom."""


class Trace(Struct, frozen=True):
    """The way of one call."""

    call_id: str
    tool: str
    outcome: str
    """`ok`, or the error type."""
    steps: tuple[Step, ...]

    @property
    def seconds(self) -> float:
        """The time in all stages together, waiting for the person included."""
        return sum(step.seconds for step in self.steps)

    @property
    def offsets(self) -> tuple[float, ...]:
        """When each stage began, in seconds since the call did; what was passed twice counts where it stood first."""
        return tuple(accumulate((step.seconds for step in self.steps[:-1]), initial=0.0))[: len(self.steps)]

    def view(self) -> Table:
        """The trace as a table: stage, milliseconds, note."""
        rows = tuple((step.stage, round(step.seconds * 1000, 3), step.note) for step in self.steps)
        return Table(("stage", "ms", "note"), rows, len(rows))

    def text(self) -> str:
        """The trace as a waterfall for a terminal."""
        lines = [f"{self.tool} ({self.call_id}): {self.outcome}, {self.seconds * 1000:,.3f} ms"]
        for step, offset in zip(self.steps, self.offsets, strict=True):
            drawn = bar([(offset, offset + step.seconds)], self.seconds, BAR)
            lines.append(f"{step.stage:<13} {step.seconds * 1000:>10,.3f} ms |{drawn}| {step.note}".rstrip())
        return "\n".join(mark_hidden(line.replace("\n", "⏎")) for line in lines)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ANN401 (IPython's protocol)
        """How IPython and notebooks show it."""
        printer.text(self.text())


def trace_of(events: Iterable[Event], call_id: str) -> Trace:
    """The trace of a call that has its result.

    Raises:
        KeyError: if the events hold no result of that call.
    """
    notes: dict[str, list[str]] = {}
    for event in events:
        if event.data.get("id") != call_id:
            continue
        data = event.data
        match event.kind:
            case "arguments" if data["by"] == "person":
                notes.setdefault("approve", []).append("arguments edited by the person")
            case "arguments" if data["by"] == "hook":
                notes.setdefault("before_hooks", []).append("arguments changed")
            case "hook":
                said = f": {data['reason']}" if data["reason"] else ""
                notes.setdefault(HOOK_STAGES[data["event"]], []).append(
                    f"{data['hook']} answered {data['answer']}{said}"
                )
            case "arguments":
                notes.setdefault("read", []).extend(data["repairs"])
            case "decision":
                notes.setdefault("permit", []).append(f"{data['decision']}: {data['reason']} ({data['by']})")
            case "answer" if data["answer"] in ("reply", "no_reply"):
                notes.setdefault("execute", []).append(f"the person gave {data['answer'].replace('_', ' ')}")
            case "answer":
                kept = f"for the {data['scope']}: {', '.join(data['rules'])}" if "scope" in data else data["reason"]
                said = f": {kept}" if kept else ""
                notes.setdefault("approve", []).append(f"the person answered {data['answer']}{said}")
            case "result":
                stages = data["metadata"].get("stages", {})
                steps = tuple(Step(name, seconds, "; ".join(notes.get(name, ()))) for name, seconds in stages.items())
                return Trace(call_id, data["name"], "ok" if data["ok"] else data["error_type"], steps)
    raise KeyError(f"no result of a call {call_id!r} in these events")
