"""What the command line says: a run as it goes on standard error, and an answer on standard output.

A script reads standard output, and a person both. So what is data goes to the one, as it is, and all that is only told
goes to the other, in short lines. The rule that must never break: nothing that a model or a tool wrote is obeyed by
the terminal that it is told on.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress

from cellwright.console.console import Console
from cellwright.log.events import Event, Observer
from cellwright.text.visible_text import mark_hidden


def narrator() -> Observer:
    """Who tells a run on standard error: at a terminal in colour, where rich is installed."""
    if sys.stderr.isatty():
        with suppress(ImportError):
            return Console(with_answer=False)  # the answer goes to standard output
    return Narrator()


class Narrator:
    """An observer that tells a run's calls on standard error, a line each, with what the model says before them."""

    def __init__(self) -> None:
        self._words: list[str] = []

    def on_event(self, event: Event) -> None:
        """Prints what a person at the terminal wants to know."""
        match event.kind:
            case "arguments":
                tell(f"  {event.data['id']} {json.dumps(event.data['args'], ensure_ascii=False)}")
            case "note":
                tell(f"note: {event.data['text']}")
            case "turn_started":
                self._words.clear()
            case "text":
                self._words.append(event.data["text"])
            case "call":
                self._tell_words()
                tell(f"> {event.data['name']}")
            case "result":
                first = event.data["content"].partition("\n")[0]
                tell(f"  {'ok' if event.data['ok'] else event.data['error_type']}: {first}")

    def _tell_words(self) -> None:
        """Words that no call follows are the answer, which is data."""
        for line in filter(str.strip, "".join(self._words).splitlines()):
            print(mark_hidden(line), file=sys.stderr)
        self._words.clear()


def tell(line: str) -> None:
    """A line of what models and tools wrote, with nothing in it that a terminal would obey."""
    print(mark_hidden(line[:200]), file=sys.stderr)


def put(text: str) -> None:
    """UTF-8 whatever the terminal is said to understand: an answer is data."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode() + b"\n")
    sys.stdout.flush()
