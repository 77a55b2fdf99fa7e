"""Undo by the buttons of a card while the run goes on, and by those of the panel when it has ended."""

from playwright.sync_api import expect

from .driver import LabPage, LabServer
from .scene import shot

RUN = """
import asyncio
from cellwright import ScriptedModel, Turn
from cellwright_widgets import Agent, UndoPanel

go_on = asyncio.Event()

class Waits(ScriptedModel):
    async def stream(self, request):
        if len(request.conversation) > 4:
            await go_on.wait()
        async for part in super().stream(request):
            yield part

def write(name):
    return "write_file", {"path": f"new/{name}.txt", "content": name}

turns = [Turn("One.", [write("one")]), Turn("Two.", [write("two"), ("run_command", {"command": "pwd"})]), "Done."]
agent = Agent(Waits(turns), tools=["write_file", "run_command"], policy="accept_edits")
run = agent.start("Write.")
"""
END = "go_on.set()\nawait run.wait()\nprint(run.stop_reason, [event.kind for event in run.events].count('undone'))"


def test_a_click_undoes_a_write_another_redoes_it_and_the_panel_does_so_after_the_end(
    lab: LabPage, lab_server: LabServer
):
    lab.open(lab_server.write_notebook("undo/undo.ipynb", [RUN, END, "UndoPanel(run)"]))
    new = lab_server.root / "undo" / "new"
    lab.run_cell(0)
    command = lab.cell(0).locator(".cw-call-head", has_text="run_command")
    expect(command).to_contain_text("done")  # while it runs nothing is undone
    lab.page.evaluate("document.querySelectorAll('.cw-undo button').forEach((button) => button.click())")
    press(lab, 0, "Undo: ")
    lab.cell(0).get_by_role("button", name="Redo: ").wait_for()
    assert [path.name for path in new.iterdir()] == ["two.txt"]  # and nothing by the script before it
    press(lab, 0, "Redo: ")
    lab.cell(0).get_by_role("button", name="Undo: ").nth(1).wait_for()
    assert (new / "one.txt").read_text() == "one"
    press(lab, 0, "Undo to here")
    lab.wait_output(0, "To be undone, the last first")
    shot(lab, "undo-plan", 0)
    press(lab, 0, "Keep all")
    lab.run_cell(1)
    lab.wait_output(1, "answered 1")
    after_the_end(lab)
    assert not new.exists()


def after_the_end(lab: LabPage) -> None:
    """Undoes all by the panel, and finds that said in the record."""
    lab.run_cell(2)
    lab.button("Undo to here…", 2).last.wait_for()
    shot(lab, "undo-panel", 2)
    lab.button("Undo to here…", 2).last.click()
    lab.click_button("Undo all of these", 2)
    lab.wait_output(2, "0 files are changed")
    expect(lab.cell(0).locator(".cw-record .cw-call-head", has_text="undone by you")).to_have_count(2)


def press(lab: LabPage, cell: int, name: str) -> None:
    lab.cell(cell).get_by_role("button", name=name).first.click()
