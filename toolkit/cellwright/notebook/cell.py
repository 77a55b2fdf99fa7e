"""One cell: what it holds, and the exact text it has in the file.

A cell is edited by splicing new values into its own JSON text, so its metadata, attachments, unknown keys, key order
and layout stay what they were. Each function here takes a cell's text and gives the new one; none knows the others.

The rule that must never break: outputs belong to the source that made them. A new source drops them, together with
the execution count; nothing else does.
"""

import hashlib
import uuid
from collections import Counter
from collections.abc import Collection, Sequence

from msgspec import Struct

from cellwright.errors import ToolError
from cellwright.messages import JsonObject
from cellwright.notebook.cell_members import SHORT, Raw, members_of, whole_members
from cellwright.notebook.json_span import put_member, remove_member, replace_members, replaced, scan_object
from cellwright.notebook.json_style import JsonStyle
from cellwright.notebook.source import read_source, write_source
from cellwright.text.text_diff import split_lines

CELL_TYPES = ("code", "markdown", "raw")


class Cell(Struct, frozen=True):
    """A cell at its place in one document."""

    index: int
    raw: Raw
    """Its JSON, byte for byte as in the file."""
    members: JsonObject
    """What that JSON says, with empty values in place of the long ones in its outputs."""

    def __repr__(self) -> str:
        return f"Cell({self.index})"

    @classmethod
    def of(cls, index: int, raw: Raw) -> "Cell":
        """The cell of this JSON, an object. Raises ValueError or RecursionError where it can't be read."""
        return cls(index, raw, members_of(raw))

    @property
    def text(self) -> str:
        """Its JSON as text; bytes that are no text become lone surrogates."""
        return str(self.raw, "utf-8", "surrogateescape")

    @property
    def id(self) -> str | None:
        """The id, or None where the file has none."""
        found = self.members.get("id")
        return found if isinstance(found, str) else None

    @property
    def cell_type(self) -> str:
        """`code`, `markdown` or `raw`, or whatever else the file says."""
        return str(self.members.get("cell_type", ""))

    @property
    def source(self) -> str:
        """The source as one text, exactly as decoded."""
        return read_source(self.members.get("source"))

    @property
    def version(self) -> str:
        """A short hash of type and source: who names it has read this very cell."""
        content = f"{self.cell_type}\0{self.source}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(content).hexdigest()[:8]

    @property
    def outputs(self) -> list[JsonObject]:
        """The outputs as parsed, in full and anew at each call; empty for a cell that has none."""
        is_whole = len(self.raw) <= SHORT
        return _objects((self.members if is_whole else whole_members(self.raw)).get("outputs"))

    @property
    def output_forms(self) -> list[JsonObject]:
        """The outputs without what makes them long: enough to count them and to say what kinds there are."""
        return _objects(self.members.get("outputs"))

    @property
    def execution_count(self) -> int | None:
        """The number in the brackets, or None."""
        found = self.members.get("execution_count")
        return found if isinstance(found, int) else None

    @property
    def metadata(self) -> dict[str, object]:
        """The metadata as parsed."""
        return _object(self.members.get("metadata"))

    @property
    def attachments(self) -> dict[str, object]:
        """The attachments as parsed, by file name; empty for a cell that has none."""
        return _object(self.members.get("attachments"))


def _object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _objects(value: object) -> list[JsonObject]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def with_source(cell: Cell, source: str, style: JsonStyle) -> str:
    """The cell's text with this source and, for a code cell, without the results of the old one."""
    text = cell.text
    span = scan_object(text, 0)
    member = span.effective().get("source")
    if member is None:
        raise ToolError("invalid_notebook", f"Cell {cell.index} has no source to replace; the file is damaged.")
    values = {"source": write_source(source, text[member.start : member.end], style)}
    if cell.cell_type == "code":
        values |= _dropped_results(cell)
    return replaced(text, span, values)


def without_results(cell: Cell) -> str:
    """The cell's text with no outputs and no count."""
    return replace_members(cell.text, _dropped_results(cell)) if cell.cell_type == "code" else cell.text


def _dropped_results(cell: Cell) -> dict[str, str]:
    dropped = {}
    if cell.members.get("outputs", []) != []:
        dropped["outputs"] = "[]"
    if cell.members.get("execution_count") is not None:
        dropped["execution_count"] = "null"
    return dropped


