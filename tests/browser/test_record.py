"""The record that a run leaves in the notebook: once, in every page, and for readers without widgets or style."""

import json
import re
from collections.abc import Iterator

import nbformat
import pytest
from nbconvert import HTMLExporter, MarkdownExporter
from playwright.sync_api import Browser

from ..widgets.page import Page
from .driver import LabPage, LabServer, artefacts
from .scene import ASK, GALLERY, SET_UP, shot

BACKGROUND = """
import pathlib
run = Agent(ScriptedModel([" ".join(["word"] * 60)], pace=0.1), tools=[]).start("Speak for six seconds.")
_ = asyncio.get_running_loop().create_task(run.wait()).add_done_callback(lambda _: pathlib.Path("ended").touch())
"""
IN_ORDER = (
    *("Cellwright", "You", "Show me every kind of view", "Thought", "Model", "I will show each view"),
    *("show kind: diff done", "what the model saw", "analysis/mean.py +4", "- total = 0", "+ total = 0.0", "arguments"),
    *(
        "show kind: notebook_diff done",
        "1 cell changed, 1 deleted",
        "#5 junk deleted",
        "show kind: markdown done",
        "1. Read",
    ),
    *("show kind: table done", "North", "1,001 more rows", "show kind: terminal done", "show kind: image done"),
    *("eight numbers", "command_failed the command ended", "show kind: code done", "show kind: group done", "Both"),
    *("show kind: text done", "show kind: none failed: exception", "write_file mean.py", "asked:"),
    *(
        "it changes a file · approved by you",
        "Result",
        "1. All kinds are drawn",
        "Nothing is left.",
        "The model answered.",
    ),
)
"""What the record of the gallery says, from top to bottom."""


@pytest.fixture(scope="module")
def saved(lab_server: LabServer, chromium: Browser) -> Iterator[str]:
    """A notebook that holds the record of a run which showed every view."""
    with LabPage(lab_server, chromium, (1280, 900)) as page:
        page.open(lab_server.write_notebook("record.ipynb", [SET_UP + GALLERY]))
        page.run_cell(0)
        page.click_button("Allow once")
        page.wait_done(0)
        page.cell(0).locator(".cw-record").wait_for()
        page.save()
    return "record.ipynb"


def told_in_order(text: str) -> list[str]:
    """What is missing, or stands too early."""
    told, at, missing = " ".join(text.split()), 0, []
    for words in IN_ORDER:
        found = told.find(words, at)
        missing += [words] if found < 0 else []
        at = max(at, found)
    return missing


def without_style(html: str) -> str:
    """As GitHub shows it: no style sheet, no class, no style."""
    bare = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    return re.sub(r' (?:class|style|data-[a-z]+)="[^"]*"', "", bare)


def record_count(page: LabPage, cell: int) -> tuple[int, int]:
    """Records and live views below a cell."""
    return page.cell(cell).locator(".cw-record").count(), page.cell(cell).locator(".cw-live").count()


def test_both_tabs_of_a_notebook_end_with_one_record(lab: LabPage, chromium: Browser):
    path = lab.server.write_notebook("two-tabs.ipynb", [SET_UP, ASK])
    lab.open(path)
    lab.run_all()
    lab.button("Allow once").wait_for()
    lab.save()
    with LabPage(lab.server, chromium) as other:
        other.open(path, wait_kernel=False)
        other.click_button("Allow once")
        for page in (lab, other):
            page.wait_output(1, "It is written.")
            page.cell(1).locator(".cw-record").wait_for()
        lab.page.wait_for_timeout(2_000)
        assert [record_count(page, 1) for page in (lab, other)] == [(1, 0), (1, 0)]
        assert (lab.page_errors, other.page_errors) == ([], [])
    assert re.search(r"before.*It is written.*after answered", lab.output_text(1), re.DOTALL)


def test_a_page_that_comes_back_after_the_end_gets_the_record(lab: LabPage):
    path = lab.server.write_notebook("away.ipynb", [SET_UP, BACKGROUND])
    lab.open(path)
    lab.run_all()
    lab.cell(1).locator(".cw-tail").wait_for()
    lab.save()
    lab.page.goto("about:blank")
    for _ in range(300):
        if (lab.server.root / "ended").exists():
            break
        lab.page.wait_for_timeout(50)
    lab.open(path, wait_kernel=False)
    lab.cell(1).locator(".cw-record").wait_for()
    assert record_count(lab, 1) == (1, 0)
    assert "The model answered." in lab.output_text(1)
    assert "widget-view" in json.dumps(lab.server.read_notebook(path)), "nothing is saved but by the person"


TWO = """
names = ("one.txt", "two.txt")
turns = [[Turn("", [("write_file", {"path": name, "content": "x"})]), f"Wrote {name}."] for name in names]
both = [Agent(ScriptedModel(said), tools=["write_file"]).start("Write.") for said in turns]
"""


def test_two_runs_of_one_cell_are_both_there_after_a_reload_and_leave_a_record_each(lab: LabPage):
    lab.open(lab.server.write_notebook("two/two.ipynb", [SET_UP + TWO]))
    lab.run_cell(0)
    asks, records = lab.button("Allow once"), lab.cell(0).locator(".cw-record")
    asks.nth(1).wait_for()
    lab.reload()
    asks.nth(1).wait_for()
    lab.screenshot("record-two-ask", lab.cell(0))
    asks.first.click()
    records.first.wait_for()
    asks.first.click()
    records.nth(1).wait_for()
    lab.screenshot("record-two", lab.cell(0))
    told = [re.findall(r"Wrote \w+", text) for text in records.all_text_contents()]
    assert sorted(told) == [["Wrote one"], ["Wrote two"]]


def test_someone_else_who_does_not_trust_the_notebook_can_read_the_record(lab: LabPage, saved: str):
    notebook = lab.server.read_notebook(saved)
    notebook.metadata["from"] = "elsewhere"
    nbformat.write(notebook, lab.server.root / "foreign.ipynb")
    lab.open("foreign.ipynb")
    lab.wait_output(0, "The model answered.")
    assert told_in_order(lab.cell(0).locator(".jp-RenderedHTML").text_content()) == []
    assert "rror displaying" not in lab.output_text(0)
    shot(lab, "record-untrusted", 0)
    assert (lab.page_errors, lab.outside_requests) == ([], [])


@pytest.mark.parametrize("exporter", [HTMLExporter, MarkdownExporter])
def test_the_record_stands_in_converted_notebooks(lab_server: LabServer, saved: str, exporter):
    body, _ = exporter().from_notebook_node(lab_server.read_notebook(saved))
    assert told_in_order(Page(body).text) == []
    assert body.count('cw-record">') == 1


def test_without_style_the_record_reads_in_order(lab_server: LabServer, saved: str, chromium: Browser):
    (output,) = [out for out in lab_server.read_notebook(saved).cells[0].outputs if out.output_type == "display_data"]
    bare = without_style(output.data["text/html"])
    assert told_in_order(Page(bare).text) == []
    assert {name for _, attrs in Page(bare).elements for name in attrs} <= {
        "open",
        "src",
        "alt",
        "title",
        "scope",
        "role",
        "aria-hidden",
    }
    page = chromium.new_page(viewport={"width": 900, "height": 900})
    page.set_content(bare)
    page.screenshot(path=artefacts() / "record-without-style.png", full_page=True)
    page.close()
