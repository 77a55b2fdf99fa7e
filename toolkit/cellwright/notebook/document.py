"""A notebook that is edited without being rewritten.

Reading a notebook, changing a cell and writing it all back through a JSON library changes what nobody touched: key
order, escapes, indent, line ends, the spelling of every source. Then the diff is the whole file. Here a document is
the file's own text in pieces, and each operation gives a new document in which one piece is exchanged.

The rule that must never break: every byte outside the edited cell is the byte that was there, and an edit that
changes nothing gives the very same document (`edited is document`).
"""

from collections.abc import Mapping, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from cellwright.errors import ToolError
from cellwright.notebook.address import find_cell
from cellwright.notebook.cell import (
    Cell,
    model_cell,
    new_cell,
    new_id,
    require_cell_type,
    with_outputs,
    with_source,
    with_type,
    without_results,
)
from cellwright.notebook.cell_members import Raw
from cellwright.notebook.json_span import scan_object
from cellwright.notebook.json_style import JsonStyle, escapes_letters, nested_style, style_of
from cellwright.notebook.metadata import changed_metadata
from cellwright.notebook.notebook_text import NotebookText, encode, take_apart
from cellwright.notebook.seam import joined, second_half, split_source
from cellwright.notebook.validity import Problem, problems_of, require_no_new


