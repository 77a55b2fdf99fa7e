"""A run in the hand of the person: paused, taken on step by step, looked at again, forked, compared."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from .driver import LabPage, LabServer
from .scene import SET_UP, shot

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
RAN = """
from cellwright import Allow, ScriptedApprover
from cellwright_widgets.cards.comparison_view import SideBySide
from cellwright_widgets.travel.time_travel import TimeTravel

def writing(text, *more):
    return Turn(f"I write {text}.", [("write_file", {"path": f"{text}.txt", "content": text * 3}), *more])

turns = [writing("one"), writing("two", ("look", {"place": "here"})), "One and two are written."]
yes = ScriptedApprover([Allow()] * 9)
agent = Agent(ScriptedModel(turns), [look, "write_file"], approver=yes, log="travel.jsonl")
run = await agent.run("Write two files.")
"""
TRAVEL = """
forker = Agent(ScriptedModel([writing("three"), "Three is written, too."]), [look, "write_file"])
another = ["The no was heard.", Turn(calls=[("look", {"place": "back"})]), "Another model says no more."]
travel = TimeTravel("travel.jsonl", forker, [ScriptedModel(another, name="another")])
travel
"""
WAITS = """
waits = Agent(ScriptedModel([*looks, "All is fine."]), tools=[look])
waiting = waits.start("Look around.")
waiting.pause()
TimeTravel(waiting, waits)
"""
CELLS = {"set-up": SET_UP, "paced": PACED, "go": "go.set()", "ran": RAN, "travel": TRAVEL, "waits": WAITS}
CELLS["beside"] = "SideBySide(run, travel.forks[-1])"
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


@pytest.fixture(scope="module")
def travel(stage: LabPage) -> Locator:
    """The cell with a run from its log, and a form to fork it."""
    for name in ("ran", "travel"):
        stage.run_cell(PLACE[name])
        stage.wait_done(PLACE[name])
    cell = stage.cell(PLACE["travel"])
    cell.locator(".cw-moment").wait_for()
    return cell


def at(cell: Locator, step: int) -> None:
    """Waits until that step is shown."""
    cell.locator(".cw-fact", has_text=f"step {step} of 3").wait_for()


def test_a_run_is_stepped_through_by_keys_and_by_buttons(stage: LabPage, travel: Locator):
    at(travel, 3)
    slider = travel.get_by_role("slider")
    slider.press("ArrowDown")
    at(travel, 2)
    expect(travel.locator(".cw-moment")).not_to_contain_text("One and two are written.")
    slider.press("ArrowLeft")
    at(travel, 1)
    travel.locator("button", has_text=re.compile("^▶$")).click()
    at(travel, 2)
    shot(stage, "time-travel", PLACE["travel"])
    for aspect, words in (
        ("What the model was sent", "Request of step 2"),
        ("Files changed", "two.txt (new"),
    ):
        travel.get_by_role("button", name=aspect).click()
        travel.locator(".cw-moment", has_text=words).wait_for()
    travel.get_by_role("button", name="What happened").click()


def test_a_fork_with_anything_otherwise_is_shown_live_and_held_against_the_run(stage: LabPage, travel: Locator):
    at(travel, 2)
    kind, call, model = (travel.locator(".cw-fork-form select").nth(place) for place in range(3))
    look = travel.get_by_role("checkbox", name="look")
    press("ArrowDown", kind, kind, call, model)
    fork(travel, "Why it is denied", "not now", "The no was heard.")
    press("ArrowDown", kind)
    look.click()
    fork(travel, "What the model reads", "It was raining.", "Another model says no more.", "not among the tools")
    look.click()
    press("ArrowUp", model, call, kind, kind)
    travel.locator(".cw-form textarea").nth(1).fill("else.txt")
    travel.locator("button", has_text="Fork here").click()
    for path in ("else.txt", "three.txt"):
        travel.locator(".cw-ask", has_text=path).locator("button", has_text="Allow once").click()
    held_against_the_run(travel, "Three is written, too.")
    assert (stage.server.root / "time_travel" / "else.txt").read_text() == "twotwotwo"
    shot(stage, "time-travel-fork", PLACE["travel"])


def press(key: str, *choices: Locator) -> None:
    """Presses the key on each of these as soon as it is shown: a key for what is hidden would go to the one before."""
    for choice in choices:
        expect(choice).to_be_visible()
        choice.press(key)


def fork(travel: Locator, field: str, words: str, *shown: str) -> None:
    """Forks with these words in a field of the form, and waits until it is over."""
    travel.get_by_placeholder(field).fill(words)
    travel.locator("button", has_text="Fork here").click()
    held_against_the_run(travel, words, *shown)


def held_against_the_run(travel: Locator, *shown: str) -> None:
    """Waits for the end of the fork that shows this."""
    for words in shown:
        travel.locator(".cw-live", has_text=words).wait_for()
    travel.locator(".cw-compared", has_text="Here they part").wait_for()
    expect(travel.locator(".cw-live")).to_contain_text("forked from run-")


def test_a_run_that_waits_is_taken_on_from_the_view(stage: LabPage, travel: Locator):
    stage.run_cell(PLACE["waits"])
    cell = stage.cell(PLACE["waits"]).locator(".cw-travel")
    cell.locator(".cw-state", has_text="paused before step 1").first.wait_for()
    cell.locator("button", has_text="Step").click()
    cell.locator(".cw-state", has_text="paused before look").first.wait_for()
    stage.screenshot("time-travel-waits", cell)
    cell.locator("button", has_text="Continue").click()
    cell.locator(".cw-fact", has_text="step 4 of 4").wait_for()


def test_two_runs_stand_side_by_side(stage: LabPage, travel: Locator):
    stage.run_cell(PLACE["beside"])
    stage.cell(PLACE["beside"]).locator(".cw-pair").first.wait_for()
    shot(stage, "side-by-side", PLACE["beside"])
