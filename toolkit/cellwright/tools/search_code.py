"""`search_code`: the lines of files that match a regular expression, in a stable order.

A search answers three ways, and they must never look alike: there are matches, there are none among so many files
searched, or something could not be searched. Files come sorted by path, so that the same question gets the same
answer and a cut-off answer is the true beginning of the whole; what is left out is counted. Long lines are cut
around the match, which keeps minified code and the JSON of notebooks readable.
"""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files import opened_file
from cellwright.messages import clean_text
from cellwright.text_encoding import wide_encoding
from cellwright.tool import Output, tool
from cellwright.tools.file_encoding import encoding_at, label
from cellwright.tools.findings import Findings
from cellwright.tools.pattern import check_pattern, refused
from cellwright.tools.ripgrep import Ended, ripgrep, unread_notes
from cellwright.views import table_view

FILTER = "cellwright-glob"
"""Name of the ignore file that stands for a glob."""
MAX_FILE = "100M"
"""Larger files are not searched."""
COMPLAINTS_NAMED = 5
HEAD = 65_536
"""Bytes that tell whether a file is binary."""


@tool(read_only=True, concurrency_safe=True, paths=("path",), origin="built-in")
def search_code(
    pattern: str,
    env: Env,
    path: str = ".",
    glob: str = "",
    ignore_case: bool = False,
    context: Annotated[int, Field(ge=0, le=10)] = 0,
    limit: Annotated[int, Field(ge=1, le=2000)] = 100,
) -> Output:
    r"""Search the lines of files for a regular expression; sorted by path and line.

    The syntax is that of ripgrep, look-around and back references included; it matches within a line. To search for
    text with special characters put \ before each of them. Letters beyond ASCII are found in UTF-8 and UTF-16, and in
    a file in another encoding if path names it. Each result is path:line: text, long lines are cut around
    the match. Hidden files are searched; .git, links, binary files and files over 100 MB are not, nor files that
    .gitignore excludes, unless path names one or no other file is there. Errors: invalid_pattern says where,
    not_found is about path. No match is an answer that tells how many files were searched.

    Args:
        pattern: The regular expression.
        path: The folder or file to search, relative to the working folder.
        glob: Only files whose path fits, such as *.py or src/**/*.js; seen from the folder searched.
        ignore_case: Treat capitals and small letters alike.
        context: Lines to show before and after each match.
        limit: How many matching lines to list at most.
    """
    check_pattern(pattern)
    place = _searchable(path, env)
    options = ["--ignore-case"] * ignore_case + [f"--context={context}"] * bool(context) + _name_filter(glob)
    options += _encoding(place)
    with tempfile.TemporaryDirectory() as folder:
        options += _path_filter(glob, Path(folder))
        findings, ended = _search(pattern, place, options, limit, env)
        if ignored := findings.finished and not findings.searched:
            findings, ended = _search(pattern, place, [*options, "--no-ignore"], limit, env)
    notes = [*findings.notes, *unread_notes(ended), *ended.complaints[:COMPLAINTS_NAMED]]
    if ignored and findings.searched:
        notes.append("these files are excluded by .gitignore; no other file is there")
    rows = [(hit.path, hit.line, hit.text) for hit in findings.hits if hit.matches]
    view = table_view(["file", "line", "text"], rows, findings.total)
    return Output(_value(findings, notes), _content(pattern, env.shown(place), findings, notes), view)


def _searchable(path: str, env: Env) -> Path:
    place = env.path(path)
    shown = env.shown(place)
    if not place.exists():
        raise ToolError("not_found", f"{path} does not exist; find_files lists what does")
    if not os.access(place, os.R_OK):
        raise ToolError("not_permitted", f"{shown} can't be read: permission denied")
    mode = place.stat().st_mode
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise ToolError("not_regular", f"{shown} is not a regular file but a pipe, socket or device; it can't be read")
    if stat.S_ISREG(mode):
        with opened_file(place) as file:
            head = file.read(HEAD)
        if b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")) and not wide_encoding(head):
            raise ToolError("binary", f"{shown} is binary; its text can't be searched")
    return place


def _encoding(place: Path) -> list[str]:
    """Options that tell the encoding of a file that is neither UTF-8 nor has a mark."""
    name = label(encoding_at(place)) if place.is_file() else ""
    return [f"--encoding={name}"] if name else []


def _name_filter(glob: str) -> list[str]:
    """Options that pass over files whose name does not fit the end of a glob.

    ripgrep's own `--glob` would bring ignored files back, so names are judged as a file type.
    """
    name = glob.rsplit("/", 1)[-1]
    if not name or glob.startswith("!") or name == "**" or name.count("{") != name.count("}"):
        return []
    return ["--type-add", f"chosen:{name}", "--type", "chosen"]


def _path_filter(glob: str, folder: Path) -> list[str]:
    """Options that pass over files whose path does not fit a glob: an ignore file, which `.gitignore` outranks."""
    if not glob or ("/" not in glob and _name_filter(glob)):
        return []
    rules = glob.removeprefix("!") if glob.startswith("!") else f"*\n!*/\n!{glob.removeprefix('./')}"
    file = folder / FILTER
    file.write_text(rules + ("**\n" if glob.endswith("/") else "\n"))
    return ["--ignore-file", str(file)]


def _search(pattern: str, place: Path, options: list[str], limit: int, env: Env) -> tuple[Findings, Ended]:
    is_folder = place.is_dir()
    shown = env.shown(place)
    findings = Findings(limit, *((shown, "") if is_folder else (".", shown)), lambda name: encoding_at(env.path(name)))
    fixed = ["--json", "--binary", "--crlf", "--engine=auto", "--sort=path", f"--max-filesize={MAX_FILE}"]
    ended = ripgrep(
        [*fixed, *options, "--regexp", pattern, "--", "." if is_folder else "-"], place, env, findings.take, b"\n"
    )
    if ended.complete and not findings.finished:
        raise refused(pattern, "\n".join(ended.complaints))
    for complaint in ended.complaints:
        if f"{FILTER}: line" in complaint:
            raise refused(pattern, complaint)
    return findings, ended


def _value(findings: Findings, notes: list[str]) -> dict[str, Any]:
    return {
        "matches": [{"path": h.path, "line": h.line, "text": h.text} for h in findings.hits if h.matches],
        "total": findings.total,
        "files_with_matches": findings.files,
        "files_searched": findings.searched,
        "notes": notes,
    }


def _content(pattern: str, shown: str, findings: Findings, notes: list[str]) -> str:
    notes = [f"note: {note}" for note in notes]
    if not findings.total:
        searched = f"{findings.searched:,} files searched" if findings.searched else "no file to search"
        return clean_text("\n".join([f"no match for {pattern!r}: {searched} in {shown}", *notes]))
    lines = [f"{hit.path}:{hit.line}{':' if hit.matches else '-'} {hit.text}" for hit in findings.hits]
    left_out = findings.left_out
    if left_out:
        lines.append(
            f"{left_out:,} more matching lines, sorted by path and line; narrow pattern, path or glob, or raise limit"
        )
    if any(hit.path.endswith(".ipynb") for hit in findings.hits):
        notes.append("note: a notebook is searched as its JSON file; notebook_search finds its cells")
    return clean_text("\n".join([*lines, *notes]))
