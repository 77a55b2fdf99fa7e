"""The code of a notebook, cell by cell, each in its language.

A cell is in the language of the notebook unless its first line says another (`%%R`, `%%sql`). Lines that only IPython
understands (`%matplotlib`, `!pip`, `name?`) are no Python and would break what is parsed, so they are made blank: what
is left keeps its lines. The rule that must never break: line N here is line N of the cell.
"""

from __future__ import annotations

import re

from cellwright.notebook.cell import Cell
from cellwright.notebook.stored import StoredNotebook
from cellwright.outline.language import PYTHON, Language, language_named
from cellwright.outline.parsing import Source

_SAME = ("time", "timeit", "capture", "prun", "debug", "px", "memit", "mprun", "lprun", "python", "python3", "pypy")
"""Cell magics after which the cell is Python all the same."""
_MAGIC_LINE = re.compile(r"[ \t]*(%|!)|[ \t]*\?|[\w.\[\]\"'%]+\?{1,2}[ \t]*$")


def code_cells(notebook: StoredNotebook) -> list[tuple[Cell, Source]]:
    """Each code cell with its text as it is to be parsed; cells of an unknown language are left out."""
    own = language_named(notebook.document.language)
    found = []
    for cell in notebook.document.cells:
        language, text = _read(cell.source, own)
        if cell.cell_type == "code" and language is not None and text.strip():
            found.append((cell, Source(cell.id or f"#{cell.index}", language, text)))
    return found


def _read(source: str, own: Language | None) -> tuple[Language | None, str]:
    magic = re.match(r"\s*%%(\w+)", source)
    if magic and own in (PYTHON, None):
        blank, rest = source[: magic.end()].count("\n"), source[magic.end() :].partition("\n")
        below = "\n" * (blank + 1) + rest[2]
        if magic[1] in _SAME:
            return PYTHON, _without_magics(below)
        language = language_named(magic[1])
        return language, below
    return own, _without_magics(source) if own is PYTHON else source


def _without_magics(source: str) -> str:
    return "\n".join("" if _MAGIC_LINE.match(line) else line for line in source.split("\n"))
