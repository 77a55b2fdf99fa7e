"""A run taken apart in a real JupyterLab: lines, bars and sheets by mouse and by key, and what stays of it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from .axe import grave_faults
from .driver import LabPage, LabServer
from .scene import SET_UP, attack
from .test_views import acting_parts

INSPECTED = (
    SET_UP
    + """
from cellwright import Allow, Deny, ScriptedApprover
from cellwright.runs.price import Price
from cellwright_widgets import Inspector

@tool(read_only=True, concurrency_safe=True)
async def look(place: str) -> str:
    "Look there."
    await asyncio.sleep(0.2)
    return f"{place} is fine"

looks = Turn("I look.", [("look", {"place": place}) for place in ("here", "there")], thinking="Looking is safe.")
writes = Turn("I write.", [("write_file", {"path": f"{name}.txt", "content": "hello"}) for name in ("a", "b")])
asks = Turn("Another looks.", [("agent", {"task": "look", "prompt": "Look below."}), ("nope", {})])
below = Turn("Below.", [("look", {"place": "below"})])
model = ScriptedModel([looks, writes, asks, below, "It is fine below.", "All is written."], pace=0.01)
approver = ScriptedApprover([Allow(), Deny("not b")])
agent = Agent(model, [look, "write_file", "agent"], approver=approver, price=Price(3, 15))
run = await agent.run("Look, then write.")
"""
)
GOES_ON = """
gate = asyncio.Event()
@tool(read_only=True)
async def wait_here() -> str:
    "Waits."
    await gate.wait()
    return "waited"
going = Agent(ScriptedModel([Turn("I wait.", [("wait_here", {})]), "Done."]), [wait_here]).start("Wait.")
await asyncio.sleep(0.2)
Inspector(going, "Going")
"""
LONG = """
from cellwright.log.events import Event
facts = [("run_started", {"run": "r", "prompt": "p", "model": "m", "mode": "default"}), ("turn_started", {"turn": 1})]
for number in range(5_000):
    call = {"id": f"c{number}", "name": "read_file", "arguments": "{}"}
    facts += [("call", call), ("executing", call), ("result", {**call, "ok": True, "content": "x", "metadata": {}})]
facts += [("run_ended", {"stop_reason": "answered", "answer": "x"})]
Inspector([Event(n, 1_000 + n / 100, kind, data) for n, (kind, data) in enumerate(facts, 1)], "Long")
"""
HOSTILE = f"""
bad = {attack("inspected")!r}
made = [("run_started", {{"run": bad, "prompt": bad, "model": bad, "mode": bad}}), ("system", {{"text": bad}}),
        ("turn_started", {{"turn": 1}}), ("call", {{"id": bad, "name": bad, "arguments": bad}}),
        ("executing", {{"id": bad}}), ("result", {{"id": bad, "name": bad, "ok": False, "error_type": bad,
        "content": bad, "context": bad, "metadata": {{"stages": {{bad: 0.5, "execute": 1}}, bad: bad}}}})]
