"""Reading a file of logs: one run after another, each a line that names it and then its events.

The shape of a file is simple: a run that is written into a file that is there begins after the last one, with a line
`{"format": 2, "kind": "log", "id": ...}` and events that are numbered from 1. The same line, with the same id, goes
before what is written of an earlier run later on, such as an undo. Where a run goes on from one that stands before it
in the file, its conversation so far is not written again; it is told from that one. The rule that must never
break: a log is read whole or refused. What is not understood is never passed over, unless its line says that it may
be; only a last line that is torn is left out, since a killed process had told nobody of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast, get_args

from msgspec import Struct
from msgspec.structs import replace

from cellwright.codec import to_json
from cellwright.errors import LogError
from cellwright.log.event_shape import misfit
from cellwright.log.events import Event, Kind
from cellwright.log.history import History
from cellwright.log.log_file import FORMAT, is_in_use, is_line, line_text
from cellwright.log.saved_message import saved
from cellwright.messages import JsonObject
from cellwright.sessions.mending import mended

HALF = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")
"""What may be half of a character: escaped, or as the bytes that JSON of Python lets pass."""
KINDS = frozenset(get_args(Kind))


class ReadLog(Struct, frozen=True):
    """The log of one run as it was read."""

    id: str
    events: tuple[Event, ...]
    is_going_on: bool = False
    """Whether somebody writes it at this moment; then it has no end yet."""


class ReadFile(Struct, frozen=True):
    """All that a file holds."""

    logs: tuple[ReadLog, ...]
    notes: tuple[str, ...]
    """What was mended."""


def read_file(path: Path) -> ReadFile:
    """The logs of a file.

    Raises:
        LogError: if it can't be read, is no log, or holds something that is not understood.
    """
    try:
        going_on = is_in_use(path)
        data = path.read_bytes()
    except OSError as error:
        raise LogError(f"the log {path} can't be read: {error.strerror}") from None
    *lines, end = data.split(b"\n")
    notes: list[str] = []
    if end and is_line(end):
        lines.append(end)
    elif end and not going_on:
        notes.append(f"the last line was torn: {len(end):,} bytes are left out")
    logs = _logs(path, [_read_line(path, number, line) for number, line in enumerate(lines, 1)], going_on)
    if not logs:
        raise LogError(
            f"the log {path} holds no run: it ends before the first fact of one; a run with log= goes on in it"
        )
    return ReadFile(*_sound(path, logs, notes))


def _read_line(path: Path, number: int, line: bytes) -> JsonObject:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not _is_text(line, found):
        raise LogError(f"line {number} of the log {path} is no JSON object; it was changed, or it is no log")
    return found


def _is_text(line: bytes, found: JsonObject) -> bool:
    """Whether it holds no half of a character, which nothing could write down again."""
    if not HALF.search(line):
        return True
    try:
        line_text(found).encode()
    except ValueError:
        return False
    return True


def _logs(path: Path, lines: Sequence[JsonObject], going_on: bool) -> list[ReadLog]:
    """The runs of a file, as they stand there. One of which nothing was written but its head is none."""
    logs: dict[str, list[Event]] = {}
    events: list[Event] | None = None
    for number, line in enumerate(lines, 1):
        where = f"line {number} of the log {path}"
        if line.get("kind") == "log":
            events = logs.setdefault(_head(where, line), [])
        elif events is None:
            raise LogError(f"{where} is no head of a log; give a file that log= or --log wrote")
        else:
            events.append(_event(where, line, len(events) + 1))
    found = [ReadLog(name, tuple(events)) for name, events in logs.items() if events]
    if found and going_on:
        found[-1] = replace(found[-1], is_going_on=True)
    return found


def _head(where: str, line: JsonObject) -> str:
    if line.get("format") != FORMAT:
        raise LogError(
            f"{where} says format {line.get('format')!r}, and this Cellwright reads format {FORMAT}; open it with the "
            "Cellwright that wrote it"
        )
    return str(line.get("id", ""))


def _event(where: str, line: JsonObject, number: int) -> Event:
    kind, data, time = line.get("kind"), line.get("data"), line.get("time")
    if not isinstance(kind, str) or not isinstance(data, dict) or not isinstance(time, float | int):
        raise LogError(f"{where} is no event; it was changed, or another program wrote it")
    if line.get("number") != number:
        raise LogError(f"{where} has event {line.get('number')!r} where event {number} belongs; lines are missing")
    if kind not in KINDS and line.get("optional") is not True:
        raise LogError(f"{where} is an event {kind[:40]!r}, which this Cellwright does not know and may not pass over")
    place = misfit(cast(Kind, kind), data)
    if place:
        raise LogError(f"{where} is an event {kind!r} that lacks {place}, or has something else there; it was changed")
    return Event(number, float(time), cast(Kind, kind), data)


def _sound(path: Path, logs: Sequence[ReadLog], notes: list[str]) -> tuple[tuple[ReadLog, ...], tuple[str, ...]]:
    """The logs with an end each, and with the conversations that they go on from."""
    conversations: dict[str, list[Any]] = {}
    sound: list[ReadLog] = []
    for log in logs:
        history = History()
        try:
            events = tuple(_told_whole(log.events, conversations))
            if not log.is_going_on:
                whole = mended(events)
                events = whole.events
                notes += [whole.note] if whole.note else []
            for event in events:
                history.add(event)
        except (LookupError, TypeError, AttributeError, ValueError, RecursionError) as error:
            raise LogError(f"the log {path} lacks something in run {log.id} ({error!r}); it was changed") from None
        conversations[log.id] = [to_json(saved(message)) for message in history.messages]
        sound.append(replace(log, events=events))
    return tuple(sound), tuple(notes)


def _told_whole(events: Sequence[Event], conversations: dict[str, list[Any]]) -> Iterator[Event]:
    for event in events:
        if event.kind == "earlier" and "of" in event.data:
            messages = conversations[event.data["of"]]
            if len(messages) != event.data["messages"]:
                raise ValueError(f"{event.data['messages']} messages of another run, which has {len(messages)}")
            data = {name: value for name, value in event.data.items() if name != "of"}
            event = event._replace(data={**data, "messages": messages})
        yield event
