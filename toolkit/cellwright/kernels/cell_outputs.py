"""The outputs of one cell, while they come in.

A cell may print for hours, so what is kept is bounded: the first and the last half of a megabyte of text and a number
of displays, and a line that says how much is missing. Pieces of one stream become one output, `clear_output` is
obeyed, and what a program prints into an Output widget stands behind the widget, because no browser will hold it.

The rule that must never break: whatever is left out is counted in the outputs themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from cellwright.codec import NotJsonError, canonical, to_json
from cellwright.messages import JsonObject

MAX_TEXT = 1_000_000
"""Characters of printed text that are kept: half from the start, half from the end."""
MAX_DISPLAYS = 500
MAX_DISPLAY_CHARS = 30_000_000
"""Characters of all displays together; a plot has about 30,000."""
PIECE_COST = 100
"""What a change between the streams counts beside its characters; else a million outputs of one letter would fit."""
WIDGET = "application/vnd.jupyter.widget-view+json"


class _Stream:
    """Text of one stream that came without another output between."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.pieces: list[str] = []
        self.size = 0

    def add(self, text: str) -> None:
        self.pieces.append(text)
        self.size += len(text)

    def keep_last(self, size: int) -> None:
        self.pieces = ["".join(self.pieces)[self.size - size :]]
        self.size = size

    def output(self) -> JsonObject:
        return {"output_type": "stream", "name": self.name, "text": "".join(self.pieces)}