Inspector([Event(n, 1_000.0 + n, kind, data) for n, (kind, data) in enumerate(made, 1)], bad)
"""
STYLE = r"((--cw-zoom|left|width|height|top|text-indent): ?[0-9.e+-]+(px|%)?; ?)*"
"""All that a page may say of its bars: numbers."""
CELLS = {
    "set-up": INSPECTED,
    "run": "Inspector(run)",
    "going": GOES_ON,
    "end": "gate.set()",
    "long": LONG,
    "hostile": HOSTILE,
}
PLACE = {name: index for index, name in enumerate(CELLS)}


@pytest.fixture(scope="module")
def stage(lab_server: LabServer, chromium: Browser) -> Iterator[LabPage]:
    """One page for several tests, on which a run has ended."""
    with LabPage(lab_server, chromium, (1400, 1000)) as page:
        page.open(lab_server.write_notebook("inspector/inspector.ipynb", list(CELLS.values())))
        page.run_cell(0)
        page.wait_done(0)
        yield page


def opened(page: LabPage, name: str) -> Locator:
    """The inspector of a cell, once its first sheet is there."""
    page.run_cell(PLACE[name])
    page.wait_done(PLACE[name])
    view = page.cell(PLACE[name]).locator(".cw-inspector")
    view.locator(".cw-sheet").wait_for()
    return view


def line(view: Locator, text: str) -> Locator:
    return view.locator(".cw-row-line").filter(has_text=text).first


def sheet(view: Locator, words: str) -> str:
    """The text of the sheet, once it has those words."""
    view.locator(".cw-sheet-pane").filter(has_text=words).wait_for()
    return view.locator(".cw-sheet-pane").inner_text()


@pytest.fixture(scope="module")
def view(stage: LabPage) -> Locator:
    return opened(stage, "run")


def test_a_click_on_a_line_or_on_a_bar_takes_the_same_call_apart(view: Locator):
    line(view, "denied by you").click()
    assert "the person answered deny: not b" in sheet(view, "approval_denied")
    assert view.locator(".cw-span.cw-current").get_attribute("title").startswith("write_file")
    view.locator(".cw-span-tool", has_text="look").first.click()
    assert "What the model saw" in sheet(view, "here is fine")
    assert line(view, "here").get_attribute("aria-selected") == "true"
    view.get_by_role("button", name="Show card").click()
    summary = view.page.locator(".cw-record .cw-call", has_text="place: here").locator("> summary")
    expect(summary).to_be_focused()
    line(view, "place: below").click()
    sheet(view, "below is fine")
    assert view.get_by_role("button", name="Show card").count() == 0  # no transcript shows what a sub-agent did
    widths = view.locator(".cw-gauge").evaluate_all("(bars) => bars.map((bar) => bar.getBoundingClientRect().width)")
    assert (len(widths), max(widths) > 100) == (12, True)


def test_a_turn_shows_its_request_with_the_part_that_was_sent_before(view: Locator):
    line(view, "Step 2").click()
    text = sheet(view, "Request of step 2")
    assert "are the same as in the turn before" in text
    assert "cost, sub-agents included" in text
    view.locator(".cw-sent summary").first.click()
    assert "look: Look there." in view.locator(".cw-sent").first.inner_text()


def test_all_of_it_is_reached_by_keys(view: Locator):
    rows, bars = view.get_by_role("listbox"), view.locator(".cw-gantt-scroll")
    view.page.mouse.move(0, 0)  # a bar that comes to lie under the mouse is told, too
    rows.focus()
    for key in ("End", "Home", "ArrowDown", "ArrowDown"):
        rows.press(key)
    assert "there is fine" in sheet(view, "there is fine")
    assert rows.get_attribute("aria-activedescendant") == line(view, "there").get_attribute("id")
    bars.focus()
    for key in ("+", "+", "ArrowRight", "Enter"):
        bars.press(key)
    assert "note.txt" not in sheet(view, "hello")
    assert view.locator(".cw-gantt-told").inner_text().startswith("write_file · ")
    assert bars.evaluate("(area) => area.scrollWidth / area.clientWidth") > 2


def test_lines_are_sifted_by_their_text(view: Locator):
    for wanted, count in (("denied", 1), ("", 14)):
        view.get_by_role("searchbox").fill(wanted)
        view.locator(f".cw-row-line[aria-setsize='{count}']").first.wait_for()
        assert view.locator(".cw-row-line").count() == count


def test_a_run_that_goes_on_is_followed_to_its_end(stage: LabPage):
    view = opened(stage, "going")
    view.locator(".cw-span-going").wait_for()
    stage.run_cell(PLACE["end"])
    view.locator(".cw-head", has_text="answered").wait_for()
    view.locator(".cw-row-line", has_text="Done.").wait_for()
    view.locator(".cw-span-going").wait_for(state="detached")
    assert stage.page_errors == []


def test_five_thousand_calls_are_all_there_and_zooming_shows_one_of_them(stage: LabPage):
    view = opened(stage, "long")
    view.get_by_role("listbox").press("End")
    assert "c4999" in sheet(view, "c4999")
    last = view.locator(".cw-row-line[aria-selected=true]")
    assert (last.get_attribute("aria-posinset"), last.get_attribute("aria-setsize")) == ("5001", "5001")
    for _ in range(12):
        view.get_by_role("button", name="Zoom in").click()
    wide = "(view) => view.querySelector('.cw-span.cw-current')?.getBoundingClientRect().width > 100"
    stage.page.wait_for_function(wide, arg=view.element_handle())  # bars are drawn anew with each step


def test_no_text_of_a_log_becomes_anything_but_text(stage: LabPage):
    view = opened(stage, "hostile")
    line(view, "Step 1").click()
    sheet(view, "Request of step 1")
    assert set(acting_parts(stage, ".cw-inspector")) <= {"style"}
    styles = view.locator("[style]").evaluate_all("(all) => all.map((one) => one.getAttribute('style'))")
    assert [text for text in styles if not re.fullmatch(STYLE, text)] == []
    assert (stage.page_errors, stage.outside_requests) == ([], [])


def test_what_was_saved_is_its_record_and_a_page_loaded_again_draws_over_it(dark_page: LabPage):
    page = dark_page
    page.open(page.server.write_notebook("taken/taken.ipynb", [INSPECTED, "Inspector(run)"]))
    page.run_all()
    view = page.cell(1).locator(".cw-inspector")
    view.locator(".cw-sheet").wait_for()
    shoot(page, view, "inspector-dark")
    assert grave_faults(page, ".cw-inspector") == []
    page.save()
    page.reload()
    view.locator(".cw-sheet").wait_for()
    page.restart()
    page.reload()
    page.cell(1).locator(".cw-record .cw-lanes").wait_for()
    page.screenshot("inspector-record-dark", page.cell(1).locator(".cw-record"))
    assert view.count() == 0
    assert grave_faults(page, ".cw-record") == []
    assert "denied by you" in page.output_text(1)
    assert (page.page_errors, page.outside_requests) == ([], [])


def shoot(page: LabPage, view: Locator, name: str) -> None:
    page.page.keyboard.press("Control+b")
    for width in (1400, 700):
        page.page.set_viewport_size({"width": width, "height": 1400})
        for text in ("denied by you", "Step 3"):
            line(view, text).click()
            sheet(view, text)
            page.screenshot(f"{name}-{width}-{text.split()[0].lower()}", view)
    page.page.set_viewport_size({"width": 1280, "height": 1000})
    page.page.keyboard.press("Control+b")
