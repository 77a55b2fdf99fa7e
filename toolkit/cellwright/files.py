"""Bytes on disk, kept as they are.

An edit means to change one place, yet a careless writer changes a whole file: line ends, the byte order mark,
mode bits, a link that becomes a file, another program's work of a second ago. So text is decoded in a way that
gives every byte back, and a file is replaced in one step, only if it still holds what the writer last saw.

The rule that must never break: success is said only after the bytes read back from disk are the bytes meant.

What is judged by permission must be `real_path(path)`, not the spelling a model gave: links are followed, and a
name that differs only by an odd blank or by Unicode normalisation is opened if there is just one such file.
"""

import codecs
import contextlib
import difflib
import errno
import hashlib
import os
import re
import secrets
import stat
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cellwright.errors import ToolError

MAX_FILE_BYTES = 100_000_000


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text file as it was read; `encode` turns an edited text back into bytes of the same kind."""

    path: Path
    """The real path, after links."""
    data: bytes
    """Exactly what is on disk, byte order mark included."""
    text: str
    """The decoded text with its line ends untouched and without byte order mark."""
    encoding: str
    """`utf-8`, `utf-16-le`, `utf-16-be`, or `latin-1` for a file that is in none of them."""
    bom: bytes
    """The byte order mark, or no bytes."""

    @property
    def version(self) -> str:
        """A short hash of the bytes; it changes whenever a byte does, whatever the time stamp says."""
        return hashlib.sha256(self.data).hexdigest()[:12]

    def encode(self, text: str) -> bytes:
        """The bytes of `text` in this file's encoding; an unchanged text gives `data` back."""
        has_stray_bytes = self.encoding == "utf-8" and _STRAY_BYTE.search(self.text) is not None
        errors = "surrogateescape" if has_stray_bytes else "strict"
        try:
            return self.bom + text.encode(self.encoding, errors)
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            raise ToolError(
                "not_encodable",
                f"{self.path} is stored as {self.encoding}, which can't hold {character!r} "
                f"(U+{ord(character):04X}). Use a character of that encoding, or convert the file first.",
            ) from error


_STRAY_BYTE = re.compile("[\udc80-\udcff]")
_CONTROL = re.compile("[\x00-\x07\x0e-\x1a\x1c-\x1f]")
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def read_text_file(path: Path) -> TextFile:
    """The text file at `path`; a ToolError says what is there if it isn't a text file.

    Bytes that aren't UTF-8 survive: in a file that is UTF-8 elsewhere each becomes a lone surrogate (Python's
    `surrogateescape`), any other file is read as latin-1, where each byte is one character.
    """
    real = real_path(path)
    data = read_file_bytes(real)
    text, encoding, bom = _decode(data, real)
    return TextFile(real, data, text, encoding, bom)


def _decode(data: bytes, path: Path) -> tuple[str, str, bytes]:
    bom, encoding = next(((bom, name) for bom, name in _BOMS if data.startswith(bom)), (b"", "utf-8"))
    body = data.removeprefix(bom)
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError:
        if encoding != "utf-8":
            raise _binary(path, len(data)) from None
        text = body.decode("utf-8", "surrogateescape")
        if _CONTROL.search(text):
            raise _binary(path, len(data)) from None
        if not bom and _STRAY_BYTE.sub("", text).isascii():
            return body.decode("latin-1"), "latin-1", b""
    if "\0" in text:
        raise _binary(path, len(data))
    return text, encoding, bom


def _binary(path: Path, size: int) -> ToolError:
    return ToolError("binary", f"{path} is not text: {size} bytes of binary data. Use a program that knows its format.")


def read_file_bytes(path: Path) -> bytes:
    """The bytes of the regular file at `path`; anything else is refused without being opened."""
    with _told(path, "read"):
        found = os.stat(path)
        if stat.S_ISDIR(found.st_mode):
            raise ToolError("is_directory", f"{path} is a folder, not a file. Name a file inside it.")
        if not stat.S_ISREG(found.st_mode):
            kind = "named pipe" if stat.S_ISFIFO(found.st_mode) else "socket or device"
            raise ToolError("not_regular", f"{path} is not a regular file but a {kind}; it can't be read.")
        if found.st_size > MAX_FILE_BYTES:
            raise ToolError(
                "too_large",
                f"{path} has {found.st_size} bytes, more than {MAX_FILE_BYTES}. Use run_command to take a part.",
            )
        return Path(path).read_bytes()


def real_path(path: Path) -> Path:
    """Where `path` leads: links followed, an odd blank or another normalisation in its name seen through.

    A path that doesn't exist comes back as the place where a new file would be made.
    """
    with _told(path, "find"):
        try:
            os.stat(path)
        except FileNotFoundError:
            if os.path.islink(path):
                return Path(os.path.realpath(path))
            names = near_names(path)
            if len(names) == 1:
                return Path(os.path.realpath(path.with_name(names[0])))
            if names:
                shown = ", ".join(visible_name(name) for name in names)
                raise ToolError(
                    "ambiguous", f"{path} does not exist, but several names look like it: {shown}. Name one."
                ) from None
        return Path(os.path.realpath(path))


