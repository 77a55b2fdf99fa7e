"""One run of ripgrep, the program that walks and searches.

Ignore rules, globs, encodings, links and huge trees are hard to get right; ripgrep does, and a search in another
process can be stopped, which a regular expression inside the kernel can't. What is fixed here for every run: no
configuration from outside, hidden files are looked at, `.git` and places for credentials are not, links are not
followed, and `.gitignore` counts with or without a git repository. The rule that must never break: a run ends, by
itself, when the tool is asked to stop, or when its time is up.

The folder or file given is opened here and handed over, so a link that comes up on the way to it is not followed
(where the system has no `/proc`, the program goes to a folder by its path). What remains: inside a folder ripgrep
goes by names itself, and may follow a link that another program puts in the place of a folder during the walk.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path
from typing import IO

from msgspec import Struct
from msgspec.structs import replace

from cellwright.commands.process_group import killed_once
from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files.disk import opened_file
from cellwright.files.draft import LEFT_OVER
from cellwright.files.file_error import told_of
from cellwright.files.folder import opened_folder
from cellwright.permission.credentials import CREDENTIALS
from cellwright.tools.passed_over import note, passed_over

SECONDS = 30.0
"""Time that one run may take."""
PROBLEMS_NAMED = 10
BLOCK = 1 << 16
"""Bytes that are read at a time."""
PIPE = 1 << 20
"""Bytes that a pipe is to hold, so that the program need not wait while nobody looks."""
PAUSE = 0.001
"""Seconds until the next look at a pipe that was emptied: to be woken by each line would take the search's time."""
MAX_RECORD = 64_000_000
"""Bytes of one record that are taken; a line that is longer would fill the memory."""

OVERLONG = f"a matching line has more than {MAX_RECORD:,} bytes; the search ended there, narrow it with path or glob\n"

CHECKPOINTS = ".ipynb_checkpoints"
"""Where Jupyter keeps its copies of saved notebooks, in which each thing would be found a second time."""
_SKIPPED = [
    part for name in (".git", CHECKPOINTS, LEFT_OVER, *sorted(CREDENTIALS)) for part in ("--iglob", f"!**/{name}")
]
_FIXED = ["--no-config", "--hidden", "--no-require-git", "--no-ignore-global", "--no-ignore-dot", "--color=never"]
_SYSTEM_ERROR = re.compile(
    r"(?:\./)?(?P<path>.+?)(?:: IO error for operation on .+)?: (?P<reason>[^:]+) \(os error \d+\)"
)


class Ended(Struct, frozen=True):
    """How a run ended."""

    unread: tuple[str, ...]
    """Files and folders that could not be read, with the reason: `locked (Permission denied)`."""
    complaints: tuple[str, ...]
    """What else it said: why it refused to search at all, where it gave up, which ignore rule is no glob."""
    complete: bool
    """False if it was stopped before it was through."""


def ripgrep(arguments: list[str], place: Path, env: Env, take: Callable[[bytes], None], separator: bytes) -> Ended:
    """Run ripgrep in a folder, or with a file for its input (then `-` names it), and hand on its output as it comes.

    The place is a real path. What is handed on are blocks of whole records, the separator between them.

    Raises:
        ToolError: `moved`, `invalid_pattern`, or why the place can't be opened.
    """
    barred = passed_over(place, env)
    _check_text(arguments)
    with _entered(place) as (folder, file), tempfile.TemporaryFile() as errors:
        with subprocess.Popen(  # noqa: S603 (the program is ours, the arguments are a list)
            [*command(program()), *_FIXED, *_positive_first(arguments, barred)],
            cwd=folder,
            stdin=file or subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        ) as process:
            stopped, overlong = _pass_on(process, env, take, separator)
        errors.seek(0)
        said = errors.read(1_000_000).decode("utf-8", "replace") + OVERLONG * overlong
        ended = _ended(said, not stopped and not overlong)
        return replace(ended, unread=(*ended.unread, note(len(barred)))) if barred else ended


def _literal(path: str) -> str:
    """The glob that fits this path alone; or any byte in the place of one that is no UTF-8, which no glob can hold."""
    return re.sub("[\udc80-\udcff]", "?", re.sub(r"([\\*?\[\]{}!])", r"\\\1", path))


