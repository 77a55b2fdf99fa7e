"""A file on its way: whole on disk before it stands where it belongs.

A process can be killed and a disk can be full at any byte, so nothing is ever written into the file that matters. The
new content goes into a file of its own beside it. Where the system can, that has no name while it is written, so that
it is gone with a process that is killed; then it gets one that tells whose it is, and in the next step its place. The
rule that must never break: what a draft is put in the place of is the old content or the new, never a part of either.

Source: open(2) of Linux, `O_TMPFILE` (https://man7.org/linux/man-pages/man2/open.2.html). Elsewhere a draft has its
name from the start.
"""

from __future__ import annotations

import contextlib
import errno
import fnmatch
import os
import secrets
import stat
from collections import deque
from collections.abc import Iterator, Sequence
from io import FileIO

from cellwright.files.folder import Folder

Pieces = bytes | Sequence[bytes | memoryview]
"""The bytes of a file, in one or in pieces in a row: the parts of a large file that stay are never joined or copied."""
LEFT_OVER = ".cellwright-*.tmp"
"""Names of drafts; one is left over only if the process is killed between its last two steps."""


AT_ONCE = 1_024
"""Pieces that are written in one step; Linux and macOS take no more."""


def is_left_over(name: str) -> bool:
    """Whether a file in a folder is a draft that a killed process left; searches and lists pass it over."""
    return fnmatch.fnmatchcase(name, LEFT_OVER)


def in_pieces(data: Pieces) -> Sequence[bytes | memoryview]:
    """The pieces of what may be one."""
    return [data] if isinstance(data, bytes) else data


def fill(file: FileIO, data: Pieces) -> None:
    """Writes all pieces from where the file stands, as many in one step as the system takes.

    What comes in one step lies in large parts in the system's memory, which it flushes, and later drops, much sooner.
    """
    pieces = in_pieces(data)
    for start in range(0, len(pieces), AT_ONCE):
        rest = deque(memoryview(piece) for piece in pieces[start : start + AT_ONCE])
        while rest:
            written = os.writev(file.fileno(), rest) if hasattr(os, "writev") else file.write(rest[0])
            while rest and written >= len(rest[0]):
                written -= len(rest.popleft())
            if written:
                rest[0] = rest[0][written:]


@contextlib.contextmanager
def draft(folder: Folder, data: Pieces, like: str = "", mode: int | None = None) -> Iterator[str]:
    """The name of a finished file in the folder, with mode, owner and attributes like another there, or a given mode.

    It is gone again at the end, unless it was put in place.
    """
    name = LEFT_OVER.replace("*", secrets.token_hex(6))
    try:
        if not written_at_once(folder, name, data, like, mode):
            _write(_opened(folder, name), data, folder, like, mode)
        yield name
    finally:
        folder.remove(name)


def written_at_once(folder: Folder, name: str, data: Pieces, like: str = "", mode: int | None = None) -> bool:
    """Make a file that is not there at all until it is whole; False, and nothing is done, where that can't be.

    Raises:
        FileExistsError: if the name is taken.
    """
    descriptor = folder.open_nameless()
    if descriptor is None:
        return False
    second = os.dup(descriptor)
    try:
        _write(descriptor, data, folder, like, mode)
        return folder.name_it(second, name)
    finally:
        os.close(second)


def _opened(folder: Folder, name: str) -> int:
    try:
        return folder.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    except PermissionError:
        raise PermissionError(errno.EACCES, "its folder lets no file be made in it") from None


def _write(descriptor: int, data: Pieces, folder: Folder, like: str, mode: int | None) -> None:
    with FileIO(descriptor, "wb") as file:
        if mode is not None and hasattr(os, "fchmod"):  # first, so that nobody reads who may not
            os.fchmod(descriptor, mode)
        fill(file, data)
        if like:
            _keep_what_is_not_content(descriptor, folder, like)
        os.fsync(descriptor)


def _keep_what_is_not_content(descriptor: int, folder: Folder, like: str) -> None:
    before = folder.stat(like)
    if hasattr(os, "fchown"):
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, before.st_uid, before.st_gid)
    if hasattr(os, "fchmod"):  # where it is missing a file is read-only or not, and this one was not
        os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
    if hasattr(os, "listxattr"):  # access lists are among them: mode bits alone would let in others
        with contextlib.suppress(OSError):
            _copy_attributes(folder.open(like, os.O_RDONLY), descriptor)


def _copy_attributes(source: int, target: int) -> None:
    try:
        for name in os.listxattr(source):
            with contextlib.suppress(OSError):  # some are the system's own
                os.setxattr(target, name, os.getxattr(source, name))
    finally:
        os.close(source)
