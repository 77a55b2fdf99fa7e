"""Where the time of a run went: what the model, the tools and the person took, one beside the other.

A list of calls tells what was done; it does not tell that three calls went on at once, or that most of a minute was
spent waiting for a click. A timeline is worked out from the events alone, so that a log from last year gives the same
one. A result is written in the order of the calls, so a call that ended early tells by its stages when that was.
The rule that must never break: a span has its row for good as soon as it began, however the run goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cellwright.log.events import Event
from cellwright.messages import JsonObject
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden
from cellwright.views.bar import bar

SpanKind = Literal["model", "person", "tool"]
LANES: Mapping[SpanKind, str] = {"model": "model", "person": "you", "tool": "tools"}
"""The lanes of a run, from the top; what sub-agents do stands in lanes of their own."""
ROWS = 200
"""Lines of a timeline in text, at most."""
NAME = 24
"""Letters of a name in it."""


class Span(Struct, frozen=True):
    """Something that took time. Seconds are counted from the beginning of the run."""

    kind: SpanKind
    name: str
    """The tool, or what the model or the person did."""
    start: float
    end: float | None = None
    """None while it goes on."""
    call: str = ""
    """The id of the call that it belongs to."""
    turn: int = 0
    outcome: str = ""
    """`ok` or the error type of a call; what a person answered; why a turn ended."""
    row: int = 0
    """Things that go on at the same time stand in different rows of their lane."""
    changed: int = 0
    """The number of the event that changed it last."""


class Mark(Struct, frozen=True):
    """A moment: a step began, or the person said something."""

    at: float
    text: str
    number: int
    """That of its event."""


class Lane(Struct, frozen=True):
    """Spans that belong together, in the order in which they began."""

    name: str
    spans: tuple[Span, ...]
    agent: str = ""
    """The sub-agent that it is about; empty for the run itself."""

    @property
    def rows(self) -> int:
        """Rows that it needs."""
        return 1 + max((span.row for span in self.spans), default=0)


class Timeline(Struct, frozen=True):
    """A run, drawn over time."""

    began: float
    """Seconds since 1970."""
    seconds: float
    """From the first event to the last, those of sub-agents included."""
    lanes: tuple[Lane, ...]
    marks: tuple[Mark, ...]
    is_over: bool
    """Whether the run has ended."""

    def lines(self, width: int = 60) -> list[tuple[str, str, str]]:
        """Each row of each lane: its name, its bars so many letters wide, and what they are in words."""
        lines = [line for lane in self.lanes for line in _lane_lines(lane, self.seconds, width)]
        left = len(lines) - ROWS
        return lines[:ROWS] + ([("", " " * width, f"… {left:,} more lines")] if left > 0 else [])

    def text(self, width: int = 60) -> str:
        """As lines of a terminal."""
        head = f"{quantity(len(self.marks), 'step')}, {self.seconds:.2f} s"
        lines = [("", f"{head:<{width}.{width}}", ""), *self.lines(width)]
        return "\n".join(f"{name:{NAME}}  |{drawn}|  {told}".rstrip() for name, drawn, told in lines)


def timeline(events: Iterable[Event], agents: Mapping[str, Iterable[Event]] | None = None) -> Timeline:
    """The timeline of a run; `agents` are the events of its sub-agents, by their names."""
    seen = _Reading(events, {kind: _Track() for kind in LANES})
    lanes = [Lane(LANES[kind], tuple(track.spans)) for kind, track in seen.tracks.items()]
    last = seen.last
    for name, below in (agents or {}).items():
        track = _Track()
        other = _Reading(below, dict.fromkeys(LANES, track), seen.began)
        lanes.append(Lane(name, tuple(track.spans), name))
        last = max(last, other.last)
    filled = tuple(lane for lane in lanes if lane.spans)
    return Timeline(seen.began or 0.0, last, filled, tuple(seen.marks), seen.is_over)


class _Track:
    """The spans of one lane as they come, each in the first row that is free when it begins."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self._busy: list[bool] = []
        self._open: dict[tuple[SpanKind, str], int] = {}

    def begin(self, span: Span) -> None:
        if False not in self._busy:
            self._busy.append(False)
        row = self._busy.index(False)
        self._busy[row] = True
        self._open[span.kind, span.call] = len(self.spans)
        self.spans.append(replace(span, row=row))

    def going_on(self, kind: SpanKind, call: str) -> Span | None:
        place = self._open.get((kind, call))
        return None if place is None else self.spans[place]

    def end(self, kind: SpanKind, call: str, end: float, outcome: str, number: int) -> None:
        place = self._open.pop((kind, call), None)
        if place is None:
            return
        span = self.spans[place]
        self._busy[span.row] = False
        self.spans[place] = replace(span, end=max(end, span.start), outcome=outcome, changed=number)

    def end_all(self, end: float, outcome: str, number: int) -> None:
        for kind, call in list(self._open):
            self.end(kind, call, end, outcome, number)


