"""What running a notebook would run: worked out for the person who is asked, and again when it runs.

A fresh kernel knows nothing, so to run a cell the code cells above it have to run too; which cells that makes, in
which kernel, is a plan. The rule that must never break: the code that runs is the code that was shown; a notebook
that changed between the question and the run is refused.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from cellwright.codec import canonical
from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.kernel_process import kernel_exists
from cellwright.messages import JsonObject
from cellwright.notebook.address import is_index
from cellwright.notebook.cell import Cell
from cellwright.notebook.stored import StoredNotebook, cell_name
from cellwright.views import Code, Group, Text, View

PLAN = "run:"
"""The ledger's name for what was shown; no cell can be called so."""
NEVER = "never-run"
"""The tag of a cell that is not run."""
ASKING = frozenset({"ask-first", "expensive"})
"""The tags of a cell that is run only if a person says so: each time, whatever else they have allowed."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """The code cells that will run, in order, and where."""

    stored: StoredNotebook
    kernel: str
    cells: tuple[Cell, ...]
    skipped: tuple[Cell, ...]
    """Cells tagged `never-run` that would have been among them."""
    notes: tuple[str, ...]
    """What there is to say before the run, such as a kernel that is not installed."""

    @property
    def version(self) -> str:
        """A short hash of the kernel and all code there is; the same for all plans that a person may choose from."""
        code = [cell for cell in self.stored.document.cells if cell.cell_type == "code"]
        told = canonical([self.kernel, [[cell_name(cell), cell.source, tags(cell)] for cell in code]])
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:12]

    def view(self) -> Group:
        """What will run, for the person: all of it, however long, since what is left out would run unseen."""
        count = f"{len(self.cells)} code cell{'s' if len(self.cells) != 1 else ''}"
        head = f"{count} in a fresh {self.kernel} kernel; the outputs in the file are replaced"
        views: list[View] = [Text("\n".join((head, *self.notes)))]
        language = self.stored.document.language
        views += [Group(_title(cell), (Code(cell.source, language),)) for cell in self.cells]
        return Group(f"run {self.stored.shown}", tuple(views))


def plan_run(path: str, cells: list[str] | None, env: Env) -> RunPlan:
    """The plan for a notebook, or for those of its cells that are named and all code cells above them.

    Raises:
        ToolError: `invalid_arguments`, `not_found`, `not_code` or `no_kernel`, or what reading the notebook says.
    """
    stored = StoredNotebook.read(path, env)
    code = _code(stored, cells, env)
    skipped = tuple(cell for cell in code if NEVER in tags(cell))
    kernel, notes = _kernel(stored)
    if skipped:
        notes = (*notes, f"skipped, because tagged {NEVER}: {', '.join(map(cell_title, skipped))}")
    return RunPlan(stored, kernel, tuple(cell for cell in code if cell not in skipped), skipped, notes)


def marked_cells(args: JsonObject, env: Env) -> str | None:
    """Which of the cells that would run a person has marked to be asked about, as a reason to ask; None if none is."""
    try:
        code = _code(StoredNotebook.read(args["path"], env), args.get("cells"), env)
    except ToolError:  # it can't be run, which is told when it is to be shown
        return None
    marked = [_title(cell) for cell in code if ASKING & set(tags(cell)) and NEVER not in tags(cell)]
    return f"it runs {'; '.join(marked)}" if marked else None


def present_run(args: JsonObject, env: Env) -> View:
    """What will run, noted in the ledger as shown."""
    plan = plan_run(args["path"], args.get("cells"), env)
    env.ledger.note(plan.stored.path, plan.version, PLAN)
    return plan.view()


def check_as_shown(plan: RunPlan, env: Env) -> None:
    """Refuse a plan made of other code than was last shown, if some was. A showing counts for one run.

    The person may have chosen other cells than the model did, so what counts is the notebook, not the choice.

    Raises:
        ToolError: `stale`.
    """
    shown = env.ledger.seen(plan.stored.path, PLAN)
    env.ledger.forget(plan.stored.path, PLAN)
    if shown not in (None, plan.version):
        raise ToolError(
            "stale", f"{plan.stored.shown} changed since its run was approved; nothing was run. Ask for the run again."
        )


def tags(cell: Cell) -> tuple[str, ...]:
    """The cell's tags."""
    found = cell.metadata.get("tags")
    return tuple(str(tag) for tag in found) if isinstance(found, list) else ()


def cell_title(cell: Cell) -> str:
    """Index and id, such as `#3 (id a1b2)`."""
    return f"#{cell.index}" + (f" (id {cell.id})" if cell.id is not None else "")


def _title(cell: Cell) -> str:
    marked = ", ".join(tags(cell))
    return cell_title(cell) + (f", tagged {marked}" if marked else "")


def _code(stored: StoredNotebook, cells: list[str] | None, env: Env) -> list[Cell]:
    every = stored.document.cells
    last = len(every) if cells is None else _last_wanted(stored, cells, env)
    return [cell for cell in every[: last + 1] if cell.cell_type == "code" and cell.source.strip()]


def _last_wanted(stored: StoredNotebook, names: list[str], env: Env) -> int:
    if not names:
        raise ToolError("invalid_arguments", "cells is empty; name at least one, or leave it out to run all")
    wanted = [_wanted(stored, name, env) for name in names]
    for cell in wanted:
        if cell.cell_type != "code":
            raise ToolError("not_code", f"Cell {cell_title(cell)} is a {cell.cell_type} cell; only code cells run")
    return max(cell.index for cell in wanted)


def _wanted(stored: StoredNotebook, name: str, env: Env) -> Cell:
    """The cell of an id, or of `#INDEX@VERSION`; the version may be left out of an index that was read as it is now."""
    place, _, version = name.partition("@")
    if not is_index(stored.document.cells, place):
        return stored.document.find(name, None)
    known = version or env.ledger.seen(stored.path, place)
    if known is None and int(place[1:]) in range(len(stored.document.cells)):
        raise ToolError(
            "version_required",
            f"An index such as {place} needs the version of the cell, because indexes shift. Read the cell first and "
            f"name it {place}@VERSION, or use its id if it has one.",
        )
    return stored.document.find(place, known or "")


def _kernel(stored: StoredNotebook) -> tuple[str, tuple[str, ...]]:
    """The kernel that the notebook names, or Python's if that is not installed and the notebook is in Python."""
    spec = stored.document.metadata.get("kernelspec")
    named = str(spec.get("name") or "python3") if isinstance(spec, dict) else "python3"
    if kernel_exists(named):
        return named, ()
    language = stored.document.language
    if language.lower() not in ("python", "python3", "ipython"):
        raise ToolError(
            "no_kernel",
            f"{stored.shown} needs the kernel {named!r} for {language}, which is not installed. Install it, or "
            "ask the person to.",
        )
    return "python3", (f"the notebook names the kernel {named!r}, which is not installed; python3 is used instead",)
