"""Where the functions, classes and methods of a Python text begin and end.

Python's own tokenizer is used, not its parser and no grammar: it takes time in proportion to the text, whatever that
holds, warns of nothing, and does not mind an expression that is wrong or newer than this Python. What belongs to a
definition are its decorators, the comments right above it, and the deeper comments right below it. A comment that
heads the file, a ruler and a mark for another program (`# %%`, `# fmt: off`) belong to none.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cellwright.errors import ToolError
from cellwright.text.text_diff import split_lines

GOES_ON = frozenset(["elif", "else", "except", "finally"])
"""Words that begin a line which goes on with the statement before it."""
SILENT = frozenset([tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER])
_MARK = re.compile(r"#\s*(?:%%|region\b|endregion\b|fmt:|isort:|ruff:|pylint:|mypy:|[-=#*~_]{3,})")


class Block(Struct, frozen=True):
    """Statements of one indentation that belong together."""

    number: int
    """0 is the module."""
    owner: int
    """The place of the definition that it is in, in the list of all; -1 for the module."""
    header: int
    """The line before its first, which opens it; 0 for the module."""


class Definition(Struct, frozen=True):
    """One function, class or method. Lines count from 1."""

    name: str
    """With the names of what it is in: `Shelf.add`."""
    kind: Literal["function", "class"]
    line: int
    """Where `def` or `class` stands."""
    first: int
    last: int
    block: Block
    indent: int


class PythonSource(Struct, frozen=True):
    """A Python text, and what it defines."""

    lines: tuple[str, ...]
    """With their ends; only a newline ends one."""
    definitions: tuple[Definition, ...]
    statements: Counter[int]
    """How many statements a block has, by its number."""

    @classmethod
    def of(cls, text: str) -> PythonSource:
        """The text taken apart.

        Raises:
            ToolError: `not_python`, saying where.
        """
        readable = text.encode("utf-8", "replace").decode()  # stray bytes are no matter here
        lines = tuple(split_lines(text))
        reader = _Reader()
        try:
            for token in tokenize.generate_tokens(io.StringIO(readable, newline="\n").readline):
                reader.take(token)
        except (tokenize.TokenError, SyntaxError) as error:
            place = error.args[1] if len(error.args) > 1 and isinstance(error.args[1], tuple) else ()
            line = next((part for part in place if isinstance(part, int)), 0)
            raise ToolError(
                "not_python",
                f"it can't be read as Python near line {line}: {error.args[0]}. Mend that first, or delete by lines",
            ) from None
        found = tuple(_with_comments(each, lines, reader.comments) for each in reader.definitions)
        return cls(lines, found, reader.statements)

    def is_blank(self, line: int) -> bool:
        """Whether a line is there and holds nothing."""
        return 1 <= line <= len(self.lines) and not self.lines[line - 1].strip()


class _Reader:
    """Takes tokens in order; notes definitions, comments that stand alone, and statements of each block."""

    def __init__(self) -> None:
        self.definitions: list[Definition] = []
        self.comments: dict[int, int] = {}
        """The column of each comment that has its line for itself."""
        self.statements: Counter[int] = Counter()
        self._blocks = [Block(0, -1, 0)]
        self._count = 1
        self._line: list[tokenize.TokenInfo] = []
        """The first tokens of the line that is being read, be it of several in the file."""
        self._decorated = 0
        self._opened = -1
        """The definition whose line was the last; -1 if that was another."""
        self._ended = 0

    def take(self, token: tokenize.TokenInfo) -> None:
        """The next token."""
        if token.type == tokenize.COMMENT:
            if not self._line and not token.line[: token.start[1]].strip():
                self.comments[token.start[0]] = token.start[1]
        elif token.type == tokenize.INDENT:
            owner = self._opened if self._opened >= 0 else self._blocks[-1].owner
            self._blocks.append(Block(self._count, owner, self._ended))
            self._count += 1
        elif token.type == tokenize.DEDENT:
            self._blocks.pop()
        elif token.type == tokenize.NEWLINE:
            self._end_line(token.start[0])
        elif token.type not in SILENT and len(self._line) < 3:
            self._line.append(token)

    def _end_line(self, row: int) -> None:
        words = [token.string for token in self._line]
        block, start = self._blocks[-1], self._line[0].start if self._line else (row, 0)
        self._line, self._ended, self._opened = [], row, -1
        if words[:1] == ["@"]:
            self._decorated = self._decorated or start[0]
            return
        if words and words[0] not in GOES_ON:
            self.statements[block.number] += 1
        named = words[1:] if words[:1] == ["async"] else words
        if len(named) > 1 and named[0] in ("def", "class") and named[1].isidentifier():
            self._define(named[0], named[1], start, block)
        self._decorated = 0
        self._reach(self._opened if self._opened >= 0 else block.owner, row)

    def _define(self, word: str, name: str, start: tuple[int, int], block: Block) -> None:
        outer = f"{self.definitions[block.owner].name}." if block.owner >= 0 else ""
        kind: Literal["function", "class"] = "class" if word == "class" else "function"
        first = self._decorated or start[0]
        self._opened = len(self.definitions)
        self.definitions.append(Definition(outer + name, kind, start[0], first, start[0], block, start[1]))

    def _reach(self, place: int, row: int) -> None:
        """A definition, and all that it is in, goes on to this row."""
        while place >= 0:
            self.definitions[place] = replace(self.definitions[place], last=row)
            place = self.definitions[place].block.owner


def _with_comments(found: Definition, lines: tuple[str, ...], comments: dict[int, int]) -> Definition:
    above = list(_comments_above(found, lines, comments))
    first = found.first if not above or above[-1] == 1 else above[-1]
    last = row = found.last
    while row < len(lines) and (comments.get(row + 1, -1) > found.indent or not lines[row].strip()):
        row += 1
        last = row if row in comments else last
    return replace(found, first=first, last=last)


def _comments_above(found: Definition, lines: tuple[str, ...], comments: dict[int, int]) -> Iterator[int]:
    row = found.first - 1
    while comments.get(row) == found.indent and not _MARK.match(lines[row - 1].strip()):
        yield row
        row -= 1
