"""Undo: what a call did to files is taken back, and can be done again.

The rule of order is the plain one: the last change of a file is undone first. So an undo in the middle never has to
guess what becomes of a later change; it is refused and names the later call, or `undo_to` takes back all from there on.
A file that is not as the call left it was changed by somebody else, and stays as it is: the refusal shows how it
differs, and nothing is lost. Each undo is an event, and the model is told of it before its next turn; what it knows of
the file is out of date then, so its next edit is refused until it has read it again. The rule that must never break:
a file changes only if it is, to the byte, what the log says that the call left there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cellwright.calls.limits import cut
from cellwright.errors import ToolError, UndoError
from cellwright.files.text_file import TextFile
from cellwright.log.events import Log
from cellwright.permission.credentials import leads_to_credentials
from cellwright.permission.startup_files import decides_what_runs
from cellwright.runs.desk import Desk, ScriptedDesk
from cellwright.text.text_diff import unified_diff
from cellwright.text.visible_text import mark_hidden
from cellwright.undo.effect import Effect, FileChange, effects_of
from cellwright.undo.file_state import FileState
from cellwright.undo.restoring import Restoring, remove_empty_folders, restore
from cellwright.undo.snapshots import Snapshots

Direction = Literal["undone", "redone"]
SHOWN = 2_000
"""Characters of a difference that a refusal shows."""


class UndoPlan(Struct, frozen=True):
    """What going back to a place of a run does, and what it does not."""

    undone: tuple[Effect, ...]
    """The calls that are undone, the last one first."""
    lasting: tuple[Effect, ...]
    """The calls that did something beside it, or instead, which stays; `Effect.lasting` says what."""


class Undoing:
    """Takes back what the calls of one run did. `tell` says it to the model, before its next turn. A notebook that lies
    open on the `desk` is left to the person: its file must not change under its page."""

    def __init__(
        self, log: Log, cwd: Path, snapshots: Snapshots, tell: Callable[[str], None], desk: Desk | None = None
    ) -> None:
        self._desk = desk or ScriptedDesk()
        self._log = log
        self._cwd = cwd
        self._snapshots = snapshots
        self._tell = tell

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What the calls did, in the order in which they did it."""
        return effects_of(self._log.events)

    def undo(self, call_id: str) -> Effect:
        """Brings the files of a call back to what they were before it.

        Raises:
            UndoError: if that can't be; nothing was changed.
        """
        effect = self._found(call_id)
        if effect.is_undone:
            raise UndoError(f"{_name(effect)} is undone already; redo({call_id!r}) does it again")
        later = [other for other in self._beside(effect)[1] if not other.is_undone]
        self._refuse_order(effect, later, "changed", "undo that first, or go back with undo_to")
        return self._done(effect, "undone")

    def redo(self, call_id: str) -> Effect:
        """Does again what was undone: the files are what the call had left.

        Raises:
            UndoError: if that can't be; nothing was changed.
        """
        effect = self._found(call_id)
        if not effect.is_undone:
            raise UndoError(f"{_name(effect)} is not undone, so there is nothing to redo")
        earlier = [other for other in self._beside(effect)[0] if other.is_undone]
        self._refuse_order(effect, earlier[:1], "is undone and had changed", "redo that first")
        return self._done(effect, "redone")

    def plan(self, place: str | int) -> UndoPlan:
        """What `undo_to` would do.

        Raises:
            UndoError: if there is no such call or step.
        """
        first = self._number(place)
        since = [effect for effect in reversed(self.effects) if effect.number >= first]
        undone = tuple(effect for effect in since if effect.changes and not effect.is_undone)
        return UndoPlan(undone, tuple(effect for effect in since if effect.lasting))

    def undo_to(self, place: str | int) -> UndoPlan:
        """Undoes a call and all after it, or all calls from a step on; all are looked at before the first is undone.

        Raises:
            UndoError: if one of them can't be undone; then none was. If the system stops it on its way, it says where.
        """
        plan = self.plan(place)
        self._check(plan.undone)
        for count, effect in enumerate(plan.undone):
            try:
                self._done(effect, "undone")
            except UndoError as error:
                raise UndoError(f"{error}. Undone before that: {_names(plan.undone[:count])}") from None
        return plan

    def problem(self, effect: Effect) -> str:
        """Why a call can't be undone or redone, as far as that is known without reading its files; else nothing."""
        if not effect.changes:
            return effect.lasting
        for change in effect.changes:
            then = change.after if effect.is_undone else change.before
            if not self._copies(effect).holds(then):
                return f"the copy of {change.path} is not there any more"
        return ""

    def _found(self, call_id: str) -> Effect:
        for effect in self.effects:
            if effect.call_id == call_id:
                if not effect.changes:
                    raise UndoError(f"{_name(effect)} can't be undone: {effect.lasting}")
                return effect
        there = _names([effect for effect in self.effects if effect.changes])
        raise UndoError(f"no call {call_id!r:.80} has changed a file; those that did: {there}")

    def _number(self, place: str | int) -> int:
        for event in self._log.events:
            if event.kind == "call" and event.data["id"] == place:
                return event.number
            if event.kind == "turn_started" and event.data["turn"] == place:
                return event.number
        raise UndoError(f"there is no call or step {place!r:.80} in this run; name one, as in undo_to('call-1')")

    def _beside(self, effect: Effect) -> tuple[list[Effect], list[Effect]]:
        """The other calls that changed one of its files: those before it, and those after."""
        effects, paths = self.effects, set(effect.paths)
        place = effects.index(effect)
        shared = [bool(paths & set(other.paths)) for other in effects]
        before = [other for other, shares in zip(effects[:place], shared, strict=False) if shares]
        return before, [
            other for other, shares in zip(effects[place + 1 :], shared[place + 1 :], strict=True) if shares
        ]

    def _refuse_order(self, effect: Effect, others: Sequence[Effect], what: str, advice: str) -> None:
        if others:
            other = others[-1]
            shared = next(path for path in other.paths if path in effect.paths)
            raise UndoError(f"{_name(other)} {what} {shared}, too; {advice}. Nothing was changed")

    def _done(self, effect: Effect, how: Direction) -> Effect:
        self._require_idle()
        files = self._files(effect, how)
        for file in files:
            self._require_unchanged(file, effect)
        with self._log.reopened():
            try:
                restore(files, self._copies(effect))
            except ToolError as error:
                raise UndoError(f"{_name(effect)} can't be {how}: {error.message}") from None
            if how == "undone":
                self._clear_folders(effect)
            facts = {"id": effect.call_id, "name": effect.tool, "files": list(effect.paths), "text": _told(effect, how)}
            log = self._log
            event = log.record("undone", **facts) if how == "undone" else log.record("redone", **facts)
        self._tell(event.data["text"])
        return replace(effect, is_undone=how == "undone")

    def _require_idle(self) -> None:
        running = dict[str, str]()
        for event in self._log.events:
            if event.kind == "executing":
                running[event.data["id"]] = event.data["id"]
            elif event.kind == "result":
                running.pop(event.data["id"], None)
        if running:
            raise UndoError(f"{next(iter(running))} is running; wait for it, or stop the run. Nothing was changed")

    def _check(self, effects: Sequence[Effect]) -> None:
        """Goes through all of it in mind: each file has to be what the call left when its turn comes."""
        self._require_idle()
        now: dict[Path, FileState] = {}
        for effect in effects:
            for file in self._files(effect, "undone"):
                self._require_unchanged(file, effect, now.get(file.path))
                now[file.path] = file.then

    def _files(self, effect: Effect, how: Direction) -> list[Restoring]:
        files = []
        for change in effect.changes:
            now, then = (change.after, change.before) if how == "undone" else (change.before, change.after)
            if not self._copies(effect).holds(then):
                raise UndoError(f"{_name(effect)} can't be {how}: the copy of {change.path} is not there any more")
            files.append(Restoring(self._path(change), now, then))
        return files

    def _path(self, change: FileChange) -> Path:
        """Where the file is, if an undo may write there: a log may be anybody's, and what it names is no permission."""
        path, parts = self._cwd / change.path, PurePosixPath(change.path).parts
        is_inside = path.is_relative_to(self._cwd) and ".." not in parts and path != self._cwd
        if not is_inside or leads_to_credentials(parts) or decides_what_runs(path, self._cwd):
            raise UndoError(f"{change.path!r:.200} is a place in which no undo writes; put it right by hand")
        return path

    def _copies(self, effect: Effect) -> Snapshots:
        known = self._snapshots
        return known if effect.store in ("", known.folder) else Snapshots(self._cwd, folder=effect.store)

    def _require_unchanged(self, file: Restoring, effect: Effect, found: FileState | None = None) -> None:
        if file.path.suffix == ".ipynb" and self._is_open(file.path):
            raise UndoError(f"{file.path.name} is open in a page; save it and close its tab first, or undo it there")
        copies = self._copies(effect)
        try:
            found = found or copies.keep(file.path)
        except ToolError as error:
            raise UndoError(f"{_name(effect)} stays as it is: {error.message}") from None
        if found != file.now:
            shown = file.path.relative_to(self._cwd).as_posix()
            raise UndoError(
                f"{shown} was changed by somebody else since {_name(effect)}: it is {found.told}, and was "
                f"{file.now.told}. It stays as it is; put it right by hand"
                + self._log.masking.text(_difference(shown, file.now, found, copies))
            )

    def _is_open(self, path: Path) -> bool:
        """Whether a page that has it open would ask the person, were the file changed."""
        if self._desk.read(path) is not None:
            return True
        try:
            self._desk.before_writing(path)
        except ToolError:
            return True
        return False

    def _clear_folders(self, effect: Effect) -> None:
        """Folders that undone calls had made for their files go once they are empty."""
        undone = [other for other in self.effects if other.is_undone] + [effect]
        made = {folder for other in undone for folder in other.folders}
        ways = {str(above) for path in effect.paths for above in PurePosixPath(path).parents}
        remove_empty_folders([self._cwd / folder for folder in made & ways - {"."}])


def _difference(shown: str, old: FileState, new: FileState, copies: Snapshots) -> str:
    """How two states of a file differ, if that can be read."""
    try:
        texts = [TextFile.of(Path(shown), copies.content(state)).text for state in (old, new)]
    except ToolError:
        return ""
    unified = unified_diff(texts[0], texts[1], shown)
    return ":\n" + cut(mark_hidden(unified), SHOWN)[0] if unified else ""


def _told(effect: Effect, how: Direction) -> str:
    """What the model hears of it."""
    names = ", ".join(effect.paths)
    state = f"{'is' if len(effect.paths) == 1 else 'are'} as {'before it' if how == 'undone' else 'it left that'}"
    return f"The person has {how} your call {_name(effect)}: {names} {state}. Read again what you go on with there."


def _name(effect: Effect) -> str:
    return f"{effect.call_id} ({effect.tool})"


def _names(effects: Sequence[Effect]) -> str:
    return ", ".join(map(_name, effects)) or "none"