def with_outputs(cell: Cell, outputs: Sequence[dict[str, object]], count: int | None, style: JsonStyle) -> str:
    """The cell's text with these outputs and this count; long texts are split as the cell's source is."""
    if cell.cell_type != "code":
        raise ToolError("invalid_notebook", f"Cell {cell.index} is a {cell.cell_type} cell: it can't have outputs.")
    if isinstance(cell.members.get("source"), list):
        outputs = [_split_texts(output) for output in outputs]
    in_order = list(cell.members) == sorted(cell.members)
    values = {
        "outputs": style.write(list(outputs), sort_keys=in_order),
        "execution_count": style.write(count),
    }
    text = cell.text
    for key, value in values.items():
        text = put_member(text, key, value)
    return text


def _split_texts(output: dict[str, object]) -> dict[str, object]:
    """One output with its texts as lists of lines, where Jupyter saves them so."""
    text, data = output.get("text"), output.get("data")
    if output.get("output_type") == "stream" and isinstance(text, str):
        return {**output, "text": split_lines(text)}
    if isinstance(data, dict):
        return {**output, "data": {mime: _split_mime(mime, value) for mime, value in data.items()}}
    return output


def _split_mime(mime: str, value: object) -> object:
    is_text = mime.startswith("text/") or mime in ("application/javascript", "image/svg+xml")
    return split_lines(value) if is_text and isinstance(value, str) else value


def with_type(cell: Cell, cell_type: str) -> str:
    """The cell's text as another type: outputs and count go from, or come empty to, a code cell."""
    require_cell_type(cell_type)
    if cell_type == "code" and cell.attachments:
        raise ToolError(
            "invalid_notebook",
            f"Cell {cell.index} holds attachments ({', '.join(cell.attachments)}), which a code cell can't. "
            "Insert a new code cell instead.",
        )
    text = put_member(cell.text, "cell_type", f'"{cell_type}"')
    for key, empty in (("execution_count", "null"), ("outputs", "[]")):
        if cell_type != "code":
            text = remove_member(text, key)
        elif key not in cell.members:
            text = put_member(text, key, empty)
    return remove_member(text, "attachments") if cell_type == "code" else text


def require_cell_type(cell_type: str) -> None:
    """Refuse a type that notebooks don't have."""
    if cell_type not in CELL_TYPES:
        raise ToolError("invalid_cell_type", f"{cell_type!r} is not a cell type: use {', '.join(CELL_TYPES)}.")


def new_cell(cell_type: str, source: str, model: Cell | None, cell_id: str | None, style: JsonStyle) -> str:
    """The text of a new cell that looks like `model` (its key order and spelling of sources)."""
    values = {"cell_type": style.write(cell_type), "metadata": style.write({})}
    if cell_id is not None:
        values["id"] = style.write(cell_id)
    if cell_type == "code":
        values |= {"execution_count": "null", "outputs": "[]"}
    like, keys = "[]", sorted((*values, "source"))
    if model is not None:
        members = scan_object(model.text, 0).effective()
        keys = _key_order(keys, list(members))
        if "source" in members:
            like = model.text[members["source"].start : members["source"].end]
    values["source"] = write_source(source, like, style)
    return style.write_object((key, values[key]) for key in keys)


def _key_order(keys: list[str], known: list[str]) -> list[str]:
    if known == sorted(known):
        return keys
    return sorted(keys, key=lambda key: known.index(key) if key in known else len(known))


def model_cell(cells: Sequence[Cell], cell_type: str, place: int) -> Cell | None:
    """The cell a new one should look like: of the prevailing form, with lines to show, near the place."""
    candidates = [cell for cell in cells if cell.cell_type == cell_type and len(cell.members) > 1] or cells
    if not candidates:
        return None
    forms = Counter(_form(cell) for cell in candidates)
    prevailing = forms.most_common(1)[0][0]
    alike = (cell for cell in candidates if _form(cell) == prevailing)
    return min(alike, key=lambda cell: ("\n" not in cell.source, abs(cell.index - place)))


def _form(cell: Cell) -> tuple[type, tuple[str, ...]]:
    return type(cell.members.get("source")), tuple(cell.members)


def new_id(taken: Collection[str | None]) -> str:
    """A short id that no cell has."""
    while (made := uuid.uuid4().hex[:8]) in taken:
        pass
    return made
