"""Names that look alike.

Some characters can't be told by eye: a narrow blank from a plain one, an accent that stands alone from one that is
part of its letter. A model repeats a name as it looks, so a file is looked for under all spellings that look the
same. The rule that must never break: one such name may be taken, of several none.
"""

from __future__ import annotations

import difflib
import unicodedata
from pathlib import Path

from cellwright.errors import ToolError
from cellwright.files.folder import opened_folder


def near_names(path: Path) -> list[str]:
    """Names beside a real path that differ from its name only by odd blanks or Unicode normalisation."""
    wanted = _plain(path.name)
    return [name for name in _names_beside(path) if name != path.name and _plain(name) == wanted]


def similar_names(path: Path) -> list[str]:
    """At most three names beside a real path that are spelt much like its name; first those in other case."""
    names = _names_beside(path)
    same = [name for name in names if name.casefold() == path.name.casefold()]
    near = [name for name in difflib.get_close_matches(path.name, names, n=3) if name not in same]
    return [*same, *near][:3]


def visible_name(name: str) -> str:
    r"""`name` with each character that can't be told by eye written as an escape, such as `\u202f`."""
    shown = (c if c == " " or (c.isprintable() and not unicodedata.combining(c)) else ascii(c)[1:-1] for c in name)
    return "".join(shown)


def _plain(name: str) -> str:
    blanks_made_plain = ("" if unicodedata.category(c) == "Cf" else " " if c.isspace() else c for c in name)
    return unicodedata.normalize("NFC", "".join(blanks_made_plain))


def _names_beside(path: Path) -> list[str]:
    try:
        with opened_folder(path.parent) as folder:
            return folder.names()
    except (OSError, ValueError, ToolError):
        return []