def near_names(path: Path) -> list[str]:
    """Names beside `path` that differ from its name only by odd blanks or Unicode normalisation."""
    wanted = _plain_name(path.name)
    return [name for name in _names_beside(path) if name != path.name and _plain_name(name) == wanted]


def visible_name(name: str) -> str:
    r"""`name` with each character that can't be told by eye written as an escape, such as `\u202f`."""
    shown = (c if c == " " or (c.isprintable() and not unicodedata.combining(c)) else ascii(c)[1:-1] for c in name)
    return "".join(shown)


def _plain_name(name: str) -> str:
    blanks_made_plain = ("" if unicodedata.category(c) == "Cf" else " " if c.isspace() else c for c in name)
    return unicodedata.normalize("NFC", "".join(blanks_made_plain))


def _names_beside(path: Path) -> list[str]:
    try:
        return sorted(os.listdir(path.parent))
    except OSError:
        return []


# Two writers in one process, each with the right expectation, must not both pass the check before either writes.
_WRITING = threading.Lock()


def create_file(path: Path, data: bytes) -> None:
    """Write a new file, with its missing folders; refused with `exists` if something is there already."""
    real = real_path(path)
    with _told(real, "write"), _WRITING:
        if os.path.lexists(real):
            raise _already_there(real)
        real.parent.mkdir(parents=True, exist_ok=True)
        with _temporary_file(real, data) as temporary:
            _put_in_place(temporary, real)
        _check_written(real, data)


def replace_file(path: Path, data: bytes, *, expected: bytes) -> None:
    """Put `data` in place of `expected` in one step; refused with `stale` if the file holds anything else.

    Links, mode bits and, where allowed, the owner stay. A file with several names (hard links) is rewritten in
    place, because a replacement would leave the other names with the old text.
    """
    real = real_path(path)
    with _told(real, "write"), _WRITING:
        _check_expected(real, expected)
        before = os.stat(real)
        if not os.access(real, os.W_OK):
            raise PermissionError(errno.EACCES, "the file is read-only")
        if before.st_nlink > 1:
            _rewrite(real, data, expected)
        else:
            with _temporary_file(real, data) as temporary:
                _keep_mode_and_owner(temporary, before)
                _check_expected(real, expected)
                os.replace(temporary, real)
        _check_written(real, data)


def _check_expected(path: Path, expected: bytes) -> None:
    if read_file_bytes(path) != expected:
        raise ToolError(
            "stale", f"{path} has changed on disk since it was read; nothing was written. Read it again first."
        )


def _already_there(path: Path) -> ToolError:
    return ToolError("exists", f"{path} already exists; nothing was written. Read it, then edit or replace it.")


@contextlib.contextmanager
def _temporary_file(path: Path, data: bytes) -> Iterator[Path]:
    """A finished file beside `path`, gone again at the end unless it was put in place."""
    temporary = path.with_name(f".cellwright-{secrets.token_hex(6)}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def _put_in_place(temporary: Path, path: Path) -> None:
    """Give the temporary file its name, never over a file that came up meanwhile."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise _already_there(path) from None
    except OSError:  # a file system without hard links
        if os.path.lexists(path):
            raise _already_there(path) from None
        os.replace(temporary, path)


def _keep_mode_and_owner(temporary: Path, before: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with contextlib.suppress(PermissionError):
            os.chown(temporary, before.st_uid, before.st_gid)
    os.chmod(temporary, stat.S_IMODE(before.st_mode))


def _rewrite(path: Path, data: bytes, previous: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError:
        path.write_bytes(previous)
        raise


def _check_written(path: Path, data: bytes) -> None:
    if path.read_bytes() != data:
        raise ToolError(
            "write_failed",
            f"{path} does not hold what was just written: another program wrote it too. Read it again first.",
        )


@contextlib.contextmanager
def _told(path: Path, act: str) -> Iterator[None]:
    """Turn what the system says into an error that a model can act on."""
    try:
        yield
    except OSError as error:
        raise _system_error(path, act, error) from error
    except ValueError as error:  # a NUL character in the name
        raise ToolError("invalid_path", f"{str(path)!r} can't be a file name: {error}.") from error


def _system_error(path: Path, act: str, error: OSError) -> ToolError:
    if error.errno == errno.ELOOP:
        return ToolError("link_cycle", f"{path} is a link that leads back to itself. Name the real file.")
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return ToolError(
            "not_permitted",
            f"Not permitted to {act} {path} ({error.strerror}). Ask the person to change it, or use another path.",
        )
    if isinstance(error, NotADirectoryError):
        return ToolError("not_found", f"{path} leads through a file, not a folder. Check the path.")
    if isinstance(error, FileNotFoundError):
        close = difflib.get_close_matches(path.name, _names_beside(path), n=3)
        hint = f" Near it: {', '.join(map(visible_name, close))}." if close else ""
        return ToolError("not_found", f"{path} does not exist.{hint} Look for it with find_files.")
    code = "write_failed" if act == "write" else "read_failed"
    advice = "Free some space, then try again." if error.errno == errno.ENOSPC else "Check the path."
    return ToolError(code, f"Could not {act} {path}: {error.strerror}. {advice}")
