"""Draws one call: what was asked of which tool, who allowed it, how far it is, what came out.

The person sees the view; what the model read of the same result is one click away, and so are the arguments. The
rule that must never break: the state is a word, never a colour alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from cellwright.file_diff import Diff
from cellwright.inquiry import Inquiry
from cellwright.messages import JsonObject
from cellwright.notebook_diff import NotebookDiff
from cellwright.todo_list import Todo
from cellwright.views import Code, Failure, Group, Picture, Table, Terminal, Text, View
from cellwright.visible_text import mark_hidden
from cellwright_widgets.brush import TRANSCRIPT
from cellwright_widgets.call_story import CallStory, State
from cellwright_widgets.code_view import code_rows
from cellwright_widgets.draw import draw
from cellwright_widgets.duration import duration
from cellwright_widgets.fold import fold, missing
from cellwright_widgets.node import Node, element, spaced
from cellwright_widgets.terminal_view import terminal_rows
from cellwright_widgets.text_view import text_rows

STATES: dict[State, tuple[str, str]] = {
    "pending": ("○", "waiting"),
    "asking": ("?", "needs your approval"),
    "running": ("●", "running"),
    "done": ("✓", "done"),
    "failed": ("✕", "failed"),
    "denied": ("⊘", "denied"),
    "cancelled": ("–", "cancelled"),
}
DENIED = {
    "approval_denied": "denied by you",
    "approval_unavailable": "nobody to ask",
    "guard_denied": "denied by a guard",
    "hook_blocked": "blocked by a hook",
    "hook_failed": "denied, as a hook failed",
    "permission_denied": "not permitted",
    "tool_not_allowed": "not allowed here",
}
"""Who said no, by error type, or by its code where there is a closer one."""
ANSWERS = {
    "allow": "approved by you",
    "grant": "approved by you from now on",
    "edit": "approved by you with other arguments",
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
AUTHORS = {"person": ", as you changed them", "hook": ", as a hook changed them"}
KEYS = ("command", "question", "pattern", "query", "path", "cell_id", "url", "code", "task", "plan", "name")
"""Arguments that tell most of a call, in this order; they come first in its summary."""
BRIEF = 160
"""Characters of the summary of the arguments."""
MAX_REASON = 500
"""Characters of a hook's reason or note on a card; the log holds it whole."""

FEW = 10
"""Rows of a table that opens by itself."""


def draw_call(call: CallStory) -> Node:
    """The whole card."""
    body = element("div", "cw-call-body", *_body(call))
    attrs = {"data-fold": "card", **({"open": ""} if _opens(call) else {})}
    return element("details", _class(call), _summary(call), body, attrs=attrs)


def draw_call_brief(call: CallStory) -> Node:
    """The card's first line alone, where there is no room for more."""
    return element("div", _class(call), element("div", "cw-call-head", *_head_parts(call)))


def call_brief(call: CallStory) -> str:
    """The arguments in one line, or as they came where they could not be read."""
    if isinstance(call.view, Todo):
        return call.view.summary
    args = call.args if call.args is not None else _object(call.arguments)
    return args_brief(args) if args is not None else " ".join(call.arguments[:BRIEF].split())


def args_brief(args: JsonObject) -> str:
    """The arguments in one line, the telling ones first."""
    names = sorted(args, key=lambda name: KEYS.index(name) if name in KEYS else len(KEYS))
    parts = []
    for index, name in enumerate(names):
        value = args[name]
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        text = " ".join(text[:400].split())
        short = text if len(text) <= 60 or index == 0 else text[:59] + "…"
        parts.append(short if index == 0 and name in KEYS else f"{name}: {short}")
    line = " · ".join(parts)
    return line if len(line) <= BRIEF else line[: BRIEF - 1] + "…"


def _object(arguments: str) -> JsonObject | None:
    """The arguments of a call that was refused before they were read, if they are easy to read."""
    try:
        args = json.loads(arguments) if len(arguments) <= 4_000 else None
    except (ValueError, RecursionError):
        return None
    return args if isinstance(args, dict) else None


def _class(call: CallStory) -> str:
    state = "failed" if call.metadata.get("still_running") else call.state  # as loud, whoever asked it to end
    return f"cw-call cw-{state}" + (" cw-within" if call.within else "")


def _summary(call: CallStory) -> Node:
    return element("summary", "cw-call-head", *_head_parts(call))


def _head_parts(call: CallStory) -> list[Node]:
    icon, label = STATES[call.state]
    if call.state == "asking" and isinstance(call.effect, Inquiry):
        label = "needs your answer"
    if call.state == "failed" and call.error_type:
        label += ": " + _error(call).replace("_", " ")
    if isinstance(tries := call.metadata.get("tries"), int):
        label += f" after {tries} tries"
    if call.metadata.get("still_running"):
        icon, label = "●", "STILL RUNNING, though it was asked to end"
    if call.error_type in DENIED:
        label = DENIED.get(str(call.metadata.get("code")), DENIED[call.error_type])
    return spaced(
        element("span", "cw-icon", icon, attrs={"aria-hidden": "true"}),
        element("code", "cw-tool", mark_hidden(call.name)),
        element("span", "cw-brief", mark_hidden(call_brief(call))),
        element("span", "cw-state", mark_hidden(label)),
        *_time(call),
    )


