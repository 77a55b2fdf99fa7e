"""The log of a run: facts in the order they happened, and nothing else.

Everything that can be seen of a run (the conversation, the widgets, the cost, a replay) is worked out from its
events, so they are written down first and shown after. A log only grows. With a file behind it, each event is one
line of JSON, written and flushed before anyone is told; secrets are masked before that. What is of use only while it
happens (a few letters of a stream, a line of progress) is told to the observers and not kept; the message or result
that follows holds it whole. The rule that must never break: whatever was sent to a model can be told again from the
events alone, but for the secrets.
"""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from cellwright.errors import LogError
from cellwright.log.log_file import FORMAT, LogFile
from cellwright.messages import JsonObject
from cellwright.text.masking import Masking

Kind = Literal[
    "run_started",  # run, prompt, model, mode, tools (their digest), cwd
    "system",  # text: what the model is told before all else, from here on
    "earlier",  # run, messages, found, folder, files, kept, todo, kernels: what this run goes on from; in a file,
    # `of` names the log before it of which the messages are, and `messages` is their number
    "tools",  # digest, names, definitions: the names that the model is shown from here on, in their order, and by name
    # the canonical text of each definition that is new
    "turn_started",  # turn
    "text",  # text: a piece of the model's stream (not kept)
    "thinking",  # text: the same of its thinking (not kept)
    "message",  # turn, text, thinking, calls, stop, usage, sealed, cost (dollars of the run so far, null if not known)
    "call",  # id, name, arguments, and within (the id of another call) if code made it
    "arguments",  # id, args, repairs, by: the arguments as read, or as a person or a hook changed them
    "hook",  # hook, event, answer, reason, and id if it is about a call: a hook had something to say, or failed
    "decision",  # id, decision (allow, ask, deny), by, reason
    "question",  # id, name, args, view, reason, destructive, by, rule, parts, offers (title, rules): a person is asked
    # for leave; id, name and view alone: a person is asked what a tool wants to know
    "answer",  # id, answer, reason; for a grant its scope and rules, for a choice the numbers of the operations kept,
    # for a reply what was chosen and its text;
    # also (calls allowed with it), allowed_with (the call with which this one was)
    "executing",  # id
    "progress",  # id, text (not kept)
    "effect",  # id, name, changes (path, before, after), folders, lasting, store: what a call that ran has changed
    "result",  # id, name, ok, content, value, view, error_type, metadata, images, context
    "seen",  # files (path, versions, unread, unnumbered): what the model knows of files that it has read or written
    "tools_changed",  # digest, added, gone, changed, text: the model is shown other tools than in the turn before
    "conditions",  # mode, max_parallel, changed (names), by (call, person), and id if a call changed them; the folder
    # and the tools that were found, if these have changed
    "undone",  # id, name, files, text (for the model): the person took a call back; where the files are as before it
    "redone",  # the same: where they are as the call left them
    "compacted",  # put_away (by call, what its result says now), summary, first_kept, usage, cost, text: room was made
    "paused",  # before (turn, call), turn, or id and name, why (pause, step, breakpoint, error): the run waits
    "continued",  # the same: it goes on from there
    "steered",  # text: what the person said while the run was going
    "note",  # text: something a reader of the log should know
    "run_ended",  # stop_reason, answer, usage, cost, error, steps
]
FLEETING: frozenset[Kind] = frozenset({"text", "thinking", "progress"})
"""Kinds that are told and not kept."""
OPTIONAL: frozenset[Kind] = frozenset(
    {"arguments", "decision", "question", "answer", "executing", "effect", "seen", "paused", "continued", "note"}
)
"""Kinds without which the conversation and what it stands on are whole; a reader that does not know one passes over it,
and of any other kind it refuses the log."""


class Event(NamedTuple):
    """One fact."""

    number: int
    """Its place in the log, from 1; a fleeting event has the number of the last kept one."""
    time: float
    """Seconds since 1970."""
    kind: Kind
    data: JsonObject


