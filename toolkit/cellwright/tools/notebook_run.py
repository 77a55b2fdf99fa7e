"""The tool that runs the cells of a notebook and saves what comes out.

The run from the top in a fresh kernel is the only proof that a notebook works. While a model works on it, the kernel
stays, and a cell runs with as little as possible of what stands above it. Either runs whatever the cells say, so a
person is asked in every mode that asks at all. The rule that must never break: what ran is saved, also if the run is
stopped, and a cell that someone changed meanwhile keeps its outputs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Annotated, Literal

from msgspec import Struct
from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.kernels.child_kernel import Execution
from cellwright.messages import JsonObject
from cellwright.notebook.cell import Cell
from cellwright.notebook.document import NotebookDocument
from cellwright.notebook.outputs import outputs_images, outputs_text, outputs_view
from cellwright.notebook.stored import cell_name
from cellwright.tool import Opinion, Output, tool
from cellwright.tools.cell_tags import cell_title, tags
from cellwright.tools.run_plan import RunPlan, check_as_shown, marked_cells, plan_run, present_run, stale_cells
from cellwright.tools.text_change import content_version
from cellwright.views.view import Group, Text, View
from cellwright.waiting.threads import in_thread

USUAL, LONGEST = 120.0, 3_600.0
"""Seconds that one cell may take unless the call says otherwise, and at most."""
RUN_TIMEOUT = 4 * LONGEST
"""Seconds the whole run may take."""
TEXT_CHARS = 30_000
"""Characters of outputs in the model's text, all cells together."""
LEAST_CHARS = 600
"""Characters that each cell has at least."""
MAX_TITLES, MAX_NAMES = 20, 5
"""Cells that are named in one line, where it is much to say of them and where it is little."""
IMAGES = 5
"""Pictures for a model that can see."""
FAILURES: dict[str, tuple[str, str]] = {
    "error": ("cell_failed", "error"),
    "timeout": ("cell_timeout", "timeout"),
    "died": ("kernel_died", "kernel died"),
}
"""How a cell fails: the code of the tool's error, and its name in words."""

ENAMES = {"timeout": "CellTimeout", "died": "KernelDied"}
"""The names of the errors that are saved for a cell that could not tell its end itself."""


class CellRun(Struct, frozen=True):
    """One cell that was run."""

    cell: Cell
    execution: Execution
    seconds: float

    @property
    def failed(self) -> bool:
        """Whether the run ends here; an error that the tag `raises-exception` announces is none."""
        status = self.execution.status
        return status != "ok" and not (status == "error" and "raises-exception" in tags(self.cell))

    @property
    def line(self) -> str:
        """The cell in one line."""
        execution = self.execution
        count = f" [{execution.execution_count}]" if execution.execution_count is not None else ""
        expected = " as its tag raises-exception says" if execution.status == "error" and not self.failed else ""
        said = f": {execution.message}" if execution.message else ""
        return f"{cell_title(self.cell)}{count} {execution.status}{expected} in {self.seconds:.1f} s{said}"

    @property
    def outputs(self) -> list[JsonObject]:
        """What is saved: the cell's outputs, and an error that tells its end if they don't."""
        found = self.execution.outputs
        if self.execution.status not in ENAMES or any(output["output_type"] == "error" for output in found):
            return found
        name, message = ENAMES[self.execution.status], self.execution.message
        error = {"output_type": "error", "ename": name, "evalue": message, "traceback": [f"{name}: {message}"]}
        return [*found, error]

    def text(self, limit: int) -> str:
        """The line and the outputs."""
        return "\n".join(filter(None, (self.line, outputs_text(self.execution.outputs, limit))))

    def view(self) -> View:
        """The outputs for the person."""
        views = outputs_view(self.execution.outputs).views
        return Group(self.line, views) if views else Text(self.line)


def _always_ask(args: JsonObject, env: Env) -> tuple[Opinion, str]:
    return "ask", "it runs the code of the notebook"


