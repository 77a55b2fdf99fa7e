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
from typing import Annotated, Any, Literal

from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files.disk import opened_file
from cellwright.files.text_encoding import wide_encoding
from cellwright.messages import clean_text
from cellwright.text.quantity import quantity
from cellwright.tool import Output, tool
from cellwright.tools.file_encoding import encoding_at, label
from cellwright.tools.findings import Findings, Hit
from cellwright.tools.line_search import FILTER, Search, counted_files, counted_lines, found_lines
from cellwright.tools.location import line_name
from cellwright.tools.pattern import check_pattern
from cellwright.tools.ripgrep import Ended, unread_notes
from cellwright.views.table import table_view

COMPLAINTS_NAMED = 5
HEAD = 65_536
"""Bytes that tell whether a file is binary."""


@tool(
    read_only=True,
    concurrency_safe=True,
    paths=("path",),
    counts_as={"path": ("read_file", "notebook_read")},
    origin="built-in",
)
def search_code(
    pattern: str,
    env: Env,
    path: str = ".",
    glob: str = "",
    file_type: str = "",
    ignore_case: bool = False,
    multiline: bool = False,
    context: Annotated[int, Field(ge=0, le=10)] = 0,
    output: Literal["lines", "files"] = "lines",
    limit: Annotated[int, Field(ge=1, le=2000)] = 100,
) -> Output:
    r"""Search the lines of files for a regular expression; sorted by path and line.

    The syntax is that of ripgrep, look-around and back references included; it matches within a line. To search for
    text with special characters put \ before each of them. Letters beyond ASCII are found in UTF-8 and UTF-16, and in
    a file in another encoding if path names it. Each result is path:line: text, long lines are cut around
    the match. Hidden files are searched; .git, links and binary files are not, nor files that .gitignore excludes,
    unless path names one or no other file is there. Errors: invalid_pattern says where,
    not_found is about path. No match is an answer that tells how many files were searched.

    Args:
        pattern: The regular expression.
        path: The folder or file to search, relative to the working folder.
        glob: Only files whose path fits, such as *.py or src/**/*.js; seen from the folder searched.
        file_type: Only files of a type that ripgrep knows, such as py, r, julia, sql, js, ts or jupyter.
        ignore_case: Treat capitals and small letters alike.
        multiline: Let a match go on over line ends; then . still stops at one, and (?s). does not.
        context: Lines to show before and after each match.
        output: The lines that match, or only the files with the number of matching lines in each.
        limit: How many matching lines, or files, to list at most.
    """
    check_pattern(pattern, multiline, "take one line, or set multiline")
    if ".." in glob.split("/"):
        raise ToolError("outside", f"the glob {glob!r} leaves the folder; name the folder in path instead")
    place = _searchable(path, env)
    options = [*["--ignore-case"] * ignore_case, *["--multiline"] * multiline, *_encoding(place)]
    options += [f"--context={context}"] * bool(context and output == "lines")
    options += [f"--type={file_type}"] if file_type else _name_filter(glob)
    with tempfile.TemporaryDirectory() as folder:
        options += _path_filter(glob, bool(file_type), Path(folder))
        search = Search(pattern, place, tuple(options), env)
        return _files(search, limit) if output == "files" else _lines(search, limit)


def _lines(search: Search, limit: int) -> Output:
    findings, ended = found_lines(search, limit)
    if ignored := findings.finished and not findings.searched:
        findings, ended = found_lines(search.without_rules(), limit)
    notes = [*findings.notes, *_notes(ended, bool(ignored and findings.searched))]
    notes += _unspeakable({hit.path for hit in findings.hits})
    rows = [(hit.path, hit.line, hit.text) for hit in findings.hits if hit.matches]
    view = table_view(["file", "line", "text"], rows, findings.total)
    shown = search.env.shown(search.place)
    return Output(_value(findings, notes), _content(search.pattern, shown, findings, notes), view)


def _files(search: Search, limit: int) -> Output:
    counts, ended = counted_lines(search)
    if ignored := counts.finished and not counts.searched:
        counts, ended = counted_lines(search.without_rules())
    shown = search.env.shown(search.place)
    files = counted_files(counts, search, limit)
    notes = [*_notes(ended, bool(ignored and counts.searched)), *_unspeakable({path for path, _ in files})]
    value = {
        "files": [{"path": path, "lines": count} for path, count in files],
        "total": counts.total,
        "files_with_matches": len(counts.lines),
        "files_searched": counts.searched,
        "notes": notes,
    }
    lines = [f"{line_name(path)}: {count:,}" for path, count in files]
    if more := len(counts.lines) - len(files):
        lines.append(f"{more:,} more files, sorted by path; narrow pattern, path or glob, or raise limit")
    lines = lines or [_nothing(search.pattern, shown, counts.searched)]
    content = clean_text("\n".join([*lines, *(f"note: {note}" for note in notes)]))
    return Output(value, content, table_view(["file", "matching lines"], files, len(counts.lines)))


def _notes(ended: Ended, ignored: bool) -> list[str]:
    notes = [*unread_notes(ended), *ended.complaints[:COMPLAINTS_NAMED]]
    return [*notes, "these files are excluded by .gitignore; no other file is there"] if ignored else notes


def _unspeakable(paths: set[str]) -> list[str]:
    """That some of these names are not those of the files, since no text can hold them."""
    count = sum(clean_text(path) != path for path in paths)
    names = quantity(count, "file name is", "file names are")
    return [f"{names} not UTF-8, shown with \ufffd, and can't be passed on"] if count else []


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


def _path_filter(glob: str, always: bool, folder: Path) -> list[str]:
    """Options that pass over files whose path does not fit a glob: an ignore file, which `.gitignore` outranks."""
    if not glob or ("/" not in glob and _name_filter(glob) and not always):
        return []
    rules = glob.removeprefix("!") if glob.startswith("!") else f"*\n!*/\n!{glob.removeprefix('./')}"
    file = folder / FILTER
    file.write_text(rules + ("**\n" if glob.endswith("/") else "\n"), "utf-8", "replace")
    return ["--ignore-file", str(file)]


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
        return clean_text("\n".join([_nothing(pattern, shown, findings.searched), *notes]))
    lines = [line for hit in findings.hits for line in _hit_lines(hit)]
    left_out = findings.left_out
    if left_out:
        lines.append(
            f"{left_out:,} more matching lines, sorted by path and line; narrow pattern, path or glob, or raise limit"
        )
    if any(hit.path.endswith(".ipynb") for hit in findings.hits):
        notes.append("note: a notebook is searched as its JSON file; notebook_search finds its cells")
    return clean_text("\n".join([*lines, *notes]))


def _hit_lines(hit: Hit) -> list[str]:
    """What is shown of a match: its line, or each of its lines."""
    name, sign = line_name(hit.path), ":" if hit.matches else "-"
    return [f"{name}:{number}{sign} {text}" for number, text in enumerate(hit.text.split("\n"), hit.line)]


def _nothing(pattern: str, shown: str, files: int) -> str:
    searched = f"{quantity(files, 'file')} searched" if files else "no file to search"
    return f"no match for {pattern!r}: {searched} in {shown}"
