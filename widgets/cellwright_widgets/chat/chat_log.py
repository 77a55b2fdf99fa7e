"""What was said in a chat so far: the runs that are over, each a turn of the conversation, and the one that goes on.

A live view costs more than a record, and a long conversation has many runs; so a run is folded into its record when the
next one begins, and of old ones even that is left to their session. Until then it stays alive, with all that can be
pressed in it. The rule that must never break: a question of a run that goes on is never out of sight.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import ipywidgets

from cellwright.log.events import Event
from cellwright.runs.run import Run
from cellwright.sessions.session import Session
from cellwright.text.visible_text import mark_hidden
from cellwright_widgets.chat.past_run import past_run_html
from cellwright_widgets.drawing.fold import missing
from cellwright_widgets.drawing.node import Node, element, to_html
from cellwright_widgets.live.inputs import free
from cellwright_widgets.live.live_box import LiveBox

WITH_RECORD = 8
"""Runs of the conversation that have their record in the panel."""
SHOWN = 50
"""Runs of it that are shown."""
EMPTY = "Say what is to be done. Each message goes on from the ones before; what needs your leave is asked here."


class ChatLog(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """The conversation, as it grows. Its newest end stays in sight by its style."""

    def __init__(self) -> None:
        self._past: deque[tuple[ipywidgets.HTML, Sequence[Event]]] = deque()
        self._left_out = 0
        self._live: list[tuple[Run, LiveBox]] = []
        self._note = _html(element("p", "cw-chat-empty", EMPTY))
        self._opened: list[ipywidgets.HTML] = []
        self._inner = ipywidgets.VBox([self._note])
        super().__init__([self._inner])
        self.add_class("cw-chat-log")

    @property
    def is_elsewhere(self) -> bool:
        """Whether another session is shown, and not the conversation."""
        return bool(self._opened)

    def begin(self, run: Run, box: LiveBox) -> None:
        """Shows a run that begins; those that are over are folded."""
        for earlier, old in [pair for pair in self._live if _is_over(pair[0])]:
            if earlier.events:
                self._fold(earlier.events)
            old.shelf.close()
            old.discard()
        self._live = [pair for pair in self._live if not _is_over(pair[0])] + [(run, box)]
        self.show_conversation()

    def begin_anew(self, session: Session | None) -> None:
        """Clears the conversation, for that of a session or a new one."""
        for _, box in self._live:
            box.shelf.close()
            box.discard()
        for html, _ in self._past:
            free(html)
        self._past.clear()
        self._live, self._left_out = [], 0
        for run in session.runs if session else ():
            self._fold(run.events)
        self.show_conversation()

    def leave_only(self, run: Run) -> None:
        """Clears the conversation but for this run of it."""
        left = [pair for pair in self._live if pair[0] is run]
        self._live = [pair for pair in self._live if pair[0] is not run]
        self.begin_anew(None)
        self._live = left
        self.show_conversation()

    def show_session(self, session: Session) -> None:
        """Shows another session instead, to read."""
        self._free_opened()
        head = element("p", "cw-chat-opened", "Read only: ", element("strong", "", mark_hidden(session.path.name)))
        notes: list[Node] = [element("p", "cw-chat-note", f"Note: {mark_hidden(note)}") for note in session.notes]
        runs = session.runs[-SHOWN:]
        left = len(session.runs) - len(runs)
        bare = len(runs) - WITH_RECORD
        told = [ipywidgets.HTML(past_run_html(run.events, place >= bare)) for place, run in enumerate(runs)]
        self._opened = [_html(head, *notes, *_missing(left)), *told]
        self._inner.children = self._opened

    def show_conversation(self) -> None:
        """Shows the conversation itself."""
        self._free_opened()
        self._opened = []
        is_empty = not self._past and not self._live
        note = element("p", "cw-chat-empty", EMPTY) if is_empty else None
        self._note.value = _drawn(*([note] if note else _missing(self._left_out)))
        self._inner.children = [self._note, *(html for html, _ in self._past), *(box for _, box in self._live)]

    def _free_opened(self) -> None:
        for html in self._opened:
            free(html)

    def _fold(self, events: Sequence[Event]) -> None:
        self._past.append((ipywidgets.HTML(past_run_html(events)), events))
        if len(self._past) > WITH_RECORD:
            html, old = self._past[-WITH_RECORD - 1]
            html.value = past_run_html(old, with_record=False)
        if len(self._past) > SHOWN:
            free(self._past.popleft()[0])
            self._left_out += 1


def _is_over(run: Run) -> bool:
    """Whether nothing more comes of it; one that could not be begun has not begun."""
    return run.going() is None or run.is_done


def _missing(left: int) -> list[Node]:
    return [missing(f"{left:,} earlier runs of this conversation are not shown here; its log has them")] if left else []


def _drawn(*nodes: Node) -> str:
    return to_html(element("div", "cw cw-below", *nodes)) if nodes else ""


def _html(*nodes: Node) -> ipywidgets.HTML:
    return ipywidgets.HTML(_drawn(*nodes), layout={"margin": "0"})
