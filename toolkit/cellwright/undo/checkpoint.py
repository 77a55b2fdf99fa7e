"""What a call changes, written down as it changes it: a copy of its files before, and what became of them after.

A tool says by its parameters of paths (`Tool.paths`) which files it writes, and by `Tool.lasting` what it does that no
undo takes back; so nothing here knows one tool from another, and a third-party tool has its undo by saying the same.
A call that only reads costs nothing. Where no copy can be made the call runs all the same, and is listed as one that
can't be undone. The rule that must never break: whatever comes of a call, what it did to its files is in the log
before its result is.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path

from cellwright.calls.execution import Outcome
from cellwright.calls.passage import Passage
from cellwright.errors import ToolError
from cellwright.messages import JsonObject
from cellwright.permission.judgement import given_paths
from cellwright.tool import Output, Tool
from cellwright.undo.file_state import FileState
from cellwright.undo.snapshots import Snapshots
from cellwright.waiting.threads import in_thread

UNKNOWN = "what it changed is not known: the tool names no files (paths=...)"


async def watched(passage: Passage, run: Callable[[], Awaitable[Outcome]]) -> Outcome:
    """Runs the tool of a call that may change something, and records its effect."""
    if passage.found.trait("read_only", passage.args) and not passage.found.lasting:
        return await run()
    paths = sorted({passage.env.path(given) for given in given_paths(passage.found, passage.args)})
    watch = Watch(passage.env.cwd, paths, passage.setup.snapshots)
    if paths:
        await in_thread(watch.before)
    try:
        outcome = await run()
        after = await in_thread(watch.after) if paths else {}
    except BaseException:  # nothing can be awaited any more
        _record(passage, watch, watch.after())
        raise
    _record(passage, watch, after, outcome.value.lasting if isinstance(outcome.value, Output) else "")
    return outcome


class Watch:
    """The files of one call, seen before it and after. It has no part in the call: it never raises."""

    def __init__(self, cwd: Path, paths: list[Path], snapshots: Snapshots) -> None:
        self.problems: dict[Path, str] = {}
        """Why a change of a file can't be undone."""
        self.missing: tuple[Path, ...] = ()
        """The folders on the way to the files that were not there before."""
        self.states: dict[Path, FileState] = {}
        self._cwd = cwd
        self._paths = paths
        self._snapshots = snapshots

    def before(self) -> None:
        """Keeps the files as they are before the call."""
        self.states = dict(self._seen())
        ways = {folder for path in self._paths for folder in path.parents if folder.is_relative_to(self._cwd)}
        self.missing = tuple(sorted(folder for folder in ways if not os.path.lexists(folder)))

    def after(self) -> Mapping[Path, FileState]:
        """Keeps the files as they are after the call; those that it changed."""
        return {path: state for path, state in self._seen() if state != self.states.get(path) or state.kind == "other"}

    def _seen(self) -> Iterator[tuple[Path, FileState]]:
        for path in self._paths:
            try:
                yield path, self._snapshots.keep(path)
            except ToolError as error:
                self.problems[path] = error.message
                yield path, FileState("other")


def _record(passage: Passage, watch: Watch, after: Mapping[Path, FileState], told: str = "") -> None:
    masking, shown = passage.setup.log.masking, passage.env.shown
    changes, lost = list[JsonObject](), list[str]()
    for path, state in after.items():
        before = watch.states[path]
        reason = watch.problems.get(path, "") or _no_file(before, state)
        if masking.text(shown(path)) != shown(path):
            reason = "its name holds a secret, which no log has"
        if reason:
            lost.append(f"no copy of {shown(path)} was kept ({reason})")
        else:
            changes.append({"path": shown(path), "before": before.as_data(), "after": state.as_data()})
    lasting = "; ".join(filter(None, (_lasting(passage.found), told, *lost)))
    if changes or lasting:
        passage.setup.log.record(
            "effect",
            id=passage.call.id,
            name=passage.call.name,
            changes=changes,
            folders=[shown(folder) for folder in watch.missing if folder.is_dir()],
            lasting=lasting,
            store=passage.setup.snapshots.folder,
        )


def _no_file(before: FileState, after: FileState) -> str:
    return "it is a folder, or something else that is no file" if "other" in (before.kind, after.kind) else ""


def _lasting(tool: Tool) -> str:
    """What no undo takes back of a call of this tool."""
    if tool.lasting:
        return tool.lasting
    if tool.command:
        return "it ran a command of the shell, which may have changed anything"
    if tool.origin == "mcp":
        return "another program did it, and only that can take it back"
    return "" if tool.paths else UNKNOWN
