"""Changes in a real JupyterLab: in one column and in two, many lines, both sides of a result, a part of a patch."""

import pytest

from .driver import LabPage
from .scene import SET_UP, shot

CHANGES = """
from cellwright.views.file_diff import diff_view

OLD = "".join(f"value_{n} = compute(alpha, {n})\\n" for n in range(10_000))
VIEWS = {
    "small": diff_view("a\\ntotal = 0\\nb  \\n", "a\\ntotal = 1\\nb\\n\\u202e<b>x</b>", "<i>small</i>.py"),
    "large": diff_view(OLD, OLD.replace("alpha", "beta"), "large.py"),
}

@tool(read_only=True)
def change(kind: str) -> Output:
    "Changes it."
    return Output(kind, f"the {kind} text for the model", VIEWS[kind], context="a note")

@tool(present_call=lambda args, env: VIEWS["large"])
def rewrite() -> str:
    "Writes it anew."
    return "done"

calls = [("change", {"kind": kind}) for kind in VIEWS]
agent = Agent(ScriptedModel([Turn("Two changes.", calls), Turn("A third.", [("rewrite", {})]), "Done."]),
              tools=[change, rewrite])
run = await agent.run("Change it.")
"""
PATCH = """
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

out = new_output("stream", name="stdout", text="49 rows\\n")
cells = [new_markdown_cell("# Sales", id="title"), new_code_cell("import pandas as pd", id="load", outputs=[out]),
         new_code_cell("rows.head(3)\\nrows.describe()", id="look"), new_code_cell("1/0", id="junk")]
nbformat.write(new_notebook(cells=cells), "sales.ipynb")
edits = [
    {"edit_mode": "replace", "cell_id": "load", "new_source": "import polars as pl"},
    {"edit_mode": "edit", "cell_id": "look", "old_string": "head(3)", "new_string": "head(5)"},
    {"edit_mode": "move_after", "cell_id": "title", "target_id": "load"},
    {"edit_mode": "delete", "cell_id": "junk"},
]
turns = [Turn("I look.", [("notebook_read", {"path": "sales.ipynb"})]),
         Turn("I patch.", [("notebook_patch", {"path": "sales.ipynb", "edits": edits})]), "Patched."]
run = await Agent(ScriptedModel(turns), tools=["notebook_read", "notebook_patch"]).run("Tidy up the notebook.")
print([cell.id for cell in nbformat.read("sales.ipynb", 4).cells], run.results[-1].content)
"""


def left_edges(page: LabPage, root: str) -> tuple[float, float]:
    """Where the first removed and the first added line stand, from the left."""
    boxes = [
        page.page.locator(f"{root} .cw-change > .cw-row.{kind}").first.bounding_box() for kind in ("cw-del", "cw-ins")
    ]
    return boxes[0]["x"], boxes[1]["x"]


@pytest.fixture(scope="module")
def changed(light_page: LabPage) -> LabPage:
    """A page on which two changes were drawn and a third is asked about."""
    light_page.begin_anew((1280, 1000))
    light_page.open(light_page.server.write_notebook("changes/changes.ipynb", [SET_UP + CHANGES]))
    light_page.run_cell(0)
    light_page.button("Allow once").wait_for()
    light_page.page.locator(".cw-live .cw-change > .cw-row.cw-ins").first.wait_for()
    return light_page


@pytest.fixture(scope="module")
def recorded(changed: LabPage) -> LabPage:
    """The same page once the run is over."""
    changed.click_button("Allow once")
    changed.wait_done(0)
    return changed


def test_what_is_copied_of_a_change_is_its_signs_and_lines(changed: LabPage):
    changed.page.evaluate("getSelection().selectAllChildren(document.querySelector('.cw-live .cw-rows'))")
    copied = changed.page.evaluate("String(getSelection())")
    assert copied.split("\n")[1:5] == ["  a", "- total = 0", "- b  ", "+ total = 1"]


def test_a_fold_of_ten_thousand_lines_is_filled_when_it_is_opened(changed: LabPage):
    fold = changed.cell(0).locator(".cw-live .cw-call").nth(1).locator("details[data-fold=diff]")
    assert fold.locator("pre").count() == 0
    fold.locator("summary").first.click()
    fold.get_by_text("value_9000 = compute(beta, 9000)").wait_for(state="attached")
    shot(changed, "diffs-large", 0)


def test_a_change_is_laid_out_in_two_columns_live_and_in_a_question(changed: LabPage):
    for root in (".cw-live", ".cw-ask"):
        assert_columns_on_a_click(changed, root)
    shot(changed, "diffs-asked", 0)


def test_the_sides_of_a_result_stand_beside_each_other_while_it_is_live(changed: LabPage):
    assert_sides_on_a_click(changed, ".cw-live")


def test_both_can_be_done_in_the_record(recorded: LabPage):
    assert_columns_on_a_click(recorded, ".cw-record")
    assert_sides_on_a_click(recorded, ".cw-record")
    assert (recorded.page_errors, recorded.outside_requests) == ([], [])


def assert_columns_on_a_click(page: LabPage, root: str) -> None:
    removed, added = left_edges(page, root)
    assert removed == added
    page.page.locator(f"{root} .cw-columns > summary").first.click()
    removed, added = left_edges(page, root)
    assert added - removed > 200


def assert_sides_on_a_click(page: LabPage, root: str) -> None:
    card = page.cell(0).locator(f"{root} .cw-call").first
    assert not card.get_by_text("the small text for the model").is_visible()
    card.locator(".cw-side > summary").click()
    card.get_by_text("the small text for the model").wait_for()
    card.get_by_text("a note", exact=True).wait_for()
    assert card.locator(".cw-mine .cw-diff").is_visible() == (card.bounding_box()["width"] >= 930)
    shot(page, f"diffs-sides{root[3:]}", 0)


def test_a_part_of_a_patch_is_allowed_and_only_that_is_done(lab: LabPage):
    lab.open(lab.server.write_notebook("patch/patch.ipynb", [SET_UP + PATCH]))
    lab.run_cell(0)
    lab.click_button("Allow some…")
    ticks = lab.cell(0).locator(".cw-operations input[type=checkbox]")
    ticks.nth(3).uncheck()
    lab.wait_output(0, "Run exactly these 3 operations")
    ticks.nth(2).uncheck()
    lab.wait_output(0, "Run exactly these 2 operations")
    shot(lab, "diffs-choice", 0)
    lab.click_button("Run exactly these 2 operations")
    lab.wait_output(0, "['title', 'load', 'look', 'junk']")
    lab.wait_output(0, "The person left out 2 operations of 4: 3 (edit_mode: move_after")
    lab.wait_done(0)
    shot(lab, "diffs-chosen", 0)
    assert (lab.page_errors, lab.outside_requests) == ([], [])
