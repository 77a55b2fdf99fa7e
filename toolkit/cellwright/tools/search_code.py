"""`search_code`: the lines of files that match a regular expression, in a stable order.

A search answers three ways, and they must never look alike: there are matches, there are none among so many files
searched, or something could not be searched. Files come sorted by path, so that the same question gets the same
answer and a cut-off answer is the true beginning of the whole; what is left out is counted. Long lines are cut
around the match, which keeps minified code and the JSON of notebooks readable.
"""

from __future__ import annotations

import base64
import json
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.messages import JsonObject, clean_text
from cellwright.tool import Output, tool
from cellwright.tools.location import located
from cellwright.tools.ripgrep import Ended, ripgrep, unread_notes
from cellwright.views import table_view

MAX_LINE = 300
"""Characters of one line that are shown."""
MAX_CHARS = 40_000
"""Characters of lines in one result."""
MAX_FILE = "100M"
"""Larger files are not searched."""
HEAD = 65_536
"""Bytes that tell whether a file is binary."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One line of the answer."""

    path: str
    """Seen from the working folder."""
    line: int
    text: str
    matches: bool
    """False for a line that is only shown around a match."""


@dataclass(slots=True)
class Findings:
    """What a run has found so far; keeps a bounded number of lines and counts the rest."""

    limit: int
    folder: str
    """The folder searched, as it stands before the paths that come, such as `src/`."""
    hits: list[Hit] = field(default_factory=list)
    total: int = 0
    """Matching lines in all."""
    kept: int = 0
    """Matching lines among the hits."""
    files: int = 0
    """Files with a match."""
    searched: int = 0
    """Files that were looked into."""
    notes: list[str] = field(default_factory=list)
    finished: bool = False
    _room: int = MAX_CHARS
    _full: bool = False
    """Set by the first line that is left out, so that no context of it is shown."""

    def take(self, record: bytes) -> None:
        """One record of ripgrep's JSON output."""
        if not record:
            return
        match json.loads(record):
            case {"type": "match" | "context" as kind, "data": data}:
                self._line(kind == "match", data)
            case {"type": "end", "data": {"path": path, "binary_offset": offset}}:
                self.files += 1
                if offset is not None:
                    self.notes.append(f"{self._name(path)} is binary; only its first {offset:,} bytes were searched")
            case {"type": "summary", "data": {"stats": {"searches": searched}}}:
                self.searched, self.finished = searched, True

    def _line(self, matches: bool, data: JsonObject) -> None:
        self.total += matches
        if self._room < 0 or (self.kept >= self.limit and (matches or self._full)):
            self._full = True
            return
        start = data["submatches"][0]["start"] if data["submatches"] else 0
        hit = Hit(self._name(data["path"]), data["line_number"], _cut(_bytes(data["lines"]), start), matches)
        self._room -= len(hit.path) + len(hit.text) + 10
        self.hits.append(hit)
        self.kept += matches

    def _name(self, path: JsonObject) -> str:
        return self.folder + os.fsdecode(_bytes(path)).replace(os.sep, "/").removeprefix("./")


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
    text with special characters put \ before each of them. Each result is path:line: text, long lines are cut around
    the match. Hidden files are searched; .git, links, binary files and files over 100 MB are not, nor files that
    .gitignore excludes unless path names one or nothing else is there. Errors: invalid_pattern says where,
    not_found is about path. No match is an answer that tells how many files were searched.

    Args:
        pattern: The regular expression.
        path: The folder or file to search, relative to the working folder.
        glob: Only files whose path fits, such as *.py or src/**/*.js; seen from the folder searched.
        ignore_case: Treat capitals and small letters alike.
        context: Lines to show before and after each match.
        limit: How many matching lines to list at most.
    """
    _check_pattern(pattern)
    place = _searchable(path, env)
    options = ["--ignore-case"] * ignore_case + [f"--context={context}"] * bool(context)
    options += ["--glob", ("\\" + glob if glob[0] in "#" else glob)] if glob.strip() else []
    findings, ended = _search(pattern, place, options, limit, env)
    if findings.finished and not findings.searched:
        findings, ended = _search(pattern, place, [*options, "--no-ignore"], limit, env)
        findings.notes += ["these are files that .gitignore excludes; nothing else is there"] * bool(findings.searched)
    notes = [*findings.notes, *unread_notes(ended)]
    rows = [(hit.path, hit.line, hit.text) for hit in findings.hits if hit.matches]
    view = table_view(["file", "line", "text"], rows, findings.total)
    return Output(_value(findings, notes), _content(pattern, env.shown(place), findings, notes), view)


def _check_pattern(pattern: str) -> None:
    if not pattern:
        raise ToolError("invalid_pattern", "pattern must not be empty; give the text or expression to look for")
    if "\n" in pattern or re.search(r"(?<!\\)(\\\\)*\\n", pattern):
        raise ToolError(
            "invalid_pattern", "pattern holds a line break, but the search goes line by line; take one line"
        )
    if re.search(r"(?<!\\)(\\\\)*\\$", pattern):
        at = len(pattern) - 1
        raise _invalid(pattern, f"\\ at the end of the pattern, at character {at}")


def _searchable(path: str, env: Env) -> Path:
    place = located(path, env)
    shown = env.shown(place)
    if not place.exists():
        raise ToolError("not_found", f"{path} does not exist; find_files lists what does")
    if not os.access(place, os.R_OK):
        raise ToolError("not_permitted", f"{shown} can't be read: permission denied")
    mode = place.stat().st_mode
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise ToolError("not_regular", f"{shown} is not a regular file but a pipe, socket or device; it can't be read")
    if stat.S_ISREG(mode):
        with place.open("rb") as file:
            head = file.read(HEAD)
        if b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise ToolError("binary", f"{shown} is binary; its text can't be searched")
    return place


def _search(pattern: str, place: Path, options: list[str], limit: int, env: Env) -> tuple[Findings, Ended]:
    folder = place if place.is_dir() else place.parent
    target = "." if place.is_dir() else place.name
    shown = env.shown(folder)
    findings = Findings(limit, "" if shown == "." else shown + "/")
    fixed = ["--json", "--crlf", "--engine=auto", "--sort=path", f"--max-filesize={MAX_FILE}"]
    ended = ripgrep([*fixed, *options, "--regexp", pattern, "--", target], folder, env, findings.take, b"\n")
    if ended.complete and not findings.finished:
        raise _refused(pattern, ended)
    return findings, ended


def _refused(pattern: str, ended: Ended) -> ToolError:
    if "glob" in ended.refusal:
        return ToolError("invalid_pattern", f"glob is invalid: {ended.refusal}")
    found = re.search(r"PCRE2: error compiling pattern at offset (\d+): (.+)", ended.refusal)
    if not found:
        return _invalid(pattern, ended.refusal or "ripgrep refused it")
    at = min(max(int(found[1]) - len("(?:"), 0), len(pattern))  # ripgrep puts a group around the pattern
    return _invalid(pattern, f"{found[2]}, at character {at}")


def _invalid(pattern: str, problem: str) -> ToolError:
    return ToolError(
        "invalid_pattern",
        f"pattern {pattern!r} is no regular expression: {problem}. To search for it as literal text, "
        f"send {re.escape(pattern)}",
    )


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
    left_out = findings.total - findings.kept
    if left_out:
        lines.append(
            f"{left_out:,} more matching lines, sorted by path and line; narrow pattern, path or glob, or raise limit"
        )
    if any(hit.path.endswith(".ipynb") for hit in findings.hits):
        notes.append("note: a notebook is searched as its JSON file; notebook_search finds its cells")
    return clean_text("\n".join([*lines, *notes]))


def _bytes(text: JsonObject) -> bytes:
    """The bytes behind ripgrep's text, which it sends in base64 where they are not UTF-8."""
    return text["text"].encode() if "text" in text else base64.b64decode(text["bytes"])


def _cut(line: bytes, start: int) -> str:
    """A line without its end, a long one cut around the match at byte `start`."""
    line = line.rstrip(b"\r\n")
    text, before = _decoded(line), len(_decoded(line[:start]))
    if len(text) <= MAX_LINE:
        return text
    first = max(0, min(before - MAX_LINE // 3, len(text) - MAX_LINE))
    head = "..." if first else ""
    return f"{head}{text[first : first + MAX_LINE]}... (cut: the line has {len(text):,} characters)"


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")
