"""`delete_symbol`: take a function, class or method out of a Python file, by its name.

A name is shorter than the text that it stands for, and unlike line numbers it stays true when the file moves. The
definition goes with its decorators and its own comments, and with blank lines that would be left over twice; a block
that would be empty gets a `pass`. The rule that must never break: every other byte stays, and what the file defines
afterwards is what it defined before, less this.
"""

from __future__ import annotations

import difflib
import re
from typing import Annotated

from msgspec import Struct
from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files.text_file import TextFile
from cellwright.tool import Output, tool
from cellwright.tools.cut_out import without
from cellwright.tools.python_source import Definition, PythonSource
from cellwright.tools.text_change import TextChange, change_view, text_before, unread

SUFFIXES = (".py", ".pyi", ".pyw")
LINES_NAMED = 10
NAMES_SHOWN = 5


class Deletion(Struct, frozen=True):
    """What goes, and the change that it makes."""

    change: TextChange
    gone: tuple[Definition, ...]


@tool(
    paths=("path",),
    counts_as={"path": ("edit_file",)},
    roles=("main", "sub_agent", "background"),
    origin="built-in",
    unread=unread,
    present_call=lambda args, env: change_view(
        _deletion(args["path"], args["symbol"], args.get("line"), args.get("all", False), env).change, env
    ),
)
def delete_symbol(
    path: str,
    symbol: str,
    env: Env,
    line: Annotated[int, Field(ge=1)] | None = None,
    all: bool = False,  # noqa: A002 (as the model calls it)
) -> Output:
    """Delete a function, class or method of a Python file by its name. All other bytes stay as they are.

    Its decorators go with it, the comments right above it, and blank lines left over twice; a block that would be
    empty gets `pass`. Read the file first. Errors: not_found names what is there, not_unique the lines of several
    definitions of one name (overloads, a property and its setter), not_python that the file can't be taken apart,
    stale that it changed since it was read. Nothing is written on error. For other languages use delete_range.

    Args:
        path: The file, relative to the working folder.
        symbol: The name, with the names of what it is in: run, Shelf, Shelf.add, outer.inner.
        line: If several have the name, the line of its def or class.
        all: Delete all that have the name.
    """
    deletion = _deletion(path, symbol, line, all, env)
    version = deletion.change.write(env)
    shown = env.shown(deletion.change.path)
    value = {
        "path": shown,
        "symbol": symbol,
        "deleted": [{"kind": one.kind, "first_line": one.first, "last_line": one.last} for one in deletion.gone],
        "version": version,
    }
    return Output(value, f"{shown}: {_told(symbol, deletion)}", deletion.change.view(env))


def _deletion(path: str, symbol: str, line: int | None, every: bool, env: Env) -> Deletion:
    before = text_before(path, env)
    shown = env.shown(before.path)
    if not _is_python(before):
        raise ToolError("not_python", f"{shown} is no Python file; use delete_range with the lines to delete")
    try:
        source = PythonSource.of(before.text)
    except ToolError as error:
        raise ToolError(error.code, f"{shown}: {error.message}; nothing was written") from None
    gone = _chosen(source, symbol.strip().removesuffix("()"), line, every, shown)
    text = "".join(without(source, gone))
    _require_the_rest(source, gone, text, shown)
    return Deletion(TextChange.of(before, text), gone)


def _is_python(file: TextFile) -> bool:
    return file.path.suffix.lower() in SUFFIXES or re.match(r"#!.*\bpython", file.text) is not None


def _chosen(source: PythonSource, symbol: str, line: int | None, every: bool, shown: str) -> tuple[Definition, ...]:
    named = tuple(found for found in source.definitions if found.name == symbol)
    if not named:
        raise _not_found(source, symbol, shown)
    if line is not None:
        at = tuple(found for found in named if found.first <= line <= found.line)
        if not at:
            raise ToolError(
                "not_found",
                f"{shown} does not define {symbol} at line {line}, but at {_lines(named)}; give one of these",
            )
        return at
    if len(named) > 1 and not every:
        raise ToolError(
            "not_unique",
            f"{shown} defines {symbol} {len(named)} times, at {_lines(named)}; give the line of one, or all=true",
        )
    return named


def _lines(found: tuple[Definition, ...]) -> str:
    more = ", ..." if len(found) > LINES_NAMED else ""
    return "lines " + ", ".join(str(one.line) for one in found[:LINES_NAMED]) + more


def _not_found(source: PythonSource, symbol: str, shown: str) -> ToolError:
    names = list(dict.fromkeys(found.name for found in source.definitions))
    last = symbol.rpartition(".")[2]
    near = [name for name in names if name.rpartition(".")[2] == last]
    near += [name for name in difflib.get_close_matches(symbol, names, NAMES_SHOWN) if name not in near]
    hint = f"; near it: {', '.join(near[:NAMES_SHOWN])}" if near else ""
    variable = re.compile(rf"{re.escape(last)}\s*(?::[^=\n]+)?=(?!=)")
    assigned = any(variable.match(line.lstrip()) for line in source.lines)
    if assigned and not near:
        hint = f"; {last} is a variable there, so use edit_file or delete_range"
    return ToolError("not_found", f"{shown} defines no function, class or method {symbol}{hint}; nothing was written")


def _require_the_rest(source: PythonSource, gone: tuple[Definition, ...], text: str, shown: str) -> None:
    """What is defined afterwards must be what was, less what went; else the lines are not its own."""
    lines = {line for one in gone for line in range(one.first, one.last + 1)}
    wanted = [(d.name, d.kind) for d in source.definitions if d.line not in lines]
    try:
        left = [(found.name, found.kind) for found in PythonSource.of(text).definitions]
    except ToolError:
        left = None
    if left != wanted:
        raise ToolError(
            "not_separable",
            f"{shown}: {gone[0].name} shares lines with other code, so it can't be cut out whole; nothing was written. "
            "Use edit_file or delete_range",
        )


def _told(symbol: str, deletion: Deletion) -> str:
    what = "; ".join(
        f"deleted {one.kind} {symbol}, lines {one.first} to {one.last}"
        if one.last > one.first
        else f"deleted {one.kind} {symbol}, line {one.first}"
        for one in deletion.gone
    )
    word = re.compile(rf"\b{re.escape(deletion.gone[0].name.rpartition('.')[2])}\b")
    left = [number for number, line in enumerate(deletion.change.text.split("\n"), 1) if word.search(line)]
    more = ", ..." if len(left) > LINES_NAMED else ""
    return what + (f"; its name still stands at lines {', '.join(map(str, left[:LINES_NAMED]))}{more}" if left else "")
