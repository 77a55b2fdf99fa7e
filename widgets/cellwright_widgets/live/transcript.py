"""One widget that shows a whole run while it happens.

A page can be reloaded, a message can be lost (a busy server drops them), a second view can be opened; none may leave
a hole. So nothing is a stream that must be caught: each item of the story has the number of the batch that changed it
last, and a view that lacks something asks for what is newer than the number it has. Batches go out at most 20 times a
second. While a text grows only what was added is sent; it is a shortcut, whoever missed it gets the whole. The rule
that must never break: any view that asks ends up with exactly the items the story has.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import anywidget
import traitlets
from msgspec.structs import replace

from cellwright.log.events import Event
from cellwright.messages import JsonObject
from cellwright.text.visible_text import mark_hidden
from cellwright_widgets.cards.item_view import draw_head, draw_item
from cellwright_widgets.cards.record import record_html, record_text
from cellwright_widgets.cards.story import HEAD, Change, Story
from cellwright_widgets.drawing.node import element, to_html
from cellwright_widgets.drawing.press import Presses
from cellwright_widgets.drawing.style import STATIC, live_style
from cellwright_widgets.live.pace import PACE, Pace
from cellwright_widgets.live.parcel import packed

SCRIPTS = (
    *("node.js", "fold.js", "hand.js", "parcel.js", "clock.js", "sheet.js", "copy.js", "press.js"),
    *("document.js", "keys.js", "questions.js", "transcript.js"),
)
RATE = 20
"""Batches in a second, at most."""
PLACE = -2
"""The place of what a person presses to pause the run and take it on; no item either."""
QUIET = 4.0
"""After so many seconds without a batch its number is told once more: a server that dropped it does so for 3 s."""
Listener = Callable[[], None]


class Transcript(anywidget.AnyWidget):
    """The live view of one run: an observer to hand to it.

    `on_stop` are called when the person presses Stop, `on_seen` when a page shows the transcript for the first time;
    on the event loop that the run's events came from, if there is one.
    """

    _esm = "\n".join((STATIC / name).read_text("utf-8") for name in SCRIPTS)
    _css = live_style()
    n = traitlets.Int(0).tag(sync=True)
    """The number of the last batch."""
    shown = traitlets.Unicode("").tag(sync=True)
    """The model id of the widget that was displayed: this one, or a box around it."""
    cell = traitlets.Unicode("").tag(sync=True)
    """The id of the cell in which it was displayed; empty if that is not known."""
    ended = traitlets.Bool(False).tag(sync=True)
    """Whether the run has ended, and a page that still shows the live view can have the record."""

    def __init__(self, title: str = "Cellwright") -> None:
        super().__init__()
        self.title = title
        self.on_stop: list[Listener] = []
        self.on_seen: list[Listener] = []
        self.was_seen = False
        """Whether any page has shown it: proof that a front end is there."""
        self.was_kept = False
        """Whether a page has said that the live view is gone from its document, so that nobody needs it there."""
        self.events: list[Event] = []
        self.presses = Presses(self.send, lambda: self._loop)
        """What is pressed in it, and who answers."""
        self.pace: Pace | None = None
        """The pauses of the run, if there is one that can be paused."""
        self._turn = 0
        self._story = Story()
        self._numbers: dict[int, int] = {}
        self._grown: dict[int, str] = {}
        self._changed = {HEAD}
        self._record: JsonObject = {}
        self._waits = False
        self._lock = threading.RLock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._due: asyncio.TimerHandle | threading.Timer | None = None
        self._again: asyncio.TimerHandle | None = None
        self._last_sent = 0.0
        self.on_msg(self._on_message)

    def on_event(self, event: Event) -> None:
        """Takes the next event of the run; any thread may call it."""
        with self._lock:
            if event.kind == "turn_started":
                self._turn = len(self.events)
            if event.kind == "message":  # it holds what was streamed of it
                turn = self.events[self._turn :]
                self.events[self._turn :] = [kept for kept in turn if kept.kind not in ("text", "thinking")]
            self.events.append(event)
            self._changed |= {HEAD, PLACE} if self.pace and event.kind == "run_ended" else {HEAD}
            for change in self._story.add(event):
                self._note(change)
            self._schedule(at_once=event.kind in ("run_ended", "question"))

    def fill(self, events: Sequence[Event]) -> None:
        """Takes all events of a run that is over. Nothing is sent until a page asks."""
        with self._lock:
            self.events += events
            for event in events:
                self._story.add(event)
            self._loop = self._loop or _running_loop()
            self._changed, self.n = set(), 1
            self._numbers = dict.fromkeys(range(HEAD, len(self._story.items)), 1)

    def wait_for_person(self, waits: bool) -> None:
        """Says in the head whether the person is asked now; a sub-agent's question is in no event of this run."""
        with self._lock:
            self._waits = waits
            self._changed.add(HEAD)
            self._schedule(at_once=waits)

    def show_pace(self, pace: Pace) -> None:
        """Lets the person pause the run and take it on; called again when it has come to a place or gone on."""
        with self._lock:
            self.pace = pace
            self.presses.answerers[PACE] = pace.answer
            self._changed |= {HEAD, PLACE}
            self._schedule(at_once=True)

    def flush(self) -> None:
        """Sends what has changed since the last batch."""
        with self._lock:
            if self._due is not None:
                self._due.cancel()
            self._due, self._last_sent = None, time.monotonic()
            if not self._changed and not self._grown:
                return
            number = self.n + 1
            grown = {place: text for place, text in self._grown.items() if place not in self._changed}
            drawn = [self._drawn(place) for place in sorted(self._changed)]
            self._numbers.update(dict.fromkeys([*self._changed, *grown], number))
            self._changed, self._grown = set(), {}
            added = [[place, None, mark_hidden(text)] for place, text in grown.items()]
            self._send_batch(number - 1, number, [*drawn, *added])
            self.n = number
            self._repeat_later()

    def end(self, record: JsonObject) -> None:
        """Offers the record, a MIME bundle, to every page whose document still holds the live view."""
        self._record = record
        self.ended = True

    def fallback(self) -> JsonObject:
        """The record so far, for readers who have no kernel."""
        gone = to_html(element("p", "cw-remark", "This was a live view. It ended with its kernel or page."))
        return {"text/plain": repr(self), "text/html": record_html(self.events, self.title) + gone}

    def __repr__(self) -> str:
        return record_text(self.events) or f"{self.title}: no run yet"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:  # noqa: ANN401 - IPython's protocol
        """The live view, and beside it the fallback."""
        bundle = super()._repr_mimebundle_(**kwargs)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        if data is not None:
            data.update(self.fallback())
        return bundle

    def _note(self, change: Change) -> None:
        place = change.place
        if change.added and place in self._numbers:
            self._grown[place] = self._grown.get(place, "") + change.added
        else:
            self._changed.add(place)

    def _drawn(self, place: int) -> list[object]:
        if place == HEAD:
            head = self._story.head
            if self.pace is not None:
                head = head.paused_at(self.pace.places)
            if self._waits and head.ended is None:
                head = replace(head, state="asking")
            return [HEAD, draw_head(self.title, head), {"state": head.state, "ended": head.ended is not None}]
        if place == PLACE:
            return [PLACE, self.pace.draw() if self.pace else ""]
        return [place, draw_item(self._story.items[place])]

    def _send_batch(self, after: int, number: int, items: list[list[Any]]) -> None:
        batch = {"from": after, "to": number, "now": time.time()}
        parcel = packed(items)
        if parcel is None:
            self.send({**batch, "items": items})
        else:
            self.send(batch, [parcel])

    def _schedule(self, at_once: bool) -> None:
        """A batch now, if the last one is long enough ago; else soon."""
        loop = _running_loop()
        self._loop = self._loop or loop
        wait = self._last_sent + 1 / RATE - time.monotonic()
        if at_once or wait <= 0:
            self.flush()
        elif self._due is None and loop is not None:
            self._due = loop.call_later(wait, self.flush)
        elif self._due is None:
            self._due = threading.Timer(wait, self.flush)
            self._due.daemon = True
            self._due.start()

    def _repeat_later(self) -> None:
        loop = _running_loop()
        if loop is None:
            return
        if self._again is not None:
            self._again.cancel()
        self._again = loop.call_later(QUIET, self.send_state, ["n", "ended"])

    def _on_message(self, _: object, content: JsonObject, __: object) -> None:
        """What a page says. It may be anything, and a handler must not raise: its errors are shown nowhere."""
        if not isinstance(content, dict):
            return
        if content.get("stop") is True:
            self._tell(self.on_stop)
        if content.get("record") is True and self.ended:
            self.send({"record": self._record})
        if content.get("kept") is True and self.ended:
            self.was_kept = True
        self.presses.take(content.get("press"))
        since = content.get("since")
        if isinstance(since, int):
            self._answer(since)

    def _answer(self, since: int) -> None:
        with self._lock:
            self.flush()
            newer = sorted(place for place, number in self._numbers.items() if number > since)
            if newer:
                self._send_batch(since, self.n, [self._drawn(place) for place in newer])
            seen_before, self.was_seen = self.was_seen, True
        if not seen_before:
            self._tell(self.on_seen)

    def _tell(self, listeners: list[Listener]) -> None:
        """Handlers may run in a thread of their own, so listeners are called on the run's loop."""
        for listener in list(listeners):
            if self._loop is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(listener)
            else:
                listener()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
