"""What a model asks for when it edits a notebook: one change, with the fields that its mode needs.

The same words serve both tools: `notebook_edit` makes one change of the six plain modes, `notebook_patch` a list of
any. A field that a mode has no use for is refused there, since a model that sends it means something else than what
would be done.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field

from cellwright.errors import ToolError

EditMode = Literal["replace", "insert_before", "insert_after", "delete", "move_before", "move_after"]
PatchMode = Literal[EditMode, "edit", "split", "merge", "change_type", "tags", "metadata", "clear_outputs"]
CellType = Literal["code", "markdown", "raw"]

NEEDS: Mapping[PatchMode, tuple[str, ...]] = {
    "replace": ("cell_id", "new_source"),
    "insert_before": ("new_source",),
    "insert_after": ("new_source",),
    "delete": ("cell_id",),
    "move_before": ("cell_id", "target_id"),
    "move_after": ("cell_id", "target_id"),
    "edit": ("cell_id", "old_string", "new_string"),
    "split": ("cell_id", "line"),
    "merge": ("cell_id", "target_id"),
    "change_type": ("cell_id", "cell_type"),
    "tags": ("cell_id",),
    "metadata": ("metadata",),
    "clear_outputs": (),
}
"""The fields that each mode can't do without."""

MAY: Mapping[PatchMode, tuple[str, ...]] = {
    "replace": ("cell_type",),
    "insert_before": ("cell_id", "cell_type"),
    "insert_after": ("cell_id", "cell_type"),
    "move_before": ("target_version",),
    "move_after": ("target_version",),
    "merge": ("target_version",),
    "tags": ("add_tags", "remove_tags"),
    "metadata": ("cell_id",),
    "clear_outputs": ("cell_id",),
}
"""The fields that a mode can do without. A version may always be given."""


@dataclass(frozen=True, slots=True)
class CellChange:
    """One change of a notebook."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    edit_mode: Annotated[
        PatchMode,
        Field(
            description="replace, insert_*, delete, move_*: as in notebook_edit. edit: old_string, found once in the "
            "cell, becomes new_string. split: line becomes the first of a new cell. merge: with the cell after it, "
            "which target_id names. change_type: to cell_type. tags: add_tags, remove_tags. metadata: sets keys. "
            "clear_outputs: of the cell, or of all if cell_id is left out."
        ),
    ] = "replace"
    cell_id: Annotated[
        str | None,
        Field(
            description="The cell's id; #INDEX, with version, where it has none. For metadata: left out, the "
            "notebook's own."
        ),
    ] = None
    version: Annotated[str | None, Field(description="The cell's version as you read it.")] = None
    new_source: Annotated[str | None, Field(description="The whole source, for replace and insert.")] = None
    cell_type: Annotated[CellType | None, Field(description="For insert, replace and change_type.")] = None
    target_id: Annotated[str | None, Field(description="The other cell of a move or merge.")] = None
    target_version: Annotated[str | None, Field(description="The version of that cell.")] = None
    old_string: Annotated[str | None, Field(description="For edit: exact text, found once in the cell.")] = None
    new_string: Annotated[str | None, Field(description="For edit: the text to put there, taken literally.")] = None
    line: Annotated[int | None, Field(description="For split: a line of the source, from 1.")] = None
    add_tags: Annotated[list[str] | None, Field(description="For tags.")] = None
    remove_tags: Annotated[list[str] | None, Field(description="For tags.")] = None
    metadata: Annotated[
        dict[str, Any] | None, Field(description="For metadata: keys with their new values; null takes a key away.")
    ] = None

    def check_fields(self) -> None:
        """Refuse a change that lacks a field which its mode needs, or has one that it has no use for.

        Raises:
            ToolError: `missing_field` or `unused_field`.
        """
        given = [field.name for field in dataclasses.fields(self) if getattr(self, field.name) is not None]
        needs, may = NEEDS[self.edit_mode], MAY.get(self.edit_mode, ())
        for name in needs:
            if name not in given:
                raise ToolError("missing_field", f"{self.edit_mode} needs {name}")
        unused = [name for name in given if name not in (*needs, *may, "edit_mode", "version")]
        if unused:
            raise ToolError(
                "unused_field",
                f"{self.edit_mode} has no use for {', '.join(unused)}; it takes {', '.join((*needs, *may)) or 'none'}",
            )

    @property
    def rests_on_a_cell(self) -> bool:
        """Whether it changes a cell that is there, so that the cell must have been read."""
        return self.cell_id is not None and not self.edit_mode.startswith("insert")
