"""Files brought from one state to another: those of one call together, or none.

What is there is replaced in one step, and only while it is still what it is said to be, as with any edit (`disk.py`).
Where a file was moved, the file itself goes back, with its time, owner and other names. If one file of a call can't be
brought to its state, those that were are put back. The rule that must never break: what somebody else has written is
never lost, and no link is followed.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from cellwright.errors import ToolError
from cellwright.files.disk import create_file, remove_file, replace_file
from cellwright.files.file_error import told_of
from cellwright.files.folder import Folder, opened_folder
from cellwright.files.moving import move_regular_file
from cellwright.undo.file_state import ABSENT, FileState
from cellwright.undo.snapshots import Snapshots


class Restoring(Struct, frozen=True):
    """One path on its way to another state."""

    path: Path
    """The real path."""
    now: FileState
    """What stands there."""
    then: FileState
    """What is to stand there."""

    @property
    def back(self) -> Restoring:
        """The same the other way round."""
        return Restoring(self.path, self.then, self.now)


def restore(files: Iterable[Restoring], snapshots: Snapshots) -> None:
    """Brings each file to its state, the last one first; if one can't be, all are as they were.

    Raises:
        ToolError: `stale` if something else stands there, `no_copy`, or what the system says.
    """
    done: list[Restoring] = []
    waiting = [file for file in files if file.now != file.then]
    try:
        for old, new in _moves(waiting):
            move_regular_file(old.path, new.path)
            waiting = [file for file in waiting if file not in (old, new)]
            done += [replace(old, then=ABSENT), new]
            waiting += [replace(old, now=ABSENT)]
        for file in reversed(waiting):
            _restore(file, snapshots)
            done.append(file)
    except ToolError:
        for file in reversed(done):
            with contextlib.suppress(ToolError):  # it is told of the first error, and of the file as it is now
                _restore(file.back, snapshots)
        raise


def remove_empty_folders(folders: Iterable[Path]) -> None:
    """Takes away those of the folders that hold nothing, the inner ones first."""
    for path in sorted(folders, key=lambda path: len(path.parts), reverse=True):
        with contextlib.suppress(OSError, ToolError), opened_folder(path.parent) as above:
            above.remove_folder(path.name)


def _moves(files: Sequence[Restoring]) -> list[tuple[Restoring, Restoring]]:
    """A file that is to be elsewhere, with the place that waits for it."""
    wanted = [file for file in files if file.now == ABSENT and file.then.kind == "file"]
    pairs = ((old, new) for new in wanted for old in files if old.now == new.then)
    return list(pairs)[:1]


def _restore(file: Restoring, snapshots: Snapshots) -> None:
    if file.now == file.then:
        return
    if file.now.kind == file.then.kind == "file":
        _replace(file, snapshots)
        return
    _take_away(file.path, file.now, snapshots)
    try:
        _put(file.path, file.then, snapshots)
    except ToolError:
        _put(file.path, file.now, snapshots)
        raise


def _replace(file: Restoring, snapshots: Snapshots) -> None:
    path, now, then = file.path, file.now, file.then
    if now.mode != then.mode:
        _set_mode(path, then.mode)
    try:
        if now.digest != then.digest:
            replace_file(path, snapshots.content(then), expected=snapshots.content(now))
    except ToolError:
        if now.mode != then.mode:
            _set_mode(path, now.mode)
        raise


def _take_away(path: Path, now: FileState, snapshots: Snapshots) -> None:
    if now.kind == "file":
        remove_file(path, expected=snapshots.content(now))
    elif now.kind == "link":
        with told_of(path, "write"), opened_folder(path.parent) as folder:
            _require_link(folder, path, now)
            folder.remove(path.name)
    elif now.kind == "other":
        raise ToolError("not_regular", f"{path} is no file; it stays as it is")


def _put(path: Path, then: FileState, snapshots: Snapshots) -> None:
    if then.kind == "file":
        create_file(path, snapshots.content(then), then.mode)
    elif then.kind == "link":
        with told_of(path, "write"), opened_folder(path.parent, make=True) as folder:
            folder.make_link(then.target, path.name)
    elif then.kind == "other":
        raise ToolError("not_regular", f"{path} was no file; that can't be brought back")


def _require_link(folder: Folder, path: Path, now: FileState) -> None:
    try:
        target = folder.target(path.name)
    except OSError:
        target = ""
    if target != now.target:
        raise ToolError("stale", f"{path} is no link to {now.target} any more; it stays as it is")


def _set_mode(path: Path, mode: int) -> None:
    with told_of(path, "write"), opened_folder(path.parent) as folder:
        if hasattr(os, "fchmod"):
            descriptor = folder.open(path.name, os.O_RDONLY)
            try:
                os.fchmod(descriptor, mode)
            finally:
                os.close(descriptor)
