"""In which encoding a file on disk is, as far as its beginning tells, and what ripgrep calls it.

ripgrep takes every file for UTF-8, or UTF-16 with a mark. The lines that it finds in others it gives back as bytes, and
of one file that it searches it can be told the encoding; then words of any language are found in it.
"""

from __future__ import annotations

from pathlib import Path

from cellwright.errors import ToolError
from cellwright.files.disk import opened_file
from cellwright.files.text_file import TextFile

HEAD = 262_144
"""Bytes that are looked at."""
LABELS = {
    "latin-1": "windows-1252", "cp932": "shift_jis", "cp949": "euc-kr", "euc_jp": "euc-jp", "koi8_r": "koi8-r",
    "koi8_u": "koi8-u", "cp874": "windows-874", "cp866": "ibm866", "mac_roman": "macintosh", "gb18030": "gb18030",
    "big5": "big5", "utf-16-le": "utf-16le", "utf-16-be": "utf-16be",
}  # fmt: skip
"""The names of the Encoding Standard (https://encoding.spec.whatwg.org) where they don't follow a rule."""


def encoding_at(path: Path) -> str:
    """The encoding of the file at a real path; that of an empty text if it holds none."""
    try:
        with opened_file(path) as file:
            head = file.read(HEAD)
        if len(head) == HEAD:  # a character may be cut
            head = head[: head.rfind(b"\n") + 1] or head
        return TextFile.of(path, head).encoding
    except ToolError:
        return "utf-8"


def label(encoding: str) -> str:
    """What ripgrep calls an encoding; nothing if it does not know it."""
    if encoding.startswith("cp125"):
        return f"windows-{encoding[2:]}"
    if encoding.startswith("iso8859_"):
        return f"iso-8859-{encoding[8:]}"
    return LABELS.get(encoding, "")
