"""`find_files`: the files whose names fit a pattern, newest first.

Two walks answer one question honestly: the first knows which files are not ignored, the second which files fit the
pattern, ignored or not. What is in both is the answer; what is only in the second is counted and named as left out,
or listed if nothing else fits, so that an ignored file never seems not to exist. A folder that is missing or can't
be read is an error or a note, never an empty answer.
"""

from __future__ import annotations

import datetime
import os
import re
from pathlib import Path
from typing import Annotated

from msgspec import Struct
from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.permission.credentials import leads_to_credentials
from cellwright.tool import Output, tool
from cellwright.tools.location import line_name
from cellwright.tools.ripgrep import CHECKPOINTS, Ended, ripgrep, unread_notes
from cellwright.views.table import Table, table_view

MAX_CHARS = 40_000
"""Characters of names in one result."""


class Found(Struct, frozen=True):
    """The files that fit a pattern."""

    names: tuple[str, ...]
    """Seen from the working folder, newest first."""
    ignored: int
    """How many ignored files fit as well and are left out."""
    only_ignored: bool
    """Whether the names are all of ignored files."""
    notes: tuple[str, ...]


@tool(read_only=True, concurrency_safe=True, paths=("path",), origin="built-in")
def find_files(pattern: str, env: Env, path: str = ".", limit: Annotated[int, Field(ge=1, le=5000)] = 200) -> Output:
    """Find files by name pattern, the newest first (same age: by name).

    Patterns are globs: * and ? stay within a folder, ** crosses folders, {a,b} and [abc] choose. A pattern without
    / fits the name at any depth (*.py), one with / fits from the folder searched (src/**/*.py). Hidden files are
    found; .git, .ipynb_checkpoints and links are not followed. Files that .gitignore excludes are left out and
    counted, or listed if nothing else fits. Every name can be passed on as a path. Errors: not_found and
    not_a_folder are about path.

    Args:
        pattern: The glob.
        path: The folder to search, relative to the working folder.
        limit: How many files to list at most.
    """
    folder, glob = _place(pattern, path, env)
    found = _found(glob, folder, env)
    shown = found.names[:limit]
    value = {
        "files": shown,
        "total": len(found.names),
        "ignored": found.ignored,
        "only_ignored": found.only_ignored,
        "notes": found.notes,
    }
    return Output(value, _content(pattern, folder, shown, found, env), _view(shown, len(found.names), env))


def _place(pattern: str, path: str, env: Env) -> tuple[Path, str]:
    """The folder to search and the glob seen from it."""
    if not pattern.strip():
        raise ToolError("invalid_pattern", "pattern must not be empty; ** finds all files")
    folder = env.path(path)
    if not folder.exists():
        raise ToolError("not_found", f"{path} does not exist; find_files with path . lists what does")
    if not folder.is_dir():
        raise ToolError("not_a_folder", f"{path} is not a folder but a file; search_code looks into files")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise ToolError("not_permitted", f"{path} can't be read: permission denied")
    parts = pattern.split("/")
    if ".." in parts:
        raise ToolError("outside", f"the pattern {pattern!r} leaves the folder; name the folder in path instead")
    if pattern.startswith("/"):
        return _absolute(parts, env)
    plain = [part for part in parts[:-1] if part not in ("", ".")]
    here = parts[0] == "." and not plain and parts[-1] != ""
    return folder, "/" * here + "/".join([*plain, parts[-1] or "**"])


def _absolute(parts: list[str], env: Env) -> tuple[Path, str]:
    """An absolute pattern as a folder, its part without wildcards, and the rest."""
    plain = next((i for i, part in enumerate(parts) if re.search(r"[*?\[{]", part)), len(parts) - 1)
    folder = env.path("/".join(parts[:plain]) or "/")
    if leads_to_credentials(folder.relative_to(env.cwd).parts):
        raise ToolError("not_permitted", f"{env.shown(folder)} is a place for credentials, which tools never touch")
    if not folder.is_dir():
        raise ToolError("not_found", f"{folder} is not a folder; give a pattern relative to the working folder")
    return folder, "/" + "/".join(parts[plain:])