class CellOutputs:
    """Grows by messages from the kernel, also after the cell ended: a thread may print later."""

    def __init__(self) -> None:
        self.said: Callable[[str], None] | None = None
        """Told what the cell prints, as it comes."""
        self._widgets: dict[str, CellOutputs] = {}
        self._inside: CellOutputs | None = None
        self._clear()

    @property
    def outputs(self) -> list[JsonObject]:
        """What has come so far, as nbformat outputs. Displays are live: an update changes them."""
        shown: list[JsonObject] = []
        widgets = dict(self._widgets)
        for output in self._own():
            shown.append(output)
            view = output.get("data", {}).get(WIDGET)
            held = widgets.pop(str(view.get("model_id")), None) if isinstance(view, dict) else None
            shown += held.outputs if held else []
        for held in widgets.values():
            shown += held.outputs
        return shown

    def take(self, message_type: str, content: JsonObject, msg_id: str) -> JsonObject | None:
        """Adds what a message brings; the output made of it, if it is a display. `msg_id` is that of the cell."""
        into = self._inside or self
        match message_type:
            case "stream":
                into.print(str(content.get("name", "stdout")), str(content.get("text", "")))
            case "display_data" | "execute_result" | "error":
                return into.display(message_output(message_type, content))
            case "clear_output":
                into.clear(wait=bool(content.get("wait")))
            case "comm_open" | "comm_msg":
                self._follow_widget(content, msg_id)
        return None

    def print(self, name: str, text: str) -> None:
        """Adds text to a stream."""
        if self.said:
            self.said(text)
        self._clear_if_due()
        room = max(0, MAX_TEXT // 2 - self._head_size)
        if room and not self._tail:
            self._head_size += _extend(self._head, name, text[:room])
            text = text[room:]
        if text:
            self._tail_size += _extend(self._tail, name, text)
        if self._tail_size > MAX_TEXT:
            self._trim(MAX_TEXT // 2)

    def display(self, output: JsonObject) -> JsonObject | None:
        """Adds an output of its own; None if there are too many already."""
        self._clear_if_due()
        size = sum(len(str(value)) for value in (output.get("data") or output).values())
        is_error = output["output_type"] == "error"
        if not is_error and (self._displays >= MAX_DISPLAYS or self._display_size + size > MAX_DISPLAY_CHARS):
            self._dropped += 1
            self._dropped_size += size
            return None
        self._displays += 1
        self._display_size += size
        (self._tail or self._head).append(output)
        return output

    def clear(self, *, wait: bool) -> None:
        """Forgets all outputs, at once or when the next one comes."""
        if wait:
            self._clear_due = True
        else:
            self._clear()

    def _clear(self) -> None:
        self._head: list[_Stream | JsonObject] = []
        self._tail: list[_Stream | JsonObject] = []
        self._head_size = self._tail_size = self._left_out = 0
        self._displays = self._display_size = self._dropped = self._dropped_size = 0
        self._clear_due = False
        self._widgets.clear()

    def _clear_if_due(self) -> None:
        if self._clear_due:
            self._clear()

    def _trim(self, size: int) -> None:
        """Keeps the last `size` characters of the tail's text, and all its displays."""
        kept: list[_Stream | JsonObject] = []
        room = size
        for entry in reversed(self._tail):
            if isinstance(entry, _Stream):
                self._left_out += max(0, entry.size - max(0, room))
                if room <= 0:
                    continue
                if entry.size > room:
                    entry.keep_last(room)
                room -= entry.size + PIECE_COST
            kept.append(entry)
        self._tail = kept[::-1]
        self._tail_size = size - room

    def _own(self) -> Iterator[JsonObject]:
        if self._tail_size > MAX_TEXT // 2:
            self._trim(MAX_TEXT // 2)
        yield from _merged(self._head, [] if self._left_out else self._tail)
        if self._left_out:
            total = self._left_out + sum(e.size for e in (*self._head, *self._tail) if isinstance(e, _Stream))
            yield _note(f"\n[… {self._left_out:,} of {total:,} characters of printed text left out here …]\n")
            yield from _merged(self._tail, [])
        if self._dropped:
            yield _note(f"[{self._dropped:,} more outputs ({self._dropped_size:,} characters) left out]\n")

    def _follow_widget(self, content: JsonObject, msg_id: str) -> None:
        """An Output widget says which cell's outputs it takes from now on, or what it holds."""
        data = content.get("data")
        state = data.get("state") if isinstance(data, dict) else None
        if not isinstance(state, dict):
            return
        widget = str(content.get("comm_id"))
        if "msg_id" in state:
            takes = state["msg_id"] == msg_id
            self._inside = self._widgets.setdefault(widget, CellOutputs()) if takes else None
        held = state.get("outputs")
        if isinstance(held, list) and all(isinstance(output, dict) and "output_type" in output for output in held):
            self._hold(widget, held)

    def _hold(self, widget: str, held: Sequence[JsonObject]) -> None:
        self._widgets[widget] = CellOutputs()
        for output in held:
            self._widgets[widget].take(output["output_type"], output, "")


def message_output(message_type: str, content: JsonObject) -> JsonObject:
    """The nbformat output of a message's content, without what is meant for this moment only."""
    kept = {
        "display_data": ("data", "metadata"),
        "execute_result": ("data", "metadata", "execution_count"),
        "error": ("ename", "evalue", "traceback"),
    }[message_type]
    try:
        found = {key: to_json(content.get(key)) for key in kept}
    except NotJsonError as error:
        return _note(f"[an output that can't be kept: {error}]\n")
    return {"output_type": message_type, **{key: VALID[key](value) for key, value in found.items()}}


def _valid_data(data: object) -> JsonObject:
    """The forms of a display as nbformat has them, since one that it refuses would keep all others from being saved:
    what is no text is JSON text where its type is not JSON, and a form without a value is none."""
    return {
        mime: value if _fits(mime, value) else canonical(value)
        for mime, value in _valid_object(data).items()
        if value is not None or _is_json(mime)
    }


def _fits(mime: str, value: object) -> bool:
    lines = value if isinstance(value, list) else [value]
    return _is_json(mime) or all(isinstance(line, str) for line in lines)


def _is_json(mime: str) -> bool:
    return re.fullmatch(r"application/(.*\+)?json", mime) is not None


def _valid_object(value: object) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _valid_text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else canonical(value)


VALID: Mapping[str, Callable[[object], object]] = {
    "data": _valid_data,
    "metadata": _valid_object,
    "execution_count": lambda count: count if type(count) is int and count >= 0 else None,
    "ename": _valid_text,
    "evalue": _valid_text,
    "traceback": lambda lines: list(map(_valid_text, lines)) if isinstance(lines, list) else [],
}
"""What makes each part of an output one that nbformat takes."""


def _note(text: str) -> JsonObject:
    return {"output_type": "stream", "name": "stderr", "text": text}


def _extend(entries: list[_Stream | JsonObject], name: str, text: str) -> int:
    """Adds text to the last stream if it has this name, else to a new one; what it costs."""
    last = entries[-1] if entries else None
    if isinstance(last, _Stream) and last.name == name:
        last.add(text)
        return len(text)
    entries.append(stream := _Stream(name))
    stream.add(text)
    return len(text) + PIECE_COST


def _merged(first: list[_Stream | JsonObject], second: list[_Stream | JsonObject]) -> Iterator[JsonObject]:
    """The outputs of both, with a stream that was divided between them whole again."""
    outputs = (entry.output() if isinstance(entry, _Stream) else entry for entry in (*first, *second))
    for name, group in groupby(outputs, key=lambda output: output.get("name")):
        if name is None:
            yield from group
        else:
            yield {"output_type": "stream", "name": name, "text": "".join(output["text"] for output in group)}
