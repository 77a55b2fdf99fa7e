"""A notebook where it lies: read, edited and written back only over what was read.

If it is open before the person (`desk`), the open document is the notebook, and an edit goes there; if not, the file
is. Who edits need not know which. Either way other cells may have changed since the model read them: the edit is made
in the notebook as it is now, and only the cells that it rests on are held against what was read.

The ledger notes each cell's version as the model reads it or the person is shown it. An edit that names no version
is held against that note, so that a cell that changed meanwhile is never overwritten unseen.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files.disk import read_file_bytes, replace_file
from cellwright.notebook.address import is_index
from cellwright.notebook.cell import Cell
from cellwright.notebook.document import NotebookDocument, check
from cellwright.notebook.notebook_text import upgrade_advice
from cellwright.notebook.old_format import read_old
from cellwright.notebook.pairing import pairing_note
from cellwright.notebook.steps import steps_between
from cellwright.runs.desk import Insert, Move, Sheet, moved_on

FILE, OPEN = "file", "open notebook"
"""Where an edit may go."""


class Written(Struct, frozen=True):
    """What is to be said of an edit that was written."""

    problems: tuple[str, ...]
    """What was wrong with the notebook before."""
    note: str = ""
    """Where the edit went, if that is not the file alone."""
    place: str = FILE

    @property
    def lasting(self) -> str:
        """What no undo of a run takes back, since it did not happen to a file."""
        return "it was made in the open notebook; undo it there" if self.place == OPEN else ""

    @property
    def lines(self) -> list[str]:
        """All of it, for a model."""
        note = [f"[{self.note}]"] if self.note else []
        return [*note, *(f"This problem was in the file before: {problem}" for problem in self.problems)]


class StoredNotebook(Struct, frozen=True):
    """A notebook as it was read, from a file or from the page in which it is open."""

    path: Path
    shown: str
    """The path as people and models read it."""
    data: bytes
    document: NotebookDocument
    old_format: str = ""
    """Such as `3.0`, for a file that can only be read; the document is then a translation of it."""
    sheet: Sheet | None = None
    """The open document that it was read from."""

    @classmethod
    def read(cls, given: str, env: Env) -> StoredNotebook:
        """The notebook at a path given by the model, to be edited; a ToolError says why there is none."""
        path, shown = _place(given, env)
        data, sheet = _content(path, env)
        return cls(path, shown, data, NotebookDocument.parse(data, shown), sheet=sheet)

    @classmethod
    def read_any(cls, given: str, env: Env) -> StoredNotebook:
        """The notebook at a path given by the model, of whatever format, to be read alone."""
        path, shown = _place(given, env)
        data, sheet = _content(path, env)
        try:
            return cls(path, shown, data, NotebookDocument.parse(data, shown), sheet=sheet)
        except ToolError as error:
            old = read_old(data, shown) if error.code == "unsupported" else None
            if old is None:
                raise
            return cls(path, shown, data, *old)

    @property
    def format(self) -> str:
        """The format of the file, such as `4.5`."""
        return self.old_format or f"{self.document.nbformat}.{self.document.nbformat_minor}"

    @property
    def problems(self) -> tuple[str, ...]:
        """What there is to say of the file: that it can only be read, and what nbformat finds wrong."""
        if not self.old_format:
            return self.document.problems
        return (f"format {self.old_format} can be read but not edited or run. {upgrade_advice(self.shown)}",)

    def find(self, cell_id: str, version: str | None, env: Env) -> Cell:
        """The cell meant, in the version given or else in the one last noted; a ToolError if it is another."""
        if version is None and not is_index(self.document.cells, cell_id):  # an index may be another cell's by now
            version = env.ledger.seen(self.path, cell_id)
        try:
            return self.document.find(cell_id, version)
        except ToolError as error:
            if error.code == "stale":  # the refusal shows the new text, so that has now been read
                note_cells(self.path, tuple(c for c in self.document.cells if cell_name(c) == cell_id), env)
            raise

    def again(self, env: Env) -> StoredNotebook:
        """The same notebook as it is now."""
        data, sheet = _content(self.path, env)
        return StoredNotebook(self.path, self.shown, data, NotebookDocument.parse(data, self.shown), sheet=sheet)

    def write(self, document: NotebookDocument, env: Env) -> Written:
        """Puts the edited document in place of what was read.

        Raises:
            ToolError: `stale` if it changed since it was read, `invalid_notebook` for an edit that broke it, or what
                the desk says.
        """
        if self.old_format:
            raise ToolError("unsupported", f"{self.shown}: {self.problems[0]}")
        problems = check(self.document, document)
        if self.sheet is not None:
            return Written(problems, self._change(self.sheet, document, env), OPEN)
        note = env.desk.before_writing(self.path)
        replace_file(self.path, document.pieces, expected=self.data)
        notes = (note, pairing_note(self.document, document, self.path, self.shown))
        return Written(problems, "; ".join(filter(None, notes)))

    def _change(self, sheet: Sheet, document: NotebookDocument, env: Env) -> str:
        """Makes the edit in the open document. If a cell is not what it was, the refusal shows its new text."""
        steps = steps_between(self.document, document, sheet.keys)
        try:
            return env.desk.change(sheet, steps)
        except ToolError as error:
            if error.code != "stale":
                raise
        now, cells = self.again(env), dict(zip(sheet.keys, self.document.cells, strict=True))
        above = [step.after for step in steps if isinstance(step, Insert | Move)]
        for key in dict.fromkeys([*(step.key for step in steps), *above]):
            if key in cells:
                now.find(cell_name(cells[key]), cells[key].version, env)
        raise moved_on(self.shown)


MAX_BYTES = 1_000_000_000
"""Notebooks hold their outputs, so they may be larger than other files; this one takes about three times its size."""


def _place(given: str, env: Env) -> tuple[Path, str]:
    path = env.path(given)
    return path, env.shown(path)


def _content(path: Path, env: Env) -> tuple[bytes, Sheet | None]:
    """What counts as the notebook of a path: the document that is open, or else the file."""
    sheet = env.desk.read(path) if path.suffix == ".ipynb" else None
    return (sheet.data, sheet) if sheet is not None else (read_file_bytes(path, MAX_BYTES), None)


def cell_name(cell: Cell) -> str:
    """How a cell is addressed: its id, or `#INDEX` where the file has no ids."""
    return cell.id if cell.id is not None else f"#{cell.index}"


def told_name(cell: Cell) -> str:
    """How a model is told of a cell: by its id, or by its `#INDEX` with the version that has to go with it.

    Of a cell with an id the ledger knows which version was read; the model need not say it.
    """
    return cell.id if cell.id is not None else f"#{cell.index} v:{cell.version}"


def note_cells(path: Path, cells: tuple[Cell, ...], env: Env) -> None:
    """Notes the versions of cells that were read, shown or written."""
    for cell in cells:
        env.ledger.note(path, cell.version, cell_name(cell))
