"""`list_dir`: what a folder holds, with kinds and sizes, never more than a model can use.

A folder may hold ten names or a million, so the list is bounded, and what is left out is counted: entries near the
top come first, whatever lies below them. A link is named with what it leads to and never followed; `.git` and places
for credentials are named, their contents are not. What can't be read is a note, so that it never looks empty.
"""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Annotated

from msgspec import Struct
from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files.draft import is_left_over
from cellwright.files.file_error import told_of
from cellwright.files.folder import Folder, opened_folder
from cellwright.messages import clean_text
from cellwright.permission.credentials import leads_to_credentials
from cellwright.text.near_name import visible_name
from cellwright.text.quantity import quantity
from cellwright.tool import Output, tool
from cellwright.tools.ignored import ignored_in
from cellwright.tools.passed_over import bars_in, note
from cellwright.views.table import Table, table_view

KINDS = {
    stat.S_IFDIR: "folder", stat.S_IFREG: "file", stat.S_IFLNK: "link", stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket",
    stat.S_IFBLK: "device", stat.S_IFCHR: "device",
}  # fmt: skip
MAX_CHARS = 40_000
"""Characters of lines in one result."""


class Entry(Struct, frozen=True):
    """One thing in a folder."""

    path: PurePosixPath
    """Seen from the folder that is listed."""
    kind: str
    """`folder`, `file`, `link`, `pipe`, `socket` or `device`."""
    size: int
    """Bytes of a file; 0 for all else."""
    target: str = ""
    """What a link leads to, as it is written in it."""


class Listing(Struct, frozen=True):
    """What a walk has found."""

    entries: tuple[Entry, ...]
    """In the order of a tree: each folder is followed by what is in it."""
    left_out: int
    """Entries of the folders looked at that are not listed."""
    ignored: int
    """Entries that .gitignore excludes."""
    notes: tuple[str, ...]


@tool(read_only=True, concurrency_safe=True, paths=("path",), origin="built-in")
def list_dir(
    env: Env,
    path: str = ".",
    depth: Annotated[int, Field(ge=1, le=8)] = 1,
    gitignore: bool = False,
    limit: Annotated[int, Field(ge=1, le=2000)] = 300,
) -> Output:
    """List what a folder holds: folders, files with their sizes, links with their targets; sorted by name.

    Hidden entries are listed, too. Each name can be passed on. What is left out is counted. Links are not followed;
    .git and places for credentials are named, but not entered. To find files by name use find_files. Errors: not_found
    names near spellings, not_a_folder means that path is a file, not_permitted that it can't be read.

    Args:
        path: The folder, relative to the working folder.
        depth: How many levels to list; 1 is the folder itself.
        gitignore: Leave out what .gitignore excludes.
        limit: How many entries to list at most; those near the top come first.
    """
    folder = env.path(path)
    _require_folder(folder, path, env)
    listing = _listing(folder, depth, ignored_in(folder, depth, env) if gitignore else frozenset(), limit, env)
    value = {
        "path": env.shown(folder),
        "entries": [_as_json(entry) for entry in listing.entries],
        "left_out": listing.left_out,
        "ignored": listing.ignored,
        "notes": listing.notes,
    }
    return Output(value, _content(env.shown(folder), listing), _view(listing))


def _require_folder(folder: Path, given: str, env: Env) -> None:
    with told_of(folder, "list"):
        if stat.S_ISDIR(folder.stat().st_mode):
            return
    raise ToolError("not_a_folder", f"{given} is not a folder; read_file reads {env.shown(folder)}")


