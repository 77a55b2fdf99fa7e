"""What a person feels of a run in the page: in a real JupyterLab in a real Chromium, from the key that is pressed.

Times are taken in the page, from the event of the key or the click to the frame in which something is seen. The driver
is that of the browser tests. A frame takes 17 ms when the machine has nothing else to do.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

from playwright.sync_api import Browser
from playwright.sync_api import TimeoutError as Late

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.browser.driver import LabPage, LabServer, chromium, find_chromium

ROUNDS = 3
SET_UP = """
import pandas as pd
from cellwright import ScriptedModel, Turn, tool
from cellwright_widgets import Agent

@tool(read_only=True, concurrency_safe=True)
def count(number: int) -> str:
    "Counts."
    return f"number {number}"

FRAME = pd.DataFrame({"n": range(1_000_000), "name": "North"})

@tool(read_only=True)
def frame() -> object:
    "A data frame."
    return FRAME

print("set up")
"""
FIRST = 'run = await Agent(ScriptedModel(["Hello. " * 20], pace=0.05), tools=[]).run("Greet.")'
CARDS = """
calls = [Turn("", [("count", {"number": 100 * turn + number}) for number in range(100)]) for turn in range(10)]
run = await Agent(ScriptedModel([*calls, "Counted."]), tools=[count]).run("Count.")
"""
TABLE = """
model = ScriptedModel([Turn("", [("frame", {})]), "Shown. " * 20], pace=0.05)
run = await Agent(model, tools=[frame]).run("Show.")
"""
STREAM = """
words = "word and " * 100_000
run = Agent(ScriptedModel([words]), tools=[]).start("Speak.")
await run.wait()
"""
CELLS = (SET_UP, FIRST, CARDS, TABLE, STREAM)
ABOUT = {
    "first_view_ms": ("first view after the cell was run, ms", 500),
    "table_ms": ("table of 1,000,000 rows after the cell was run, ms", 300),
    "card_bytes": ("messages of a call card, of 1,000 in a run, bytes", 2_048),
    "cards_gap_ms": ("longest gap between frames while 1,000 cards come, ms", 100),
    "record_gap_ms": ("- while their record takes their place, ms", 100),
    "work_ms": ("- longest work of the page then, ms of the processor", 100),
    "cards_rate": ("most messages in a second then", 1_000),
    "click_ms": ("slowest of the clicks while 200,000 tokens stream, ms", 100),
    "click_median_ms": ("- median of them, ms", 100),
    "stream_rate": ("most messages in a second then", 1_000),
}
"""What each number is, and what it is to be at most."""

WATCH = """
(() => {
  const seen = (window.seen = {});
  const live = document.getElementsByClassName("cw-live");
  const since = (time) => performance.now() - time;
  let last = performance.now();
  (function frame(now) {
    if (live.length) seen.begun = true;
    const stage = live.length ? "live" : seen.begun ? "record" : "start";
    if (seen.gaps) seen.gaps[stage] = Math.max(seen.gaps[stage] ?? 0, now - last);
    last = now;
    if (seen.key && seen.wanted && !seen.found && document.querySelector(seen.wanted)) seen.found = since(seen.key);
    requestAnimationFrame(frame);
  })(last);
  document.addEventListener("keydown", (event) => { if (event.key === "Enter") seen.key = event.timeStamp; }, true);
  document.addEventListener("click", (event) => {
    if (event.target.closest(".cw-live")) requestAnimationFrame(() => seen.clicks.push(since(event.timeStamp)));
  }, true);
})()
"""
"""Nothing in it looks through the page in each frame but for what a cell is about to show: a page of many cards is
large, and the watch would be what is measured."""
FORGET = "(wanted) => Object.assign(seen, { wanted, gaps: {}, clicks: [], key: 0, found: 0, begun: false })"
DONE = "(prompt) => /^\\[\\d+\\]:$/.test(prompt.textContent.trim())"
"""Asked of one element. What the driver's own waiting asks goes through the whole page, 20 times a second."""
WORK = "ThreadControllerImpl::RunTask"
"""What Chromium calls a piece of work that nothing interrupts."""
PATIENCE = 90
"""Seconds that a cell may take; what takes longer has no number."""
SETTLED = 2_500
"""Milliseconds after a run in which JupyterLab reads the record, for its table of contents a second later."""
HEAD = """(() => {
  const box = document.querySelector(".cw-live .cw-head")?.getBoundingClientRect();
  return box && [box.x + 5, box.y + 5];
})()"""
"""Where the head of the live view is, until the record is in its place."""


