"""The tour in a real JupyterLab, with real clicks: allow, deny, edit, and the record that is left."""

import re
import shutil
from pathlib import Path

import nbformat
import pytest

from .driver import LabPage

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
TOUR = nbformat.read(NOTEBOOKS / "00_tour.ipynb", as_version=4)
PLACE = {cell["id"]: index for index, cell in enumerate(TOUR.cells)}
BEFORE_RUN = [cell["id"] for cell in TOUR.cells[: PLACE["run"]] if cell.cell_type == "code"]
AFTER_RUN = [cell["id"] for cell in TOUR.cells[PLACE["run"] + 1 :] if cell.cell_type == "code"]
FIXED = 'month = sales["date"].dt.to_period("M")'


class Tour:
    """The tour on a page, up to the cell that runs the agent."""

    def __init__(self, page: LabPage, name: str) -> None:
        self.page, self.folder = page, page.server.root / name
        shutil.copytree(NOTEBOOKS, self.folder, ignore=shutil.ignore_patterns("work"))
        page.open(f"{name}/00_tour.ipynb")
        for cell in BEFORE_RUN:
            self.run(cell)

    def run(self, cell: str) -> None:
        self.start(cell)
        self.page.wait_done(PLACE[cell], 120)

    def start(self, cell: str) -> None:
        self.page.run_cell(PLACE[cell])

    def text(self, cell: str) -> str:
        return self.page.output_text(PLACE[cell])

    def shot(self, name: str, cell: str = "run") -> None:
        self.page.screenshot(name, self.page.cell(PLACE[cell]).locator(".jp-OutputArea").first)

    def source(self, cell: str) -> str:
        cells = nbformat.read(self.folder / "work" / "coffee_sales.ipynb", as_version=4).cells
        return next(str(found.source) for found in cells if found["id"] == cell)


@pytest.fixture
def tall_lab(light_page: LabPage) -> LabPage:
    light_page.begin_anew((1280, 1500))
    return light_page


def test_the_tour_repairs_the_notebook_when_everything_is_allowed(tall_lab: LabPage):
    tour = Tour(tall_lab, "allow")
    tour.start("run")
    tall_lab.wait_output(PLACE["run"], "May this notebook be changed?")
    tour.shot("tour-asks-for-the-edit")
    tall_lab.click_button("Allow once")
    tall_lab.wait_output(PLACE["run"], "May these cells run?")
    tour.shot("tour-asks-for-the-run")
    tall_lab.click_button("Allow once")
    tall_lab.wait_done(PLACE["run"], 120)
    tour.shot("tour-allowed")
    assert FIXED in tour.source("monthly-revenue")
    for cell in AFTER_RUN:
        tour.run(cell)
    assert re.search(r"Difference:\s+0\.00 euro", tour.text("after"))
    tall_lab.wait_output(PLACE["magic-run"], "I found this")
    tall_lab.screenshot("tour-end")
    assert (tall_lab.page_errors, tall_lab.outside_requests) == ([], [])


def test_a_denied_edit_leaves_the_notebook_as_it_was(tall_lab: LabPage):
    tour = Tour(tall_lab, "deny")
    before = (tour.folder / "work" / "coffee_sales.ipynb").read_bytes()
    tour.start("run")
    tall_lab.click_button("Deny with reason")
    tall_lab.page.wait_for_function("document.activeElement.placeholder === 'The model reads this reason.'")
    tall_lab.page.keyboard.type("the owners want ", delay=40)
    tall_lab.page.wait_for_timeout(500)  # a pause, as people make while they type
    tall_lab.page.keyboard.type("calendar months", delay=40)
    tour.shot("tour-deny-with-reason")
    tall_lab.click_button("Continue")
    tall_lab.wait_output(PLACE["run"], "The model will read:")
    assert "the owners want calendar months" in tour.text("run")
    tour.shot("tour-reason-read-back")
    tall_lab.click_button("Send this denial")
    tall_lab.wait_done(PLACE["run"], 60)
    tour.shot("tour-denied")
    assert "the owners want calendar months" in tour.text("run")
    assert (tour.folder / "work" / "coffee_sales.ipynb").read_bytes() == before


def test_edited_arguments_are_what_runs(tall_lab: LabPage):
    tour = Tour(tall_lab, "edit")
    tour.start("run")
    tall_lab.click_button("Edit arguments")
    fields = tall_lab.cell(PLACE["run"]).locator("textarea:visible")
    fields.first.wait_for()
    texts = fields.evaluate_all("(all) => all.map((one) => one.value)")
    place = next(place for place, text in enumerate(texts) if 'to_period("M")' in text or 'to_period(\\"M' in text)
    box, text = fields.nth(place), texts[place]
    box.fill("")
    tall_lab.page.keyboard.type(text.replace('"M', '"Q').replace('M\\"', 'Q\\"'), delay=5)
    tour.shot("tour-edit-arguments")
    tall_lab.wait_output(PLACE["run"], "With these arguments:")
    tour.shot("tour-arguments-read-back")
    tall_lab.click_button("Run exactly this")
    tall_lab.wait_output(PLACE["run"], "May these cells run?")
    assert 'to_period("Q")' in tour.source("monthly-revenue")
    tall_lab.click_button("Deny")
    tall_lab.wait_done(PLACE["run"], 60)
    tour.shot("tour-edited")


def test_the_stop_button_of_the_toolbar_ends_the_run_and_later_cells_still_work(tall_lab: LabPage):
    tour = Tour(tall_lab, "stop")
    tour.start("run")
    tall_lab.button("Allow once").wait_for()
    tall_lab.interrupt()
    tall_lab.wait_done(PLACE["run"], 10)
    tour.shot("tour-interrupted")
    assert "Interrupted" in tour.text("run")
    tour.run("see-bug")


def test_the_record_is_there_after_the_kernel_is_gone(tall_lab: LabPage):
    tour = Tour(tall_lab, "record")
    tour.start("run")
    tall_lab.click_button("Deny")
    tall_lab.wait_done(PLACE["run"], 60)
    tall_lab.save()
    saved = tall_lab.server.read_notebook("record/00_tour.ipynb").cells[PLACE["run"]]
    assert {mime for output in saved.outputs for mime in output.get("data", {})} == {"text/html", "text/plain"}
    tall_lab.reload()
    tall_lab.restart()
    tall_lab.wait_output(PLACE["run"], "The edit was not made")
    tour.shot("tour-record-reopened")
    assert "Error displaying widget" not in tour.text("run")
