"""The file behind a log: lines of JSON, one after another, each on disk before anyone is told of what it says.

A process can be killed at any byte. Then the last line is torn; what it was to say was told to nobody, and it is cut
off before the next run writes. Two runs that wrote at the same time would make nonsense of each other's lines, so
whoever writes holds a lock on the file, which the system gives back however a process ends. The rule that must never
break: nothing of a line that is whole is ever taken away.
"""

from __future__ import annotations

import json
import os
import stat
import time
from contextlib import suppress
from itertools import count, takewhile
from pathlib import Path
from typing import BinaryIO

from cellwright.codec import as_line
from cellwright.errors import LogError
from cellwright.messages import JsonObject

FORMAT = 2
"""The way in which events are written; a reader refuses a log of another."""
HEAD = f'{{"format": {FORMAT}, "kind": "log"'.encode()
"""How the first line of a log begins."""
LINE_BREAKS = {char: f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"}
"""Characters that JSON may hold as they are, and at which some readers of lines would break a line."""
TRIES = 5
"""How often the lock is asked for: whoever looks whether a log is in use holds it for a moment."""
CHUNK = 65_536
LONGEST_HEAD = 4_096
"""Bytes within which the first line of a log ends; what is as long without an end is not a torn one."""


class LogFile:
    """A file that a log writes into. One that is there is continued, after the last line that is whole.

    Raises:
        LogError: if it can't be written, is no log, or a run that goes on writes it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file: BinaryIO | None = open(path, "ab", opener=_for_the_person_alone)  # noqa: SIM115 (a log stays open)
            if stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
                self._begin(self._file)
        except FileNotFoundError:
            raise LogError(
                f"the log {path} can't be written: make the folder {path.parent}, or choose another path"
            ) from None
        except OSError as error:
            raise LogError(f"the log {path} can't be written: {error.strerror}; choose another path") from None

    @property
    def is_open(self) -> bool:
        """Whether lines can be written into it."""
        return self._file is not None

    def write(self, line: JsonObject) -> str:
        """Writes a line; why it could not be written, or nothing. After the first that failed none is."""
        if self._file is None:
            return ""
        try:
            self._file.write(line_text(line).encode() + b"\n")
            self._file.flush()
        except OSError as error:
            self.close()
            return f"the log {self.path} can't be written: {error.strerror}; make room, or choose another path"
        return ""

    def close(self) -> None:
        """Closes the file; another run may continue it then."""
        if self._file:
            with suppress(OSError):  # each line was flushed; what closing could fail on was told before
                self._file.close()
            self._file = None

    def _begin(self, file: BinaryIO) -> None:
        if not _locked(file.fileno()):
            file.close()
            raise LogError(
                f"the log {self.path} is being written by a run that goes on; await its end, or choose another path"
            )
        problem = foreign(self.path)
        if problem:
            file.close()
            raise LogError(f"{problem}, so nothing is written into it; choose another path")
        torn = torn_end(self.path)
        if torn and is_line(torn):
            file.write(b"\n")
        elif torn:
            os.ftruncate(file.fileno(), self.path.stat().st_size - len(torn))


def in_made_folder(path: Path | None, cwd: Path) -> Path | None:
    """The path of a log, after the folders that it lacks were made, if these lie in the working folder.

    Raises:
        LogError: if they can't be made.
    """
    if path and not path.parent.exists() and Path(os.path.realpath(path.parent)).is_relative_to(cwd):
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise LogError(f"the log {path} can't be written: {error.strerror}; choose another path") from None
    return path


def foreign(path: Path) -> str:
    """Why a file is none that a log may be written into, by its first line; nothing if it is one, or empty."""
    with path.open("rb") as file:
        begin = file.read(LONGEST_HEAD)
    line, end, _ = begin.partition(b"\n")
    if not end and len(begin) < LONGEST_HEAD and (HEAD.startswith(line[: len(HEAD)]) or not line.strip(b"\0")):
        return ""  # a head that is torn, or zeros, as a crash of the machine leaves them
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or head.get("kind") != "log":
        return f"the file {path} is there and is no log"
    return (
        "" if head.get("format") == FORMAT else f"the log {path} is of format {head.get('format')!r:.40}, not {FORMAT}"
    )


def line_text(line: JsonObject) -> str:
    """A line as it is written, without its end."""
    text = as_line(line)
    for char, escape in LINE_BREAKS.items() if not text.isascii() else ():
        text = text.replace(char, escape)
    return text


def is_line(data: bytes) -> bool:
    """Whether these bytes are a whole line, which only its end is missing of."""
    try:
        return isinstance(json.loads(data), dict)
    except (ValueError, RecursionError):
        return False


def torn_end(path: Path) -> bytes:
    """What stands after the last end of a line."""
    end = b""
    with path.open("rb") as file:
        place = file.seek(0, os.SEEK_END)
        while place:
            size = min(CHUNK, place)
            place = file.seek(place - size)
            chunk = file.read(size)
            if b"\n" in chunk:
                return chunk.rpartition(b"\n")[2] + end
            end = chunk + end
    return end


def is_in_use(path: Path) -> bool:
    """Whether a run that goes on, here or in another process, writes the log. Not known on Windows."""
    if os.name != "posix":
        return False
    import fcntl

    with path.open("rb") as file:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:  # a file system without locks
            return False
    return False


def beside(path: Path) -> Path:
    """The path itself, or one beside it if a run that goes on writes there."""
    free, number = path, 1
    while free.exists() and is_in_use(free):
        free, number = path.with_name(f"{path.stem}.fork-{number}{path.suffix}"), number + 1
    return free


def log_of_agent(path: Path, log: str, agent: str) -> Path:
    """Where a sub-agent is written down: beside the file of its run, with the name of the log that is the run's."""
    return path.with_name(f"{path.stem}.{log}.{agent}{path.suffix}")


def logs_of_agents(path: Path, log: str) -> tuple[Path, ...]:
    """The files of the sub-agents of a run that are there. A log may be anybody's, and its name must lead nowhere."""
    if not log.isalnum():
        return ()
    return tuple(takewhile(Path.is_file, (log_of_agent(path, log, f"agent-{number}") for number in count(1))))


def _locked(descriptor: int) -> bool:
    if os.name != "posix":
        return True
    import fcntl

    for _ in range(TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.002)
        except OSError:  # a file system without locks
            return True
        else:
            return True
    return False


def _for_the_person_alone(path: str, flags: int) -> int:
    """Opens a file that nobody else can read if it is new: it will hold what was in files that are private."""
    return os.open(path, flags, 0o600)