class Observer(Protocol):
    """Someone who watches a run. It is called on the run's event loop and must return at once."""

    def on_event(self, event: Event) -> None:
        """An event has been recorded."""


class Recorder:
    """An observer that keeps all events, fleeting ones too; for tests and lessons."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def on_event(self, event: Event) -> None:
        """Keeps the event."""
        self.events.append(event)


class Log:
    """The events of one run, in memory and, if a path is given, in a file of JSON lines.

    A file that is there already is continued; each run in it begins with a line that names the format and the log. What
    is written of an earlier run again, after another one, begins with that line as well.
    Secrets are masked in all that is recorded, those of the environment unless a masking is given.

    Raises:
        LogError: if the file can't be written, or another run that goes on writes it.
    """

    def __init__(
        self, observers: Sequence[Observer] = (), path: Path | None = None, masking: Masking | None = None
    ) -> None:
        self.id = secrets.token_hex(8)
        """The name of this log among all logs."""
        self.masking = Masking.of_environment() if masking is None else masking
        self.events: list[Event] = []
        self.broken = ""
        """Why the file can't be written any more; nothing may have an effect that could not be written down."""
        self._observers = list(observers)
        self._failed: set[int] = set()
        self.path = path
        self._file = LogFile(path) if path else None
        self._head = {"format": FORMAT, "kind": "log", "id": self.id}
        self._write(self._head)
        if self.broken:
            raise LogError(self.broken)

    @classmethod
    def continued(cls, events: Sequence[Event], log: str, path: Path | None) -> Log:
        """The log of an earlier run, of this name, with its events; its file is written while it is reopened."""
        found = cls()
        found.id, found.events, found.path = log, list(events), path
        found._head = {**found._head, "id": log}
        return found

    def record(self, kind: Kind, **data: object) -> Event:
        """Keeps a fact (unless its kind is fleeting), writes it down, then tells the observers."""
        known = self.masking.known
        for name, value in data.items():
            if type(value) is not str or value not in known:
                data[name] = self.masking.own(value)
        return self.keep(kind, data)

    def keep(self, kind: Kind, data: JsonObject, in_file: JsonObject | None = None) -> Event:
        """The same with data that is masked JSON already, and that nobody else holds; `in_file` says it shorter."""
        kept = kind not in FLEETING
        event = Event(len(self.events) + kept, time.time(), kind, data)
        if kept:
            self.events.append(event)
            if self._file is not None:
                self._write(line_of(event if in_file is None else event._replace(data=in_file)))
        for observer in self._observers:
            self._tell(observer, event)
        return event

    def note(self, text: str) -> None:
        """A note, unless the log holds it already, as that of a fork may."""
        if not any(event.kind == "note" and event.data.get("text") == text for event in self.events):
            self.record("note", text=text)

    def close(self) -> None:
        """Closes the file behind the log, if there is one."""
        if self._file:
            self._file.close()

    @contextmanager
    def reopened(self) -> Iterator[None]:
        """Its file can be written again for a moment: for what a person does with a run that has ended.

        Raises:
            LogError: if it can't.
        """
        if self.path is None or (self._file and self._file.is_open):
            yield
            return
        self._file = LogFile(self.path)
        self._write(self._head)
        try:
            yield
        finally:
            self.close()

    def _write(self, line: JsonObject) -> None:
        if self._file:
            self.broken = self.broken or self._file.write(line)

    def _tell(self, observer: Observer, event: Event) -> None:
        """An observer that raises is named on standard error, once, and changes nothing: the log goes on."""
        try:
            observer.on_event(event)
        except (Exception, SystemExit) as error:
            if id(observer) not in self._failed:
                print(f"observer {type(observer).__name__} failed at event {event.number}: {error!r}", file=sys.stderr)
            self._failed.add(id(observer))


def line_of(event: Event) -> JsonObject:
    """An event as it stands in a file."""
    line = {"number": event.number, "time": event.time, "kind": event.kind, "data": event.data}
    if event.kind in OPTIONAL:
        line["optional"] = True
    return line
