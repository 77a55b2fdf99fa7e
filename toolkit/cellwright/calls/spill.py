"""Where the text of a result goes that is too long for the model.

What is cut is not lost: the whole text is written to a file in the run's folder, and the model gets head, tail, what
was left out and how to read on. The folder is `.cellwright/runs/<run>` under the working folder, made when it is
first needed; git is told to leave it alone. Lines over 2,000 characters are broken there, so that whoever reads by
lines can read all of it. The rule that must never break: where nothing can be written the cut is said all the same,
and the call is what it was.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from cellwright.calls.limits import HARD_CAP, SMALLEST, TURN_LIMIT, Gap, middle, note, whole_letters
from cellwright.errors import ToolError
from cellwright.files.folder import Folder, opened_folder
from cellwright.messages import JsonObject, ToolMessage
from cellwright.result import Result
from cellwright.text.quantity import quantity

ROW = 2_000
"""Characters of a line in the file at most."""
MOST = 50_000_000
"""Characters that are kept of one run."""
BEGINNING = 200
"""Characters that stay of a result that is put away."""
IGNORED = "*\n!/permissions.toml\n"
"""For git: nothing of `.cellwright` but the rules that a project shares."""
HIDDEN = ".cellwright"
RUNS = "runs"
READER = "read_result"
"""The tool that reads on."""
LATE = f"; the results of one turn share {TURN_LIMIT:,} characters, and this one came late"


class Kept(Struct, frozen=True):
    """A text that was kept whole."""

    call_id: str
    tool: str
    path: Path
    shown: str
    """The path as people and models read it."""
    lines: int

    @classmethod
    def of(cls, data: JsonObject, tool: str, cwd: Path) -> Kept:
        """What the metadata of a result says of it (as `spilled`), in a run with this working folder."""
        return cls(str(data["call_id"]), tool, cwd / data["path"], data["path"], int(data["lines"]))

    def as_data(self) -> JsonObject:
        """What `of` reads."""
        return {"call_id": self.call_id, "path": self.shown, "lines": self.lines}

    def is_in(self, cwd: Path) -> bool:
        """Whether it is where a run in this working folder keeps such texts. What a log says of it may be untrue."""
        return self.path.resolve().is_relative_to(cwd / HIDDEN / RUNS)


class Spill:
    """The long results of one run, and those that were `kept` before it. Without a folder nothing is kept."""

    def __init__(self, cwd: Path | None = None, run: str = "", kept: Iterable[Kept] = ()) -> None:
        self.kept: dict[str, Kept] = {each.call_id: each for each in kept}
        """By the id of the call."""
        self._cwd = cwd
        self._run = run
        self._folder: Path | None = None
        self._room = MOST

    def fitted(self, result: Result, limit: int, room: int = TURN_LIMIT, reader: bool = True) -> Result:
        """The result with its content cut to the limit, or to the room that the turn has left if that is less.

        `reader` tells whether the model has the tool that reads on.
        """
        text, allowed = result.content, max(SMALLEST, min(limit, room, HARD_CAP))
        if len(text) <= allowed:
            return result
        kept = self._keep(result.call.id, result.call.name, text)
        late = LATE if room < min(limit, HARD_CAP) else ""
        longest = note(Gap(0, len(text), text.count("\n") + 1), _whereabouts(kept, len(text), reader) + late)
        gap = middle(text, allowed - len(longest))
        if gap is None:
            return result
        said = note(gap, _whereabouts(kept, _row_at(text, gap.start), reader) + late)
        content = text[: gap.start] + said + text[gap.end :]
        metadata = {**result.metadata, "characters_left_out": gap.end - gap.start, **_facts(kept)}
        return replace(result, content=content, metadata=metadata)

    def put_away(self, message: ToolMessage, reader: bool = True) -> str:
        """Keeps what the model was told about a call, and gives what it is told from now on: where it is found.

        What was cut already was kept then. If it can't be written, its beginning is all that is left.
        """
        kept = self.kept.get(message.call_id) or self._keep(message.call_id, message.name, message.content)
        pictures = f", {quantity(len(message.images), 'picture')} left out" if message.images else ""
        size = f"{len(message.content):,} characters{pictures}"
        start = message.content[: whole_letters(message.content, BEGINNING)]
        return f"[an old result of {size}, put away to make room{_whereabouts(kept, 1, reader)}; it began:]\n{start}"

    def _keep(self, call_id: str, tool: str, text: str) -> Kept | str:
        """Writes a text down; where that can't be, the reason."""
        if self._cwd is None:
            return "there is no folder for it"
        if len(text) > self._room:
            return f"a run keeps {MOST:,} characters"
        rows = broken(text.replace("\0", "␀"))
        try:
            path = _written(self._own_folder(self._cwd), call_id, rows.encode())
        except OSError as error:
            return f"its folder can't be written: {error.strerror or error}"
        except ToolError:
            return "its folder can't be written: a link may lead out of the working folder"
        self._room -= len(text)
        shown = path.relative_to(self._cwd).as_posix()
        kept = Kept(call_id, tool, path, shown, rows.count("\n") + (not rows.endswith("\n")))
        self.kept[kept.call_id] = kept
        return kept

    def _own_folder(self, cwd: Path) -> Path:
        """The folder of this run, made when it is first asked for; never one of an earlier run of the same id."""
        if self._folder is None:
            self._folder = made_folder(cwd, RUNS, self._run)
        return self._folder


