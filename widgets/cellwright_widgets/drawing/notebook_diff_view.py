"""Draws a change of a notebook, cell by cell, as a reader of notebooks knows them.

Each touched cell has its own frame: what happens to it, its type and place, what changes beside its source, the source
line by line with changed words marked, and the outputs that go or come, in brief. What happens is said in words and by
a sign, never by a colour alone. The rule that must never break: every touched cell is drawn or counted in a fold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cellwright.errors import LogError
from cellwright.messages import JsonObject
from cellwright.text.text_diff import changed_lines
from cellwright.views.notebook_diff import CellDiff, Fact, NotebookDiff, happened, outputs_change, place, summary
from cellwright.views.view import View, from_json
from cellwright_widgets.drawing.brush import Brush
from cellwright_widgets.drawing.diff_row import visible
from cellwright_widgets.drawing.diff_view import diff_blocks, two_columns
from cellwright_widgets.drawing.fold import fold, missing
from cellwright_widgets.drawing.node import Node, element, spaced
from cellwright_widgets.drawing.text_view import text_rows
from cellwright_widgets.drawing.word_diff import word_diff

Draw = Callable[[View, Brush], Node]
SHARE = 4
"""So many times fewer cells are shown at once than lines."""
SIGNS = {"added": "+", "deleted": "−", "moved": "↕"}
"""What stands before a cell; one that only changed has `±`."""


def draw_notebook_diff(view: NotebookDiff, brush: Brush, draw: Draw) -> Node:
    """The change, with its path and its sum; `draw` draws an output of any kind."""
    added, removed = _lines_changed(view)
    signed = spaced(element("span", "cw-added", f"+{added:,}"), element("span", "cw-removed", f"−{removed:,}"))
    counts = [element("span", "cw-counts", *signed)] if added or removed else []
    sums = [element("span", "cw-sum", summary(view)), *counts]
    head = element("div", "cw-diff-head", *spaced(element("code", "cw-path", brush.mark(view.path)), *sums))
    own = [element("section", "cw-nb-cell cw-nb-own", _own_head(), *_facts(view.facts, brush))] if view.facts else []
    switch = [two_columns()] if view.cells else []
    return element("div", "cw-nb", *switch, head, *own, *_cells(view, brush, draw))


def _lines_changed(view: NotebookDiff) -> tuple[int, int]:
    counts = [changed_lines(cell.unified) for cell in view.cells if cell.unified]
    return sum(added for added, _ in counts), sum(removed for _, removed in counts)


def _own_head() -> Node:
    return element("div", "cw-nb-head", *spaced(_sign("±"), element("strong", "", "the notebook's own metadata")))


def _cells(view: NotebookDiff, brush: Brush, draw: Draw) -> Iterator[Node]:
    shown = max(1, brush.lines // SHARE)
    yield from (_cell(cell, brush, draw) for cell in view.cells[:shown])
    rest = view.cells[shown:]
    if rest:
        yield fold(
            f"{len(rest):,} more cells of this change", *(_cell(cell, brush, draw) for cell in rest), name="cells"
        )


def _cell(cell: CellDiff, brush: Brush, draw: Draw) -> Node:
    kind = next((name for name in SIGNS if name in cell.touched), "changed")
    return element("section", f"cw-nb-cell cw-nb-{kind}", _cell_head(cell, kind, brush), *_body(cell, brush, draw))


def _cell_head(cell: CellDiff, kind: str, brush: Brush) -> Node:
    name = [] if cell.name.startswith("#") else [element("code", "cw-nb-name", brush.mark(cell.name))]
    facts = [element("span", "cw-nb-fact", brush.mark(fact)) for fact in (cell.cell_type, cell.where) if fact]
    return element(
        "div",
        "cw-nb-head",
        *spaced(
            _sign(SIGNS.get(kind, "±")),
            element("strong", "cw-nb-place", place(cell)),
            *name,
            element("span", "cw-nb-what", brush.mark(happened(cell))),
            *facts,
        ),
    )


def _sign(sign: str) -> Node:
    return element("span", "cw-nb-sign", sign, attrs={"aria-hidden": "true"})


def _body(cell: CellDiff, brush: Brush, draw: Draw) -> Iterator[Node]:
    yield from (element("p", "cw-note", "note: " + brush.mark(note)) for note in cell.notes)
    yield from _facts(cell.facts, brush)
    if cell.unified:
        yield element("div", "cw-nb-source", *diff_blocks(cell.unified, brush))
    if cell.excerpt:
        yield element("div", "cw-nb-source cw-nb-same", *text_rows(cell.excerpt, brush, "cw-rows"))
    if cell.outputs_before or cell.outputs_after:
        yield element("div", "cw-nb-outputs", *_outputs(cell, brush))
        yield from _results(cell, brush, draw)


def _facts(facts: tuple[Fact, ...], brush: Brush) -> Iterator[Node]:
    if facts:
        yield element("div", "cw-nb-facts", *(_fact(fact, brush) for fact in facts))


def _fact(fact: Fact, brush: Brush) -> Node:
    name, before, after = fact
    old, new = word_diff(before, after)
    sides = [
        *([element("span", "", *_side(old, "del", brush))] if before else []),
        element("span", "cw-nb-to", "→" if before and after else "new:" if after else "is gone"),
        *([element("span", "", *_side(new, "ins", brush))] if after else []),
    ]
    return element("div", "cw-nb-line", *spaced(element("span", "cw-key", brush.mark(name)), *sides))


def _side(parts: list[tuple[bool, str]], tag: str, brush: Brush) -> Iterator[Node]:
    for changed, text in parts:
        if changed:
            yield element(tag, "cw-word", *visible(text, brush, False))
        else:
            yield brush.mark(text)


def _outputs(cell: CellDiff, brush: Brush) -> Iterator[Node]:
    yield element("span", "cw-key", outputs_change(cell))
    lines = [("−", "cw-del", line) for line in cell.outputs_before]
    lines += [("+", "cw-ins", line) for line in cell.outputs_after]
    rows = [
        element("span", f"cw-row {cls}", element("span", "cw-sign", sign), " ", brush.mark(line), "\n")
        for sign, cls, line in lines
    ]
    yield element("pre", "cw-rows", *rows)


def _results(cell: CellDiff, brush: Brush, draw: Draw) -> Iterator[Node]:
    """The outputs themselves, as far as the change holds them, those from before beside those from after."""
    sides = [
        element(
            "div", f"cw-nb-side {cls}", element("span", "cw-key", name), *(_result(one, brush, draw) for one in held)
        )
        for name, cls, held in (("before", "cw-del", cell.results_before), ("after", "cw-ins", cell.results_after))
        if held
    ]
    if sides:
        grid = element("div", "cw-nb-results", *sides)
        yield fold("the outputs themselves", grid, name=f"outputs {place(cell)}")


def _result(held: JsonObject, brush: Brush, draw: Draw) -> Node:
    try:
        return draw(from_json(held), brush)
    except (LogError, KeyError, TypeError) as error:
        return missing(f"this output can't be drawn: {brush.mark(str(error))}")
