"""`delete_range`: take whole lines out of a text file, by their numbers.

To quote fifty lines only to delete them costs fifty lines of output; two numbers do. But a number proves nothing: after
an edit it names another line. So the lines must have been read, by these numbers, since the file last changed, be it
by the model's own edit; two such calls in one turn never delete lines that nobody meant. The rule that must never
break: what goes is exactly these lines with their line ends, and every other byte stays.
"""

from __future__ import annotations

import json
from typing import Annotated

from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.messages import JsonObject
from cellwright.text.text_diff import split_lines
from cellwright.tool import Output, tool
from cellwright.tools.text_change import TextChange, change_view, text_before, unread

MAX_SHOWN = 200
"""Characters of a deleted line that the answer repeats."""


def unread_lines(args: JsonObject, env: Env) -> str | None:
    """Why lines may not be deleted yet: each of them has to be read, as it is numbered now."""
    path, first, last = env.path(args["path"]), args["start_line"], args["end_line"]
    problem = unread(args, env)
    if problem or not path.is_file() or env.ledger.knows_lines(path, first, last):
        return problem
    return (
        f"lines {first} to {last} of {env.shown(path)} were not read since the file last changed (an edit moves "
        "lines); read them with read_file, then delete them by the numbers shown"
    )


@tool(
    paths=("path",),
    counts_as={"path": ("edit_file",)},
    roles=("main", "sub_agent", "background"),
    origin="built-in",
    unread=unread_lines,
    present_call=lambda args, env: change_view(_change(args["path"], args["start_line"], args["end_line"], env), env),
)
def delete_range(
    path: str, start_line: Annotated[int, Field(ge=1)], end_line: Annotated[int, Field(ge=1)], env: Env
) -> Output:
    """Delete whole lines of a text file by their numbers. All other bytes stay as they are.

    Read the lines with read_file first: the numbers are those that it shows, and hold only until the file changes. The
    answer repeats the first and the last line that went. Errors: invalid_range means that end_line is before
    start_line, past_end that the file has fewer lines, stale that it changed since it was read. Nothing is written on
    error.

    Args:
        path: The file, relative to the working folder.
        start_line: The first line to delete; the first of the file is 1.
        end_line: The last line to delete.
    """
    change = _change(path, start_line, end_line, env)
    version = change.write(env)
    shown, gone = env.shown(change.path), split_lines(change.text_before)[start_line - 1 : end_line]
    value = {"path": shown, "deleted": len(gone), "left": len(split_lines(change.text)), "version": version}
    return Output(value, _told(shown, start_line, gone), change.view(env))


def _change(path: str, start: int, end: int, env: Env) -> TextChange:
    if end < start:
        raise ToolError("invalid_range", f"end_line {end} is before start_line {start}; nothing was written")
    before = text_before(path, env)
    lines = split_lines(before.text)
    if end > len(lines):
        shown = env.shown(before.path)
        raise ToolError("past_end", f"{shown} has {len(lines)} lines; line {end} is past the end, nothing was written")
    return TextChange.of(before, "".join(lines[: start - 1] + lines[end:]))


def _told(shown: str, start: int, gone: list[str]) -> str:
    if len(gone) == 1:
        return f"{shown}: deleted line {start}, {_quoted(gone[0])}"
    ends = f"from {_quoted(gone[0])} to {_quoted(gone[-1])}"
    return f"{shown}: deleted {len(gone):,} lines, {start} to {start + len(gone) - 1}, {ends}"


def _quoted(line: str) -> str:
    text = line.rstrip("\r\n")
    return json.dumps(text[:MAX_SHOWN], ensure_ascii=False) + ("..." if len(text) > MAX_SHOWN else "")