def made_folder(cwd: Path, above: str, run: str, mode: int = 0o777) -> Path:
    """A new folder of a run in `.cellwright/<above>`, with such permission bits at most."""
    with opened_folder(cwd / HIDDEN, make=True) as hidden, contextlib.suppress(FileExistsError):
        _write_new(hidden, ".gitignore", IGNORED.encode(), 0o666)
    with opened_folder(cwd / HIDDEN / above, make=True) as runs:
        return _new_folder(runs, _as_name(run), mode)


def broken(text: str) -> str:
    """The text with a line break in each line that is too long, between two letters."""
    lines = text.split("\n")
    if max(map(len, lines)) <= ROW:
        return text
    return "\n".join(row for line in lines for row in _rows(line))


def _rows(line: str) -> Iterator[str]:
    start = 0
    while len(line) - start > ROW:
        end = whole_letters(line, start + ROW)
        end = end if end > start else start + ROW
        yield line[start:end]
        start = end
    yield line[start:]


def _row_at(text: str, position: int) -> int:
    """The row, from 1, in which what stands at a position is found in the file."""
    ends_a_line = text.startswith(("\n", "\r\n"), position)
    return broken(text[:position]).count("\n") + 1 + ends_a_line


def _whereabouts(kept: Kept | str, row: int, reader: bool) -> str:
    """Where what is left out is found."""
    if isinstance(kept, str):
        return f"; not kept: {kept}"
    again = json.dumps({"call_id": kept.call_id, "offset": row}, ensure_ascii=False)
    return (f"; go on with {READER} {again}" if reader else "") + f"; the whole text is in {kept.shown}"


def _facts(kept: Kept | str) -> JsonObject:
    if isinstance(kept, str):
        return {"not_spilled": kept}
    return {"spilled": kept.as_data()}


def _as_name(text: str) -> str:
    """A name for a file or folder, from what a model or a provider made up."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", text)[:80] or "_"


def _new_folder(above: Folder, wanted: str, mode: int) -> Path:
    for name in _numbered(wanted):
        try:
            above.make_folder(name, mode)
        except FileExistsError:
            continue
        return above.path / name
    raise OSError("there are too many runs; empty the folder")


def _written(path: Path, call_id: str, data: bytes) -> Path:
    """A new file in the folder at a path, with these bytes."""
    with opened_folder(path) as folder:
        for name in _numbered(_as_name(call_id), ".txt"):
            try:
                _write_new(folder, name, data)
            except FileExistsError:
                continue
            return path / name
    raise OSError("there are too many files; empty the folder")


def _write_new(folder: Folder, name: str, data: bytes, mode: int = 0o600) -> None:
    """A result may come from a file that others may not read, so neither may they read its copy."""
    with os.fdopen(folder.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)


def _numbered(name: str, suffix: str = "") -> Iterator[str]:
    yield f"{name}{suffix}"
    yield from (f"{name}-{number}{suffix}" for number in range(2, 10_000))
