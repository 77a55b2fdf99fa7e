"""A field of a form that a server wants filled, and how a person is asked about it.

A form is a flat schema of plain values. Each field becomes a question: choices where it has some, own words else, read
as what the field takes. The rule that must never break: a value is one that the person said, and that the form takes.
"""

from __future__ import annotations

import math

from msgspec import Struct

from cellwright.codec import canonical
from cellwright.env import Ask
from cellwright.errors import SchemaError
from cellwright.messages import JsonObject
from cellwright.schema import Schema
from cellwright.views.inquiry import Inquiry, NoReply, Reply

MAX_FIELDS, MAX_CHOICES = 12, 100
MAX_WORDS, MAX_TITLE, MAX_SCHEMA = 4_000, 300, 20_000
"""Characters of a description and of a title that are shown, and of a form that is taken."""
TRIES = 3
"""How often a field is asked about, if what was said can't be what it takes."""
KINDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "yes or no",
    "array": "several",
}
BOUNDS = {"minimum": "from", "maximum": "to", "minLength": "at least", "maxLength": "at most"}
YES, NO = "Yes", "No"
LEFT_OUT, GIVEN_UP = object(), object()
"""In the place of a value: the person gave none; nobody could be asked, or said what can be none, several times."""


class Field(Struct, frozen=True):
    """A field and what stands in the question about it."""

    name: str
    kind: str
    words: str
    values: tuple[object, ...] = ()
    """What can be chosen; empty for own words."""
    labels: tuple[str, ...] = ()
    """The same as the person sees it."""

    @classmethod
    def of(cls, name: str, facts: JsonObject, required: bool) -> Field:
        """The field of this name."""
        title, about = str(facts.get("title") or name)[:MAX_TITLE], str(facts.get("description") or "")[:MAX_WORDS]
        without = "" if required else " It may be left without an answer."
        if "default" in facts:
            without = f" Without an answer it is {canonical(facts['default'])[:MAX_TITLE]}."
        values, labels = _options(facts)
        takes = "" if labels else f" ({_takes(facts)})"
        words = f"{title}{': ' if about else ''}{about}{takes}{without}"
        return cls(name, str(facts.get("type", "string")), words, values, labels)

    async def asked(self, schema: Schema, says: str, ask: Ask) -> object:
        """The value that the person gives, `LEFT_OUT` or `GIVEN_UP`; `says` stands before the question."""
        problem, choices = "", [(label, "") for label in self.labels]
        for _ in range(TRIES):
            said = await ask(Inquiry.of(f"{says}\n\n{self.words}{problem}", choices, self.kind == "array"))
            if isinstance(said, NoReply):
                return LEFT_OUT if said.declined else GIVEN_UP
            value = self.read(said)
            shown = said.text if value is None else value
            wrong = schema.problems_by_parameter({self.name: shown}).get(self.name)
            if value is not None and not wrong:
                return value
            problem = f"\n\nThat can't be it{': ' if wrong else ''}{'; '.join(wrong or ())[:MAX_WORDS]}."
        return GIVEN_UP

    def read(self, reply: Reply) -> object:
        """The value that a reply means; None if it can't be one."""
        typed = reply.text.strip()
        if self.labels:
            said = {*reply.chosen, typed}
            pairs = zip(self.values, self.labels, strict=True)
            chosen = [value for value, label in pairs if label in said or (typed and str(value) == typed)]
            return (chosen or None) if self.kind == "array" else next(iter(chosen), None)
        if self.kind == "string":
            return reply.text
        try:
            number = int(typed) if self.kind == "integer" else float(typed)
            return number if math.isfinite(number) else None
        except (ValueError, OverflowError):  # a whole number can be too large for a finite one
            return None


def checked_form(given: JsonObject) -> Schema:
    """The form, if it can be shown to a person: a few plain fields, and not more than one reads.

    Raises:
        SchemaError: if it can't.
    """
    size = len(canonical(given))
    if size > MAX_SCHEMA:
        raise SchemaError(f"its form has {size:,} characters; {MAX_SCHEMA:,} are taken at most")
    schema = Schema(given, "its form").for_arguments("its form")
    if len(schema.properties) > MAX_FIELDS:
        raise SchemaError(f"its form has {len(schema.properties)} fields; {MAX_FIELDS} are asked about at most")
    for name, facts in schema.properties.items():
        kind = facts.get("type", "string") if isinstance(facts, dict) else None
        if not isinstance(kind, str) or kind not in KINDS:
            raise SchemaError(f"its field {name[:MAX_TITLE]!r} takes what can't be typed")
        values, labels = _options(facts)
        if kind == "array" and not all(isinstance(value, str) for value in values):
            raise SchemaError(
                f"its field {name[:MAX_TITLE]!r} takes several that are no texts; an answer has texts only"
            )
        if len(labels) > MAX_CHOICES or (kind == "array" and not labels):
            raise SchemaError(
                f"its field {name[:MAX_TITLE]!r} has {len(labels)} choices; 1 to {MAX_CHOICES} can be shown"
            )
    return schema


def _takes(facts: JsonObject) -> str:
    what = str(facts.get("format") or KINDS[facts.get("type", "string")])[:MAX_TITLE]
    return ", ".join([what, *(f"{word} {facts[name]!s:.40}" for name, word in BOUNDS.items() if name in facts)])


def _options(facts: JsonObject) -> tuple[tuple[object, ...], tuple[str, ...]]:
    """What can be chosen, and as what it is shown: by its titles, or by the values where these tell them apart only."""
    if facts.get("type") == "boolean":
        return (True, False), (YES, NO)
    held = facts.get("items", {}) if facts.get("type") == "array" else facts
    titled = held.get("oneOf") or held.get("anyOf") or []
    values = [each.get("const", "") for each in titled] or list(held.get("enum", []))
    titles = [str(each.get("title", "")) for each in titled] or [str(name) for name in held.get("enumNames", [])]
    titles = [" ".join(title.split())[:MAX_TITLE] for title in titles]
    tell_apart = len(titles) == len(values) == len(set(titles)) and all(titles)
    return tuple(values), tuple(titles if tell_apart else (" ".join(str(value).split()) for value in values))
