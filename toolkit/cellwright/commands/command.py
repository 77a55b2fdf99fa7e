"""A shell command on its way: started, read while it writes, and ended with all that it started.

It has no keyboard (its input is at its end), a group of its own, no pager and no editor, and none of the environment's
secrets: its line comes from a model that may have been led astray by what it read. It is over when its shell has
ended, whoever still holds on to its output; what it left in its group is ended then, too. Its line is read as it was
judged: nothing in the environment gives the shell other meanings.

The rules that must never break: a command never blocks the event loop, its output is bounded in memory, and when it
is stopped, its whole group is gone within seconds.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from cellwright.commands.kept_output import KeptOutput
from cellwright.commands.process_group import Strays, has_group, kill_group, left_in_group, signal_group
from cellwright.errors import ToolError
from cellwright.text.secret_formats import secret_values
from cellwright.waiting.threads import in_thread

POLITE = 2.0
"""Seconds a command gets to end after it was asked to, before it is killed."""
CHUNK = 1 << 16
CHUNKS = 16
"""Chunks that are read in one go, before others have a turn of the event loop."""
FIRST_PAUSE, LONGEST_PAUSE = 0.001, 0.02
"""Seconds between two looks at whether the command has ended."""
REPLACED = {
    **dict.fromkeys(("PAGER", "GIT_PAGER", "MANPAGER", "SYSTEMD_PAGER"), "cat"),
    **dict.fromkeys(("EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR"), "false"),
    "GIT_TERMINAL_PROMPT": "0",
    "TERM": "dumb",
}
"""What a command finds in its environment: an editor that fails at once is better than one that nobody sees."""
STEERING = ("BASH_ENV", "ENV", "CDPATH", "SHELLOPTS", "BASHOPTS", "GLOBIGNORE")
"""Variables by which a shell would read a line in another way than it was judged."""
OWN_FD = 200
"""Where the number of the pipe begins on which the shell tells its last folder: no line uses such a high one."""


class Command:
    """One command, from its start on the running event loop.

    Raises:
        ToolError: `not_installed` where there is no shell, `not_started` if the system refuses.
    """

    def __init__(self, line: str, folder: Path, said: Callable[[bytes], None] = lambda data: None) -> None:
        self.line = line
        self.output = KeptOutput()
        self.left: tuple[str, ...] = ()
        """What it left running, and what was ended with it."""
        self.is_held = False
        """Whether something that left its group (a daemon) still holds on to its output."""
        self.last_folder: Path | None = None
        """Where its shell was at its end; None if it did not tell."""
        self.stopped = ""
        """Why it was stopped; empty if it ended by itself."""
        self._said = said
        self._begun = time.monotonic()
        self._seconds: float | None = None
        self._process, self._pipe, self._folder_pipe = _start(line, folder)
        self._pipe_open = True
        atexit.register(self._kill)  # a kernel may end without an end of its event loop
        self._task = asyncio.get_running_loop().create_task(self._whole())

    @property
    def exit_code(self) -> int | None:
        """As Python gives it: negative for a signal; None while it runs."""
        return self._process.returncode

    @property
    def is_over(self) -> bool:
        """Whether it has ended and all is read."""
        return self._task.done()

    @property
    def pid(self) -> int:
        """Of its shell."""
        return self._process.pid

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return round((time.monotonic() - self._begun) if self._seconds is None else self._seconds, 3)

    async def wait(self, timeout: float | None) -> bool:
        """Until it has ended, for so many seconds at most; whether it has. To cancel the waiting does not stop it."""
        await asyncio.wait({self._task}, timeout=timeout)
        return self.is_over

    async def stop(self, why: str, patience: float = POLITE) -> None:
        """Asks it and all that it started to end, then kills them."""
        if self.is_over:
            return
        self.stopped = self.stopped or why
        strays: Strays | None = None
        try:
            strays = await in_thread(lambda: Strays(self._process))  # it looks at all processes of the machine
            signal_group(self._process, "ask")
            strays.signal("ask")
            await self.wait(patience)
        finally:
            strays = strays or Strays(self._process)
            self._kill()
            strays.signal("kill")
        if not await self.wait(POLITE):  # the system can't end it now, such as on a disk that is gone
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=POLITE)

    def _kill(self) -> None:
        signal_group(self._process, "kill")

    async def _whole(self) -> None:
        try:
            await self._read()
        finally:  # also where the event loop is gone
            kill_group(self._process)
            atexit.unregister(self._kill)
            self._seconds = time.monotonic() - self._begun
            os.close(self._pipe)
            os.close(self._folder_pipe)

    async def _read(self) -> None:
        pause = FIRST_PAUSE
        while self._process.poll() is None:
            if self._take():
                pause = FIRST_PAUSE
                await asyncio.sleep(0)
            else:
                await self._next(pause)
                pause = min(pause * 1.5, LONGEST_PAUSE)
        if not self.stopped:
            self.left = await in_thread(lambda: left_in_group(self._process)) if has_group(self._process) else ()
        self._kill()
        self._take()  # what it wrote before its end is in the pipe; who else may write there is not waited for
        self.is_held = self._pipe_open and not self.left and not self.stopped
        with suppress(OSError):
            told = os.read(self._folder_pipe, CHUNK)
            self.last_folder = Path(os.fsdecode(told[:-1])) if told.endswith(b"\n") else None

    def _take(self) -> bool:
        """Reads what there is, within bounds; whether there was anything."""
        some = False
        for _ in range(CHUNKS if self._pipe_open else 0):
            try:
                data = os.read(self._pipe, CHUNK)
            except BlockingIOError:
                break
            if not data:
                self._pipe_open = False
                break
            some = True
            self.output.add(data)
            self._said(data)
        return some

    async def _next(self, pause: float) -> None:
        """Until it writes something, for a moment at most."""
        if not self._pipe_open:
            await asyncio.sleep(pause)
            return
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        loop.add_reader(self._pipe, _settle, ready)
        try:
            await asyncio.wait({ready}, timeout=pause)
        finally:
            with suppress(RuntimeError):  # the event loop is gone
                loop.remove_reader(self._pipe)


def _settle(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)


def shell() -> str:
    """The program that reads command lines; empty if there is none."""
    import shutil  # with it come all the archives that it can write

    return (shutil.which("bash") or shutil.which("sh") or "") if os.name == "posix" else ""


def command_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """What of the environment a command gets."""
    withheld = {*secret_values(environment), *STEERING}
    passed = {name: value for name, value in environment.items() if name not in withheld}
    return {name: value for name, value in passed.items() if not name.startswith("BASH_FUNC_")} | REPLACED


def _start(line: str, folder: Path) -> tuple[subprocess.Popen[bytes], int, int]:
    """The process, the pipe of its output and that of its last folder; both are read without waiting."""
    program = shell()
    if not program:
        raise ToolError("not_installed", "there is no shell (bash or sh) here; use the other tools")
    import fcntl  # only where there is a shell

    reading, writing = os.pipe()
    tells, telling = os.pipe()
    high = fcntl.fcntl(telling, fcntl.F_DUPFD, OWN_FD)
    # On a line of its own: where the shell can't read the command, its error quotes the line at fault, and no other.
    script = f"trap 'pwd -P >/dev/fd/{high} 2>/dev/null' EXIT\n{line}"
    try:
        process = subprocess.Popen(  # noqa: S603 (permission has judged the line)
            [program, "-c", script],
            cwd=folder,
            env=command_environment(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=subprocess.STDOUT,
            pass_fds=(high,),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        os.close(reading)
        os.close(tells)
        raise ToolError("not_started", f"the command can't be started in {folder}: {error}") from None
    finally:
        for end in (writing, telling, high):
            os.close(end)
    os.set_blocking(reading, False)
    os.set_blocking(tells, False)
    return process, reading, tells