class NotebookDocument(Struct, frozen=True):
    """One state of a notebook file; operations give the next state and leave this one as it is."""

    path: str
    """How messages name the file."""
    parts: NotebookText
    """The file's text in pieces."""

    @classmethod
    def parse(cls, data: bytes, path: str) -> "NotebookDocument":
        """The document that `data` holds; a ToolError says why it can't be read as a notebook."""
        return cls(path, take_apart(data, path))

    def replace_source(self, cell: Cell, source: str) -> "NotebookDocument":
        """The cell with another source; a code cell loses its outputs and count. Same source, same document."""
        plain = source.replace("\r\n", "\n")
        if cell.source in (source, plain):
            return self
        return self._exchange(cell, with_source(cell, plain, self._style(cell, plain)))

    def insert(
        self, cell_type: str, source: str, *, before: Cell | None = None, after: Cell | None = None
    ) -> "NotebookDocument":
        """A new cell before or after a given one, or at the end; its index follows from the place asked for."""
        require_cell_type(cell_type)
        place = self._place(before, after)
        model = model_cell(self.cells, cell_type, place)
        style = self._style(model, source)
        text = new_cell(cell_type, source.replace("\r\n", "\n"), model, self._new_id(), style)
        cells = [*self.cells[:place], _cell(text), *self.cells[place:]]
        return self._arranged(cells, self._gaps_with_one_more(place, style))

    def delete(self, cell: Cell) -> "NotebookDocument":
        """The document without this cell."""
        place, gaps = self._index(cell), self.parts.gaps
        cells = self.cells[:place] + self.cells[place + 1 :]
        if not cells:
            return self._arranged(cells, ("",))
        gone = place if place == len(cells) else place + 1
        return self._arranged(cells, gaps[:gone] + gaps[gone + 1 :])

    def move(self, cell: Cell, *, before: Cell | None = None, after: Cell | None = None) -> "NotebookDocument":
        """The same cell, byte for byte, before or after another; the same document if it is there already."""
        start, place = self._index(cell), self._place(before, after)
        cells = [*self.cells[:start], *self.cells[start + 1 :]]
        cells.insert(place - 1 if place > start else place, cell)
        return self if cells == list(self.cells) else self._arranged(cells, self.parts.gaps)

    def set_outputs(
        self, cell: Cell, outputs: Sequence[dict[str, object]], execution_count: int | None
    ) -> "NotebookDocument":
        """The code cell with these results; NaN and infinities become null, which every JSON reader takes."""
        return self._exchange(cell, with_outputs(cell, outputs, execution_count, self._style(cell)))

    def clear_outputs(self, cell: Cell) -> "NotebookDocument":
        """The cell without outputs and count; other cells than code have none."""
        return self._exchange(cell, without_results(cell))

    def split(self, cell: Cell, line: int) -> "NotebookDocument":
        """Two cells in place of one, without its results: the second begins with this line of it, from 1."""
        above, below = split_source(cell, line)
        place, style = self._index(cell), self._style(cell, cell.source)
        first = _cell(with_source(cell, above, style))
        second = _cell(second_half(cell, self._new_id(), below, style))
        cells = [*self.cells[:place], first, second, *self.cells[place + 1 :]]
        return self._arranged(cells, self._gaps_with_one_more(place + 1, style))

    def merge(self, cell: Cell) -> "NotebookDocument":
        """The cell and the one after it as one cell, without their results."""
        place = self._index(cell)
        if place + 1 == len(self.cells):
            raise ToolError("invalid_position", f"Cell #{place} is the last one: there is none after it to merge.")
        following = self.cells[place + 1]
        return self._exchange(cell, joined(cell, following, self._style(cell))).delete(following)

    def change_metadata(self, cell: Cell, changes: Mapping[str, object]) -> "NotebookDocument":
        """The cell with these keys of its metadata set, None taking a key away; the other keys stay."""
        return self._exchange(cell, changed_metadata(cell.text, changes, self._style(cell)))

    def change_own_metadata(self, changes: Mapping[str, object]) -> "NotebookDocument":
        """The notebook with these keys of its own metadata set, None taking a key away."""
        frame = self.parts.head + self.parts.tail  # with an empty list for the cells
        blank = frame[: len(frame) - len(frame.lstrip())]
        old = frame[len(blank) :]
        new = changed_metadata(old, changes, style_of(old, bool(escapes_letters([old]))))
        if new == old:
            return self
        members = scan_object(new, 0).effective()
        cut = members["cells"].start + 1
        fields = {key: member.value for key, member in members.items() if key != "cells"}
        parts = replace(self.parts, head=blank + new[:cut], tail=new[cut:], fields=fields)
        return NotebookDocument(self.path, parts)

    def change_type(self, cell: Cell, cell_type: str) -> "NotebookDocument":
        """The cell as another type, with its source, id and metadata."""
        require_cell_type(cell_type)
        return self if cell_type == cell.cell_type else self._exchange(cell, with_type(cell, cell_type))

    def find(self, cell_id: str, version: str | None = None) -> Cell:
        """The cell with exactly this id, or at `#INDEX` in exactly this version; a ToolError names what there is."""
        return find_cell(self.cells, cell_id, version)

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return b"".join(self.pieces)

    @property
    def pieces(self) -> list[Raw]:
        """The bytes of the file in pieces, which cost nothing for the cells that stayed."""
        parts = self.parts
        pieces: list[Raw] = [encode(parts.bom, [parts.head, parts.gaps[0]])]
        for cell, gap in zip(parts.cells, parts.gaps[1:], strict=True):
            pieces += (cell.raw, encode(b"", [gap]))
        return [*pieces, encode(b"", [parts.tail])]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells in order."""
        return self.parts.cells

    @property
    def nbformat(self) -> int:
        """The major version of the format; always 4."""
        return 4

    @property
    def nbformat_minor(self) -> int:
        """The declared minor version, which no edit changes; 0 where the file has none."""
        minor = self.parts.fields.get("nbformat_minor", 0)
        return minor if isinstance(minor, int) else 0

    @property
    def metadata(self) -> dict[str, object]:
        """The notebook's own metadata as parsed."""
        return _object(self.parts.fields.get("metadata"))

    @property
    def language(self) -> str:
        """The language of code cells, as far as the metadata says; `python` otherwise."""
        by_info = _object(self.metadata.get("language_info")).get("name")
        by_kernel = _object(self.metadata.get("kernelspec")).get("language")
        return str(by_info or by_kernel or "python")

    @property
    def problems(self) -> tuple[str, ...]:
        """What nbformat finds wrong, each with its place. Judged anew at each call."""
        return tuple(str(problem) for problem in self._problems())

    def _problems(self) -> tuple[Problem, ...]:
        return problems_of(self.parts.fields, self.cells)

    def _new_id(self) -> str | None:
        """An id for a new cell; None where the declared format has no ids."""
        return new_id({cell.id for cell in self.cells}) if self.nbformat_minor >= 5 else None

    def _index(self, cell: Cell) -> int:
        if cell.index < len(self.cells) and self.cells[cell.index] == cell:
            return cell.index
        name = cell.id or f"#{cell.index}"
        raise ToolError("stale", f"Cell {name} is not in this state of {self.path}: find it again.")

    def _place(self, before: Cell | None, after: Cell | None) -> int:
        if before is not None and after is not None:
            raise ToolError("invalid_position", "Say before or after which cell, not both.")
        if before is not None:
            return self._index(before)
        return len(self.cells) if after is None else self._index(after) + 1

    def _style(self, cell: Cell | None, written: str | None = None) -> JsonStyle:
        """How the file writes its JSON, for a value to be `written` in or like a cell."""
        parts = self.parts
        escapes = False if written is not None and written.isascii() else self._escapes_letters(cell)
        if cell is not None:
            return style_of(cell.text, escapes)
        return nested_style(style_of("".join((parts.head, parts.tail)).strip(), escapes))

    def _escapes_letters(self, cell: Cell | None) -> bool:
        found = None if cell is None else escapes_letters([cell.text])
        if found is None:
            found = escapes_letters(chain([self.parts.head, self.parts.tail], (one.text for one in self.cells)))
        return bool(found)

    def _gaps_with_one_more(self, place: int, style: JsonStyle) -> tuple[str, ...]:
        gaps = self.parts.gaps
        if not self.cells:
            return (style.close, style.close.removesuffix(style.unit)) if style.unit is not None else ("", "")
        at = max(place, 1)
        if len(self.cells) > 1:
            separator = gaps[min(at, len(self.cells) - 1)]
        else:
            separator = "," + gaps[0] if gaps[0] else style.comma
        return (*gaps[:at], separator, *gaps[at:])

    def _exchange(self, cell: Cell, text: str) -> "NotebookDocument":
        place = self._index(cell)
        if text == cell.text:
            return self
        cells = (*self.cells[:place], _cell(text), *self.cells[place + 1 :])
        return self._arranged(cells, self.parts.gaps)

    def _arranged(self, cells: Sequence[Cell], gaps: tuple[str, ...]) -> "NotebookDocument":
        numbered = tuple(
            cell if cell.index == index else replace(cell, index=index) for index, cell in enumerate(cells)
        )
        return NotebookDocument(self.path, replace(self.parts, cells=numbered, gaps=gaps))


def _cell(text: str) -> Cell:
    return Cell.of(-1, encode(b"", [text]))


def _object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def check(before: NotebookDocument, after: NotebookDocument) -> tuple[str, ...]:
    """Refuse an edit that made the notebook invalid; gives the problems that were there before it."""
    old = problems_of(before.parts.fields, before.cells)
    require_no_new(old, problems_of(after.parts.fields, after.cells))
    return tuple(str(problem) for problem in old)
