"""What a person feels of a run in the page: in a real JupyterLab in a real Chromium, from the key that is pressed.

Times are taken in the page, from the event of the key or the click to the frame in which something is seen. The driver
is that of the browser tests. A frame takes 17 ms when the machine has nothing else to do.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import monotonic

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.browser.driver import LabPage, LabServer, chromium, find_chromium

ROUNDS = 3
SET_UP = """
import pandas as pd
from cellwright import ScriptedModel, Turn, tool
from cellwright_widgets import Agent

@tool(read_only=True, concurrency_safe=True)
def count(number: int) -> str:
    return f"number {number}"

FRAME = pd.DataFrame({"n": range(1_000_000), "name": "North"})

@tool(read_only=True)
def frame() -> object:
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
    "cards_rate": ("most messages in a second then", 1_000),
    "click_ms": ("slowest of the clicks while 200,000 tokens stream, ms", 100),
    "click_median_ms": ("- median of them, ms", 100),
    "stream_rate": ("most messages in a second then", 1_000),
}
"""What each number is, and what it is to be at most."""

WATCH = """
(() => {
  const seen = (window.seen = { gap: 0, clicks: [], key: 0, found: {} });
  let last = performance.now();
  const look = { first: ".cw-live .cw-prompt", table: ".cw-table tbody tr" };
  const since = (time) => performance.now() - time;
  (function frame(now) {
    seen.gap = Math.max(seen.gap, now - last);
    last = now;
    for (const [name, place] of Object.entries(look)) {
      if (seen.key && !seen.found[name] && document.querySelector(place)) seen.found[name] = since(seen.key);
    }
    requestAnimationFrame(frame);
  })(last);
  document.addEventListener("keydown", (event) => { if (event.key === "Enter") seen.key = event.timeStamp; }, true);
  document.addEventListener("click", (event) => {
    if (event.target.closest(".cw-live")) requestAnimationFrame(() => seen.clicks.push(since(event.timeStamp)));
  }, true);
})()
"""
HEAD = """(() => {
  const box = document.querySelector(".cw-live .cw-head")?.getBoundingClientRect();
  return box && [box.x + 5, box.y + 5];
})()"""
"""Where the head of the live view is, until the record is in its place."""


class Watched:
    """A page on which all that comes by the connections of its kernel is counted."""

    def __init__(self, lab: LabPage) -> None:
        self.lab = lab
        self.sizes: list[int] = []
        self.seconds: Counter[int] = Counter()
        lab.page.on("websocket", lambda socket: socket.on("framereceived", self._take))

    def _take(self, frame: str | bytes) -> None:
        self.sizes.append(len(frame))
        self.seconds[int(monotonic())] += 1

    def forget(self) -> None:
        """What was seen until now counts no more."""
        self.sizes.clear()
        self.seconds.clear()
        self.lab.page.evaluate("Object.assign(seen, { gap: 0, clicks: [], key: 0, found: {} })")

    def run(self, cell: int, meanwhile: Callable[[], object] | None = None) -> dict[str, object]:
        """Runs a cell to its end and gives what the page has seen since."""
        self.forget()
        self.lab.run_cell(cell)
        if meanwhile:
            meanwhile()
        self.lab.wait_done(cell, 300)
        seen: dict[str, object] = self.lab.page.evaluate("seen")
        return seen

    def click_on(self) -> None:
        """Clicks on the head of the view until the run has ended."""
        self.lab.page.locator(".cw-live .cw-head").wait_for()
        while place := self.lab.page.evaluate(HEAD):
            self.lab.page.mouse.click(*place)
            self.lab.page.wait_for_timeout(100)


def measured(watched: Watched) -> dict[str, float]:
    """All of it once."""
    first = watched.run(CELLS.index(FIRST))
    table = watched.run(CELLS.index(TABLE))
    cards = watched.run(CELLS.index(CARDS))
    numbers = {
        "first_view_ms": first["found"]["first"],
        "table_ms": table["found"].get("table", float("inf")),
        "card_bytes": sum(watched.sizes) / 1_000,
        "cards_gap_ms": cards["gap"],
        "cards_rate": max(watched.seconds.values()),
    }
    stream = watched.run(CELLS.index(STREAM), watched.click_on)
    clicks = sorted(stream["clicks"])
    return numbers | {
        "click_ms": clicks[-1],
        "click_median_ms": clicks[len(clicks) // 2],
        "stream_rate": max(watched.seconds.values()),
    }


def best() -> dict[str, float]:
    """The least of a few rounds of each number, each in a notebook of its own: what an earlier one left is not seen."""
    rounds = []
    with LabServer() as server, chromium() as browser:
        for number in range(ROUNDS):
            with LabPage(server, browser) as lab:
                watched = Watched(lab)
                lab.open(server.write_notebook(f"bench-{number}/bench.ipynb", CELLS))
                lab.run_cell(0)
                lab.wait_done(0, 300)
                lab.page.evaluate(WATCH)
                rounds.append(measured(watched))
                print(json.dumps(rounds[-1]), file=sys.stderr)
    return {key: min(one[key] for one in rounds) for key in ABOUT}


def show(numbers: dict[str, float]) -> None:
    """A line for each number, with what it is to be at most."""
    print()
    for key, (about, most) in ABOUT.items():
        print(f"{about:62} {numbers[key]:8.4g} (at most {most:,})")


if __name__ == "__main__":
    if find_chromium() is None:
        raise SystemExit("no Chromium found: nothing was measured in the browser")
    print(json.dumps(best()))
