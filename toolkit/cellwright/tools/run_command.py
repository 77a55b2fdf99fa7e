"""`run_command`: a line for the shell, judged by what each of its commands does.

What it may do is for permission to say, which reads the line with a grammar and knows what only reads; here it is
run. `cd` holds for later commands of the run, as long as the folder lies in the working folder. The rule that must
never break: the line runs as it was judged, in the folder for which it was judged.
"""

from __future__ import annotations

import asyncio
import codecs
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from cellwright.calls.conditions import Conditions
from cellwright.commands.command import Command, shell
from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.messages import JsonObject
from cellwright.permission.credentials import leads_to_credentials
from cellwright.permission.judgement import reads_only
from cellwright.permission.shell.destroying import destroys
from cellwright.permission.shell.parts import read_parts
from cellwright.permission.startup_files import names_startup_file
from cellwright.tool import Output, tool
from cellwright.tools.command_report import CommandReport, report_of
from cellwright.views.view import Code, Group, Text

USUAL, LONGEST = 120.0, 600.0
"""Seconds that a command may take unless its call says otherwise, and at most."""
LAST_MOMENT = 0.1
"""Seconds a command gets to end by itself when the run is stopped, which does not wait long."""
BETWEEN = 0.1
"""Seconds between two lines of progress."""


class Move(Struct, frozen=True):
    """What a `cd` does to the conditions of the run: later commands run there."""

    folder: str

    def __call__(self, now: Conditions) -> Conditions:
        """The conditions with the other folder."""
        return replace(now, folder=self.folder)


class Ticker:
    """Tells what a command writes while it runs, a piece now and then: whole lines where there are some."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""
        self._told = 0.0

    def take(self, data: bytes) -> None:
        """Takes what was written."""
        self._text = (self._text + self._decoder.decode(data))[-2_000:]
        now = time.monotonic()
        end = max(self._text.rfind("\n"), self._text.rfind("\r")) + 1
        if end and now - self._told >= BETWEEN:
            self._told = now
            self._tell(self._text[:end])
            self._text = self._text[end:]


def only_looks(args: JsonObject) -> bool:
    """Whether the line only reads, whatever the folder; where that lies is judged apart."""
    return reads_only(run_command, args, Env(Path("/"))) and not args.get("background")


def takes_away(args: JsonObject) -> bool:
    """Whether a command of the line takes something away for good, or can't be understood."""
    return any(part.kind == "unclear" or destroys(part.command) for part in read_parts(args["command"]))


def present_command(args: JsonObject, env: Env) -> Group:
    """The line as it will run, where, and for how long."""
    where = "the working folder" if env.folder == env.cwd else env.shown(env.folder)
    limit = args.get("timeout")
    how = "in the background" if args.get("background") else f"for {USUAL if limit is None else limit:g} s at most"
    return Group(f"in {where}, {how}", (Code(args["command"], "bash"),))


def _problem(args: JsonObject, env: Env) -> str | None:
    if "\0" in args["command"]:
        return "command holds a NUL character, which no shell can read; write it as \\0 for printf"
    return None


def _there_is_a_shell(env: Env) -> bool | str:
    return bool(shell()) or "commands run on a POSIX shell (bash or sh), and there is none here"


@tool(
    command="command",
    validate=_problem,
    read_only=only_looks,
    concurrency_safe=only_looks,
    destructive=takes_away,
    max_result_chars=30_000,
    enabled=_there_is_a_shell,
    present_call=present_command,
    origin="built-in",
)
async def run_command(
    command: Annotated[str, Field(min_length=1)],
    timeout: Annotated[float, Field(gt=0, le=LONGEST)] | None = None,
    background: bool = False,
    *,
    env: Env,
) -> Output:
    """Run a command line in the shell (bash), and get its output and exit code.

    It runs in the working folder; a cd to a folder in it holds for later commands. There is no keyboard, pager or
    editor, and variables that look like secrets are not set. When the command ends, what it left running is ended,
    too: start servers with background, then use job_output, wait and kill_job. Use the file and search tools to read,
    search and edit files. Errors: command_failed is an exit code other than 0, timeout ends the command; both show
    the output until then.

    Args:
        command: The line. Several commands can be joined with && or newlines.
        timeout: Seconds it may take, 120 if left out; in the background there is no limit unless one is given.
        background: Go on at once, and let it run until it ends, is killed, or this run ends.
    """
    folder, notes, change = _place(env)
    if background:
        job = env.jobs.start(command, folder, timeout)
        note = f"{job.name} runs in the background (pid {job.command.pid}); it is ended when this run ends"
        value = {"job": job.name, "pid": job.command.pid, "state": "running"}
        return Output(value, "\n".join([note, *notes]), Text(f"{job.name}: {command}"), context_change=change)
    running = Command(command, folder, Ticker(env.progress).take)
    limit = USUAL if timeout is None else timeout
    try:
        if not await running.wait(limit):
            await running.stop("timeout")
    except asyncio.CancelledError:
        await running.stop("cancelled", LAST_MOMENT)
        raise
    report = await report_of(running)
    if running.stopped or running.exit_code != 0:
        raise _failed(report, limit, notes)
    moved, where = _moved(running.last_folder, folder, env)
    change = moved or change
    shown = (*where, *notes)
    return Output(
        {**report.as_json(), "notes": [*report.notes, *shown]},
        report.text(*shown),
        report.view(*shown),
        context_change=change,
    )


def _place(env: Env) -> tuple[Path, tuple[str, ...], Move | None]:
    """Where a command runs, and what to say and remember if it is not where the last one was."""
    if not env.cwd.is_dir():
        raise ToolError("not_found", f"the working folder {env.cwd} is not there any more; nothing can be run in it")
    folder, wanted = env.folder, env.moved_to()
    if folder == env.cwd and wanted != ".":
        note = f"the folder {wanted} is not there any more; commands run in the working folder {env.cwd} again"
        return folder, (note,), Move(".")
    return folder, (), None


def _failed(report: CommandReport, limit: float, notes: tuple[str, ...]) -> ToolError:
    if report.state == "timeout":
        advice = "give a longer timeout, or start it with background=true"
        said = f"it did not end within {limit:g} s and was ended with all that it started; {advice}"
        return ToolError("timeout", report.failure(said, *notes), report.failure_view(*notes))
    by_signal = report.exit_code is not None and report.exit_code < 0
    said = f"it was ended by {report.how}" if by_signal else report.how
    return ToolError("command_failed", report.failure(said, *notes), report.failure_view(*notes))


def _moved(last: Path | None, before: Path, env: Env) -> tuple[Move | None, tuple[str, ...]]:
    """What a command that ended well changes of the folder for those to come."""
    if last is None or last == before:
        return None, ()
    inside = last.is_relative_to(env.cwd) and last.is_dir()
    parts = last.relative_to(env.cwd).parts if inside else ()
    if not inside or leads_to_credentials(parts) or names_startup_file(parts):
        stays = env.shown(before)
        return None, (f"commands stay in {'the working folder' if stays == '.' else stays}: {last} is not for tools",)
    shown = env.shown(last)
    return Move(shown), (f"commands now run in {'the working folder' if shown == '.' else shown}",)
