"""Notebook 7, whose pages hold one notebook each: the tour's answers, streaming, reload and record as in JupyterLab.

Its server shows notebooks as pages of Voila, too.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from .driver import LabServer, NotebookPage
from .scene import ASK, GALLERY, SET_UP, SPEAK
from .test_tour import FIXED, PLACE, Tour
from .test_views import DRAWN, WATCH_TEXTS

ITS_OWN = {"Cannot read properties of undefined (reading 'schema')"}
"""What Notebook 7 itself fails with when it reads its settings, without any of ours on the page."""


PANELS = """
from cellwright_widgets import UndoPanel
from cellwright_widgets.chat.chat_panel import ChatPanel
from cellwright_widgets.travel.time_travel import TimeTravel
display(UndoPanel(run), TimeTravel(run), ChatPanel(Agent(ScriptedModel(["I heard."]), tools=[])))
"""


@pytest.fixture
def page(notebook_server: LabServer, chromium: Browser) -> Iterator[NotebookPage]:
    with NotebookPage(notebook_server, chromium, (1280, 1500)) as opened:
        yield opened


def test_the_tour_repairs_the_notebook_and_its_record_is_there_without_the_kernel(page: NotebookPage):
    tour, run = Tour(page, "allow"), PLACE["run"]
    tour.start("run")
    page.wait_output(run, "May this notebook be changed?")
    page.click_button("Allow once")
    page.wait_output(run, "May these cells run?")
    tour.shot("notebook7-asks")
    page.click_button("Allow once")
    page.wait_done(run, 120)
    assert FIXED in tour.source("monthly-revenue")
    page.cell(run).locator(".cw-record").wait_for()
    page.save()
    page.restart()
    page.reload()
    page.wait_output(run, "The model answered.")
    assert "Error displaying widget" not in tour.text("run")
    assert (set(page.page_errors) - ITS_OWN, page.outside_requests) == (set(), [])


def test_edited_arguments_run_and_a_denied_call_does_not(page: NotebookPage):
    tour, run = Tour(page, "edit"), PLACE["run"]
    tour.start("run")
    page.click_button("Edit arguments")
    fields = page.cell(run).locator("textarea:visible")
    fields.first.wait_for()
    texts = fields.evaluate_all("(all) => all.map((one) => one.value)")
    box = fields.nth(next(place for place, text in enumerate(texts) if "to_period(" in text))
    box.fill(box.input_value().replace('"M', '"Q').replace('M\\"', 'Q\\"'))
    page.wait_output(run, "With these arguments:")
    page.click_button("Run exactly this")
    page.wait_output(run, "May these cells run?")
    assert 'to_period("Q")' in tour.source("monthly-revenue")
    page.click_button("Deny")
    page.wait_done(run)
    expect(page.cell(run).locator(".cw-record .cw-call.cw-denied")).to_have_count(1)


def test_a_text_streams_and_a_question_survives_a_reload(page: NotebookPage):
    page.open(page.server.write_notebook("reload/reload.ipynb", [SET_UP, SPEAK, ASK]))
    page.run_cell(0)
    page.page.evaluate(WATCH_TEXTS)
    page.run_cell(1)
    page.wait_done(1)
    assert page.page.evaluate("texts_seen.size") >= 5
    page.run_cell(2)
    page.button("Allow once").wait_for()
    page.reload(wait_kernel=False)
    page.click_button("Allow once")
    page.cell(2).locator(".jp-RenderedHTML .cw-record").wait_for()
    assert "It is written." in page.output_text(2)
    assert set(page.page_errors) <= ITS_OWN


def test_every_kind_of_view_is_drawn_live_and_in_the_record_and_the_panels_work(page: NotebookPage):
    page.open(page.server.write_notebook("gallery/gallery.ipynb", [SET_UP + GALLERY, PANELS]))
    page.run_cell(0)
    page.button("Allow once").wait_for()
    live, record = (page.cell(0).locator(place) for place in (".cw-live", ".cw-record"))
    assert [kind for kind, mark in DRAWN.items() if not live.locator(mark).count()] == []
    page.screenshot("notebook7-views", page.cell(0).locator(".jp-OutputArea").first)
    page.click_button("Allow once")
    record.wait_for()
    assert [kind for kind, mark in DRAWN.items() if not record.locator(mark).count()] == []
    panels(page)
    assert (set(page.page_errors) - ITS_OWN, page.outside_requests) == (set(), [])


def panels(page: NotebookPage) -> None:
    """The run is undone, stepped through and talked about below a second cell."""
    page.run_cell(1)
    page.click_button("Undo", 1)
    page.button("Redo", 1).wait_for()
    page.cell(1).get_by_role("slider").press("ArrowDown")
    page.wait_output(1, "step 1 of 2")
    page.cell(1).locator(".cw-prompt-text").fill("Do you hear?")
    page.cell(1).locator(".cw-prompt-text").press("Enter")
    page.wait_output(1, "I heard.")
    page.screenshot("notebook7-panels", page.cell(1).locator(".cw-chat"))


def test_a_page_of_voila_asks_and_shows_the_run_to_its_end(page: NotebookPage):
    server = page.server
    started = "run = writer().start('Write a note.')\nrun"
    path = server.write_notebook("voila/page.ipynb", [SET_UP, started])
    page.page.goto(f"{server.base}/voila/render/{path}?token={server.token}")
    page.page.get_by_role("button", name="Allow once").click()
    page.page.locator(".cw-live, .cw-record", has_text="It is written.").first.wait_for()
    assert (server.root / "voila" / "note.txt").read_text() == "hello\n"
    assert page.page_errors == []
