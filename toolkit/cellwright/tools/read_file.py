"""`read_file`: a numbered window on a text file, never more than a model can use.

What the model gets is bounded in lines, in characters and per line, and each cut says how long the whole is and
how to go on. The text itself is untouched: line ends are told in words, since a model would not see them. Reading
notes the version of the file and the lines, so that a later edit can tell whether it is still what was read.
"""

from __future__ import annotations

import mimetypes
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NoReturn

from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files import opened_file
from cellwright.messages import clean_text
from cellwright.tool import Output, tool
from cellwright.tools.file_window import Line, Window, read_window
from cellwright.tools.location import text_path
from cellwright.views import Code

MAX_CHARS = 45_000
"""Characters of lines in one result; with the header it stays under the limit of a tool's result."""
MAX_LINE = 2_000
"""Characters of one line that are shown."""

COST = 8
"""Characters that a line number and its tab take."""
LANGUAGES = {
    ".c": "c", ".cpp": "cpp", ".css": "css", ".go": "go", ".h": "c", ".html": "html", ".java": "java",
    ".js": "javascript", ".json": "json", ".md": "markdown", ".py": "python", ".r": "r", ".rs": "rust", ".sh": "bash",
    ".sql": "sql", ".toml": "toml", ".ts": "typescript", ".xml": "xml", ".yaml": "yaml", ".yml": "yaml",
}  # fmt: skip


@tool(read_only=True, concurrency_safe=True, paths=("path",), origin="built-in")
def read_file(
    path: str,
    env: Env,
    offset: Annotated[int, Field(ge=1)] = 1,
    limit: Annotated[int, Field(ge=1)] = 2000,
) -> Output:
    """Read a text file, or some lines of it, with line numbers.

    Each line is shown as number, tab, text; the number and the tab are not part of the file. The first line tells
    the total and how to go on. Lines over 2,000 characters are cut and their length is told. Errors: not_found
    names near spellings, is_directory (use find_files), is_notebook (use notebook_read), binary and not_regular
    mean that there is no text to read, past_end that offset is behind the last line.

    Args:
        path: The file, relative to the working folder.
        offset: The line to begin with; the first is 1.
        limit: How many lines to read at most.
    """
    real = text_path(path, env, "notebook_read")
    shown = env.shown(real)
    window = _window(real, shown, offset, limit)
    if offset > max(window.total, 1):
        raise ToolError("past_end", f"{shown} has {window.total} lines; offset {offset} is past the end")
    lines = _fitting(window.lines)
    env.ledger.note_lines(real, window.version, offset, offset + len(lines) - 1, window.total)
    value = _value(shown, window, lines)
    view = Code("\n".join(_clipped(line) for line in lines), LANGUAGES.get(real.suffix.lower(), ""))
    return Output(value, _content(shown, window, lines), view)


def _window(path: Path, shown: str, offset: int, limit: int) -> Window:
    try:
        return read_window(path, offset, min(limit, MAX_CHARS // COST))
    except ToolError as error:
        if error.code == "is_directory":
            raise ToolError("is_directory", f"{shown} is a folder; list its files with find_files") from None
        if error.code == "binary":
            _refuse_binary(path, shown)
        raise


def _refuse_binary(path: Path, shown: str) -> NoReturn:
    with opened_file(path) as file:
        head, size = file.read(16), os.fstat(file.fileno()).st_size
    kind = _kind(head) or mimetypes.guess_type(path.name)[0] or "binary data"
    raise ToolError("binary", f"{shown} is not text but {kind}, {size:,} bytes; use a program that knows its format")


def _kind(head: bytes) -> str:
    starts = {
        b"\x89PNG": "image/png",
        b"\xff\xd8\xff": "image/jpeg",
        b"GIF8": "image/gif",
        b"%PDF": "application/pdf",
        b"PK\x03\x04": "a zip archive",
        b"\x1f\x8b": "gzip data",
        b"\x7fELF": "a program",
        b"SQLite format": "an SQLite database",
    }
    return next((kind for start, kind in starts.items() if head.startswith(start)), "")


def _fitting(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The first lines that fit in a result together."""
    room = MAX_CHARS
    for index, line in enumerate(lines):
        room -= min(len(line.text), MAX_LINE) + COST * (8 if line.length > MAX_LINE else 1)
        if room < 0:
            return lines[:index]
    return lines


def _value(shown: str, window: Window, lines: tuple[Line, ...]) -> dict[str, object]:
    text = "".join(line.text[:MAX_LINE] + "\n" for line in lines)
    ends_there = window.first + len(lines) - 1 == window.total
    clipped = {str(n): line.length for n, line in enumerate(lines, window.first) if line.length > MAX_LINE}
    return {
        "path": shown,
        "text": text if window.final_newline or not ends_there else text[:-1],
        "first_line": window.first,
        "last_line": window.first + len(lines) - 1,
        "total_lines": window.total,
        "clipped_lines": clipped,
        "encoding": window.encoding,
        "line_ends": _line_ends(window),
        "final_newline": window.final_newline,
        "version": window.version,
    }


def _content(shown: str, window: Window, lines: tuple[Line, ...]) -> str:
    if not window.total:
        return f"{shown} is empty"
    last = window.first + len(lines) - 1
    body = [f"{number:6}\t{_clipped(line)}" for number, line in enumerate(lines, window.first)]
    rest = [f"{window.total - last} more lines; go on with offset={last + 1}"] if last < window.total else []
    header = f"{shown}: lines {window.first} to {last} of {window.total}"
    return clean_text("\n".join([", ".join([header, *_oddities(window)]), *body, *rest]))


def _clipped(line: Line) -> str:
    if line.length <= MAX_LINE:
        return line.text.removesuffix("\r")
    return f"{line.text[:MAX_LINE]}... (cut: the line has {line.length} characters)"


def _oddities(window: Window) -> Iterator[str]:
    if window.crlf:
        yield f"line ends: {_line_ends(window)}"
    if window.encoding != "utf-8":
        yield f"encoding: {window.encoding}"
    if not window.final_newline:
        yield "no newline at the end"


def _line_ends(window: Window) -> str:
    newlines = window.total - (not window.final_newline)
    if not window.crlf:
        return "LF" if newlines > 0 else "none"
    return "CRLF" if window.crlf == newlines else f"mixed ({window.crlf:,} of {newlines:,} are CRLF)"
