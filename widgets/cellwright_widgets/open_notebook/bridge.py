"""The way from the kernel to the pages that have its notebook open, and back.

One widget that shows nothing: its script runs in each page that has a document of this kernel's, and answers what it
is asked (`static/bridge.js`). Pages come, go and fall silent without a word, a long answer comes in pieces, and who
waits is a thread, so that the kernel can hear the answer meanwhile. The rule that must never break: nobody waits
longer for a silent page than their patience; time in which the kernel itself could not listen is not counted.
"""

from __future__ import annotations

import asyncio
import json
import queue
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence

import anywidget
from msgspec import Struct

from cellwright.messages import JsonObject
from cellwright_widgets.drawing.style import STATIC

SCRIPTS = ("open_notebook.js", "bridge.js")
GLANCE = 0.05
"""Seconds between two looks whether the kernel could listen."""
TIMES = 4
"""How often a question is asked, at most, while there is patience: it may have been lost."""
MAX_PIECES = 5_000
"""Pieces of one answer, at most; each has 400,000 characters."""


class Page(Struct, frozen=True):
    """A page in which a notebook of this kernel is open, as it described itself last."""

    name: str
    path: str
    """The path of its document, seen from the root of the Jupyter server."""
    client: str = ""
    """By what its messages to the kernel are known."""
    is_seen: bool = False
    """Whether the person looks at it."""
    is_shared: bool = False
    """Whether other pages have the very same document (`jupyter-collaboration`)."""

    @classmethod
    def of(cls, name: str, said: object) -> Page | None:
        """The page that says this of itself; None for nonsense."""
        if not isinstance(said, dict) or not isinstance(said.get("path"), str):
            return None
        is_seen = said.get("focus") is True or said.get("visible") is True
        return cls(name, said["path"], str(said.get("client", "")), is_seen, said.get("shared") is True)


Answers = Mapping[str, JsonObject]
"""What pages answered, by their names."""


class Bridge(anywidget.AnyWidget):
    """The widget. `pages` are those that were heard of and have not said goodbye."""

    _esm = "\n".join((STATIC / name).read_text("utf-8") for name in SCRIPTS)

    def __init__(self) -> None:
        super().__init__()
        self.pages: dict[str, Page] = {}
        self.silent: set[str] = set()
        """The names of those that did not answer when they were asked last; they may be gone."""
        self._made = time.monotonic()
        self._heard = threading.Condition()
        """Told each time a page speaks of itself."""
        self._letters: dict[str, queue.SimpleQueue[tuple[str, JsonObject]]] = {}
        self._loop = asyncio.get_running_loop()
        self.on_msg(self._on_message)

    @property
    def is_open(self) -> bool:
        """Whether the kernel can still speak through it."""
        return self.comm is not None and not self._loop.is_closed()

    def await_pages(self, client: str, patience: float) -> None:
        """Waits for the page of that client, or for any if none is named; so many seconds from the making on, at most.

        Where two pages are open, the one that has just run a cell may well be the slower one to speak.
        """

        def is_there() -> bool:
            return any(not client or page.client == client for page in self.pages.values())

        with self._heard:
            self._heard.wait_for(is_there, max(0.0, self._made + patience - time.monotonic()))

    def ask(
        self,
        op: str,
        patience: float,
        page: str = "",
        *,
        steps: Sequence[JsonObject] = (),
        name: str = "",
        enough: Callable[[Answers], object] = bool,
    ) -> Answers:
        """The answers of one page, or of all if none is named, once there are enough or patience is over.

        A question that is asked again by the same `name` is answered again, and a change not made again.
        """
        number = name or secrets.token_hex(8)
        letters = self._letters.setdefault(number, queue.SimpleQueue())
        answers: dict[str, JsonObject] = {}
        pieces: dict[str, list[str]] = {}
        clock, asked = Clock(self._loop, patience), 0.0
        try:
            while not (answers and enough(answers)) and not clock.is_over:
                if not pieces and clock.spent >= asked:
                    self.send({"op": op, "n": number, "page": page, "steps": list(steps)})
                    asked = clock.spent + patience / TIMES
                try:
                    sender, content = letters.get(timeout=GLANCE)
                except queue.Empty:
                    clock.tick()
                    continue
                clock.begin_anew()  # a page that sends pieces is not silent
                _add(answers, pieces, sender, content)
        finally:
            self._letters.pop(number, None)
        return answers

    def _on_message(self, _: object, content: JsonObject, __: object) -> None:
        """What a page says. It may be anything, and may come in any thread."""
        if not isinstance(content, dict) or not isinstance(content.get("page"), str):
            return
        name = content["page"]
        if content.get("bye") is True:
            self.pages = {known: page for known, page in self.pages.items() if known != name}
        elif "hello" in content:
            self.note(name, content["hello"])
        else:
            letters = self._letters.get(str(content.get("n")))
            if letters is not None:
                letters.put((name, content))

    def note(self, name: str, said: object) -> None:
        """A page described itself."""
        page = Page.of(name, said)
        if page is not None:
            with self._heard:
                self.pages = {**self.pages, name: page}
                self._heard.notify_all()
            self.silent.discard(name)


def _add(answers: dict[str, JsonObject], pieces: dict[str, list[str]], sender: str, content: JsonObject) -> None:
    """Takes a piece of an answer; pieces come in order, and one that does not spoils the answer."""
    part, parts, text = content.get("part"), content.get("parts"), content.get("text")
    known = pieces.setdefault(sender, [])
    if sender in answers or not isinstance(text, str) or not isinstance(parts, int) or not 0 < parts <= MAX_PIECES:
        return
    if part == 0:
        known.clear()
    if part != len(known):
        return
    known.append(text)
    if len(known) == parts:
        answer = _read("".join(known))
        if answer is not None:
            answers[sender] = answer


def _read(text: str) -> JsonObject | None:
    """The answer; two halves of a letter that came in two pieces are one again."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    try:
        found = json.loads(whole)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


class Clock:
    """The time that the kernel could have listened in: while it computes, a page can answer as much as it likes."""

    def __init__(self, loop: asyncio.AbstractEventLoop, patience: float) -> None:
        self._loop, self._patience = loop, patience
        self._silence = 0.0
        self._turned = threading.Event()
        self.spent = 0.0
        self._wind()

    @property
    def is_over(self) -> bool:
        """Whether nothing was heard for as long as there is patience."""
        return self._silence >= self._patience

    def tick(self) -> None:
        """A glance has gone by; it counts if the kernel's loop turned in it."""
        if self._turned.is_set() or self._loop.is_closed():
            self._silence += GLANCE
            self.spent += GLANCE
            self._wind()

    def begin_anew(self) -> None:
        """Something was heard."""
        self._silence = 0.0

    def _wind(self) -> None:
        self._turned.clear()
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._turned.set)
