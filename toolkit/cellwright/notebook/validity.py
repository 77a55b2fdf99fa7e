"""What nbformat says of a notebook, and whether an edit made it worse.

Many notebooks in the world break the schema somewhere, and a tool that refuses them, or quietly mends them, is of no
use. So what was wrong before an edit is told but neither blocks the edit nor is touched; only a new problem refuses it.

The rule that must never break: nbformat judges copies. Its `validate` would add ids to what it is given.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from cellwright.errors import ToolError
from cellwright.notebook.cell import CELL_TYPES, Cell

if TYPE_CHECKING:
    from jsonschema_rs import Draft4Validator
    from nbformat.validator import ValidationError


class Problem(Struct, frozen=True):
    """One way in which a notebook breaks the schema."""

    place: str
    """Such as `cell 0 ('e1')` or `notebook`."""
    rule: str
    """Which rule is broken where in that place; equal for the same problem at another index."""
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


def problems_of(fields: dict[str, object], cells: Sequence[Cell]) -> tuple[Problem, ...]:
    """All problems of the notebook with these members and cells."""
    minor = fields.get("nbformat_minor", 0)
    try:
        return tuple(_problems(fields, cells, minor if isinstance(minor, int) else 0))
    except RecursionError:
        return (Problem("notebook", "depth", "nested too deeply to be validated"),)


def _problems(fields: dict[str, object], cells: Sequence[Cell], minor: int) -> Iterator[Problem]:
    # nbformat fails on a cell type that isn't text, so it is shown the text of it.
    notebook = {**fields, "cells": [{**cell.members, "cell_type": cell.cell_type} for cell in cells]}
    judged: set[int] = set()
    for error in [] if _is_valid(notebook, minor) else _errors(notebook, None, minor):
        path = list(error.relative_path)
        if path[:1] != ["cells"] or len(path) < 2:
            yield _problem("notebook", path, error)
        elif path[1] not in judged:
            judged.add(path[1])
            yield from _cell_problems(cells[path[1]], error, minor)
    counted = Counter(cell.id for cell in cells if cell.id is not None)
    for cell_id, count in counted.items():
        if count > 1:
            yield Problem("notebook", f"id {cell_id}", f"{count} cells have the id {cell_id!r}")


def _is_valid(notebook: dict[str, object], minor: int) -> bool:
    """Whether nbformat's own schema has nothing against it: said of most, and much sooner than by nbformat."""
    validator = _validator(minor)
    try:
        return validator is not None and validator.is_valid(notebook)
    except ValueError:  # what only JSON as Python reads it can hold: NaN, a lone surrogate, a very large number
        return False


@cache
def _validator(minor: int) -> Draft4Validator | None:
    """The compiled schema of a minor version; None for one that is not known, which nbformat judges in its own way.

    Its file is found without importing nbformat, which with Jupyter's extras installed takes seconds.
    """
    from jsonschema_rs import Draft4Validator

    package = find_spec("nbformat")
    for folder in (package and package.submodule_search_locations) or ():
        path = Path(folder, "v4", f"nbformat.v4.{minor}.schema.json")
        if path.is_file():
            return Draft4Validator(json.loads(path.read_text(encoding="utf-8")))
    return None


def _cell_problems(cell: Cell, first: ValidationError, minor: int) -> Iterator[Problem]:
    place = f"cell {cell.index}" + (f" ({cell.id!r})" if cell.id is not None else "")
    errors = [(list(first.relative_path)[2:], first)]
    if cell.cell_type in CELL_TYPES:
        found = _errors(cell.members, f"{cell.cell_type}_cell", minor)
        errors = [(list(error.relative_path), error) for error in found] or errors
    for path, error in errors:
        yield _problem(place, path, error)


def _errors(value: dict[str, object], ref: str | None, minor: int) -> list[ValidationError]:
    # Imported here: with Jupyter's extras installed it takes a second or two, and this runs in a tool's thread.
    from nbformat.validator import ValidationError, iter_validate

    try:
        found = iter_validate(value, ref=ref, version=4, version_minor=minor)  # type: ignore[no-untyped-call]  # untyped
        return list(found)
    except ValidationError as error:  # a minor version that never was
        return [error]


def _problem(place: str, path: list[object], error: ValidationError) -> Problem:
    where = ".".join(str(part) for part in path)
    message = error.message if len(error.message) <= 200 else error.message[:200] + "..."
    return Problem(place, f"{where} {error.validator}", f"{where}: {message}" if where else message)


def require_no_new(before: Sequence[Problem], after: Sequence[Problem]) -> None:
    """Refuse an edit after which there are problems that were not there before."""
    left = Counter(problem.rule for problem in before)
    new: list[Problem] = []
    for problem in after:
        left[problem.rule] -= 1
        if left[problem.rule] < 0:
            new.append(problem)
    if new:
        listed = "; ".join(str(problem) for problem in new[:5])
        raise ToolError("invalid_notebook", f"The edit would make the notebook invalid and was not made: {listed}.")