@tool(
    paths=("path",),
    counts_as={"path": ("notebook_edit",)},
    timeout=RUN_TIMEOUT,
    check_permission=_always_ask,
    asks_first=marked_cells,
    present_call=present_run,
    lasting="its cells ran, which may have changed the kernel's variables, other files and anything else",
    origin="built-in",
)
async def notebook_run(
    path: str,
    cells: list[str] | Literal["all", "stale"] | None = None,
    timeout: Annotated[float, Field(gt=0, le=LONGEST)] | None = None,
    *,
    env: Env,
) -> Output:
    """Run code cells of a notebook in its kernel and save their outputs in the file; stops at the first that fails.

    All from the top in a fresh kernel, which stays. Cells that are named run
    in it, after those above that have not run there as they are now. run_code with this path as kernel looks into it.

    Args:
        path: The .ipynb file.
        cells: Ids (#INDEX@VERSION where there are none), ranges "a1..c3", or "stale".
        timeout: Seconds for each cell, 120 if left out.
    """
    plan: RunPlan = await in_thread(lambda: plan_run(path, cells, env))  # an open notebook is asked for
    check_as_shown(plan, env)
    return await run_notebook(plan, env, USUAL if timeout is None else timeout)


async def run_notebook(plan: RunPlan, env: Env, cell_timeout: float) -> Output:
    """Runs a plan with so many seconds for each cell, and saves and tells what came out.

    Raises:
        ToolError: `cell_failed`, `cell_timeout`, `kernel_died`, `kernel_failed`, or why nothing could be saved.
    """
    runs: list[CellRun] = []
    try:
        await _run_all(plan, runs, env, cell_timeout)
    finally:  # also when the run is cancelled: what took minutes to compute is not thrown away
        saved: Saved = await in_thread(lambda: _saved(plan, runs, env))
    return _result(plan, runs, saved, env)


async def _run_all(plan: RunPlan, runs: list[CellRun], env: Env, cell_timeout: float) -> None:
    """Runs the cells, adding each to `runs`, until one fails."""
    session = plan.kernel.session(env)
    session.require_free()
    if plan.is_fresh:
        await session.kernel.close("its notebook was run from the top")
    if plan.cells:
        await session.kernel.open()
    start = session.kernel.starts
    for number, cell in enumerate(plan.cells, 1):
        env.progress(f"cell {number} of {len(plan.cells)}")
        key, started = (cell_name(cell), cell.version), time.monotonic()
        execution = await session.run_cell(key, cell.source, cell_timeout, start)
        runs.append(CellRun(cell, execution, round(time.monotonic() - started, 2)))
        if runs[-1].failed:
            return
        session.ledger.note(*key)  # an error that was expected is no failure


Saved = tuple[ToolError | None, str]
"""What kept outputs from being saved, and what there is to say of those that were."""


def _saved(plan: RunPlan, runs: list[CellRun], env: Env) -> Saved:
    """Writes the outputs into the notebook as it is now."""
    if not runs:
        return None, ""
    try:
        changed, note = _save(plan, runs, env)
    except ToolError as error:
        return ToolError(error.code, f"the outputs were NOT saved: {error.message}"), ""
    if changed:
        names = ", ".join(map(cell_title, changed))
        said = f"someone changed these cells during the run, so their outputs were NOT saved: {names}"
        return ToolError("stale", said), note
    return None, note


def _save(plan: RunPlan, runs: list[CellRun], env: Env) -> tuple[list[Cell], str]:
    """Puts each cell's outputs where its code still stands; the cells for which there is no such place."""
    stored = plan.stored.again(env)
    document, changed = stored.document, list[Cell]()
    for run in runs:
        cell = _same_cell(document, run.cell)
        if cell is None:
            changed.append(run.cell)
        else:
            document = document.set_outputs(cell, run.outputs, run.execution.execution_count)
    note = stored.write(document, env).note
    if stored.sheet is None and stored.data == plan.stored.data:
        env.ledger.note(stored.path, content_version(document.data))
    return changed, note


def _same_cell(document: NotebookDocument, cell: Cell) -> Cell | None:
    """The cell in the document as it is now, if it has the same name and the same code."""
    same = [found for found in document.cells if cell_name(found) == cell_name(cell) and found.version == cell.version]
    return same[0] if len(same) == 1 else None


