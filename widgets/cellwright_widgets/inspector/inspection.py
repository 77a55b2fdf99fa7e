"""A run taken apart: its turns and its calls as rows, and the events that belong to each.

A long run is looked at from above first: one line for each turn and each call, and what lies behind a line only once
somebody asks for it. All of it is read from events, those of a run that goes on, of one that has ended, or of a log;
new ones are taken as they come. The rule that must never break: nothing is asked of a run but its events, so whatever
can be seen of a live run can be seen of its log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cellwright.log.events import Event
from cellwright.log.timeline import Timeline, timeline
from cellwright_widgets.cards.call_story import CallStory, text_of
from cellwright_widgets.cards.head import Head

Source = Callable[[], Mapping[str, Sequence[Event]]]
"""Gives the events so far: those of the run under the empty name, those of each sub-agent under its own."""
Path = tuple[int, ...]
"""Where a row stands: the number of the run, of the turn, and of the events at which calls were made."""


class Turn(Struct, frozen=True):
    """One turn of the model."""

    number: int
    started: float
    asked: int
    """The number of the event with which it began."""
    said: Event | None = None
    """Its message; None while the model writes, or if it broke off."""


class Row(Struct, frozen=True):
    """A line of the list."""

    path: Path
    shows: Turn | CallStory | str
    """What it is about; a text is the heading of a sub-agent."""
    changed: int
    """The number of the event that changed it last."""

    @property
    def key(self) -> str:
        """What a page calls it by."""
        return ".".join(map(str, self.path))


class Part:
    """The rows of one run. Mutable: they grow with its events."""

    def __init__(self, name: str, place: int) -> None:
        self.name = name
        """Empty for the run itself."""
        self.place = place
        self.events: list[Event] = []
        self.head = Head()
        self.rows: dict[Path, Row] = {}
        self.calls: dict[str, Path] = {}
        """Where the row of each call stands."""
        self.about: dict[str, list[Event]] = {}
        """The events of each call."""
        self.turns: list[Path] = []

    def take(self, events: Sequence[Event]) -> None:
        """Takes what is new in the events of this run."""
        for event in events[len(self.events) :]:
            self.events.append(event)
            self.head = self.head.after(event)
            self._take(event)

    def _take(self, event: Event) -> None:
        call = text_of(event.data, "id")
        match event.kind:
            case "run_started" if self.name:
                task = text_of(event.data, "prompt")
                self._put(Row((self.place,), f"{self.name}: {task}", event.number))
            case "turn_started":
                path = (self.place, len(self.turns) + 1)
                self.turns.append(path)
                self._put(Row(path, Turn(len(self.turns), event.time, event.number), event.number))
            case "message" if self.turns:
                turn = self.rows[self.turns[-1]].shows
                if isinstance(turn, Turn):
                    self._put(Row(self.turns[-1], replace(turn, said=event), event.number))
            case "call":
                self._made(call, event)
        if call in self.calls:
            self.about[call].append(event)
            row = self.rows[self.calls[call]]
            if isinstance(row.shows, CallStory):
                self._put(Row(row.path, row.shows.after(event), event.number))

    def _made(self, call: str, event: Event) -> None:
        """A call that code makes stands below the call that runs the code."""
        data, within = event.data, text_of(event.data, "within")
        above = self.calls.get(within) or (self.turns[-1] if self.turns else (self.place, 0))
        path = (*above, event.number)
        story = CallStory(call, text_of(data, "name"), text_of(data, "arguments"), event.time, within=within)
        self.calls[call], self.about[call] = path, []
        self._put(Row(path, story, event.number))

    def _put(self, row: Row) -> None:
        self.rows[row.path] = row


class Inspection:
    """The parts of a run and of its sub-agents. Mutable: it takes what is new whenever it is asked to."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._parts: dict[str, Part] = {}
        self.renew()

    def renew(self) -> None:
        """Takes what has happened since."""
        for name, events in self._source().items():
            part = self._parts.setdefault(name, Part(name, len(self._parts)))
            part.take(events)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The run, then its sub-agents."""
        return tuple(self._parts.values())

    @property
    def head(self) -> Head:
        """The run as a whole."""
        return self.parts[0].head if self._parts else Head()

    @property
    def known(self) -> list[int]:
        """How many events of each part were taken."""
        return [len(part.events) for part in self.parts]

    def rows(self, since: Sequence[int] = ()) -> Iterator[Row]:
        """The rows that changed after so many events of each part, in their order."""
        for part in self.parts:
            seen = since[part.place] if part.place < len(since) else 0
            for path in sorted(path for path, row in part.rows.items() if row.changed > seen):
                yield part.rows[path]

    def find(self, key: str) -> tuple[Part, Row] | None:
        """The row of that key, and the run that it is of."""
        for part in self.parts:
            for row in part.rows.values():
                if row.key == key:
                    return part, row
        return None

    def timeline(self) -> Timeline:
        """Where the time went."""
        run, *agents = self.parts or (Part("", 0),)
        return timeline(run.events, {part.name: part.events for part in agents})
