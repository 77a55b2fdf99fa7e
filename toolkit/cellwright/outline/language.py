"""The languages whose definitions can be read, each as data: its names, and what a definition looks like in its tree.

A grammar gives a syntax tree; which of its nodes define something is said by a query in tree-sitter's own language.
A pattern names what is defined `@name`, the whole of it by its kind (`@class`, `@function`), and where its head ends:
before the `@body` or after the `@head`. A definition in code that is broken is no node, so `heads` knows the first
line of one by sight. A new language is one more entry here, and its grammar.

Source: https://tree-sitter.github.io/tree-sitter/using-parsers/queries
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath

from msgspec import Struct

from cellwright.outline import queries


class Language(Struct, frozen=True):
    """A language."""

    name: str
    """As people write it, in small letters; notebooks and kernels may call it so, too."""
    grammar: str
    """The grammar's name in `semble-grammars`."""
    suffixes: tuple[str, ...]
    query: str
    heads: Mapping[str, str]
    """For some kinds, the expression that fits the first line of a definition; its group is the name."""
    other_names: tuple[str, ...] = ()


PYTHON = Language("python", "python", (".py", ".pyi", ".pyw"), queries.PYTHON, queries.PYTHON_HEADS, ("ipython",))
R = Language("r", "r", (".r",), queries.R, queries.R_HEADS, ("ir",))
JULIA = Language("julia", "julia", (".jl",), queries.JULIA, queries.JULIA_HEADS)
SQL = Language("sql", "sql", (".sql",), queries.SQL, queries.SQL_HEADS, ("sqlite", "postgresql", "mysql", "duckdb"))
JAVASCRIPT = Language(
    "javascript", "javascript", (".js", ".mjs", ".cjs", ".jsx"), queries.JAVASCRIPT, queries.SCRIPT_HEADS, ("js",)
)
TYPESCRIPT = Language(
    "typescript", "typescript", (".ts", ".mts", ".cts"), queries.TYPESCRIPT, queries.SCRIPT_HEADS, ("ts", "deno")
)
TSX = Language("tsx", "tsx", (".tsx",), queries.TYPESCRIPT, queries.SCRIPT_HEADS)

LANGUAGES = (PYTHON, R, JULIA, SQL, JAVASCRIPT, TYPESCRIPT, TSX)
NOTEBOOK = ".ipynb"
"""The suffix of notebooks, which hold cells of one language or several."""
SUFFIXES = (*(suffix for language in LANGUAGES for suffix in language.suffixes), NOTEBOOK)


def language_of(path: PurePath) -> Language | None:
    """The language of a source file, by its suffix; None for any other file."""
    suffix = path.suffix.lower()
    return next((language for language in LANGUAGES if suffix in language.suffixes), None)


LONGEST = 40
"""Characters of a language's name that are looked at; a notebook can say anything."""


def language_named(name: str) -> Language | None:
    """The language that a notebook or a cell's first line means, such as `python3`, `R` or `julia-1.10`."""
    plain = re.sub(r"[-\s]*[\d.]*$", "", name[:LONGEST].strip().lower())
    return next((language for language in LANGUAGES if plain in (language.name, *language.other_names)), None)
