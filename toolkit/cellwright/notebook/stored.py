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


@dataclass(frozen=True, slots=True)
class StoredNotebook:
    """A notebook as it was read from a file."""

    path: Path
    shown: str
    """The path as people and models read it."""
    data: bytes
    document: NotebookDocument

    @classmethod
    def read(cls, given: str, env: Env) -> StoredNotebook:
        """The notebook at a path given by the model; a ToolError says why there is none."""
        path = env.path(given)
        data = read_file_bytes(path)
        shown = env.shown(path)
        return cls(path, shown, data, NotebookDocument.parse(data, shown))

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
        problems = check(self.document, document)
        replace_file(self.path, document.data, expected=self.data)
        return problems


def cell_name(cell: Cell) -> str:
    """How a cell is addressed: its id, or `#INDEX` where the file has no ids."""
    return cell.id if cell.id is not None else f"#{cell.index}"


def note_cells(path: Path, cells: tuple[Cell, ...], env: Env) -> None:
    """Notes the versions of cells that were read, shown or written."""
    for cell in cells:
        env.ledger.note(path, cell.version, cell_name(cell))
