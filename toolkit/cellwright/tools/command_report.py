"""What is said of a command: to the model in clean text, to the person as on a terminal, both of the same output.

The rule that must never break: how it ended is always said, and stands last, where no cut can take it away.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from cellwright.calls.limits import HARD_CAP, cut
from cellwright.commands.command import Command
from cellwright.commands.jobs import Job
from cellwright.commands.process_group import ending
from cellwright.messages import JsonObject, clean_text
from cellwright.text.console_text import clean_console, condense
from cellwright.views.view import Group, Terminal, View
from cellwright.waiting.threads import in_thread

SEEN = 100_000
"""Characters of an output that the person's view holds."""


class CommandReport(Struct, frozen=True):
    """A command as it is now, and what it wrote."""

    state: str
    """`running`, `ended`, or why it was stopped."""
    exit_code: int | None
    seconds: float
    total: int
    """Bytes of its output."""
    raw: str
    """The output as it came."""
    output: str
    """The output as a reader sees it."""
    notes: tuple[str, ...] = ()
    """What a reader should know, such as what it left running."""
    name: str = ""
    """Of the job; empty for a command that was waited for."""
    line: str = ""

    @property
    def how(self) -> str:
        """How it ended, in words."""
        code = "" if self.exit_code is None else ending(self.exit_code)
        return code if self.state == "ended" else ", ".join(filter(None, (self.state, code)))

    def text(self, *more: str) -> str:
        """For the model: the output, then how it ended and what there is to know, each in brackets."""
        return self._told("", (self.how, *more))

    def failure(self, first: str, *more: str) -> str:
        """The same, where how it ended is what matters most and is said first."""
        return self._told(f"{first}\n", more)

    def _told(self, first: str, last: Sequence[str]) -> str:
        size = (f"{self.total} bytes of output",) if self.total > HARD_CAP else ()
        notes = [f"[{note}]" for note in (*last[:1], *size, *self.notes, *last[1:])]
        return first + "\n".join([self.output.rstrip("\n") or "(no output)", *notes])

    def view(self, *more: str) -> View:
        """For the person: the output with its colours."""
        return self._shown(*filter(None, (self.name,)), self.how, *self.notes, *more)

    def failure_view(self, *more: str) -> View:
        """For the person, where how it ended is told by the error."""
        return self._shown(*self.notes, *more)

    def _shown(self, *title: str) -> View:
        return Group(" · ".join(title), (Terminal(cut(clean_text(self.raw), SEEN)[0]),))

    def as_json(self) -> JsonObject:
        """The value."""
        about = {"job": self.name, "command": self.line, "state": self.state} if self.name else {}
        measured = {"exit_code": self.exit_code, "bytes": self.total, "seconds": self.seconds}
        return {**about, **measured, "output": cut(self.output, HARD_CAP)[0], "notes": list(self.notes)}


async def report_of(command: Command) -> CommandReport:
    """What there is to say of a command that was waited for."""
    raw, state = command.output.text(), command.stopped or ("ended" if command.is_over else "running")
    return await _report(command, state, raw)


async def report_of_job(job: Job) -> CommandReport:
    """What there is to say of a job: its state, and what it wrote since it was last asked about."""
    report = await _report(job.command, job.state, job.news())
    return replace(report, name=job.name, line=job.command.line)


async def _report(command: Command, state: str, raw: str) -> CommandReport:
    """How things are now; what takes time is done in a thread, while the command may go on."""
    code, seconds, total, notes = command.exit_code, command.seconds, command.output.total, notes_on(command)
    output = await in_thread(lambda: condense(clean_console(raw)))
    return CommandReport(state, code, seconds, total, raw, output, notes)


def notes_on(command: Command) -> tuple[str, ...]:
    """What a command left behind."""
    notes = []
    if command.left:
        left = ", ".join(command.left[:5])
        notes.append(f"it left {left} running, which was ended with it; background=true keeps a command running")
    if command.is_held:
        notes.append("a process that it started has left its group and is still running; it does not end with the run")
    return tuple(notes)
