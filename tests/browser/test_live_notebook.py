"""An agent edits the notebook that is open in JupyterLab: in the page, undoable, nothing of the person's is lost."""

from collections.abc import Sequence
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import Browser

from .driver import LabPage, LabServer

SET_UP = """
from cellwright import ScriptedModel, Turn
from cellwright_widgets import Agent

def told(run):
    for result in run.results[1:]:
        print(result.metadata.get("code", "ok"), result.content)
    print("ended", run.stop_reason)

def editor(*calls, **conditions):
    return Agent(ScriptedModel([*(Turn(calls=[call]) for call in calls), "done"]), "notebook", **conditions)
print("set up")
"""
READ = ("notebook_read", {"path": "NAME"})
Call = tuple[str, dict[str, Any]]


def acts(*calls: Call, policy: str = "accept_edits") -> str:
    return f"run = await editor(*{[READ, *calls]!r}, policy={policy!r}).run('go')\ntold(run)"


def change(cell_id: str, source: str = "", mode: str = "replace", **more: object) -> Call:
    return "notebook_edit", {"path": "NAME", "cell_id": cell_id, "edit_mode": mode, "new_source": source, **more}


def written(server: LabServer, name: str, agent: str, cells: Sequence[tuple[str, str]]) -> str:
    """A notebook in a folder of its own: the set-up, the agent's cell, and cells with these ids."""
    document = new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "python3"}})
    code = agent.replace("NAME", f"{name}.ipynb")
    document.cells = [new_code_cell(SET_UP, id="setup"), new_code_cell(code, id="agent")]
    document.cells += [(new_markdown_cell if i.startswith("md") else new_code_cell)(s, id=i) for i, s in cells]
    target = server.root / name / f"{name}.ipynb"
    target.parent.mkdir(parents=True)
    nbformat.write(document, target)
    return f"{name}/{name}.ipynb"


def begin(page: LabPage, path: str) -> None:
    page.open(path)
    page.run_cell(0)
    page.wait_output(0, "set up")


def shown(page: LabPage) -> list[str]:
    """The sources of the cells below the agent's, as they stand in the page."""
    cells = page.page.locator(".jp-Notebook:visible .jp-Cell")
    texts = [cells.nth(i).locator(".cm-content, .jp-RenderedMarkdown").first.inner_text() for i in range(cells.count())]
    return [text.strip() for text in texts[2:]]


def on_disk(page: LabPage, path: str) -> list[str]:
    return [cell.source for cell in page.server.read_notebook(path).cells[2:]]


def type_at_end(page: LabPage, cell: int, text: str) -> None:
    page.cell(cell).locator(".cm-content").click()
    page.page.keyboard.press("Control+End")
    page.page.keyboard.type(text)


TWO = [("x", "x = 1"), ("y", "y = 2"), ("md", "some text")]
EDITS = acts(
    change("x", "z = x * 2", "insert_after"),
    change("x", "x = 42"),
    change("y", "## by agent", "insert_after", cell_type="markdown"),
)
DONE = ["x = 42", "z = x * 2", "y = 2  # typed", "## by agent", "some text"]


def test_edits_go_to_the_open_document_keep_what_was_typed_and_can_be_undone(lab: LabPage):
    path = written(lab.server, "live-edit", EDITS, TWO)
    begin(lab, path)
    type_at_end(lab, 3, "  # typed")
    lab.run_cell(1)
    lab.wait_output(1, "ended answered")
    lab.screenshot("live-edit")
    assert (shown(lab), on_disk(lab, path)) == (DONE, ["x = 1", "y = 2", "some text"])
    lab.cell(0).locator(".jp-InputArea-prompt").first.click()
    assert after(lab, "z") == [*DONE[:3], DONE[4]]
    assert after(lab, "z") == [DONE[0], DONE[2], DONE[4]]
    assert (after(lab, "Shift+z"), after(lab, "Shift+z")) == ([*DONE[:3], DONE[4]], DONE)
    lab.cell(2).locator(".cm-content").click()
    assert after(lab, "Control+z") == ["x = 1", *DONE[1:]]
    assert after(lab, "Control+Shift+z") == DONE
    lab.save()
    assert (on_disk(lab, path), lab.page_errors) == (DONE, [])


