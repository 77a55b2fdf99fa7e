"""A notebook on disk: read, edited and written back only if it is still what was read.

The ledger notes each cell's version as the model reads it or the person is shown it. An edit that names no version
is held against that note, so that a cell that changed meanwhile is never overwritten unseen.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files import read_file_bytes, replace_file
from cellwright.notebook.address import is_index
from cellwright.notebook.cell import Cell
from cellwright.notebook.document import NotebookDocument, check
from cellwright.notebook.notebook_text import upgrade_advice
from cellwright.notebook.old_format import read_old


@dataclass(frozen=True, slots=True)
class StoredNotebook:
    """A notebook as it was read from a file."""

    path: Path
    shown: str
    """The path as people and models read it."""
    data: bytes
    document: NotebookDocument
    old_format: str = ""
    """Such as `3.0`, for a file that can only be read; the document is then a translation of it."""

    @classmethod
    def read(cls, given: str, env: Env) -> StoredNotebook:
        """The notebook at a path given by the model, to be edited; a ToolError says why there is none."""
        path, shown, data = _file(given, env)
        return cls(path, shown, data, NotebookDocument.parse(data, shown))

    @classmethod
    def read_any(cls, given: str, env: Env) -> StoredNotebook:
        """The notebook at a path given by the model, of whatever format, to be read alone."""
        path, shown, data = _file(given, env)
        try:
            return cls(path, shown, data, NotebookDocument.parse(data, shown))
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

    def write(self, document: NotebookDocument) -> tuple[str, ...]:
        """Writes the edited document in place of what was read; gives the problems that were there before.

        Raises:
            ToolError: `stale` if the file changed since it was read, `invalid_notebook` for an edit that broke it.
        """
        if self.old_format:
            raise ToolError("unsupported", f"{self.shown}: {self.problems[0]}")
        problems = check(self.document, document)
        replace_file(self.path, document.pieces, expected=self.data)
        return problems


MAX_BYTES = 1_000_000_000
"""Notebooks hold their outputs, so they may be larger than other files; this one takes about three times its size."""


def _file(given: str, env: Env) -> tuple[Path, str, bytes]:
    path = env.path(given)
    return path, env.shown(path), read_file_bytes(path, MAX_BYTES)


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
