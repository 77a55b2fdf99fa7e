"""`read_result`: what was left out of a long result, a window at a time.

A result that is too long for the model is cut, and the whole text kept in a file. This tool reads on in it by the id
of the call, so that a model needs no path and can reach nothing else: only what this run, or one that it goes on
from, has kept.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from cellwright.calls.spill import Kept
from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.messages import clean_text
from cellwright.tool import Output, tool
from cellwright.tools.file_window import read_window
from cellwright.tools.ripgrep import ripgrep
from cellwright.views.view import Code

MAX_CHARS = 45_000
"""Characters of lines in one result; with the header it stays under the limit of a tool's result."""
COST = 8
"""Characters that a line number and its tab take."""
NAMED = 20
"""Ids that an error names at most."""

Numbered = tuple[int, str]
"""A line with its number."""


@tool(read_only=True, concurrency_safe=True, origin="built-in")
def read_result(
    call_id: str,
    env: Env,
    offset: Annotated[int, Field(ge=1)] = 1,
    limit: Annotated[int, Field(ge=1)] = 2000,
    pattern: str = "",
) -> Output:
    """Read on in a result of an earlier call that was too long and was cut.

    Each line is shown as number, tab, text; the number and the tab are not part of the result. Lines of over 2,000
    characters are broken into several. The first line tells the total and how to go on. Errors: not_found names the
    calls whose results were kept, past_end that offset is behind the last line, invalid_pattern says where.

    Args:
        call_id: The id of the call, as the note in its cut result gives it.
        offset: The line to begin with; the first is 1.
        limit: How many lines to read at most.
        pattern: Only lines that match this regular expression, in the syntax of search_code.
    """
    kept = _kept(call_id, env)
    if offset > kept.lines:
        raise ToolError("past_end", f"the result of {call_id} has {kept.lines} lines; offset {offset} is past the end")
    lines, total = _matching(kept, env, pattern, offset, limit) if pattern else _window(kept, offset, limit)
    shown = _fitting(lines)
    content = _content(kept, shown, total, pattern, offset)
    value = {
        "call_id": call_id,
        "lines": [number for number, _ in shown],
        "text": "".join(f"{line}\n" for _, line in shown),
        "total_lines": kept.lines,
    }
    return Output(value, clean_text(content), Code("\n".join(line for _, line in shown)))


def _kept(call_id: str, env: Env) -> Kept:
    kept = env.spill.kept.get(call_id)
    if kept is None:
        known = ", ".join(f"{each.call_id} ({each.tool})" for each in list(env.spill.kept.values())[-NAMED:])
        raise ToolError("not_found", f"no result of {call_id[:100]!r} was cut and kept; there are: {known or 'none'}")
    if kept.path.is_symlink() or not kept.path.is_file():
        raise ToolError("not_found", f"{kept.shown}, which held the result of {call_id}, is gone; call the tool again")
    return kept


def _window(kept: Kept, offset: int, limit: int) -> tuple[list[Numbered], int]:
    """The lines from an offset on, and how many there are from there on."""
    window = read_window(kept.path, offset, min(limit, MAX_CHARS // COST))
    lines = [(number, line.text.removesuffix("\r")) for number, line in enumerate(window.lines, offset)]
    return lines, (kept.lines if window.total is None else window.total) - offset + 1


def _matching(kept: Kept, env: Env, pattern: str, offset: int, limit: int) -> tuple[list[Numbered], int]:
    """The matching lines from an offset on, and how many of them there are; looked for outside of the kernel."""
    found: list[Numbered] = []
    total = 0

    def take(block: bytes) -> None:
        nonlocal total
        for record in block.split(b"\n"):
            number, _, line = record.partition(b":")
            if int(number) >= offset:
                total += 1
                if len(found) < min(limit, MAX_CHARS // COST):
                    found.append((int(number), line.decode("utf-8", "replace").removesuffix("\r")))

    options = ["--line-number", "--no-filename", "--text", "--engine=auto", f"--regexp={pattern}"]
    ended = ripgrep([*options, "--", "-"], kept.path, env, take, b"\n")
    if ended.complaints:
        raise ToolError("invalid_pattern", f"{pattern!r} is no pattern: {' '.join(ended.complaints)[:500]}")
    if not ended.complete:
        raise ToolError("timeout", "the search was stopped before it had seen all lines; take a simpler pattern")
    return found, total


def _fitting(lines: list[Numbered]) -> list[Numbered]:
    """The first lines that fit in a result together."""
    room = MAX_CHARS
    for index, (_, line) in enumerate(lines):
        room -= len(line) + COST
        if room < 0:
            return lines[:index]
    return lines


def _content(kept: Kept, shown: list[Numbered], total: int, pattern: str, offset: int) -> str:
    what = f"{kept.call_id} ({kept.tool})"
    body = [f"{number:6}\t{line}" for number, line in shown]
    header = f"{what}: lines {offset} to {offset + len(shown) - 1} of {kept.lines}"
    if pattern:
        header = f"{what}: {total} of {kept.lines} lines match {pattern!r}, from line {offset} on"
    left = total - len(shown)
    rest = [f"{left} more {'matches' if pattern else 'lines'}; go on with offset={shown[-1][0] + 1}"] if left else []
    return "\n".join([header, *body, *rest])