def _check_text(arguments: list[str]) -> None:
    """Refuse what can't be handed to a program: a zero byte ends its text, and half a character is none."""
    for argument in arguments:
        unfit = next((char for char in argument if char == "\0" or "\ud800" <= char < "\udc80"), "")
        if unfit:
            raise ToolError("invalid_pattern", f"{unfit!r} can't be searched for; take it out of what was sent")


@contextlib.contextmanager
def _entered(place: Path) -> Iterator[tuple[Path, FileIO | None]]:
    """Where the program starts, and what it reads if that is not a folder: opened here, so that no link is followed."""
    if place.is_dir():
        with contextlib.ExitStack() as held:
            with told_of(place, "search"):
                folder = held.enter_context(opened_folder(place))
            yield folder.entrance(), None
        return
    with opened_file(place) as file:
        yield Path(place.anchor), file


def unread_notes(ended: Ended) -> list[str]:
    """A line on each thing that could not be read, and one on a run that was stopped."""
    notes = [f"not read: {problem}" for problem in ended.unread[:PROBLEMS_NAMED]]
    if len(ended.unread) > PROBLEMS_NAMED:
        notes.append(f"{len(ended.unread) - PROBLEMS_NAMED:,} more could not be read")
    if not ended.complete and OVERLONG.rstrip() not in ended.complaints:
        notes.append(f"stopped after {SECONDS:.0f} seconds, so there may be more; narrow it with path")
    return notes


def program() -> str | None:
    """Where ripgrep is: beside this Python, or where the system finds programs; None if it is not installed."""
    name = "rg.exe" if sys.platform == "win32" else "rg"
    beside = (Path(folder) / name for folder in (Path(sys.executable).parent, sysconfig.get_path("scripts")))
    return next((str(path) for path in beside if path.is_file()), None) or shutil.which("rg")


def command(found: str | None) -> list[str]:
    """What to start: ripgrep, or where it is not found its stand-in, in a Python that takes nothing from the folder."""
    return [found] if found else [sys.executable, "-P", "-m", "cellwright.tools.stand_in"]


def _positive_first(arguments: list[str], barred: list[str]) -> list[str]:
    """The arguments with what is skipped put after the globs given: of two globs that fit, the last wins."""
    end = arguments.index("--")
    return [*arguments[:end], *_SKIPPED, *(f"--glob=!/{_literal(path)}" for path in barred), *arguments[end:]]


def _pass_on(
    process: subprocess.Popen[bytes], env: Env, take: Callable[[bytes], None], separator: bytes
) -> tuple[bool, bool]:
    """Hand on the output until it ends; whether it was stopped, and whether it held what is too long to be taken."""
    deadline = time.monotonic() + SECONDS
    fits = True
    with killed_once(lambda: env.stopping.is_set() or time.monotonic() > deadline, process) as killed:
        try:
            if process.stdout is not None:
                fits = _blocks(process.stdout, take, separator)
            if fits:
                process.wait()
        finally:
            process.kill()
    return killed.is_set(), not fits


def _blocks(output: IO[bytes], take: Callable[[bytes], None], separator: bytes) -> bool:
    """Hand on block by block; False if a record is too long."""
    with contextlib.suppress(ImportError, AttributeError, OSError):  # a system may have no such pipes, or no room
        import fcntl

        fcntl.fcntl(output, fcntl.F_SETPIPE_SZ, PIPE)
    pending = bytearray()
    while chunk := os.read(output.fileno(), BLOCK):
        whole, found, last = chunk.rpartition(separator)
        if found:
            take(bytes(pending + whole))
            pending.clear()
        pending += last
        if len(pending) > MAX_RECORD:
            return False
        if len(chunk) < BLOCK:
            time.sleep(PAUSE)
    return True


def _ended(errors: str, complete: bool) -> Ended:
    unread, other = [], []
    for line in errors.splitlines():
        found = _SYSTEM_ERROR.fullmatch(line.removeprefix("rg: "))
        if found:
            unread.append(f"{found['path']} ({found['reason']})")
        else:
            other.append(line.removeprefix("rg: "))
    return Ended(tuple(unread), tuple(other), complete)
