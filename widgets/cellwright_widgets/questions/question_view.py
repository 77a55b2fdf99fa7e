"""Draws the question that a person is asked: what would run, whole, and why it is asked.

The rule that must never break: everything that would run stands here. Hidden characters are named, runs of blanks
counted, a fold says how much it holds and never hides the last lines, and arguments that are empty or hold something
unseen are pointed out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from cellwright.messages import JsonObject
from cellwright.permission.grant import Grant
from cellwright.permission.judgement import Verdict
from cellwright.person.approval import Allow, Answer, Choose, Deny, Edit, Unavailable
from cellwright.person.question import (
    DESTRUCTIVE,
    SENTENCES,
    Question,
    asked_line,
    asker,
    empty_arguments,
    first_word,
    outlook,
    sentence,
    why,
)
from cellwright.text.look_alike import spelled_hosts
from cellwright.text.quantity import quantity
from cellwright.views.view import Code, Group, View, as_text, pretty
from cellwright_widgets.drawing.brush import APPROVAL
from cellwright_widgets.drawing.code_view import code_rows
from cellwright_widgets.drawing.draw import draw
from cellwright_widgets.drawing.fold import fold
from cellwright_widgets.drawing.node import Node, element, spaced
from cellwright_widgets.drawing.text_view import text_rows

SHORT = 120
"""Characters of an argument that stand in one line."""
MANY_PARTS = 40
"""Commands of a line that are listed before the rest is folded, and only named."""
VERDICTS = {"allow": ("✓", "may run"), "ask": ("?", "asks"), "deny": ("⊘", "denied")}
"""What the rules say of a part, as a sign and a word."""


def draw_question(question: Question) -> Node:
    """The whole question but its buttons."""
    head = [_title(question.tool), element("p", "cw-outlook", APPROVAL.mark(outlook(question)))]
    return element("div", "cw cw-question", *head, *_warnings(question), *_why(question), *_effect(question))


def draw_preview(question: Question, args: JsonObject, again: Question | None) -> Node:
    """What a call with changed arguments would do: drawn as the question is, since nobody is asked a second time."""
    shown = again or replace(question, args=args, effect=None, parts=())
    head = element("p", "cw-outlook", "With these arguments: ", APPROVAL.mark(outlook(shown)))
    return element("div", "cw-preview", head, *_warnings(shown), *_effect(shown))


def draw_waiting(question: Question, number: int = 0) -> Node:
    """A call of a list, as whole as if it were asked about by itself. Only what is listed together has a number."""
    return element("section", "cw-waiting", draw_entry(question, number), *_warnings(question), *_effect(question))


def draw_entry(question: Question, number: int) -> Node:
    """The line of a call in a list; all there is to be said of one that is drawn elsewhere."""
    numbered = [element("span", "cw-number", f"{number}.")] if number else []
    name = element("code", "cw-tool", APPROVAL.mark(question.tool))
    return element("p", "cw-outlook", *spaced(*numbered, name, APPROVAL.mark(outlook(question))))


def _title(tool: str) -> Node:
    """What is asked, with the tool's name in it or behind it. A screen reader says it as soon as it is there."""
    name = element("code", "cw-tool", APPROVAL.mark(tool))
    parts: list[Node] = [sentence(tool), name] if tool in SENTENCES else ["May", name, "run?"]
    return element("div", "cw-ask-title", element("h3", "cw-ask-words", *spaced(*parts)), attrs={"role": "alert"})


def _why(question: Question) -> list[Node]:
    said = APPROVAL.mark(why(question))
    reason = [f"Asked because {said}" if said.startswith("it ") else said] if said else []
    by = element("span", "cw-asker", f"asked by {asker(question)}")
    return [element("p", "cw-why", *spaced(*reason, by))]


def question_line(question: Question, answer: Answer | None, closed: str) -> str:
    """The question and what became of it, for readers who see no widgets."""
    return f"{asked_line(question.tool)} " + (
        verdict(answer) if answer is not None else closed or "This card is no longer active."
    )