class Watched:
    """A page on which all that comes by the connections of its kernel is counted."""

    def __init__(self, lab: LabPage, browser: Browser) -> None:
        self.lab = lab
        self.browser = browser
        self.sizes: list[int] = []
        self.seconds: Counter[int] = Counter()
        lab.page.on("websocket", lambda socket: socket.on("framereceived", self._take))

    def _take(self, frame: str | bytes) -> None:
        self.sizes.append(len(frame))
        self.seconds[int(monotonic())] += 1

    def run(self, cell: int, wanted: str = "", meanwhile: Callable[[float], object] | None = None) -> dict[str, Any]:
        """Runs a cell to its end and gives what the page has seen since; `wanted` is what it waits to see.

        Raises:
            Late: if the cell does not end.
        """
        self.sizes.clear()
        self.seconds.clear()
        self.lab.page.evaluate(FORGET, wanted)
        self.lab.run_cell(cell)
        prompt = self.lab.cell(cell).locator(".jp-InputPrompt").first.element_handle()
        if meanwhile:
            meanwhile(monotonic() + PATIENCE)
        self.lab.page.wait_for_function(DONE, arg=prompt, polling=200, timeout=PATIENCE * 1000)
        self.lab.page.wait_for_timeout(SETTLED)
        seen: dict[str, Any] = self.lab.page.evaluate("seen")
        return seen

    def click_on(self, until: float) -> None:
        """Clicks on the head of the view until the run has ended."""
        self.lab.page.locator(".cw-live .cw-head").wait_for()
        while (place := self.lab.page.evaluate(HEAD)) and monotonic() < until:
            self.lab.page.mouse.click(*place)
            self.lab.page.wait_for_timeout(100)


def longest_work(trace: bytes) -> float:
    """Processor milliseconds of the longest piece of work of the page that was traced. What else the machine does
    lengthens a gap between frames, but not this."""
    events = json.loads(trace)["traceEvents"]
    names = ((one, one["args"]["name"]) for one in events if one["name"] == "thread_name")
    pages = {(one["pid"], one["tid"]) for one, name in names if name == "CrRendererMain"}
    works = (one for one in events if one["name"] == WORK and (one["pid"], one["tid"]) in pages)
    return max(one.get("tdur", 0) for one in works) / 1_000


def measured(watched: Watched) -> Iterator[tuple[str, float]]:
    """All of it once."""
    yield "first_view_ms", watched.run(CELLS.index(FIRST), ".cw-live .cw-prompt")["found"]
    yield "table_ms", watched.run(CELLS.index(TABLE), ".cw-table tbody tr")["found"]
    watched.browser.start_tracing(page=watched.lab.page, categories=["toplevel"])
    try:
        gaps = watched.run(CELLS.index(CARDS))["gaps"]
    finally:
        trace = watched.browser.stop_tracing()
    yield "work_ms", longest_work(trace)
    yield "card_bytes", sum(watched.sizes) / 1_000
    yield "cards_gap_ms", gaps["live"]
    yield "record_gap_ms", gaps["record"]
    yield "cards_rate", max(watched.seconds.values())
    clicks = sorted(watched.run(CELLS.index(STREAM), meanwhile=watched.click_on)["clicks"])
    yield "click_ms", clicks[-1]
    yield "click_median_ms", clicks[len(clicks) // 2]
    yield "stream_rate", max(watched.seconds.values())


def one_round(lab: LabPage, browser: Browser, notebook: str) -> dict[str, float]:
    """What could be measured in a notebook, until a cell did not end."""
    watched = Watched(lab, browser)
    lab.open(notebook)
    lab.run_cell(0)
    lab.wait_done(0, 300)
    lab.page.evaluate(WATCH)
    numbers: dict[str, float] = {}
    try:
        for name, number in measured(watched):
            numbers[name] = number
    except Late as problem:
        print(f"a cell did not end: {problem}", file=sys.stderr)
    return numbers


def best() -> dict[str, float]:
    """The least of a few rounds of each number, each in a notebook of its own: what an earlier one left is not seen.
    What no round could measure is infinite."""
    rounds = []
    with LabServer() as server, chromium() as browser:
        for number in range(ROUNDS):
            with LabPage(server, browser) as lab:
                rounds.append(one_round(lab, browser, server.write_notebook(f"bench-{number}/bench.ipynb", CELLS)))
                print(json.dumps(rounds[-1]), file=sys.stderr)
    return {key: min(one.get(key, float("inf")) for one in rounds) for key in ABOUT}


def show(numbers: dict[str, float]) -> None:
    """A line for each number, with what it is to be at most."""
    print()
    for key, (about, most) in ABOUT.items():
        print(f"{about:62} {numbers[key]:8.4g} (at most {most:,})")


if __name__ == "__main__":
    if find_chromium() is None:
        raise SystemExit("no Chromium found: nothing was measured in the browser")
    print(json.dumps(best()))