def _time(call: CallStory) -> Iterator[Node]:
    if call.ended is not None:
        seconds = call.metadata.get("seconds", call.ended - (call.started or call.ended))
        if call.started is not None and isinstance(seconds, int | float):
            yield element("time", "cw-time", duration(seconds))
    elif call.started is not None:
        yield element("time", "cw-time", "", attrs={"data-since": f"{call.started:.3f}"})


def _opens(call: CallStory) -> bool:
    """Open is what a person would want to see: what was asked, went wrong or goes on, and drawings worth a look. What
    came of a call that code made is told by the code's own result."""
    if call.within and call.state in ("done", "failed"):
        return call.answer is not None
    if call.state == "done":
        return call.answer is not None or _is_worth_a_look(call.view)
    return call.state in ("asking", "failed", "denied") or bool(call.progress or call.metadata.get("still_running"))


def _is_worth_a_look(view: View | None) -> bool:
    """Changes, pictures and short tables are; what was only read by the model is one click away."""
    if isinstance(view, Group):
        return any(_is_worth_a_look(inner) for inner in view.views if not isinstance(inner, Table))
    if isinstance(view, Table):
        return len(view.rows) <= FEW
    return isinstance(view, Diff | NotebookDiff | Picture | Failure | Todo | Inquiry)


def _body(call: CallStory) -> Iterator[Node]:
    trail = list(_trail(call))
    if trail:
        parts = [part for step in trail for part in (" · ", step)]
        yield element("p", "cw-trail", *parts[1:])
    if call.state == "asking":
        yield element("p", "cw-hint", "The question stands below this transcript.")
    if call.view is not None:
        yield draw(_shown(call, call.view))
    elif call.ended is not None and call.content:
        yield draw(Text(call.content) if call.state == "done" else _shown(call, Failure(call.error_type, call.content)))
    elif call.progress:
        yield draw(Terminal(call.progress))
    elif call.effect is not None and call.state != "asking":
        yield draw(call.effect)
    yield from _part_of_it(call.metadata)
    yield element("div", "cw-folds", *_folds(call))


def _shown(call: CallStory, view: View) -> View:
    """The view without what the head of the card says: which error it was, and that it was denied or stopped."""
    if isinstance(view, Group) and not view.title and view.views:
        return replace(view, views=(_shown(call, view.views[0]), *view.views[1:]))
    if not isinstance(view, Failure):
        return view
    is_told = call.state in ("denied", "cancelled") or (call.state == "failed" and view.error_type == _error(call))
    return replace(view, error_type="") if is_told else view


def _error(call: CallStory) -> str:
    """The error by its closest name."""
    return str(call.metadata.get("code") or call.error_type)


def _part_of_it(metadata: JsonObject) -> Iterator[Node]:
    """That the model did not get all of a result, and where the rest is."""
    left_out, spilled = metadata.get("characters_left_out"), metadata.get("spilled")
    if isinstance(left_out, int):
        path = spilled.get("path") if isinstance(spilled, dict) else None
        rest = f"the whole text is in {path}" if path else f"the rest was not kept: {metadata.get('not_spilled')}"
        yield missing(mark_hidden(f"{left_out:,} characters were left out of what the model saw; {rest}"))


def _trail(call: CallStory) -> Iterator[Node]:
    """Who decided what, in order; each a few words."""
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


def _folds(call: CallStory) -> Iterator[Node]:
    if isinstance(call.effect, Code) and call.ended is not None and call.effect != call.view:
        yield fold("code", draw(call.effect), name="code")
    label = "arguments" + AUTHORS.get(call.by, "")
    if call.args is not None:
        text = json.dumps(call.args, indent=2, ensure_ascii=False)
        yield fold(label, *code_rows(text, "json", TRANSCRIPT), name="arguments")
    else:
        yield fold("arguments, as they came", *text_rows(call.arguments, TRANSCRIPT, "cw-pre"), name="arguments")
    if call.ended is not None:
        size = len(call.content)
        summary = f"what the model saw · {size:,} character{'s' if size != 1 else ''}"
        yield fold(summary, *text_rows(call.content, TRANSCRIPT, "cw-pre"), name="content")
    if call.metadata.keys() - {"code", "seconds"}:
        yield fold("how it went", *text_rows(_how_it_went(call.metadata), TRANSCRIPT, "cw-pre"), name="metadata")
    if call.progress and call.view is not None and not isinstance(call.view, Terminal):
        yield fold("progress", *terminal_rows(call.progress, TRANSCRIPT), name="progress")


def _how_it_went(metadata: JsonObject) -> str:
    """The stages with their times, and what else is known. Uncoloured: it stands in every card and has to be small."""
    stages = metadata.get("stages")
    times = stages.items() if isinstance(stages, dict) else ()
    lines = [f"{seconds * 1000:9.2f} ms  {stage}" for stage, seconds in times if isinstance(seconds, int | float)]
    rest = {name: value for name, value in metadata.items() if name != "stages" or not lines}
    return "\n".join([*lines, json.dumps(rest, indent=1, ensure_ascii=False, default=str)])
