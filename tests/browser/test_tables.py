"""Tables and trees in a real JupyterLab: only what is looked at travels, and nothing in a cell or a key acts."""

from playwright.sync_api import expect

from .driver import LabPage
from .scene import SET_UP, shot
from .test_views import acting_parts

LARGE = (
    SET_UP
    + """
import numpy as np, pandas as pd

count = 1_000_000
bad = "<img src=/x onerror=alert(1)>"
SALES = pd.DataFrame({
    "region": np.where(np.arange(count) % 4 == 0, "North", "South"), "n": np.arange(count)[::-1],
    "day": pd.date_range("2000-01-01", periods=count, freq="min"), bad: np.where(np.arange(count) % 2 == 0, bad, None),
})

@tool(read_only=True)
def sales() -> object:
    "The sales."
    return SALES

@tool(read_only=True)
def document() -> object:
    "The document."
    return {"rows": [{"n": n, bad: [n, bad]} for n in range(3_000)], "text": bad * 200, "none": None}

calls = [("sales", {}), ("document", {}), ("write_file", {"path": "x.txt", "content": "x"})]
run = await Agent(ScriptedModel([Turn("I look.", calls), "Done."]), tools=[sales, document, "write_file"]).run("Look.")
"""
)
MOST = 150_000
"""Bytes that a page of 50 rows may bring, with its controls and the envelopes of its messages."""
ALL = 600_000
"""Bytes of everything until the question is there: scripts, styles, cards. The rows alone would be 60 MB."""


def test_of_a_million_rows_only_the_pages_that_are_looked_at_travel(lab: LabPage):
    sizes: list[int] = []
    lab.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sizes.append(len(frame))))
    lab.open(lab.server.write_notebook("tables/tables.ipynb", [LARGE.replace('("document", {}), ', "")]))
    lab.run_cell(0)
    lab.button("Deny").wait_for()
    assert sum(sizes) < ALL
    look_around(lab, sizes)
    expect(lab.cell(0).locator("th[aria-sort=ascending]")).to_have_count(1)
    assert acting_parts(lab, ".cw-live") == []
    shot(lab, "tables", 0)
    lab.click_button("Deny")
    lab.wait_done(0)
    lab.cell(0).locator(".cw-record").wait_for()
    assert lab.cell(0).locator(".cw-record button, .cw-record input").count() == 0
    assert "1–50 of 1,000,000 rows" in lab.output_text(0)
    assert (lab.page_errors, lab.outside_requests) == ([], [])


def look_around(lab: LabPage, sizes: list[int]) -> None:
    """Another page, another order, a filter: each brings little."""
    first_row = lab.cell(0).locator(".cw-table tbody tr").first
    for press, words, first in (
        (lambda: lab.click_button("›"), "51–100 of 1,000,000 rows", "51"),
        (lambda: lab.cell(0).locator("th:has-text('n int') .cw-sort").click(), "1–50 of 1,000,000 rows", "2001-11-25"),
        (lambda: filter_by(lab, "region = North"), "1–50 of 250,000 rows that match", "North"),
    ):
        del sizes[:]
        press()
        lab.wait_output(0, words)
        expect(first_row).to_contain_text(first)
        assert sum(sizes) < MOST


def filter_by(lab: LabPage, text: str) -> None:
    lab.cell(0).locator(".cw-table-tools .cw-field").fill(text)
    lab.page.keyboard.press("Enter")


def test_a_branch_of_a_tree_is_pulled_when_it_is_wanted(lab: LabPage):
    lab.open(lab.server.write_notebook("trees/trees.ipynb", [LARGE]))
    lab.run_cell(0)
    lab.button("Deny").wait_for()
    card = lab.cell(0).locator(".cw-call").nth(1)
    card.locator("summary").first.click()
    card.locator(".cw-branch .cw-branch > summary").first.click()
    before = card.locator(".cw-branch").count()
    assert "2,9" in card.inner_text()
    card.get_by_role("button", name="Show").click()
    card.locator(".cw-branch").nth(before).wait_for()
    assert acting_parts(lab, ".cw-live") == []
    shot(lab, "trees", 0)
    assert (lab.page_errors, lab.outside_requests) == ([], [])