def _found(glob: str, folder: Path, env: Env) -> Found:
    escaped = "\\" + glob if glob[0] in "!#" else glob
    fitting, walk = _names(["--no-ignore", f"--glob={escaped}"], folder, env)
    for complaint in walk.complaints:
        if complaint.startswith("error parsing glob"):
            raise ToolError("invalid_pattern", f"{complaint}; put a wildcard in [ ] to mean the character itself")
    if _is_name(name := glob.lstrip("/"), folder, env):
        fitting.add(os.fsencode(name))
    kept, second_walk = _names([], folder, env) if fitting else (set(), walk)
    chosen = fitting & kept or fitting
    unspeakable = {name for name in chosen if not _is_utf8(name)}
    notes = unread_notes(second_walk if walk.complete else walk)
    if unspeakable:
        what = "more files have names that are" if len(unspeakable) > 1 else "more file has a name that is"
        notes.append(f"{len(unspeakable):,} {what} not UTF-8 and can't be passed on")
    return Found(
        names=tuple(_newest_first([folder / os.fsdecode(name) for name in chosen - unspeakable], env)),
        ignored=len(fitting) - len(chosen),
        only_ignored=bool(fitting) and not fitting & kept,
        notes=tuple(notes),
    )


def _is_name(glob: str, folder: Path, env: Env) -> bool:
    """Whether it is the name of a file that holds wildcards itself; told of no file that tools don't reach."""
    try:
        path = env.path(str(folder / glob))
    except ToolError:
        return False
    is_plain = path == Path(os.path.normpath(folder / glob)) and path.is_file()
    return is_plain and not leads_to_credentials(path.relative_to(env.cwd).parts)


def _names(options: list[str], folder: Path, env: Env) -> tuple[set[bytes], Ended]:
    names: set[bytes] = set()
    ended = ripgrep(
        ["--files", "--null", *options, "--", "."], folder, env, lambda block: names.update(block.split(b"\0")), b"\0"
    )
    return {name.removeprefix(b"./") for name in names}, ended


def _newest_first(paths: list[Path], env: Env) -> list[str]:
    aged = sorted((-_modified(path), env.shown(path)) for path in paths)
    return [name for _, name in aged]


def _modified(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


def _content(pattern: str, folder: Path, shown: tuple[str, ...], found: Found, env: Env) -> str:
    notes = [f"note: {note}" for note in found.notes]
    if not found.names:
        if why := _why_none(pattern, folder, env):
            notes = [f"note: {why}", *notes]
        return "\n".join([f"no file fits {pattern!r} in {env.shown(folder)} or below", *notes])
    lines, room = [], MAX_CHARS
    for name in shown:
        room -= len(name) + 1
        if room < 0:
            break
        lines.append(line_name(name))
    more = len(found.names) - len(lines)
    if more:
        lines.append(f"{more:,} more files fit, the list is newest first; narrow the pattern or raise limit")
    if found.only_ignored:
        lines.append("note: .gitignore excludes these; no other file fits")
    if found.ignored:
        lines.append(f"note: ignored files that fit too: {found.ignored:,}; name their folder in pattern to list them")
    return "\n".join([*lines, *notes])


def _why_none(pattern: str, folder: Path, env: Env) -> str:
    """What the pattern may have been meant to find; empty if nothing speaks for it."""
    plain = [part for part in pattern.split("/") if part]
    for hidden in (".git", CHECKPOINTS):
        if hidden in plain:
            return f"{hidden} is not looked into; list_dir shows what is in it"
    if re.search(r"[,|]| \*", re.sub(r"\{.*?\}", "", pattern)):
        return "one pattern is taken; choose with {a,b}, as in *.{py,js}"
    try:
        found = env.path(str(folder / pattern))
    except ToolError:
        return ""
    if found.is_dir():
        return f"{pattern} is a folder; {pattern.rstrip('/')}/** lists the files in it"
    is_link = found.is_file() and found != Path(os.path.normpath(folder / pattern))
    if is_link and not leads_to_credentials(found.relative_to(env.cwd).parts):
        return f"{pattern} is a link, which is not followed; its file is {env.shown(found)}"
    return ""


def _view(shown: tuple[str, ...], total: int, env: Env) -> Table:
    rows = [(name, *_facts(env.cwd / name)) for name in shown]
    return table_view(["file", "bytes", "modified"], rows, total)


def _facts(path: Path) -> tuple[object, object]:
    try:
        found = path.stat()
    except OSError:
        return None, None
    return found.st_size, datetime.datetime.fromtimestamp(found.st_mtime).isoformat(" ", "seconds")
