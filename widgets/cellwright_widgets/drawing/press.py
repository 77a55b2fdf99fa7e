"""What a person did to a control of a live drawing: from the page to the kernel, and the answer back.

    page   -> {"press": {"id": "x7k", "to": "table", "call": "call_1", ... , "value": "north"}}
    kernel -> {"answer": "x7k", "node": [...]}    or "copy": "a text", "said": "...", or "failed": "why"

`to` names the answerer; the rest is what the control carried (`control.py`), and `value` what was typed or ticked. An
answerer is a function of a `Press` that gives a node, drawn in place of the part around the control, or a `Clip` for
the clipboard. A plain one runs in a thread, so that it may take its time; an `async` one runs on the loop of the run.
An answer can be lost on its way, so a page that has none says the same press again, and the answer is sent again. The
page sends trusted clicks alone, but a message may come from anywhere and hold anything. The rule that must never break:
a press is acted on once, whatever it says does no harm, and the kernel never waits for it.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import threading
from collections.abc import Callable, Coroutine
from typing import Any, cast

from msgspec import Struct

from cellwright.messages import JsonObject, told
from cellwright_widgets.drawing.control import MAX_PRESS
from cellwright_widgets.drawing.node import Node

MAX_ANSWER = 1_000_000
"""Characters of an answer; one that is longer is not sent."""
PENDING = 4
"""Presses that are worked on at once; a page that sends more has to say them again."""
KEPT = 32
"""Answers that are kept for a page that did not get them."""


class Press(Struct, frozen=True):
    """What was pressed. Nothing in it can be trusted but that it is small JSON."""

    to: str
    facts: JsonObject
    """All that the control carried."""
    value: str | bool | None = None
    """What was typed into a field, or whether a box is ticked now."""


class Clip(Struct, frozen=True):
    """A text for the person's clipboard."""

    text: str
    said: str = ""
    """What the person is told of it, if not that it was copied."""


Answer = Node | Clip
Plain = Callable[[Press], Answer]
Later = Callable[[Press], Coroutine[Any, Any, Answer]]
Answerer = Plain | Later


class Presses:
    """The presses of one view, and who answers them. Mutable: it keeps the last answers."""

    def __init__(
        self, send: Callable[[JsonObject], None], loop: Callable[[], asyncio.AbstractEventLoop | None]
    ) -> None:
        self.answerers: dict[str, Answerer] = {}
        """By the name that a control gives as `to`."""
        self._send = send
        self._loop = loop
        self._answers: dict[str, JsonObject | None] = {}
        """By the id of the press, the oldest first; None while it is worked on."""
        self._lock = threading.Lock()

    def take(self, said: object) -> None:
        """Takes what a page says was pressed."""
        if not isinstance(said, dict) or not _is_press(said):
            return
        number, known = said["id"], None
        with self._lock:
            if (is_new := number not in self._answers) and self._is_full():
                return  # it says so again
            known = self._answers.setdefault(number, None)
        if known is not None:
            self._send(known)
        elif is_new:
            self._begin(number, Press(said["to"], said, said.get("value")))

    def _is_full(self) -> bool:
        """Whether no more can be taken; forgets the answer that is kept longest."""
        done = [number for number, answer in self._answers.items() if answer is not None]
        if len(done) >= KEPT:
            del self._answers[done[0]]
        return len(self._answers) - len(done) >= PENDING

    def _begin(self, number: str, press: Press) -> None:
        answerer, loop = self.answerers.get(press.to), self._loop()
        if answerer is None:
            self._end(number, {"failed": f"nobody answers {press.to!r} here any more"})
        elif inspect.iscoroutinefunction(answerer):
            self._begin_task(number, answerer, press, loop)
        else:
            self._begin_thread(number, cast("Plain", answerer), press)

    def _begin_task(self, number: str, answerer: Later, press: Press, loop: asyncio.AbstractEventLoop | None) -> None:
        async def work() -> None:
            try:
                self._end(number, _message(await answerer(press)))
            except Exception as error:  # the answerer's own code, or what it did not expect to be sent
                self._end(number, _failed(error))

        if loop is None or loop.is_closed():
            self._end(number, {"failed": "the run's event loop is gone"})
        else:
            asyncio.run_coroutine_threadsafe(work(), loop)

    def _begin_thread(self, number: str, answerer: Plain, press: Press) -> None:
        def work() -> None:
            try:
                self._end(number, _message(answerer(press)))
            except Exception as error:  # the same
                self._end(number, _failed(error))

        try:
            threading.Thread(target=work, name="cellwright-press", daemon=True).start()
        except RuntimeError:  # a kernel without threads
            work()

    def _end(self, number: str, message: JsonObject) -> None:
        message = {"answer": number, **message}
        with self._lock:
            self._answers[number] = message
        self._send(message)


def _is_press(said: JsonObject) -> bool:
    """Whether it is small, and has what every press has."""
    number, to, value = said.get("id"), said.get("to"), said.get("value")
    if not isinstance(number, str) or not isinstance(to, str) or not 0 < len(number) <= 40:
        return False
    try:
        return isinstance(value, str | bool | None) and len(json.dumps(said)) <= 2 * MAX_PRESS
    except (ValueError, TypeError, RecursionError):
        return False


def _message(answer: Answer) -> JsonObject:
    message: JsonObject = {"copy": answer.text, "said": answer.said} if isinstance(answer, Clip) else {"node": answer}
    size = len(json.dumps(message))
    if size > MAX_ANSWER:
        return {"failed": f"the answer has {size:,} characters, and {MAX_ANSWER:,} are sent at most"}
    return message


def _failed(error: Exception) -> JsonObject:
    return {"failed": f"this did not work: {told(error)}"}
