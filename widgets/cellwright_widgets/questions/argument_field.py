"""One argument in a form: its name, what it is about, and an input that fits its schema.

A text is edited as a text, a number as a number, a choice is chosen, and anything else is edited as JSON. A page can
only keep what it can show: it turns `\\r\\n` into `\\n`, and nobody can edit what is not seen. So a text that holds
such characters is edited as JSON, where each stands as an escape. The rule that must never break: what a field gives
back untouched is what it was given.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Literal

import ipywidgets

from cellwright.arguments import ArgumentsError, parse_json
from cellwright.messages import JsonObject
from cellwright.schema import Schema, json_type
from cellwright.text.visible_text import is_hidden
from cellwright.views.view import pretty
from cellwright_widgets.drawing.brush import APPROVAL
from cellwright_widgets.drawing.node import Node, element, spaced, to_html
from cellwright_widgets.live.inputs import Choice, TextBox, Tick

Kind = Literal["text", "number", "choice", "json"]
MOST_ROWS = 14
"""Lines of a text that are in sight at once; the rest is a scroll away, and shown whole below the form."""
A_LINE = 90
"""Characters that fill a line of the form."""
ABOUT = 400
"""Characters of a description."""


class FieldError(ValueError):
    """What was typed is nothing of the field's kind; the message is for the person."""


class ArgumentField:
    """The field of one argument. `changed` is called when the person has changed it."""

    def __init__(self, name: str, schema: Schema, given: object, is_given: bool, changed: Callable[[], None]) -> None:
        self.name = name
        self._given = given
        facts = _without_null(schema.parameter(name))
        value = given if is_given else facts.get("default")
        self.kind = _kind(facts, value, is_given)
        self._choices = _choices(facts)
        self.input = self._made(value, is_given or value is not None)
        self.input.observe(lambda _: changed(), names="index" if self.kind == "choice" else "value")
        is_required = name in schema.required
        self.use = Tick(value=is_given, description="", indent=False, layout={"width": "auto"})
        self.use.tooltip = f"Give {APPROVAL.mark(name)}"
        self.use.observe(lambda _: self._show_use(), names="value")
        self.use.observe(lambda _: changed(), names="value")
        self.problem = _html()
        label = _html(element("div", "cw cw-below", *_label(name, facts, is_required)))
        label.layout.flex = "1 1 auto"
        head = ipywidgets.HBox([label] if is_required else [self.use, label], layout={"align_items": "center"})
        self.widget = ipywidgets.VBox([head, self.input, self.problem])
        self.widget.add_class("cw-field")
        self._show_use()

    @property
    def is_used(self) -> bool:
        """Whether the argument is given at all."""
        return bool(self.use.value)

    def value(self) -> object:
        """The argument as it stands in the field.

        Raises:
            FieldError: if it is nothing of its kind.
        """
        if self.kind == "choice":
            return self._choices[self.input.index or 0]
        text: str = self.input.value
        if self.kind == "text":
            return text
        try:
            value = parse_json(text)
        except ArgumentsError as error:
            said = str(error).removeprefix("arguments are ").removesuffix("; send one JSON object")
            raise FieldError(
                "expected a number" if self.kind == "number" else f"expected JSON; this is {said}"
            ) from None
        if self.kind == "number" and json_type(value) not in ("integer", "number"):
            raise FieldError("expected a number")
        return value

    def complain(self, problem: str) -> None:
        """Shows what is wrong with it; nothing if nothing is."""
        self.problem.value = to_html(_problem(problem)) if problem else ""

    def disable(self) -> None:
        """It can't be changed any more."""
        self.input.disabled = self.use.disabled = True

    def focus(self) -> None:
        """The cursor goes into it."""
        self.input.focus()

    def _made(self, value: object, is_known: bool) -> TextBox | Choice:
        named = APPROVAL.mark(self.name)
        if self.kind == "choice":
            at = next((place for place, one in enumerate(self._choices) if _same(one, value)), 0)
            return Choice([APPROVAL.mark(_shown(one)) for one in self._choices], at, named)
        text = value if self.kind == "text" and isinstance(value, str) else _as_json(value) if is_known else ""
        lines = sum(1 + len(line) // A_LINE for line in text.split("\n"))
        return TextBox(text, rows=min(max(lines, 1), MOST_ROWS), named=named, as_typed=True)

    def _show_use(self) -> None:
        self.input.layout.display = "" if self.is_used else "none"


def _kind(facts: JsonObject, value: object, is_given: bool) -> Kind:
    """How a parameter is edited; as JSON, where its value is not what its schema makes one expect."""
    choices, types = _choices(facts), _types(facts)
    if choices and (not is_given or any(_same(one, value) for one in choices)):
        return "choice"
    if types == {"string"} and (isinstance(value, str) or not is_given):
        return "json" if any(map(is_hidden, str(value or ""))) else "text"
    if types <= {"integer", "number"} and (json_type(value) in types | {"integer"} or not is_given):
        return "number"
    return "json"


def _without_null(facts: JsonObject) -> JsonObject:
    """What is said of a parameter beside that it may be null, which a person says by leaving it out."""
    options = [option for option in _list(facts.get("anyOf")) if option != {"type": "null"}]
    if len(options) != 1 or not isinstance(options[0], dict):
        return facts
    return {**options[0], **{key: value for key, value in facts.items() if key != "anyOf"}}


def _types(facts: JsonObject) -> set[str]:
    """The types that a schema takes beside null."""
    found: set[str] = set()
    named = facts.get("type")
    found.update([named] if isinstance(named, str) else named if isinstance(named, list) else [])
    for option in (*_list(facts.get("anyOf")), *_list(facts.get("oneOf"))):
        found |= _types(option) if isinstance(option, dict) and not set(option) & {"enum", "const"} else {"any"}
    return found - {"null"} if found else {"any"}


def _choices(facts: JsonObject) -> list[object]:
    listed = facts.get("enum")
    if isinstance(listed, list) and listed:
        return listed
    return [True, False] if _types(facts) == {"boolean"} else []


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _same(one: object, other: object) -> bool:
    """Whether two JSON values are the same; in Python `True == 1`."""
    return json_type(one) == json_type(other) and one == other


def _as_json(value: object) -> str:
    text = pretty(value)
    return "".join(json.dumps(char)[1:-1] if is_hidden(char) else char for char in text)


def _shown(choice: object) -> str:
    return choice if isinstance(choice, str) and choice else pretty(choice)


def _label(name: str, facts: JsonObject, is_required: bool) -> list[Node]:
    about = str(facts.get("description") or "")
    about = about if len(about) <= ABOUT else about[: ABOUT - 1] + "…"
    types = " or ".join(sorted(_types(facts) - {"any"})) or "JSON"
    remark = f"{types}, required" if is_required else f"{types}, may be left out"
    said = [element("div", "cw-field-about", APPROVAL.mark(about))] if about else []
    parts = spaced(element("code", "cw-field-name", APPROVAL.mark(name)), element("small", "cw-field-type", remark))
    return [element("div", "", *parts), *said]


def _problem(words: str) -> Node:
    said = element("span", "cw-warning", APPROVAL.mark(words))
    return element("div", "cw cw-below cw-field-problem", said, attrs={"role": "alert"})


def _html(node: Node = "") -> ipywidgets.HTML:
    return ipywidgets.HTML(to_html(node), layout={"margin": "0"})
