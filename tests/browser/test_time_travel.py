"""A run in the hand of the person: paused, taken on step by step, looked at again, forked, compared."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator

from .driver import LabPage, LabServer
from .scene import SET_UP

PACED = """
go = asyncio.Event()

@tool(read_only=True)
async def look(place: str) -> str:
    "Look there."
    await go.wait()
    return f"{place} is fine"

looks = [Turn(f"I look {place}.", [("look", {"place": place})]) for place in ("here", "there", "beyond")]
paced = Agent(ScriptedModel([*looks, "All is fine."]), tools=[look, "read_file", "write_file"]).start("Look around.")
"""
CELLS = {"set-up": SET_UP, "paced": PACED, "go": "go.set()"}
PLACE = {name: index for index, name in enumerate(CELLS)}


@pytest.fixture(scope="module")
def stage(lab_server: LabServer, chromium: Browser) -> Iterator[LabPage]:
    """One page for several tests."""
    with LabPage(lab_server, chromium, (1400, 1000)) as page:
        page.open(lab_server.write_notebook("time_travel/time_travel.ipynb", list(CELLS.values())))
        page.run_cell(0)
        page.wait_done(0)
        yield page


def state(page: LabPage, words: str) -> Locator:
    """The state in the head of the run that is shown live, once it says that."""
    found = page.cell(PLACE["paced"]).locator(".cw-head .cw-state").filter(has_text=words)
    found.wait_for()
    return found


def test_a_run_is_paused_and_taken_on_beside_its_stop(stage: LabPage):
    stage.run_cell(PLACE["paced"])
    cell = stage.cell(PLACE["paced"])
    state(stage, "running a tool")
    stage.page.evaluate("document.querySelectorAll('.cw-pace button').forEach((button) => button.click())")
    cell.get_by_role("button", name="Pause").click()
    cell.get_by_role("button", name="It pauses soon").wait_for()
    stage.run_cell(PLACE["go"])
    state(stage, "paused before step 2")
    cell.get_by_role("button", name="Step:").click()
    state(stage, "paused before look")
    cell.get_by_role("button", name="Breakpoints").click()
    cell.get_by_role("checkbox", name="look").click()
    stage.screenshot("time-travel-paused", cell.locator(".cw-live"))
    cell.get_by_role("button", name="Continue").click()
    state(stage, "paused before look (breakpoint)")
    cell.get_by_role("checkbox", name="look").click()
    cell.get_by_role("button", name="Breakpoints:", exact=False).filter(has_not_text="(").wait_for()
    cell.get_by_role("button", name="Continue").press("Enter")
    cell.locator(".cw-record").wait_for()
    assert "All is fine." in cell.inner_text()
