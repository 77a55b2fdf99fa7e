"""Copies of files as they were before and after each change, so that a change can be taken back.

Each run has a folder of its own, `.cellwright/snapshots/<run>` under the working folder, made when it is first needed.
A copy is named by the SHA-256 of its bytes, so what did not change is kept once. The bytes are those of the file,
unmasked, else they could not be put back; so only the owner can read them (0700, 0600), git is told to leave them
alone, and no tool gets at them (`permission/credentials.py`). A run keeps up to 500 MB and then loses the oldest;
folders that were not touched for 30 days are cleared away when a later run keeps its first copy. A hard link would be
cheaper than a copy and is not safe: who writes into the file would write into its past. The rule that must never
break: what comes out is, to the byte, what went in.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path

from cellwright.calls.spill import HIDDEN, made_folder
from cellwright.errors import ToolError
from cellwright.files.disk import opened_file, read_file_bytes
from cellwright.files.draft import LEFT_OVER
from cellwright.files.file_error import told_of
from cellwright.files.folder import Folder, opened_folder
from cellwright.undo.file_state import ABSENT, DIGEST, FileState

NAME = "snapshots"
ROOM = 500_000_000
"""Bytes that are kept of one run."""
KEPT_DAYS = 30
BLOCK = 1_000_000
"""Bytes that are copied at a time."""


class Snapshots:
    """The copies of one run. Without a working folder none are kept.

    `folder` is the name of the folder of an earlier run, whose copies are there.
    """

    def __init__(self, cwd: Path | None = None, run: str = "", *, folder: str = "", room: int = ROOM) -> None:
        self._cwd = cwd
        self._run = run
        self._room = room
        self._path = cwd / HIDDEN / NAME / folder if cwd and _is_name(folder) else None
        self._sizes: dict[str, int] | None = None
        self._lock = threading.Lock()

    @property
    def folder(self) -> str:
        """The name of its folder; empty while there is none."""
        return self._path.name if self._path else ""

    def look(self, path: Path) -> FileState:
        """What stands at a real path now.

        Raises:
            ToolError: if it can't be read, or a link has come up on the way to it.
        """
        return self._seen(path, keeps=False)

    def keep(self, path: Path) -> FileState:
        """The same, and a copy is kept of a file.

        Raises:
            ToolError: also if no copy can be kept.
        """
        with self._lock:
            return self._seen(path, keeps=True)

    def holds(self, state: FileState) -> bool:
        """Whether a path can be brought to this state."""
        if state.kind != "file":
            return state.kind != "other"
        with contextlib.suppress(OSError, ToolError):
            if self._path and DIGEST.fullmatch(state.digest):
                with opened_folder(self._path) as folder:
                    return stat.S_ISREG(folder.stat(state.digest).st_mode)
        return False

    def content(self, state: FileState) -> bytes:
        """The bytes of a file in this state.

        Raises:
            ToolError: `no_copy` if they are not there, or are others by now.
        """
        if self.holds(state) and self._path:
            data = read_file_bytes(self._path / state.digest, self._room)
            if hashlib.sha256(data).hexdigest() == state.digest:
                return data
        raise ToolError("no_copy", f"there is no copy of {state.told}: it was cleared away, or never made")

    def _seen(self, path: Path, keeps: bool) -> FileState:
        try:
            with told_of(path, "read"), opened_folder(path.parent) as folder:
                found = folder.stat(path.name)
                if stat.S_ISLNK(found.st_mode):
                    return FileState("link", target=folder.target(path.name))
        except ToolError as error:
            if error.code != "not_found":
                raise
            return ABSENT
        if not stat.S_ISREG(found.st_mode):
            return FileState("other")
        if keeps and found.st_size > self._room:
            raise ToolError("too_large", f"it has {found.st_size:,} bytes, and a run keeps {self._room:,}")
        return self._copied(path) if keeps else _hashed(path)

    def _copied(self, path: Path) -> FileState:
        name = LEFT_OVER.replace("*", secrets.token_hex(6))
        with told_of(path, "copy"), opened_folder(self._own_folder()) as folder:
            try:
                with os.fdopen(folder.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as copy:
                    state = _hashed(path, copy.write)
                self._make_room(folder, state)
                folder.rename(name, state.digest)
            finally:
                folder.remove(name)
        return state

    def _own_folder(self) -> Path:
        if self._cwd is None:
            raise ToolError("no_copy", "there is no folder for copies of files")
        if self._path is None:
            with told_of(self._cwd / HIDDEN, "write"):
                self._path = made_folder(self._cwd, NAME, self._run, 0o700)
            _clear_old(self._path.parent)
        return self._path

    def _make_room(self, folder: Folder, state: FileState) -> None:
        """Takes away the oldest copies until there is room for one more."""
        if self._sizes is None:
            found = {name: folder.stat(name) for name in folder.names() if DIGEST.fullmatch(name)}
            oldest_first = sorted(found, key=lambda name: found[name].st_mtime_ns)
            self._sizes = {name: found[name].st_size for name in oldest_first}
        self._sizes.pop(state.digest, None)
        while self._sizes and sum(self._sizes.values()) + state.size > self._room:
            oldest = next(iter(self._sizes))
            folder.remove(oldest)
            del self._sizes[oldest]
        self._sizes[state.digest] = state.size


def _is_name(folder: str) -> bool:
    """A log may be anybody's, and says in which folder the copies are."""
    return bool(folder) and folder not in (".", "..") and not set(folder) & set("/\\\0:")


def _hashed(path: Path, write: Callable[[memoryview], object] | None = None) -> FileState:
    """The state of a file, each block of which is also written elsewhere, if wanted."""
    digest, size, block = hashlib.sha256(), 0, bytearray(BLOCK)
    with opened_file(path) as file:
        mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        while count := file.readinto(block):
            piece = memoryview(block)[:count]
            digest.update(piece)
            size += count
            if write is not None:
                write(piece)
    return FileState("file", digest.hexdigest(), size, mode)


def _clear_old(above: Path) -> None:
    """Clears away what earlier runs left long ago; what can't be, stays."""
    with contextlib.suppress(OSError, ToolError), opened_folder(above) as folder:
        for name in folder.names():
            if folder.stat(name).st_mtime < time.time() - KEPT_DAYS * 86_400:
                with contextlib.suppress(OSError, ToolError), opened_folder(above / name) as old:
                    for copy in old.names():
                        old.remove(copy)
                    folder.remove_folder(name)
