"""A folder held open, so that what is opened in it is what was judged.

A path is judged first and opened later. If another program puts a link in the place of a folder between the two, the
same path leads elsewhere: out of the working folder, or to where keys are kept. So a real path, which holds no links,
is walked name by name, each seen from the folder before it and none through a link; from then on everything is seen
from the descriptor of the last, which stays with its folder whatever becomes of the path. The rule that must never
break: nothing here follows a link.

Source: POSIX.1-2017, `openat` and `O_NOFOLLOW`, whose rationale names this race
(https://pubs.opengroup.org/onlinepubs/9699919799/functions/open.html). Where the system has no such calls (Windows)
a folder goes by its path, and the race stays open.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from cellwright.errors import ToolError

IS_HELD = {os.open, os.stat, os.access, os.mkdir, os.unlink, os.link, os.rename, os.readlink} <= os.supports_dir_fd
"""Whether this system can hold a folder; if not, all goes by paths."""
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = _NO_LINK | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_PATH", os.O_RDONLY)
_FILE = _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_LINK_MET = (errno.ELOOP, errno.EMLINK, errno.ENOTDIR)
"""What systems say of a link that is not to be followed; for one in the place of a folder Linux says it is none."""


class Folder(Struct, frozen=True):
    """A folder that is held. Names are of what is directly in it."""

    path: Path
    """By which it was opened; it may lead elsewhere by now."""
    descriptor: int | None
    """None where the system can't hold a folder."""

    def open(self, name: str, flags: int, mode: int = 0o666) -> int:
        """A descriptor of a file; it is never waited for, and never one behind a link."""
        try:
            return os.open(self._seen(name), flags | _FILE, mode, dir_fd=self.descriptor)
        except OSError as error:
            if error.errno in _LINK_MET:
                raise moved(self.path / name) from None
            raise

    def open_nameless(self) -> int | None:
        """A descriptor of a new file in it that has no name and goes with its last descriptor; None if there are none.

        The system has to be able to name it later (`name_it`), which on Linux takes `/proc`.
        """
        if self.descriptor is None or not hasattr(os, "O_TMPFILE") or not os.path.isdir("/proc/self/fd"):
            return None
        try:
            return os.open(".", os.O_WRONLY | os.O_TMPFILE, 0o666, dir_fd=self.descriptor)
        except OSError:  # not on this file system; or it may not be written, as the next try will tell
            return None

    def name_it(self, descriptor: int, name: str) -> bool:
        """Give a nameless file a name; whether that could be done. FileExistsError if something has the name."""
        try:
            os.link(f"/proc/self/fd/{descriptor}", name, dst_dir_fd=self.descriptor, follow_symlinks=True)
        except FileExistsError:
            raise
        except OSError:
            return False
        return True

    def stat(self, name: str) -> os.stat_result:
        """What stands there, which may be a link."""
        return os.stat(self._seen(name), dir_fd=self.descriptor, follow_symlinks=False)

    def target(self, name: str) -> str:
        """What a link in it leads to, as it is written there."""
        return os.readlink(self._seen(name), dir_fd=self.descriptor)

    def is_writable(self, name: str) -> bool:
        """Whether the system would let it be written."""
        as_who = {"effective_ids": True} if os.access in os.supports_effective_ids else {}
        return os.access(self._seen(name), os.W_OK, dir_fd=self.descriptor, **as_who)

    def names(self) -> list[str]:
        """The names in it, sorted."""
        if self.descriptor is None:
            return sorted(os.listdir(self.path))
        listed = os.open(".", os.O_RDONLY, dir_fd=self.descriptor)  # a descriptor that only holds can't be listed
        try:
            return sorted(os.listdir(listed))
        finally:
            os.close(listed)

    def make_folder(self, name: str, mode: int = 0o777) -> None:
        """Make a folder in it; FileExistsError if something is there."""
        os.mkdir(self._seen(name), mode, dir_fd=self.descriptor)

    def remove_folder(self, name: str) -> None:
        """Take away a folder in it; OSError if it holds anything."""
        os.rmdir(self._seen(name), dir_fd=self.descriptor)

    def make_link(self, target: str, name: str) -> None:
        """Make a symbolic link in it; FileExistsError if something is there."""
        os.symlink(target, self._seen(name), dir_fd=self.descriptor)

    def link(self, name: str, second: str) -> None:
        """Give a file a second name; FileExistsError if something has it."""
        held = self.descriptor is not None
        os.link(
            self._seen(name),
            self._seen(second),
            src_dir_fd=self.descriptor,
            dst_dir_fd=self.descriptor,
            follow_symlinks=not held,
        )

    def rename(self, name: str, new: str) -> None:
        """Give a file another name, in the place of what has it."""
        os.replace(self._seen(name), self._seen(new), src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)

    def move(self, name: str, other: Folder, new: str) -> None:
        """Give a file a name in another folder or in this, never in the place of one; FileExistsError if it has one.

        It has both names for a moment, since only a new name is given without taking the place of what is there.
        """
        names = self._seen(name), other._seen(new)
        held = self.descriptor is not None
        try:
            os.link(*names, src_dir_fd=self.descriptor, dst_dir_fd=other.descriptor, follow_symlinks=not held)
        except FileExistsError:
            raise
        except OSError:  # no hard links here, or not of this file
            with contextlib.suppress(FileNotFoundError):
                other.stat(new)
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
            os.rename(*names, src_dir_fd=self.descriptor, dst_dir_fd=other.descriptor)
        else:
            os.unlink(names[0], dir_fd=self.descriptor)

    def replace(self, name: str, other: Folder, new: str) -> None:
        """Give a file a name in another folder or in this, in the place of what has it."""
        names = self._seen(name), other._seen(new)
        os.replace(*names, src_dir_fd=self.descriptor, dst_dir_fd=other.descriptor)

    def remove(self, name: str) -> None:
        """Take a name away, if it is there."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._seen(name), dir_fd=self.descriptor)

    def entrance(self) -> Path:
        """A path for a program that is to start in it: on Linux one that leads to what is held, else the plain one."""
        held = Path(f"/proc/self/fd/{self.descriptor}")
        return held if self.descriptor is not None and held.exists() else self.path

    def _seen(self, name: str) -> str:
        return name if self.descriptor is not None else str(self.path / name)


@contextlib.contextmanager
def opened_folder(path: Path, *, make: bool = False) -> Iterator[Folder]:
    """Hold the folder at a real path, made with the ones above it if wanted.

    Raises:
        ToolError: `moved` if a link stands where the path had none.
        OSError: what the system says, such as that it is not there.
    """
    if not IS_HELD:
        if make:
            path.mkdir(parents=True, exist_ok=True)
        yield Folder(path, None)
        return
    descriptor = os.open(path.anchor or ".", _FOLDER)
    try:
        for name in path.parts[bool(path.anchor) :]:
            above, descriptor = descriptor, _entered(name, descriptor, path, make)
            os.close(above)
        yield Folder(path, descriptor)
    finally:
        os.close(descriptor)


def moved(path: Path) -> ToolError:
    """The error for a path that met a link where there was none when it was judged."""
    return ToolError(
        "moved",
        f"{path} is a link now, or a folder on the way to it is; that came up after the path was looked at, so it was "
        "not followed and nothing was read or written. Look again at what is there, then call again.",
    )


def _entered(name: str, above: int, path: Path, make: bool) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=above)
    except FileNotFoundError:
        if not make:
            raise
    except OSError as error:
        raise _refused(error, name, above, path) from None
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, dir_fd=above)
    return _entered(name, above, path, make=False)


def _refused(error: OSError, name: str, above: int, path: Path) -> Exception:
    """Tells a link, or what just was one, from a plain file in the way."""
    if error.errno not in _LINK_MET:
        return error
    with contextlib.suppress(FileNotFoundError):
        mode = os.stat(name, dir_fd=above, follow_symlinks=False).st_mode
        if not stat.S_ISLNK(mode) and not stat.S_ISDIR(mode):
            return error
    return moved(path)
