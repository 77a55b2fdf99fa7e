"""A form for the arguments of a call, made from the tool's JSON Schema.

Each argument has a field; what is wrong stands at the field where it is. A tool that says nothing of its arguments
gets one field, for all of them as JSON. The form judges nothing itself: the schema and the core do, and it says where.
The rule that must never break: a form that nobody touched gives back the arguments that it was made from.
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets

from cellwright.messages import JsonObject
from cellwright.person.question import Question
from cellwright.schema import Schema
from cellwright_widgets.questions.argument_field import ArgumentField, FieldError

WHOLE = "arguments"
"""The name of the one field for all arguments."""


class ArgumentForm:
    """The fields of one call. `changed` is called when the person has changed one."""

    def __init__(self, question: Question, changed: Callable[[], None]) -> None:
        self._schema = question.schema
        names = [*dict.fromkeys([*question.schema.properties, *question.args])]
        self.fields: dict[str, ArgumentField] = {}
        """By the arguments' names, in the order of the schema."""
        self._is_whole = not question.schema.properties
        if self._is_whole:
            self.fields[WHOLE] = ArgumentField(WHOLE, WHOLE_SCHEMA, question.args, True, changed)
        else:
            for name in names:
                given = question.args.get(name)
                self.fields[name] = ArgumentField(name, question.schema, given, name in question.args, changed)
        self.widget = ipywidgets.VBox([field.widget for field in self.fields.values()])
        self.widget.add_class("cw-form")

    def read(self) -> JsonObject | None:
        """The arguments as they stand in the form; None if a field holds nothing of its kind, which is told there."""
        args: JsonObject = {}
        is_sound = True
        for field in self.fields.values():
            field.complain("")
            if not field.is_used:
                continue
            try:
                args[field.name] = field.value()
            except FieldError as error:
                field.complain(str(error))
                is_sound = False
        if not is_sound:
            return None
        if not self._is_whole:
            return args
        whole = args[WHOLE]
        if isinstance(whole, dict):
            return whole
        self.fields[WHOLE].complain("arguments must be a JSON object")
        return None

    def place(self, args: JsonObject, problem: str) -> str:
        """Shows each problem of the schema at its field; what is left to be told of the whole."""
        found = self._schema.problems_by_parameter(args)
        for name, said in found.items():
            if name in self.fields:
                self.fields[name].complain("; ".join(said))
        is_told = bool(found) and all(name in self.fields for name in found)
        return "" if is_told else problem

    def disable(self) -> None:
        """Nothing in it can be changed any more."""
        for field in self.fields.values():
            field.disable()

    def focus(self) -> None:
        """The cursor goes into the first field that is given."""
        used = [field for field in self.fields.values() if field.is_used]
        for field in used[:1]:
            field.focus()


WHOLE_SCHEMA = Schema({"type": "object", "properties": {WHOLE: {"type": "object"}}, "required": [WHOLE]}, WHOLE)
