"""The text in a file, decoded so that every byte comes back.

A careless reader loses the byte order mark, the line ends, or bytes that are not in the encoding it guessed; what is
written back then differs far from the edit. So text is decoded in a way that can be undone. The rule that must never
break: an unchanged text gives the very bytes that were read.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from pathlib import Path

from msgspec import Struct

from cellwright.errors import ToolError
from cellwright.files.text_encoding import Encoding, is_mostly_utf8, old_encoding, wide_encoding


class TextFile(Struct, frozen=True):
    """A text file as it was read; `encode` turns an edited text back into bytes of the same kind."""

    path: Path
    """The real path."""
    data: bytes
    """Exactly what is on disk, byte order mark included."""
    text: str
    """The decoded text with its line ends untouched and without byte order mark."""
    encoding: str
    """`utf-8`, `utf-16-le`, `utf-32-be`, or what old encoding it is in, such as `cp1251` or `latin-1`."""
    bom: bytes
    """The byte order mark, or no bytes."""
    is_guess: bool = False
    """Whether nothing proves the encoding: every byte comes back, but some letters may be others."""

    @classmethod
    def of(cls, path: Path, data: bytes) -> TextFile:
        """The text file that holds these bytes.

        Bytes that aren't UTF-8 survive: in a file that is UTF-8 elsewhere each becomes a lone surrogate (Python's
        `surrogateescape`), any other file is read in an old encoding that gives every byte back.

        Raises:
            ToolError: `binary`.
        """
        text, encoding, bom = _decode(data, path)
        return cls(path, data, text, encoding.name, bom, not encoding.is_sure)

    @property
    def encoding_told(self) -> str:
        """The encoding in words, with a warning where it is a guess."""
        return f"{self.encoding} (a guess)" if self.is_guess else self.encoding

    @property
    def version(self) -> str:
        """A short hash of the bytes; it changes whenever a byte does, whatever the time stamp says."""
        return hashlib.sha256(self.data).hexdigest()[:12]

    def encode(self, text: str) -> bytes:
        """The bytes of `text` in this file's encoding; an unchanged text gives `data` back.

        Raises:
            ToolError: `not_encodable`.
        """
        has_stray_bytes = self.encoding == "utf-8" and _STRAY_BYTE.search(self.text) is not None
        errors = "surrogateescape" if has_stray_bytes else "strict"
        try:
            return self.bom + text.encode(self.encoding, errors)
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            raise ToolError(
                "not_encodable",
                f"{self.path} is stored as {self.encoding_told}, which can't hold {character!r} "
                f"(U+{ord(character):04X}); nothing was written. Use characters of that encoding, or convert the file "
                "first, as with iconv.",
            ) from error


_STRAY_BYTE = re.compile("[\udc80-\udcff]")
_CONTROL = re.compile("[\x00-\x07\x0e-\x1a\x1c-\x1f]")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins with the mark of UTF-16, so it stands before that
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def _decode(data: bytes, path: Path) -> tuple[str, Encoding, bytes]:
    bom, name = next(((bom, name) for bom, name in _BOMS if data.startswith(bom)), (b"", "utf-8"))
    body = data.removeprefix(bom)
    if not bom and b"\0" in body:
        name = wide_encoding(body) or name
    try:
        text = body.decode(name)
    except UnicodeDecodeError:
        if name != "utf-8":
            raise _binary(path, len(data)) from None
        text = body.decode("utf-8", "surrogateescape")
        if _CONTROL.search(text.removesuffix("\x1a")):  # with which DOS ended a file
            raise _binary(path, len(data)) from None
        if not bom and not is_mostly_utf8(body):
            encoding = old_encoding(body)
            return body.decode(encoding.name), encoding, b""
    if "\0" in text:
        raise _binary(path, len(data))
    return text, Encoding(name, True), bom


def _binary(path: Path, size: int) -> ToolError:
    return ToolError("binary", f"{path} is not text: {size} bytes of binary data. Use a program that knows its format.")