def verdict(answer: Answer) -> str:
    """What was decided, in words."""
    match answer:
        case Allow(also=()):
            return "You allowed it once."
        case Allow(also=also):
            return f"You allowed it once, and with it {quantity(len(also), 'call')} that will follow."
        case Grant(scope=scope, rules=rules):
            return f"You allowed it for the {scope}: {APPROVAL.mark(', '.join(rules))}"
        case Edit():
            return "You allowed it with the arguments you changed."
        case Choose(kept=kept):
            return f"You allowed a part of it: {', '.join(f'operation {number}' for number in kept)}."
        case Deny(reason=reason):
            return f"You denied it: {APPROVAL.mark(reason)}" if reason else "You denied it."
        case Unavailable(reason=reason):
            return f"It was not run: {APPROVAL.mark(reason)}"


def _warnings(question: Question) -> Iterator[Node]:
    if question.destructive:
        yield element("p", "cw-danger", DESTRUCTIVE)
    for name in empty_arguments(question):
        yield element("p", "cw-warning", f"Warning: {APPROVAL.mark(name)} is empty.")
    shown = "\n".join([question.tool, *_texts(question.args)])
    if APPROVAL.mark(shown) != shown:
        yield element(
            "p",
            "cw-warning",
            "Warning: part of it can't be seen, or passes for something else; each such place is marked ⟨…⟩.",
        )
    for spelled in spelled_hosts(shown):
        yield element("p", "cw-warning", f"Note: the host {APPROVAL.mark(spelled)}.")


def _texts(value: object) -> Iterator[str]:
    """Every text in JSON data, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _effect(question: Question) -> Iterator[Node]:
    if question.effect is None or _says_nothing(question.effect):
        yield _arguments(question)
        return
    effect = question.effect
    if isinstance(effect, Group) and APPROVAL.mark(effect.title) in outlook(question):
        effect = replace(effect, title="")  # the sentence above says it
    yield draw(effect, APPROVAL)
    yield from _parts(question.parts)
    text = pretty(question.args)
    yield fold(f"arguments, exactly as they would run · {len(text):,} characters", *code_rows(text, "json", APPROVAL))


def _parts(parts: Sequence[Verdict]) -> Iterator[Node]:
    """Each command of a line, with what the rules say of it. A line of one command is told by the reason above."""
    if len(parts) < 2:
        return
    rows = [_part(part) for part in parts]
    most = rows[:MANY_PARTS]
    yield element(
        "div", "cw-parts", element("p", "cw-why", f"{quantity(len(rows), 'part')}, each judged by itself:"), *most
    )
    if len(rows) > MANY_PARTS:
        names = ", ".join(dict.fromkeys(APPROVAL.mark(first_word(part.target)) for part in parts[MANY_PARTS:]))
        yield fold(f"{len(rows) - MANY_PARTS:,} more parts: {names}", *rows[MANY_PARTS:])


def _part(part: Verdict) -> Node:
    icon, word = VERDICTS[part.decision]
    return element(
        "div",
        f"cw-part cw-part-{part.decision}",
        *spaced(
            element("span", "cw-icon", icon, attrs={"aria-hidden": "true"}),
            element("code", "cw-value", APPROVAL.mark(part.target)),
            element("span", "cw-part-why", f"{word}: {APPROVAL.mark(part.reason)}"),
        ),
        "\n",
    )


def _says_nothing(effect: View) -> bool:
    return (isinstance(effect, Code) and not effect.code.strip()) or not as_text(effect).strip()


def _arguments(question: Question) -> Node:
    if not question.args:
        return element("p", "cw-why", "It takes no arguments." if not question.schema.properties else "No arguments.")
    rows: list[Node] = []
    known = [name for name in question.schema.properties if name in question.args]
    for name in dict.fromkeys([*known, *question.args]):
        value = question.args[name]
        rows += [element("span", "cw-key", APPROVAL.mark(name)), _value(value), "\n"]
    return element("div", "cw-args", *rows)


def _value(value: object) -> Node:
    """A short value in its line, a long one in a block. A text that could be taken for a number has its quotes."""
    line = value if isinstance(value, str) and not _looks_like_json(value) else json.dumps(value, ensure_ascii=False)
    if len(line) <= SHORT and "\n" not in line:
        return element("code", "cw-value", APPROVAL.mark(line) if line else "(empty)")
    if isinstance(value, str):
        return element("div", "cw-value", *text_rows(value, APPROVAL, "cw-pre"))
    return element("div", "cw-value", *code_rows(pretty(value), "json", APPROVAL))


def _looks_like_json(text: str) -> bool:
    if "\n" in text:
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