def after(page: LabPage, key: str) -> list[str]:
    """What is shown once a key was pressed that changes it."""
    before = shown(page)
    page.page.keyboard.press(key)
    page.wait_until(lambda: shown(page) != before, f"what {key} does")
    return shown(page)


ASKS = acts(change("x", "x = 42"), change("y", "z = 3", "insert_before"), policy="default")


def test_a_cell_that_the_person_changes_while_they_are_asked_is_theirs(lab: LabPage):
    path = written(lab.server, "live-stale", ASKS, TWO)
    begin(lab, path)
    lab.run_cell(1)
    lab.button("Allow once").wait_for()
    type_at_end(lab, 2, "00  # mine")
    lab.click_button("Allow once")
    lab.click_button("Allow once")
    lab.wait_output(1, "ended answered")
    assert "stale" in lab.output_text(1)
    assert "x = 100  # mine" in lab.output_text(1).split("stale")[-1]
    assert shown(lab) == ["x = 100  # mine", "z = 3", "y = 2", "some text"]
    lab.save()


def test_a_page_loaded_again_or_closed_and_opened_anew_while_the_person_is_asked_gets_the_edit(lab: LabPage):
    path = written(lab.server, "live-reload", ASKS, TWO)
    begin(lab, path)
    lab.run_cell(1)
    lab.button("Allow once").wait_for()
    lab.save()
    lab.reload(wait_kernel=False)
    lab.click_button("Allow once")
    lab.wait_until(lambda: shown(lab)[0] == "x = 42", "the first edit")
    lab.button("Allow once").wait_for()
    lab.save()
    lab.page.goto("about:blank")
    lab.open(path, wait_kernel=False)
    lab.click_button("Allow once")
    lab.wait_until(lambda: shown(lab) == ["x = 42", "z = 3", "y = 2", "some text"], "the second edit")
    lab.save()
    assert on_disk(lab, path) == ["x = 42", "z = 3", "y = 2", "some text"]


def test_of_two_pages_that_show_it_one_gets_the_edit(lab: LabPage, chromium: Browser):
    path = written(lab.server, "live-two", EDITS, TWO)
    begin(lab, path)
    with LabPage(lab.server, chromium) as other:
        other.open(path)
        lab.run_cell(1)
        lab.wait_output(1, "ended answered")
        assert shown(lab) == ["x = 42", "z = x * 2", "y = 2", "## by agent", "some text"]
        assert shown(other) == ["x = 1", "y = 2", "some text"]
    lab.save()


def test_outputs_of_a_run_land_in_the_open_document_also_after_a_restart(lab: LabPage):
    agent = acts(("notebook_run", {"path": "NAME", "cells": ["x"]}), policy="default")
    path = written(lab.server, "live-run", agent, [("x", "print('from', 'the run')"), ("y", "y = 2")])
    begin(lab, path)
    lab.restart()
    lab.run_cell(0)
    lab.wait_output(0, "set up")
    type_at_end(lab, 3, "  # typed")
    lab.run_cell(1)
    lab.click_button("Allow once")
    lab.wait_output(2, "from the run")
    lab.wait_output(1, "ended answered")
    lab.screenshot("live-run")
    lab.save()
    assert on_disk(lab, path)[1] == "y = 2  # typed"
    assert lab.server.read_notebook(path).cells[2].outputs[0]["text"] == "from the run\n"


def test_a_notebook_that_is_open_where_it_cannot_be_reached_is_not_changed_under_its_page(lab: LabPage, chromium):
    other = written(lab.server, "live-other", "", TWO)
    call = change("x", "x = 42")
    agent = acts(call).replace("NAME", "../live-other/live-other.ipynb").replace("policy=", "cwd='..', policy=")
    path = written(lab.server, "live-elsewhere", agent.replace("../live-other", "live-other"), TWO)
    begin(lab, path)
    with LabPage(lab.server, chromium) as page:
        page.open(other)
        lab.run_cell(1)
        lab.wait_output(1, "ended answered")
        assert "open_elsewhere" in lab.output_text(1)
        assert on_disk(lab, other)[0] == "x = 1"
    lab.wait_until(lambda: connections(lab, other) == 0, "the other page to be gone")
    lab.run_cell(1)
    lab.wait_until(lambda: on_disk(lab, other)[0] == "x = 42", "the edit in the file")


def connections(page: LabPage, path: str) -> int:
    return sum(one["kernel"]["connections"] for one in page.server.api("sessions") if one["path"] == path)
