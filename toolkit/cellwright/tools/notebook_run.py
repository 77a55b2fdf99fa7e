"""The tool that runs a notebook in a kernel of its own and saves what comes out.

The run is the only proof that a notebook works, so it starts from nothing: a fresh kernel in the notebook's folder,
the code cells from the top, until one fails. It runs whatever the cells say, so a person is asked in every mode that
asks at all. What ran is saved even if the run is stopped; a cell that someone changed meanwhile keeps its outputs.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files import read_file_bytes, replace_file
from cellwright.kernels import ChildKernel, Execution
from cellwright.messages import JsonObject
from cellwright.notebook.cell import Cell
from cellwright.notebook.document import NotebookDocument, check
from cellwright.notebook.outputs import outputs_images, outputs_text, outputs_view
from cellwright.notebook.stored import MAX_BYTES, cell_name
from cellwright.tool import Opinion, Output, tool
from cellwright.tools.run_plan import RunPlan, cell_title, check_as_shown, marked_cells, plan_run, present_run, tags
from cellwright.tools.text_change import content_version
from cellwright.views import Group, Text, View

CELL_TIMEOUT = 120.0
"""Seconds one cell may take."""
RUN_TIMEOUT = 600.0
"""Seconds the whole run may take."""
TEXT_CHARS = 30_000
"""Characters of outputs in the model's text, all cells together."""
LEAST_CHARS = 600
"""Characters that each cell has at least."""
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


@dataclass(frozen=True, slots=True)
class CellRun:
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
    timeout=RUN_TIMEOUT,
    check_permission=_always_ask,
    asks_first=marked_cells,
    present_call=present_run,
    origin="built-in",
)
async def notebook_run(path: str, cells: list[str] | None = None, *, env: Env) -> Output:
    """Run the code cells of a notebook in a fresh kernel and save their outputs and counts in the file.

    Runs from the top and stops at the first cell that fails. If cells are named, the code cells above them run first,
    because a fresh kernel has no variables, and those below the last one don't run. A cell may take 120 s, the whole
    run 600 s. A cell tagged raises-exception may fail, one tagged never-run is skipped, and for one tagged ask-first
    or expensive the person is asked each time. Cells that didn't run keep their old outputs.
    Errors: cell_failed, cell_timeout and kernel_died name the cell and show its output; what ran until then is saved.

    Args:
        path: The .ipynb file, relative to the working folder.
        cells: Ids of the cells wanted, #INDEX@VERSION where they have none; all code cells if left out.
    """
    plan = plan_run(path, cells, env)
    check_as_shown(plan, env)
    return await run_notebook(plan, env, CELL_TIMEOUT)


async def run_notebook(plan: RunPlan, env: Env, cell_timeout: float) -> Output:
    """Runs a plan with so many seconds for each cell, and saves and tells what came out.

    Raises:
        ToolError: `cell_failed`, `cell_timeout`, `kernel_died`, `kernel_failed`, or why nothing could be saved.
    """
    runs: list[CellRun] = []
    try:
        await _run_all(plan, runs, env, cell_timeout)
    finally:  # also when the run is cancelled: what took minutes to compute is not thrown away
        problem = _saved(plan, runs, env)
    return _result(plan, runs, problem)


async def _run_all(plan: RunPlan, runs: list[CellRun], env: Env, cell_timeout: float) -> None:
    """Runs the cells, adding each to `runs`, until one fails."""
    notebook = plan.stored.path
    async with ChildKernel.start(plan.kernel, notebook.parent, {"JPY_SESSION_NAME": str(notebook)}) as kernel:
        for number, cell in enumerate(plan.cells, 1):
            env.progress(f"cell {number} of {len(plan.cells)}")
            started = time.monotonic()
            execution = await kernel.run(cell.source, cell_timeout)
            runs.append(CellRun(cell, execution, round(time.monotonic() - started, 2)))
            if runs[-1].failed:
                return


def _saved(plan: RunPlan, runs: list[CellRun], env: Env) -> ToolError | None:
    """Writes the outputs into the file as it is now; what kept it from that."""
    if not runs:
        return None
    try:
        changed = _save(plan, runs, env)
    except ToolError as error:
        return ToolError(error.code, f"the outputs were NOT saved: {error.message}")
    if changed:
        names = ", ".join(map(cell_title, changed))
        return ToolError(
            "stale", f"someone changed these cells during the run, so their outputs were NOT saved: {names}"
        )
    return None


def _save(plan: RunPlan, runs: list[CellRun], env: Env) -> list[Cell]:
    """Puts each cell's outputs where its code still stands; the cells for which there is no such place."""
    path, shown = plan.stored.path, plan.stored.shown
    data = read_file_bytes(path, MAX_BYTES)
    before = document = NotebookDocument.parse(data, shown)
    changed = []
    for run in runs:
        cell = _same_cell(document, run.cell)
        if cell is None:
            changed.append(run.cell)
        else:
            document = document.set_outputs(cell, run.outputs, run.execution.execution_count)
    check(before, document)
    replace_file(path, document.data, expected=data)
    if data == plan.stored.data:
        env.ledger.note(path, content_version(document.data))
    return changed


def _same_cell(document: NotebookDocument, cell: Cell) -> Cell | None:
    """The cell in the document as it is now, if it has the same name and the same code."""
    same = [found for found in document.cells if cell_name(found) == cell_name(cell) and found.version == cell.version]
    return same[0] if len(same) == 1 else None


def _result(plan: RunPlan, runs: list[CellRun], problem: ToolError | None) -> Output:
    """The run as a value, or as the error of the cell that failed.

    Raises:
        ToolError: `cell_failed`, `cell_timeout`, `kernel_died`, or why the outputs could not be saved.
    """
    text = _report(plan, runs, problem)
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
        "kernel": plan.kernel,
        "status": "ok",
        "cells": sorted(entries, key=lambda entry: entry["index"]),
    }
    outputs = [output for run in runs for output in run.execution.outputs]
    return Output(value, text, view, images=outputs_images(outputs, IMAGES))


def _report(plan: RunPlan, runs: list[CellRun], problem: ToolError | None) -> str:
    share = max(LEAST_CHARS, TEXT_CHARS // max(1, len(runs)))
    saved = [problem.message] if problem else []
    not_run = plan.cells[len(runs) :]
    rest = [f"not run: {', '.join(map(cell_title, not_run))}"] if not_run else []
    return "\n".join([_headline(plan, runs), *saved, *plan.notes, *(run.text(share) for run in runs), *rest])


def _headline(plan: RunPlan, runs: list[CellRun]) -> str:
    total = sum(run.seconds for run in runs)
    cells = f"{len(runs)} of {len(plan.cells)} code cells"
    return f"{plan.stored.shown}: ran {cells} from the top in a fresh {plan.kernel} kernel in {total:.1f} s"


def _entry(run: CellRun) -> JsonObject:
    status: Literal["ok", "error", "timeout", "died"] = run.execution.status
    count = run.execution.execution_count
    return {**_place(run.cell), "status": status, "execution_count": count, "seconds": run.seconds}


def _skipped(cell: Cell) -> JsonObject:
    return {**_place(cell), "status": "skipped", "execution_count": cell.execution_count, "seconds": 0.0}


def _place(cell: Cell) -> JsonObject:
    return {"id": cell_name(cell), "index": cell.index}
