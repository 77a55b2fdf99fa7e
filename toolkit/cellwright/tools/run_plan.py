"""What running a notebook would run: worked out for the person who is asked, and again when it runs.

A cell rests on all code above it. A fresh kernel has run none of that; a kernel that a run holds on to may have, and
then knows in which version. So what runs begins with the first cell that is wanted or that has not run there as it is
now, and ends with the last one wanted: the outputs are those that the notebook gives from the top. The rule that must
never break: the code that runs is the code that was shown; a notebook or a kernel that changed between the question
and the run is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from cellwright.codec import canonical
from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.kernels.kernel_ledger import KernelLedger
from cellwright.messages import JsonObject
from cellwright.notebook.cell import Cell
from cellwright.notebook.stored import StoredNotebook, cell_name
from cellwright.text.quantity import quantity
from cellwright.tools.cell_choice import chosen_cells
from cellwright.tools.cell_tags import ASKING, SKIPPED, cell_title, is_skipped, tags
from cellwright.tools.kernel_choice import KernelChoice, notebook_kernel
from cellwright.tools.kernel_state import cell_keys, code_cells
from cellwright.views.view import Code, Group, Text, View

PLAN = "run:"
"""The ledger's name for what was shown; no cell can be called so."""


Wanted = Sequence[str] | Literal["all", "stale"] | None
"""Names of cells, all of them from the top in a fresh kernel (None says so, too), or those that are out of date."""


class RunPlan(Struct, frozen=True):
    """The code cells that will run, in order, and where."""

    stored: StoredNotebook
    kernel: KernelChoice
    is_fresh: bool
    """Whether the kernel is started for it, and has run nothing."""
    cells: tuple[Cell, ...]
    skipped: tuple[Cell, ...]
    """Cells whose tags say so, as `never-run`, that would have been among them."""
    above: int
    """Code cells above these that have run in the kernel as they are now."""
    notes: tuple[str, ...]
    """What there is to say before the run, such as a kernel that is not installed."""
    state: str
    """What the kernel has run of the notebook, so that two plans can be told apart."""

    @property
    def version(self) -> str:
        """A short hash of the kernel and all code there is; the same for all plans that a person may choose from."""
        code = [cell for cell in self.stored.document.cells if cell.cell_type == "code"]
        cells = [[cell_name(cell), cell.source, tags(cell)] for cell in code]
        told = canonical([self.kernel.kernel_name, self.state, cells])
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:12]

    @property
    def where(self) -> str:
        """The kernel, in words."""
        name = self.kernel.kernel_name
        if self.is_fresh:
            return f"in a fresh {name} kernel{self.kernel.place}"
        ran = f", where {self.above} above have run as they are now" if self.above else ""
        return f"in the {name} kernel of this notebook{self.kernel.place}{ran}"

    def view(self) -> Group:
        """What will run, for the person: all of it, however long, since what is left out would run unseen."""
        count = quantity(len(self.cells), "code cell")
        head = f"{count} {self.where}; the outputs in the file are replaced"
        views: list[View] = [Text("\n".join((head, *self.notes)))]
        language = self.stored.document.language
        views += [Group(_title(cell), (Code(cell.source, language),)) for cell in self.cells]
        return Group(f"run {self.stored.shown}", tuple(views))


def plan_run(path: str, wanted: Wanted, env: Env) -> RunPlan:
    """The plan for a notebook, or for what is wanted of it.

    Raises:
        ToolError: `invalid_arguments`, `not_found`, `not_code` or `no_kernel`, or what reading the notebook says.
    """
    stored = StoredNotebook.read(path, env)
    kernel = notebook_kernel(stored, env)
    ledger = _ledger(kernel, env)
    code = code_cells(stored)
    stale = ledger.stale(cell_keys(code)) if ledger else tuple(map(cell_name, code))
    first, last = _ends(stored, code, stale, wanted, env)
    chosen = [cell for cell in code if first <= cell.index <= last]
    skipped = tuple(cell for cell in chosen if is_skipped(cell))
    is_fresh = ledger is None or wanted in (None, "all")
    return RunPlan(
        stored,
        kernel,
        is_fresh,
        tuple(cell for cell in chosen if cell not in skipped),
        skipped,
        0 if is_fresh else sum(cell.index < first for cell in code if not is_skipped(cell)),
        _notes(kernel, skipped, ledger, is_fresh, env),
        " ".join(stale) if ledger else "not started",
    )


def stale_cells(stored: StoredNotebook, ledger: KernelLedger) -> list[Cell]:
    """The code cells whose outputs are not those that the notebook gives as it is now, as far as its kernel knows."""
    code = code_cells(stored)
    names = set(ledger.stale(cell_keys(code)))
    return [cell for cell in code if cell_name(cell) in names and not is_skipped(cell)]


def _ledger(kernel: KernelChoice, env: Env) -> KernelLedger | None:
    """The ledger of the notebook's kernel, if it is running."""
    session = env.kernels.find(kernel.name)
    there = session is not None and session.kernel.is_alive and session.kernel.kernel_name == kernel.kernel_name
    return session.ledger if session and there else None


def _ends(
    stored: StoredNotebook, code: list[Cell], stale: tuple[str, ...], wanted: Wanted, env: Env
) -> tuple[int, int]:
    """The indexes of the first and the last cell that run; the last is below the first if there is nothing to run."""
    last = len(stored.document.cells)
    if wanted is None or wanted == "all":
        return 0, last
    first = min((cell.index for cell in code if cell_name(cell) in stale), default=last + 1)
    if wanted == "stale":
        return first, last
    named = chosen_cells(stored, wanted, env)
    return min(first, named[0].index), named[-1].index


def _notes(
    kernel: KernelChoice, skipped: Iterable[Cell], ledger: KernelLedger | None, is_fresh: bool, env: Env
) -> tuple[str, ...]:
    notes = [*kernel.notes]
    held = env.kernels.find(kernel.name)
    if held and held.kernel.starts and ledger is None:
        notes.append("its kernel is not there any more, with all variables, and is started anew")
    if skipped:
        why = " or ".join(sorted({tag for cell in skipped for tag in tags(cell)} & SKIPPED))
        notes.append(f"skipped, because tagged {why}: {', '.join(map(cell_title, skipped))}")
    if ledger and is_fresh:
        notes.append("its kernel is started anew for it, so the variables that are there now are lost")
    elif ledger and ledger.other_code:
        pieces = quantity(ledger.other_code, "piece of other code has", "pieces of other code have")
        notes.append(f"{pieces} run in this kernel, too")
    return tuple(notes)


def marked_cells(args: JsonObject, env: Env) -> str | None:
    """Which of the cells that would run a person has marked to be asked about, as a reason to ask; None if none is."""
    try:
        plan = plan_run(args["path"], args.get("cells"), env)
    except ToolError:  # it can't be run, which is told when it is to be shown
        return None
    marked = [_title(cell) for cell in plan.cells if ASKING & set(tags(cell))]
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


def _title(cell: Cell) -> str:
    marked = ", ".join(tags(cell))
    return cell_title(cell) + (f", tagged {marked}" if marked else "")
