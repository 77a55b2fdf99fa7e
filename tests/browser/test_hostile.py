"""Attacks by every way on which the text of a model, a tool or a file reaches the page: each is shown, none acts.

The texts are the known attacks and some that are put together by chance. A script that ran would have left a mark or
pressed a button; what was loaded would have been heard by the sink.
"""

from collections.abc import Iterator

import nbformat
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Browser

from .driver import LabPage, LabServer
from .scene import HOSTILE_FILES, HOSTILE_RUN, SET_UP, attack, shot
from .sink import Sink
from .test_views import acting_parts

NOTEBOOK = "hostile/hostile.ipynb"
RUN, FILES = range(2)


@pytest.fixture(scope="module")
def asked(lab_server: LabServer, chromium: Browser) -> Iterator[LabPage]:
    """A page on which a run has repeated every attack, and asks whether it may write one into a file."""
    with LabPage(lab_server, chromium, (1280, 900)) as page:
        page.open(lab_server.write_notebook(NOTEBOOK, [SET_UP + HOSTILE_RUN, HOSTILE_FILES]))
        page.run_cell(RUN)
        page.button("Deny with reason").wait_for()
        yield page


def test_no_hostile_text_becomes_anything_but_text(asked: LabPage, sink: Sink):
    unfold(asked)
    assert acting_parts(asked, ".cw-live, .cw-ask") == []
    shot(asked, "views-hostile", RUN)
    asked.click_button("Deny with reason")
    asked.cell(RUN).locator(".cw-ask textarea:visible").fill(attack("reason"))
    asked.click_button("Continue")
    asked.button("Send this denial").wait_for()
    assert acting_parts(asked, ".cw-live, .cw-ask") == []
    asked.click_button("Send this denial")
    open_form(asked)
    assert acting_parts(asked, ".cw-live, .cw-ask") == []
    asked.page.keyboard.press("Escape")
    asked.click_button("Deny")
    asked.wait_done(RUN)
    asked.cell(RUN).locator(".cw-record").wait_for()
    assert (acting_parts(asked, ".cw-record"), "approved by you" in asked.output_text(RUN)) == ([], False)
    assert "onerror" in asked.cell(RUN).locator(".cw-prompt").inner_text()
    assert (asked.page_errors, asked.outside_requests, sink.heard) == ([], [], [])


def test_neither_names_of_files_nor_lines_of_the_inspector_act(asked: LabPage, sink: Sink):
    asked.run_cell(FILES)
    asked.wait_done(FILES)
    asked.cell(FILES).locator(".cw-inspector .cw-sheet").wait_for()
    for line in asked.cell(FILES).locator(".cw-row-line").all()[:6]:
        line.click()
    assert set(acting_parts(asked, ".cw-inspector, .cw-undo-panel, .cw-record")) <= {"style"}
    shot(asked, "hostile-files", FILES)
    assert (asked.page_errors, asked.outside_requests, sink.heard) == ([], [], [])


def test_the_record_acts_in_no_page_that_someone_else_opens(asked: LabPage, chromium: Browser, sink: Sink):
    asked.save()
    notebook = asked.server.read_notebook(NOTEBOOK)
    notebook.metadata["from"] = "elsewhere"
    nbformat.write(notebook, asked.server.root / "hostile" / "foreign.ipynb")
    with LabPage(asked.server, chromium) as other:
        other.open("hostile/foreign.ipynb")
        other.cell(RUN).locator(".cw-record").wait_for()
        assert acting_parts(other, ".cw-record") == []
        other.page.set_content(HTMLExporter().from_notebook_node(notebook)[0], wait_until="domcontentloaded")
        assert acting_parts(other, ".cw-record") == []
    assert sink.heard == []


def open_form(page: LabPage) -> None:
    """Opens the form of the second question; until that is there, the buttons are those of the first."""
    choice = page.cell(RUN).locator(".cw-form select")
    choice.wait_for(state="attached")
    page.click_button("Edit arguments")
    choice.wait_for()


def unfold(page: LabPage) -> None:
    page.page.evaluate("document.querySelectorAll('.cw details').forEach((fold) => { fold.open = true; })")
