"""Bytes on disk, kept as they are.

An edit means to change one place, yet a careless writer changes a whole file: mode bits, a second name of the file,
another program's work of a second ago. So a file is replaced in one step, only if it still holds what the writer
last saw, and success is said only after the bytes read back from disk are the bytes meant.

The rule that must never break: what is opened is what was judged. Every function takes a real path as it is, as
`env.path` gives it, and opens it in a folder that is held; a link that came up since is an error, never followed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import threading
from collections.abc import Iterator
from io import FileIO
from pathlib import Path

from cellwright.errors import ToolError
from cellwright.files.draft import Pieces, draft, fill, in_pieces, written_at_once
from cellwright.files.file_error import told_of
from cellwright.files.folder import Folder, moved, opened_folder
from cellwright.files.text_file import TextFile

MAX_FILE_BYTES = 100_000_000
BLOCK = 1 << 18
"""Bytes that are read at a time to be compared."""


def read_text_file(path: Path) -> TextFile:
    """The text file at a real path; a ToolError says what is there if it isn't a text file."""
    return TextFile.of(path, read_file_bytes(path))


def read_file_bytes(path: Path, limit: int = MAX_FILE_BYTES) -> bytes:
    """The bytes of the regular file at a real path; anything else is refused without being opened."""
    with opened_file(path) as file, told_of(path, "read"):
        return whole(file, path, limit)


def whole(file: FileIO, path: Path, limit: int = MAX_FILE_BYTES) -> bytes:
    """All bytes of an opened file, which may have so many.

    Raises:
        ToolError: `too_large`.
    """
    size = os.fstat(file.fileno()).st_size
    if size > limit:
        raise ToolError("too_large", f"{path} has {size} bytes, more than {limit}. Use run_command to take a part.")
    return file.readall()


def content_of(folder: Folder, path: Path) -> bytes:
    """The bytes of a regular file in a folder that is held."""
    with _opened(folder, path, os.O_RDONLY) as file:
        return whole(file, path)


@contextlib.contextmanager
def opened_file(path: Path) -> Iterator[FileIO]:
    """The regular file at a real path, open for reading; anything else is refused without being opened."""
    with told_of(path, "read"), opened_folder(path.parent) as folder:
        file = _opened(folder, path, os.O_RDONLY)
    with file:
        yield file


def _opened(folder: Folder, path: Path, flags: int) -> FileIO:
    """A regular file in its folder. What it is is seen twice: opening a pipe or device is an act, and it may change."""
    require_regular(path, folder.stat(_name(path)))
    file = FileIO(folder.open(_name(path), flags), "rb" if flags == os.O_RDONLY else "rb+")
    try:
        require_regular(path, os.fstat(file.fileno()))
    except ToolError:
        file.close()
        raise
    return file


def _name(path: Path) -> str:
    return path.name or "."


def require_regular(path: Path, found: os.stat_result) -> None:
    """Refuse what is no plain file, before it is opened.

    Raises:
        ToolError: `moved`, `is_directory` or `not_regular`.
    """
    if stat.S_ISLNK(found.st_mode):
        raise moved(path)
    if stat.S_ISDIR(found.st_mode):
        raise ToolError("is_directory", f"{path} is a folder, not a file. Name a file inside it.")
    if not stat.S_ISREG(found.st_mode):
        kind = "named pipe" if stat.S_ISFIFO(found.st_mode) else "socket or device"
        raise ToolError("not_regular", f"{path} is not a regular file but a {kind}; it can't be read.")


# Two writers in one process, each with the right expectation, must not both pass the check before either writes.
_WRITING = threading.Lock()


