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
from cellwright.tools.replacement import Replacement

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
    "edit": ("replace_all",),
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
            description="edit: old_string to new_string. split: line begins a new cell. merge: with the next, "
            "target_id. clear_outputs: of all without cell_id."
        ),
    ] = "replace"
    cell_id: Annotated[
        str | None,
        Field(description="As in notebook_edit; left out for metadata of the notebook."),
    ] = None
    version: str | None = None
    new_source: str | None = None
    cell_type: CellType | None = None
    target_id: str | None = None
    target_version: str | None = None
    old_string: Annotated[str | None, Field(description="Found once, exactly.")] = None
    new_string: str | None = None
    replace_all: bool | None = None
    line: Annotated[int | None, Field(description="From 1.")] = None
    add_tags: list[str] | None = None
    remove_tags: list[str] | None = None
    metadata: Annotated[dict[str, Any] | None, Field(description="Keys with new values; null takes one away.")] = None

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
    def replacement(self) -> Replacement:
        """What the mode `edit` does to the source."""
        return Replacement(self.old_string or "", self.new_string or "", bool(self.replace_all))

    @property
    def rests_on_a_cell(self) -> bool:
        """Whether it changes a cell that is there, so that the cell must have been read."""
        return self.cell_id is not None and not self.edit_mode.startswith("insert")