def _listing(top: Path, depth: int, ignored: frozenset[str], limit: int, env: Env) -> Listing:
    """Level by level, so that one large folder does not hide what stands beside it."""
    found: list[Entry] = []
    left_out, notes, hidden, barred = 0, [], 0, 0
    bars = bars_in(top, env)
    level = [PurePosixPath()]
    for _ in range(depth):
        below: list[PurePosixPath] = []
        for folder in level:
            try:
                with told_of(top / folder, "list"), opened_folder(top / folder) as held:
                    there = [name for name in held.names() if not is_left_over(name)]
                    names = [name for name in there if not (bars and bars(str(folder / name)))]
                    kept = [name for name in names if str(folder / name) not in ignored]
                    entries = list(_entries(held, folder, kept[: max(0, limit - len(found))]))
            except ToolError as error:
                if folder == PurePosixPath():
                    raise
                notes.append(error.message)
                continue
            found += entries
            left_out += len(kept) - len(entries)
            hidden += len(names) - len(kept)
            barred += len(there) - len(names)
            below += [entry.path for entry in entries if entry.kind == "folder" and _is_open(entry.path, top, env)]
        level = below
    notes += [note(barred)] * bool(barred)
    return Listing(tuple(sorted(found, key=_place)), left_out, hidden, tuple(notes))


def _entries(held: Folder, folder: PurePosixPath, names: list[str]) -> Iterator[Entry]:
    for name in names:
        try:
            seen = held.stat(name)
            kind = KINDS.get(stat.S_IFMT(seen.st_mode), "device")
            target = held.target(name) if kind == "link" else ""
        except OSError:  # it went away, or only the names may be read
            yield Entry(folder / name, "unknown", 0)
            continue
        yield Entry(folder / name, kind, seen.st_size if kind == "file" else 0, target)


def _is_open(path: PurePosixPath, top: Path, env: Env) -> bool:
    parts = (top / path).relative_to(env.cwd).parts
    return ".git" not in parts[-1:] and not leads_to_credentials(parts)


def _place(entry: Entry) -> tuple[str, ...]:
    return entry.path.parts


def _as_json(entry: Entry) -> dict[str, object]:
    facts: dict[str, object] = {"path": str(entry.path), "kind": entry.kind}
    if entry.kind == "file":
        facts["bytes"] = entry.size
    if entry.target:
        facts["target"] = entry.target
    return facts


def _content(shown: str, listing: Listing) -> str:
    lines, room = [], MAX_CHARS
    for entry in listing.entries:
        line = "  " * (len(entry.path.parts) - 1) + _line(entry)
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    more = listing.left_out + len(listing.entries) - len(lines)
    notes = [f"note: not read: {note}" for note in listing.notes]
    if more:
        notes.insert(0, f"note: {more:,} more entries; list a folder by itself, raise limit, or use find_files")
    if listing.ignored:
        notes.append(f"note: entries that .gitignore excludes are left out: {listing.ignored:,}")
    if not lines and not notes:
        return f"{shown} is empty"
    counted = f"{len(listing.entries) + listing.left_out:,}"
    return clean_text("\n".join([f"{shown}: {counted} {'entry' if counted == '1' else 'entries'}", *lines, *notes]))


def _line(entry: Entry) -> str:
    name = _as_written(entry.path.name)
    match entry.kind:
        case "folder":
            return f"{name}/"
        case "file":
            return f"{name}  {quantity(entry.size, 'byte')}"
        case "link":
            return f"{name} -> {_as_written(entry.target)}  link"
    return f"{name}  {entry.kind}"


def _as_written(name: str) -> str:
    """A name that can be passed on as it is; quoted if it would not come through as a piece of a line."""
    if any("\udc80" <= char <= "\udcff" for char in name):
        return f"{visible_name(name)} (not UTF-8, it can't be passed on)"
    is_plain = name == name.strip() and not any(char < " " or char == "\x7f" for char in name)
    return name if is_plain else json.dumps(name, ensure_ascii=False)


def _view(listing: Listing) -> Table:
    rows = [
        (
            f"{entry.path}/" if entry.kind == "folder" else str(entry.path),
            f"link to {entry.target}" if entry.kind == "link" else entry.kind,
            entry.size if entry.kind == "file" else None,
        )
        for entry in listing.entries
    ]
    return table_view(["name", "kind", "bytes"], rows, len(rows) + listing.left_out)
