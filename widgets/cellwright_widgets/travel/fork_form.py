"""The form in which a person says what is to be otherwise from a step on, and lets that happen.

The model asked anew, or a call of the step with other arguments, another decision or another result; and beside that
another model, or fewer tools. Arguments are held against the schema that the model was shown. The rule that must never
break: nothing happens before *Fork here* is pressed, and what then happens passes all stages like any run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ipywidgets
from msgspec import Struct

from cellwright.arguments import ArgumentsError, parse_json
from cellwright.errors import ModelError, UsageError
from cellwright.messages import Call, JsonObject
from cellwright.person.approval import Allow, Answer, Deny
from cellwright.person.question import Question
from cellwright.schema import Schema
from cellwright.sessions.fork import AS_RECORDED, Otherwise
from cellwright.text.visible_text import mark_hidden
from cellwright_widgets.drawing.node import element, to_html
from cellwright_widgets.drawing.style import AS_IT_IS
from cellwright_widgets.live.inputs import Choice, TextBox, Tick
from cellwright_widgets.questions.argument_form import ArgumentForm
from cellwright_widgets.travel.pace_bar import ROW

KINDS = ("Ask the model anew", "Other arguments", "Another decision", "Another result")
ANEW, ARGUMENTS, DECISION, RESULT = range(4)
ANY = Schema({"type": "object", "properties": {}}, "arguments")


class Wish(Struct, frozen=True):
    """What a person wants otherwise."""

    otherwise: Otherwise
    model: int
    """The place of the model among those offered; 0 for the agent's own."""
    tools: frozenset[str] | None
    """The tools that the fork may have; None for all of them."""


class ForkForm:
    """The form of one step. `fork` is called with what the person wants; what it raises is told in the form, and `say`
    tells what comes later."""

    def __init__(
        self,
        calls: Sequence[Call],
        schemas: dict[str, Schema],
        models: Sequence[str],
        tools: Sequence[str],
        fork: Callable[[Wish], None],
    ) -> None:
        self._calls, self._schemas, self._fork = tuple(calls), schemas, fork
        kinds = KINDS if calls else KINDS[:1]
        self.kind = Choice(kinds, ANEW, "What is to be otherwise")
        self.call = Choice([mark_hidden(f"{call.name} ({call.id})"[:120]) for call in calls] or ["none"], 0, "The call")
        self.model = Choice([mark_hidden(name[:120]) for name in models], 0, "The model that goes on")
        self.tools = {name: Tick(value=True, description=mark_hidden(name), **TICK) for name in tools}
        self.allow = Choice(["Allow it", "Deny it"], 1, "The decision")
        self.reason = TextBox(placeholder="Why it is denied; the model reads it", rows=1)
        self.result = TextBox(placeholder="What the model reads as the result; nothing is run", rows=4)
        self.button = ipywidgets.Button(description="Fork here", button_style="primary", tooltip="Start the fork")
        self.said = ipywidgets.HTML(layout={"margin": "0"})
        self.arguments: ArgumentForm | None = None
        self._details = ipywidgets.VBox()
        ticks = ipywidgets.HBox([ipywidgets.Label("and the tools"), *self.tools.values()], layout=ROW)
        ticks.add_class("cw-fork-tools")
        choices = ipywidgets.HBox([self.kind, self.call, ipywidgets.Label("then with"), self.model], layout=ROW)
        self.widget = ipywidgets.VBox([choices, self._details, ticks, self.button, self.said])
        self.widget.add_class("cw-fork-form")
        self.kind.observe(lambda _: self._show(), names="index")
        self.call.observe(lambda _: self._show(), names="index")
        self.allow.observe(lambda _: self._show_reason(), names="index")
        self.button.on_click(lambda _: self._press())
        self._show()

    def _show(self) -> None:
        """The fields of what was chosen."""
        kind, self.arguments = self.kind.index or 0, None
        self.call.layout.display = "none" if kind == ANEW else ""
        self.said.value = ""
        if kind == ARGUMENTS:
            call = self._calls[self.call.index or 0]
            question = _question(call, self._schemas.get(call.name, ANY))
            self.arguments = ArgumentForm(question, lambda: None)
            self._details.children = [self.arguments.widget]
        else:
            self._details.children = {DECISION: [self.allow, self.reason], RESULT: [self.result]}.get(kind, [])

    def _show_reason(self) -> None:
        self.reason.layout.display = "none" if self.allow.index == 0 else ""

    def wish(self) -> Wish | None:
        """What the form says; None if a field holds nothing of its kind, which is told there.

        Raises:
            UsageError: if the arguments do not fit the schema, or no tool is ticked.
        """
        otherwise = self._otherwise()
        chosen = frozenset(name for name, tick in self.tools.items() if tick.value)
        tools = None if len(chosen) == len(self.tools) else chosen
        return Wish(otherwise, self.model.index or 0, tools) if otherwise else None

    def _otherwise(self) -> Otherwise | None:
        kind = self.kind.index or 0
        if kind == ANEW:
            return AS_RECORDED
        call = self._calls[self.call.index or 0]
        if kind == DECISION:
            answer: Answer = Allow() if self.allow.index == 0 else Deny(self.reason.value.strip())
            return Otherwise(call.id, decision=answer)
        if kind == RESULT:
            return Otherwise(call.id, result=self.result.value)
        args = self.arguments.read() if self.arguments else None
        if args is None or self.arguments is None:
            return None
        problems = self._schemas.get(call.name, ANY).problems(args)
        if problems:
            rest = self.arguments.place(args, "; ".join(problems))
            self.say(rest or "The arguments do not fit; see above.")
            return None
        return Otherwise(call.id, args=args)

    def _press(self) -> None:
        """What a handler raises is shown nowhere, so it is shown here."""
        self.said.value = ""
        try:
            wish = self.wish()
            if wish is not None:
                self._fork(wish)
        except (UsageError, ModelError, OSError) as error:
            self.say(str(error))

    def say(self, words: str) -> None:
        """Says that something can't be."""
        drawn = element("p", "cw-warning", mark_hidden(words), attrs={"role": "status"})
        self.said.value = to_html(element("div", f"cw cw-bare {AS_IT_IS}", drawn))


TICK = {"indent": False, "layout": {"width": "auto"}}


def _question(call: Call, schema: Schema) -> Question:
    """The call as a form knows it. Arguments that can't be read begin anew."""
    try:
        args = parse_json(call.arguments)
    except ArgumentsError:
        args = {}
    given: JsonObject = args if isinstance(args, dict) else {}
    return Question(call.id, call.name, given, schema, None, "", False, lambda _: None)
