"""`read_file`: a numbered window on a text file, never more than a model can use; or a picture.

What the model gets is bounded in lines, in characters and per line, and each cut says how long the whole is and
how to go on. The text itself is untouched: line ends are told in words, since a model would not see them. Reading
notes the version of the file and the lines, so that a later edit can tell whether it is still what was read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.messages import clean_text
from cellwright.tool import Output, tool
from cellwright.tools.binary_file import picture_or_refusal
from cellwright.tools.file_window import Line, Window, read_window
from cellwright.tools.location import text_path
from cellwright.views.view import Code

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
    the total and how to go on. Lines over 2,000 characters are cut and their length is told. A picture (PNG, JPEG,
    GIF) is shown as one. Errors: not_found names near spellings, is_directory (use list_dir), is_notebook (use
    notebook_read), binary and not_regular mean that there is no text to read, past_end that offset is behind the last
    line.

    Args:
        path: The file, relative to the working folder.
        offset: The line to begin with; the first is 1.
        limit: How many lines to read at most.
    """
    real = text_path(path, env, "notebook_read")
    shown = env.shown(real)
    try:
        window = read_window(real, offset, min(limit, MAX_CHARS // COST), milestones=env.milestones)
    except ToolError as error:
        if error.code == "is_directory":
            raise ToolError("is_directory", f"{shown} is a folder; list what is in it with list_dir") from None
        if error.code == "binary":
            return picture_or_refusal(real, shown)
        raise
    return _of_window(window, real, shown, env)


def _of_window(window: Window, real: Path, shown: str, env: Env) -> Output:
    first, total = window.first, window.total
    if total is not None and first > max(total, 1):
        raise ToolError("past_end", f"{shown} has {total} lines; offset {first} is past the end")
    lines = _fitting(window.lines)
    if window.version and total is not None:
        env.ledger.note_lines(real, window.version, first, first + len(lines) - 1, total)
    view = Code("\n".join(_clipped(line) for line in lines), LANGUAGES.get(real.suffix.lower(), ""))
    return Output(_value(shown, window, lines), _content(shown, window, lines), view)


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
        "encoding_is_guess": window.is_guess,
        "line_ends": _line_ends(window),
        "final_newline": window.final_newline,
        "version": window.version or None,
    }


def _content(shown: str, window: Window, lines: tuple[Line, ...]) -> str:
    if window.total == 0:
        return f"{shown} is empty"
    last = window.first + len(lines) - 1
    body = [f"{number:6}\t{_clipped(line)}" for number, line in enumerate(lines, window.first)]
    rest = _rest(window.total, last)
    header = f"{shown}: lines {window.first} to {last} of {window.total or 'a huge file, its total not counted'}"
    return clean_text("\n".join([", ".join([header, *_oddities(window)]), *body, *rest]))


def _rest(total: int | None, last: int) -> list[str]:
    if total is None:
        return [f"more lines; go on with offset={last + 1}, or find places with search_code or run_command"]
    return [f"{total - last} more lines; go on with offset={last + 1}"] if last < total else []


def _clipped(line: Line) -> str:
    if line.length <= MAX_LINE:
        return line.text.removesuffix("\r")
    return f"{line.text[:MAX_LINE]}... (cut: the line has {line.length} characters)"


def _oddities(window: Window) -> Iterator[str]:
    if not window.newlines and any("\r" in line.text.rstrip("\r") for line in window.lines):
        yield "line ends: CR, which end no line here"
    elif window.crlf:
        yield f"line ends: {_line_ends(window)}"
    if window.is_guess:
        yield f"encoding: {window.encoding}, a guess; if letters look wrong, convert the file to UTF-8, as with iconv"
    elif window.encoding != "utf-8":
        yield f"encoding: {window.encoding}"
    if not window.final_newline:
        yield "no newline at the end"


def _line_ends(window: Window) -> str:
    if not window.crlf:
        return "LF" if window.newlines > 0 else "none"
    is_pure = window.crlf == window.newlines
    return "CRLF" if is_pure else f"mixed ({window.crlf:,} of {window.newlines:,} are CRLF)"