class _Reading:
    """The spans of events, each on the track of its kind."""

    def __init__(self, events: Iterable[Event], tracks: Mapping[SpanKind, _Track], began: float | None = None) -> None:
        self.tracks = tracks
        self.began = began
        self.last = 0.0
        self.marks: list[Mark] = []
        self.is_over = False
        self._names: dict[str, str] = {}
        for event in events:
            self._take(event)

    def _take(self, event: Event) -> None:
        """An event of a kind that is not known here only moves the end on."""
        data, call = event.data, str(event.data.get("id") or "")
        self.began = event.time if self.began is None else self.began
        now = event.time - self.began
        self.last = max(self.last, now)
        match event.kind:
            case "turn_started":
                self.marks.append(Mark(now, f"step {len(self.marks) + 1}", event.number))
                self._begin("model", self.marks[-1].text, now, event)
            case "message":
                self._end("model", "", now, event, str(data.get("stop") or ""))
            case "call":
                self._names[call] = str(data.get("name") or "")
            case "question":
                self._begin("person", f"asked about {self._names.get(call, '')}", now, event, call)
            case "answer":
                self._end("person", call, now, event, str(data.get("answer") or ""))
            case "executing":
                self._begin("tool", self._names.get(call, ""), now, event, call)
            case "result":
                self._end_call(call, now, event)
            case "run_ended":
                self.is_over = True
                for track in self.tracks.values():
                    track.end_all(now, str(data.get("stop_reason") or ""), event.number)

    def _begin(self, kind: SpanKind, name: str, now: float, event: Event, call: str = "") -> None:
        self._end(kind, call, now, event, "")  # a log that was cut may lack the end of what began before
        span = Span(kind, name, now, call=call, turn=len(self.marks), changed=event.number)
        self.tracks[kind].begin(span)

    def _end(self, kind: SpanKind, call: str, now: float, event: Event, outcome: str) -> None:
        self.tracks[kind].end(kind, call, now, outcome, event.number)

    def _end_call(self, call: str, now: float, event: Event) -> None:
        outcome = "ok" if event.data.get("ok") else str(event.data.get("error_type") or "failed")
        self._end("person", call, now, event, outcome)
        span = self.tracks["tool"].going_on("tool", call)
        if span is None:  # it was refused before anything ran: a moment, so that it is seen
            self._begin("tool", self._names.get(call, ""), now, event, call)
            self._end("tool", call, now, event, outcome)
            return
        seconds = tool_seconds(event.data)
        self._end("tool", call, now if seconds is None else min(now, span.start + seconds), event, outcome)


def tool_seconds(result: JsonObject) -> float | None:
    """How long the tool itself ran, if its result says so."""
    metadata = result.get("metadata")
    stages = metadata.get("stages") if isinstance(metadata, dict) else None
    seconds = stages.get("execute") if isinstance(stages, dict) else None
    return float(seconds) if isinstance(seconds, int | float) and seconds >= 0 else None


def _lane_lines(lane: Lane, whole: float, width: int) -> Iterator[tuple[str, str, str]]:
    for row in range(lane.rows):
        spans = [span for span in lane.spans if span.row == row]
        took = [(span.start, whole if span.end is None else span.end) for span in spans]
        told = _told(spans, sum(end - start for start, end in took))
        name = _short(lane.name) if row == 0 else ""
        yield name, bar(took, whole, width), told


def _told(spans: list[Span], seconds: float) -> str:
    names = list(dict.fromkeys(_short(span.name) for span in spans))
    rest = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{seconds:.2f} s: {', '.join(names[:3])}{rest}"


def _short(name: str) -> str:
    return mark_hidden(name[:NAME]).replace("\n", "⏎")[:NAME]
