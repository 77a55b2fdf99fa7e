"""Two runs side by side: what each of them took, the steps they share in one line each, and where they part.

What two runs did alike is no news, so it is folded; from the first difference on their steps stand beside each other,
with the words marked that differ. The drawing and the plain text are made of the same comparison (`comparison.py`).
The rule that must never break: two steps that differ are never drawn as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Any

from cellwright.arguments import ArgumentsError, parse_json
from cellwright.calls.limits import cut
from cellwright.codec import canonical
from cellwright.runs.budget import amount
from cellwright.runs.earlier import recorded
from cellwright.runs.run import Run
from cellwright.sessions.comparison import ComparedCall, ComparedStep, Comparison, Pair, compare
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.sessions.session import Session
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden
from cellwright_widgets.cards.item_view import RUN_STATES
from cellwright_widgets.drawing.duration import duration
from cellwright_widgets.drawing.fold import fold, missing
from cellwright_widgets.drawing.node import Node, element, to_html
from cellwright_widgets.drawing.style import AS_IT_IS, style
from cellwright_widgets.drawing.word_diff import word_diff

MOST = 200
"""Pairs of steps that are drawn."""
LONG = 4_000
"""Characters of one text."""


class SideBySide:
    """Two runs beside each other: `SideBySide(run, fork)` as the last line of a cell; `print(...)` for plain text."""

    def __init__(self, left: Run | RecordedRun | Session, right: Run | RecordedRun | Session) -> None:
        self.comparison = compare(recorded(left), recorded(right))

    def html(self) -> str:
        """The drawing, with its style inside."""
        return f"<style>{style()}</style>" + to_html(draw_comparison(self.comparison))

    def __repr__(self) -> str:
        return self.comparison.text

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:  # noqa: ANN401 (IPython's protocol)
        return {"text/html": self.html(), "text/plain": repr(self)}


def draw_comparison(comparison: Comparison) -> Node:
    """Both runs."""
    first, parts = comparison.first_difference, []
    for is_same, group in groupby(comparison.pairs[:MOST], lambda pair: pair.is_same):
        pairs = list(group)
        if is_same:
            parts.append(_alike(pairs))
            continue
        parts += [element("p", "cw-parting", "Here they part")] if pairs[0] is first else []
        parts += [_pair(pair) for pair in pairs]
    same = [] if first else [element("p", "cw-parting", "Both did the same, and the same came of it.")]
    rest = len(comparison.pairs) - MOST
    more = [missing(f"{rest:,} more steps are not drawn; the logs hold them")] if rest > 0 else []
    return element("article", f"cw cw-record cw-compared {AS_IT_IS}", _outcomes(comparison), *parts, *same, *more)


def _outcomes(comparison: Comparison) -> Node:
    runs = (comparison.left, comparison.right)
    names = [mark_hidden(run.id) for run in runs]
    names = [f"{name} ({side})" for name, side in zip(names, ("left", "right"), strict=True)]
    head = element("tr", "", *(element("th", "", name, attrs={"scope": "col"}) for name in ("", *names)))
    return element(
        "table", "cw-table", element("thead", "", head), element("tbody", "", *map(_outcome_row(runs), FACTS))
    )


def _outcome_row(runs: Sequence[RecordedRun]) -> Callable[[str], Node]:
    def row(name: str) -> Node:
        told = [mark_hidden(FACTS[name](run)) for run in runs]
        cls = "cw-differs" if told[0] != told[1] else ""
        label = element("th", "", name, attrs={"scope": "row"})
        return element("tr", cls, label, *(element("td", "", words) for words in told))

    return row


def _seconds(run: RecordedRun) -> str:
    return duration(run.events[-1].time - run.events[0].time) if run.events else ""


def _whence(run: RecordedRun) -> str:
    whence = run.events[0].data.get("forked_from")
    return f"{whence.get('run')}, step {whence.get('step')}" if isinstance(whence, dict) else "–"


FACTS: dict[str, Callable[[RecordedRun], str]] = {
    "Outcome": lambda run: RUN_STATES.get(run.stop_reason or "", run.stop_reason or "") or "going on",
    "Model": lambda run: run.model_name,
    "Forked from": _whence,
    "Steps": lambda run: str(sum(event.kind == "message" for event in run.events)),
    "Calls": lambda run: str(len(run.results)),
    "Calls that failed": lambda run: str(sum(not result.ok for result in run.results)),
    "Tokens in": lambda run: f"{run.usage.input_tokens:,}",
    "Tokens out": lambda run: f"{run.usage.output_tokens:,}",
    "Cost": lambda run: "not known" if run.cost is None else amount("money", run.cost),
    "Time": _seconds,
}
"""What is compared of the runs as a whole."""


def _alike(pairs: Sequence[Pair]) -> Node:
    lines = [element("p", "cw-brief", pair.left.line) for pair in pairs if pair.left]
    return element("div", "cw-alike", fold(f"{quantity(len(pairs), 'step')} alike", *lines, is_open=len(pairs) <= 3))


def _pair(pair: Pair) -> Node:
    sides = (pair.left, pair.right), (pair.right, pair.left)
    return element("div", "cw-pair", *(_side(*side, old=place == 0) for place, side in enumerate(sides)))


def _side(step: ComparedStep | None, other: ComparedStep | None, old: bool) -> Node:
    cls = "cw-pair-side " + ("cw-del" if old else "cw-ins")
    if step is None:
        return element("div", cls, missing("No such step here."))
    calls = zip_longest(step.calls, other.calls[: len(step.calls)] if other else ())
    drawn = [part for call, its in calls for part in _call(call, its, old)]
    text = [element("p", "cw-plain", *_words(step.text, other.text if other else "", old))] if step.text.strip() else []
    return element("div", cls, element("p", "cw-who", f"Step {step.turn}"), *text, *drawn)


def _call(call: ComparedCall, its: ComparedCall | None, old: bool) -> Iterator[Node]:
    failed = "" if call.outcome in ("ok", "") else " cw-failed"
    name = element("code", "cw-tool", *_words(call.name, its.name if its else "", old))
    outcome = element("span", "cw-fact", f" {mark_hidden(call.outcome or 'no result')}")
    yield element("p", f"cw-pair-call{failed}", name, outcome)
    yield element("pre", "cw-pre", *_words(_in_order(call.arguments), _in_order(its.arguments) if its else "", old))
    if call.content:
        differs = its is None or its.content != call.content
        words = _words(call.content, its.content if its else "", old)
        yield fold("Result" if differs else "Result (the same)", element("pre", "cw-pre", *words), is_open=differs)


def _in_order(arguments: str) -> str:
    """Arguments without what only the writing of JSON makes different; as they are, if they are none."""
    try:
        return canonical(parse_json(arguments))
    except ArgumentsError:
        return arguments


def _words(text: str, other: str, old: bool) -> list[Node]:
    """The text, with what the other one has not marked; where there is no other, nothing is."""
    text, other = cut(text, LONG)[0], cut(other, LONG)[0]
    if not other or text == other:
        return [mark_hidden(text)]
    parts = word_diff(text, other)[0] if old else word_diff(other, text)[1]
    tag = "del" if old else "ins"
    return [element(tag, "cw-word", mark_hidden(part)) if differs else mark_hidden(part) for differs, part in parts]