def _result(plan: RunPlan, runs: list[CellRun], saved: Saved, env: Env) -> Output:
    """The run as a value, or as the error of the cell that failed.

    Raises:
        ToolError: `cell_failed`, `cell_timeout`, `kernel_died`, or why the outputs could not be saved.
    """
    stale = stale_cells(plan.stored, plan.kernel.session(env).ledger)
    problem, note = saved
    text = _report(plan, runs, [problem.message] if problem else [f"[{note}]"] * bool(note), stale)
    view = Group(_headline(plan, runs), (*map(Text, plan.notes), *(run.view() for run in runs)))
    if runs and runs[-1].failed:
        last = runs[-1]
        code, name = FAILURES[last.execution.status]
        raise ToolError(code, f"{plan.stored.shown} stopped at cell {cell_title(last.cell)}: {name}.\n{text}", view)
    if problem:
        raise ToolError(problem.code, text, view)
    entries = [_entry(run) for run in runs] + [_skipped(cell) for cell in plan.skipped]
    value = {
        "path": plan.stored.shown,
        "kernel": plan.kernel.kernel_name,
        "status": "ok",
        "fresh_kernel": plan.is_fresh,
        "stale": [cell_name(cell) for cell in stale],
        "cells": sorted(entries, key=lambda entry: entry["index"]),
    }
    outputs = [output for run in runs for output in run.execution.outputs]
    return Output(value, text, view, images=outputs_images(outputs, IMAGES))


def _report(plan: RunPlan, runs: list[CellRun], saved: list[str], stale: Sequence[Cell]) -> str:
    share = max(LEAST_CHARS, TEXT_CHARS // max(1, len(runs)))
    not_run = plan.cells[len(runs) :]
    rest = [f"not run: {_titles(not_run)}"] if not_run else []
    below = [cell for cell in stale if cell not in plan.cells]
    rest += [f"below these, not run since the cells above them: {_names(below)}"] if below else []
    return "\n".join([_headline(plan, runs), *saved, *plan.notes, *_told(runs, share), *rest])


def _told(runs: list[CellRun], share: int) -> Iterator[str]:
    """What each cell gave; cells in a row that ended well and gave nothing are told of in one line."""
    for has_no_news, some in groupby(runs, lambda run: run.execution.status == "ok" and not run.execution.outputs):
        group = list(some)
        if has_no_news and len(group) > 1 and not any(run.execution.message for run in group):
            yield f"ok, no output: {_names([run.cell for run in group])}"
        else:
            yield from (run.text(share) for run in group)


def _headline(plan: RunPlan, runs: list[CellRun]) -> str:
    total = sum(run.seconds for run in runs)
    if not plan.cells:
        why = "it has no code to run" if plan.is_fresh else "its code cells have run in its kernel as they are now"
        return f"{plan.stored.shown}: nothing to run; {why}"
    cells = f"{len(runs)} of {len(plan.cells)} code cells{' from the top' if plan.is_fresh else ''}"
    return f"{plan.stored.shown}: ran {cells} {plan.where} in {total:.1f} s"


def _names(cells: Sequence[Cell]) -> str:
    more = f" and {len(cells) - MAX_NAMES} more" if len(cells) > MAX_NAMES else ""
    return ", ".join(map(cell_name, cells[:MAX_NAMES])) + more


def _titles(cells: Sequence[Cell]) -> str:
    more = f" and {len(cells) - MAX_TITLES} more" if len(cells) > MAX_TITLES else ""
    return ", ".join(map(cell_title, cells[:MAX_TITLES])) + more


def _entry(run: CellRun) -> JsonObject:
    status: Literal["ok", "error", "timeout", "died"] = run.execution.status
    count = run.execution.execution_count
    return {**_place(run.cell), "status": status, "execution_count": count, "seconds": run.seconds}


def _skipped(cell: Cell) -> JsonObject:
    return {**_place(cell), "status": "skipped", "execution_count": cell.execution_count, "seconds": 0.0}


def _place(cell: Cell) -> JsonObject:
    return {"id": cell_name(cell), "index": cell.index}
