"""Who can be given a piece of the work: the seam between a tool and the sub-agents of its run.

A sub-agent is a run of its own, with its own conversation and its own log, so that a long search fills its context
and not that of the run that asked. What comes back is a report. This file only says what can be asked for; that it
is done by runs is said in `sub_agents.py`. The rule that must never break: a sub-agent may do nothing that the run
which started it may not do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from msgspec import Struct, field

from cellwright.errors import ToolError, unknown_name
from cellwright.messages import JsonObject, Usage


class Assignment(Struct, frozen=True):
    """A piece of work for a sub-agent."""

    task: str
    """What it is about, in a few words, for the person who watches."""
    prompt: str
    """All that the sub-agent is told."""
    background: bool = False
    """Whether the run goes on meanwhile. Nobody can be asked then, and there are fewer tools."""
    call_id: str = ""
    """The call that gives the work."""
    progress: Callable[[str], None] | None = None
    """Says a line about what the sub-agent does, while somebody waits for it."""


class Report(Struct, frozen=True):
    """What has come of an assignment so far."""

    name: str
    task: str
    state: str
    """`running`, or the reason for which the sub-agent's run ended."""
    answer: str = ""
    error: str = ""
    steps: int = 0
    calls: tuple[tuple[str, str], ...] = ()
    """Each call: the tool, and `ok` or the error type."""
    usage: Usage = field(default_factory=Usage)
    log: str = ""
    """The file of its events, if there is one."""

    def as_json(self) -> JsonObject:
        """The report as plain JSON."""
        calls = [{"tool": tool, "outcome": outcome} for tool, outcome in self.calls]
        tokens = {"input_tokens": self.usage.input_tokens, "output_tokens": self.usage.output_tokens}
        known = {"agent": self.name, "task": self.task, "state": self.state, "answer": self.answer, "error": self.error}
        return {**known, "steps": self.steps, "calls": calls, **tokens, "log": self.log}


class Crew(Protocol):
    """The sub-agents of one run."""

    def start(self, assignment: Assignment) -> str:
        """Gives a sub-agent its work, and returns its name."""

    async def reports(self, names: Iterable[str], timeout: float | None) -> tuple[Report, ...]:
        """The reports of these once all have ended, or of the state they are in after so many seconds."""

    async def stop(self, names: Iterable[str]) -> None:
        """Stops these, and waits for their end."""


class ScriptedCrew:
    """Gives prepared answers, each at once and in order: for lessons and tests, and, without any, for no crew at all.

    `assignments` keeps what was asked for.
    """

    def __init__(self, answers: Sequence[str] = ()) -> None:
        self.assignments: list[Assignment] = []
        self._answers = list(answers)

    def start(self, assignment: Assignment) -> str:
        """Takes the next answer for it.

        Raises:
            ToolError: `no_agents` if none is left.
        """
        if len(self.assignments) >= len(self._answers):
            raise ToolError("no_agents", "there are no sub-agents here; do the work yourself, with the other tools")
        self.assignments.append(assignment)
        return f"agent-{len(self.assignments)}"

    async def reports(self, names: Iterable[str], timeout: float | None) -> tuple[Report, ...]:
        """The prepared answers.

        Raises:
            ToolError: `not_found` for a name that was not given out.
        """
        known = {f"agent-{number}": each for number, each in enumerate(self.assignments, 1)}
        return tuple(self._report(name, known) for name in names or known)

    async def stop(self, names: Iterable[str]) -> None:
        """Nothing goes on here that could be stopped."""

    def _report(self, name: str, known: dict[str, Assignment]) -> Report:
        if name not in known:
            raise unknown_name("sub-agent", name, *known)
        position = list(known).index(name)
        return Report(name, known[name].task, "answered", self._answers[position], steps=1)