def create_file(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write a new file at a real path, with its missing folders; refused with `exists` if something is there already.

    Raises:
        ToolError: `exists`, `moved`, `not_permitted` or `write_failed`; nothing was written.
    """
    with told_of(path, "write"), _WRITING, opened_folder(path.parent, make=True) as folder:
        _require_absent(folder, path)
        try:
            if not written_at_once(folder, path.name, data, mode=mode):
                with draft(folder, data, mode=mode) as name:
                    _put_in_place(folder, name, path)
        except FileExistsError:  # it came up meanwhile
            _require_absent(folder, path)
            raise
        _check_written(folder, path, data)


def replace_file(path: Path, data: Pieces, *, expected: bytes) -> None:
    """Put `data` in place of `expected` in one step; refused with `stale` if the file holds anything else.

    Mode bits and, where allowed, the owner stay. A file with several names (hard links) is rewritten in place,
    because a replacement would leave the other names with the old text.

    Raises:
        ToolError: `stale`, `moved`, `not_permitted` or `write_failed`; the file is as it was.
    """
    with told_of(path, "write"), _WRITING, opened_folder(path.parent) as folder:
        before = folder.stat(path.name)
        require_regular(path, before)
        if not folder.is_writable(path.name):
            raise PermissionError(errno.EACCES, "the file is read-only")
        if before.st_size != len(expected):
            raise _stale(path)
        if before.st_nlink > 1:
            _rewrite(folder, path, data, expected)
        else:
            with draft(folder, data, path.name) as name:
                _check_expected(folder, path, expected)
                folder.rename(name, path.name)
        _check_written(folder, path, data)


def remove_file(path: Path, *, expected: bytes) -> None:
    """Take away the file at a real path; refused with `stale` if it holds anything but `expected`.

    Raises:
        ToolError: `stale`, `moved`, `not_permitted` or `write_failed`; the file is still there.
    """
    with told_of(path, "write"), _WRITING, opened_folder(path.parent) as folder:
        _check_expected(folder, path, expected)
        folder.remove(path.name)


def _holds(file: FileIO, expected: Pieces) -> bool:
    """Whether a file holds exactly these bytes. They are compared in the block that they are read into."""
    block, at, end = bytearray(BLOCK), 0, 0
    for piece in in_pieces(expected):
        rest = memoryview(piece)
        while rest:
            if at == end:
                at, end = 0, file.readinto(block)
            part = rest[: end - at]
            if not part or not block.startswith(part, at):
                return False
            at, rest = at + len(part), rest[len(part) :]
    return at == end and not file.read(1)


def _check_expected(folder: Folder, path: Path, expected: bytes) -> None:
    with _opened(folder, path, os.O_RDONLY) as file:
        if not _holds(file, expected):
            raise _stale(path)


def _stale(path: Path) -> ToolError:
    return ToolError(
        "stale", f"{path} has changed on disk since it was read; nothing was written. Read it again first."
    )


def _require_absent(folder: Folder, path: Path) -> None:
    try:
        found = folder.stat(_name(path))
    except FileNotFoundError:
        return
    if stat.S_ISLNK(found.st_mode):
        raise moved(path)
    raise ToolError("exists", f"{path} already exists; nothing was written. Read it, then edit or replace it.")


def _put_in_place(folder: Folder, name: str, path: Path) -> None:
    """Give a draft its name, never over a file that came up meanwhile."""
    try:
        folder.link(name, path.name)
    except OSError:  # something is there, or the file system has no hard links
        _require_absent(folder, path)
        folder.rename(name, path.name)


def _rewrite(folder: Folder, path: Path, data: Pieces, previous: bytes) -> None:
    """Write into the file itself. A draft stands beside it meanwhile: a killed process leaves all of the new text."""
    with draft(folder, data, path.name), _opened(folder, path, os.O_RDWR) as file:
        if not _holds(file, previous):
            raise _stale(path)
        try:
            _refill(file, data)
        except OSError:
            _refill(file, previous)
            raise


def _refill(file: FileIO, data: Pieces) -> None:
    file.seek(0)
    fill(file, data)
    file.truncate(file.tell())


def _check_written(folder: Folder, path: Path, data: Pieces) -> None:
    try:
        with _opened(folder, path, os.O_RDONLY) as file:
            is_there = _holds(file, data)
    except (FileNotFoundError, ToolError):  # it is gone, or a link or a folder by now
        is_there = False
    if not is_there:
        raise ToolError(
            "write_failed",
            f"{path} does not hold what was just written: another program wrote it too. Read it again first.",
        )
