"""A run in a terminal, as a person follows it: prompt, words, calls with who decided, changes in colour, the answer.

An observer, for scripts and the command line: `Agent(model, observers=[Console()])`. The package rich draws, since it
knows the widths, colours and encodings of terminals, and what `NO_COLOR` asks for; it comes with `cellwright[console]`.
It is handed plain texts with styles of our own, never markup, and each text has its hidden characters named before, so
that nothing a model, a tool or a file says steers the terminal. What a call brought is told in its first lines. The
rule that must never break: a line that is printed stays, so that a question on the same terminal is not drawn over.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from msgspec import Struct
from msgspec.structs import replace

from cellwright.console.args_brief import BRIEF, args_brief
from cellwright.errors import LogError
from cellwright.log.events import Event
from cellwright.messages import JsonObject
from cellwright.runs.budget import amount
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden
from cellwright.views.file_diff import Diff
from cellwright.views.table import Table, legible_table
from cellwright.views.view import Code, Failure, Group, View, as_seen, from_json

if TYPE_CHECKING:
    import rich.console

LINES = 16
"""Lines of what one call brought; the log holds all."""
ROWS = 10
"""Rows of a table."""
LONGEST = 2_000
"""Characters of a line."""
DENIED = ("denied", "blocked", "permission", "not_allowed", "unavailable")
SIGNS = {"+": "green", "-": "red", "@": "cyan", "n": "yellow"}
"""How the lines of a diff begin, and their styles; `n` is that of a note."""
ENDINGS = {"answered": "green", "cancelled": "yellow", "budget": "yellow", "repetition": "yellow"}


class Made(Struct, frozen=True):
    """A call, as far as it is known."""

    name: str
    args: str
    why: str = ""
    """Who decided, and why."""
    started: float | None = None


class Console:
    """Tells a run on a terminal, standard error unless another file is given. Mutable: it keeps the calls that go on.

    Raises:
        ImportError: without the package `rich`.
    """

    def __init__(self, file: TextIO | None = None, *, with_answer: bool = True) -> None:
        try:
            from rich.console import Console as Terminal
        except ImportError as missing:
            raise ImportError("this view needs rich; run: pip install 'cellwright[console]'") from missing
        self._terminal: rich.console.Console = Terminal(file=file, stderr=file is None, markup=False, highlight=False)
        self._with_answer = with_answer
        self._calls: dict[str, Made] = {}
        self._depth = 0
        """How many runs go on: that of the person, and those of its sub-agents."""
        self._words, self._has_spoken = "", False
        """What the model says in this turn and is not printed yet; whether some of it is."""
        self._last = ""
        """The call whose line stands last, so that a result need not name it again."""
        self._began = 0.0

    def on_event(self, event: Event) -> None:
        """Prints what a person wants to know of it."""
        data = event.data
        match event.kind:
            case "run_started":
                self._start(event)
            case "turn_started":
                self._words = ""
            case "text":
                self._words += _of(data, "text")
            case "message":
                if data.get("calls"):
                    self._say(self._words or ("" if self._has_spoken else _of(data, "text")))
                self._words, self._has_spoken = "", False
            case "call":
                self._say(self._words)  # a call may begin before the turn is whole
                made = Made(_of(data, "name"), " ".join(_of(data, "arguments")[:BRIEF].split()))
                self._calls[_of(data, "id")] = made
            case "note" | "steered" | "tools_changed" | "compacted":
                self._line((f"{'you' if event.kind == 'steered' else 'note'}: {_of(data, 'text')}", "dim"))
            case "run_ended":
                self._end(event)
            case _:
                self._go_on(event)

    def _go_on(self, event: Event) -> None:
        """An event about a call."""
        data, call = event.data, _of(event.data, "id")
        made = self._calls.get(call)
        if made is None:
            return
        match event.kind:
            case "arguments" if isinstance(data.get("args"), dict):
                made = replace(made, args=args_brief(data["args"]))
            case "decision" if data.get("decision") != "ask":
                made = replace(made, why=f"{_of(data, 'decision')}: {_of(data, 'reason')}")
            case "answer":
                reason = f": {data['reason']}" if data.get("reason") else ""
                made = replace(made, why=f"you answered {_of(data, 'answer')}{reason}")
            case "executing":
                made = replace(made, started=event.time)
                self._name(call, made, "blue")
            case "result":
                self._end_call(event, made)
        self._calls[call] = made

    def _start(self, event: Event) -> None:
        self._depth += 1
        if self._depth == 1:
            self._began = event.time
            self._line((_of(event.data, "model"), "dim"))
        self._line(("you " if self._depth == 1 else "sub-agent ", "bold blue"), (_of(event.data, "prompt"), "bold"))

    def _say(self, text: str) -> None:
        """Words of the model as it wrote them: what reads Markdown for a terminal drops the HTML in it unseen."""
        from rich.text import Text

        if text.strip():
            self._put(Text(_plain(text.strip())))
            self._has_spoken = True
        self._words = ""

    def _name(self, call: str, made: Made, style: str) -> None:
        self._line(("● ", style), (made.name, "bold"), (f"  {made.args}", "dim"))
        self._last = call

    def _end_call(self, event: Event, made: Made) -> None:
        data, error = event.data, _of(event.data, "error_type")
        if _of(data, "id") != self._last:
            self._name("", made, "dim")
        self._last = ""
        took = f" · {event.time - made.started:.1f} s" if made.started is not None else ""
        style = "green" if data.get("ok") else "yellow" if any(word in error for word in DENIED) else "red"
        said = "✓ done" if data.get("ok") else f"✕ {error}"
        self._line((f"  {said}", style), (f"{took}{f' · {made.why}' if made.why else ''}", "dim"))
        view = _view(data.get("view"))
        if isinstance(view, Failure) and view.error_type == error:
            view = replace(view, error_type="")
        for drawn in _body(view, _of(data, "content")):
            self._put(drawn, indent=4)

    def _end(self, event: Event) -> None:
        self._depth -= 1
        data = event.data
        if self._depth:
            return
        if self._with_answer:
            self._say(_of(data, "answer"))
        usage = data.get("usage") or {}
        tokens = f"{usage.get('input_tokens', 0):,} tokens in, {usage.get('output_tokens', 0):,} out"
        cost = [amount("money", data["cost"])] if data.get("cost") is not None else []
        facts = (quantity(data.get("steps") or 0, "step"), tokens, *cost, f"{event.time - self._began:.1f} s")
        style = ENDINGS.get(_of(data, "stop_reason"), "red")
        self._line((f"■ {_of(data, 'stop_reason')}", style), (f"  {' · '.join(facts)}", "dim"))
        if data.get("error"):
            self._line((f"  {data['error']}", style))

    def _line(self, *parts: tuple[str, str]) -> None:
        """A line of texts, each in a style of ours."""
        from rich.text import Text

        self._put(Text.assemble(*((_plain(text).replace("\n", " ⏎ ")[:LONGEST], style) for text, style in parts)))

    def _put(self, drawn: rich.console.RenderableType, indent: int = 0) -> None:
        from rich.padding import Padding

        left = 4 * max(0, self._depth - 1) + indent
        self._terminal.print(Padding(drawn, (0, 0, 0, left), expand=False) if left else drawn)


def _plain(text: str) -> str:
    """The text with hidden characters named: none is left that a terminal would obey."""
    return mark_hidden(text).replace("\t", "    ")


def _of(data: JsonObject, key: str) -> str:
    """What stands there, as text; a log may hold anything."""
    value = data.get(key)
    return "" if value is None else str(value)


def _view(given: object) -> View | None:
    """A view as a running kernel has it, or as a log holds it; None for one that is not understood."""
    if isinstance(given, dict):
        try:
            return from_json(given)
        except LogError:
            return None
    return given if isinstance(given, View) else None


def _body(view: View | None, content: str) -> Iterator[rich.console.RenderableType]:
    """What a call brought, in its first lines."""
    match view:
        case Group():
            for inner in view.views[:LINES]:
                yield from _body(inner, "")
        case Table():
            yield _table(view)
            yield from _some(
                as_seen(replace(view, rows=view.rows[:ROWS])).split("\n")[len(view.rows[:ROWS]) + 1 :], "dim"
            )
        case Diff():
            yield from _some(as_seen(view).split("\n"), "", SIGNS)
        case Code():
            yield _code(view)
        case Failure():
            first, *rest = (as_seen(view) if view.error_type else view.message).split("\n")
            yield from _some([first], "red")
            yield from _some(rest[-LINES:], "dim")
        case None:
            yield from _some(_plain(content).split("\n"))
        case _:
            yield from _some(as_seen(view).split("\n"))


def _some(lines: list[str], style: str = "", signs: JsonObject | None = None) -> Iterator[rich.console.RenderableType]:
    """The first lines, and how many more there are."""
    from rich.text import Text

    shown = lines if len(lines) <= LINES + 2 else lines[:LINES]
    for line in shown:
        yield Text(_plain(line)[:LONGEST], style=(signs or {}).get(line[:1], style))
    if len(lines) > len(shown):
        yield Text(f"… {quantity(len(lines) - len(shown), 'more line')}", style="dim")


def _code(view: Code) -> rich.console.RenderableType:
    from rich.syntax import Syntax

    lines = _plain(view.code).split("\n")
    rest = f"\n… {quantity(len(lines) - LINES, 'more line')}" if len(lines) > LINES else ""
    shown, colours = "\n".join(lines[:LINES]) + rest, "ansi_light"  # the terminal's own, light or dark
    return Syntax(shown, view.language or "text", theme=colours, background_color="default", word_wrap=True)


def _table(view: Table) -> rich.console.RenderableType:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as Drawn
    from rich.text import Text

    drawn = Drawn(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    kinds = view.kinds or ("",) * len(view.columns)
    for name, kind in zip(view.columns, kinds, strict=False):
        drawn.add_column(Text(_plain(name)), justify="right" if kind in ("integer", "number") else "left")
    for row in legible_table(replace(view, rows=view.rows[:ROWS])).rows:
        drawn.add_row(*(Text(_said(value)) for value in row))
    return drawn


def _said(value: object) -> str:
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return _plain(text.replace("\n", "⏎"))[:60]
