"""Who decided what about a call, in order, each in a few words.

A hook, a rule, the mode, the tool itself and the person may all have had a say. The card tells it in one line, in the
order in which it happened, so that nobody has to guess why a call ran or did not.
"""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.text.visible_text import mark_hidden
from cellwright_widgets.cards.call_story import CallStory
from cellwright_widgets.drawing.node import Node, element

ANSWERS = {
    "allow": "approved by you",
    "grant": "approved by you from now on",
    "edit": "approved by you with other arguments",
    "choose": "approved by you in part",
    "deny": "denied by you",
    "unavailable": "nobody could be asked",
    "reply": "answered by you",
    "no_reply": "not answered",
}
DECISIONS = {"allow": "allowed", "ask": "asked", "deny": "denied"}
DECIDERS = {"tool": " by the tool itself"}
"""Who decided, where the reason does not say it."""
HOOKS = {
    "block": "blocked",
    "allow": "allowed",
    "ask": "asked",
    "change": "arguments changed",
    "add_context": "note added",
    "replace": "text for the model replaced",
    "fail": "result rejected",
    "stop_run": "run stopped",
    "failed": "not judged",
}
"""What a hook did, by its answer."""
MAX_REASON = 500
"""Characters of a hook's reason or note on a card; the log holds it whole."""


def draw_trail(call: CallStory) -> Iterator[Node]:
    """The line; none if nobody had a say."""
    if steps := list(_steps(call)):
        parts = [part for step in steps for part in (" · ", step)]
        yield element("p", "cw-trail", *parts[1:])


def _steps(call: CallStory) -> Iterator[Node]:
    yield from _hook_steps(call, after=False)
    for decision, by, reason in dict.fromkeys(call.decisions):  # an edit is judged again, mostly alike
        words = DECISIONS.get(decision, decision) + DECIDERS.get(by, "")
        yield _step(words + (f": {reason}" if reason else ""), decision)
    if call.answer is not None:
        answer, reason = call.answer
        yield _step(ANSWERS.get(answer, answer) + (f": {reason}" if reason else ""), answer)
    for repair in call.repairs:
        yield _step(repair, "repair")
    if isinstance(tries := call.metadata.get("tries"), int):
        yield _step(f"tried {tries} times", "other")
    yield from _hook_steps(call, after=True)


def _hook_steps(call: CallStory, after: bool) -> Iterator[Node]:
    for event, answer, hook, reason in call.hooks:
        if (event == "after_call") is after:
            kind = "deny" if answer in ("block", "fail", "failed", "stop_run") else "other"
            why = reason if len(reason) <= MAX_REASON else reason[: MAX_REASON - 1] + "…"
            yield _step(f"{HOOKS.get(answer, answer)} by the hook {hook}" + (f": {why}" if why else ""), kind)


def _step(words: str, kind: str) -> Node:
    known = kind if kind in ANSWERS or kind in DECISIONS or kind == "repair" else "other"
    return element("span", f"cw-step cw-step-{known}", mark_hidden(words))
