"""What a person is asked about a call, and how it reads: what would happen, exactly, and who asks why.

A question that only names a tool is answered by habit. So it carries the exact effect, each part of a command line
with what the rules say of it, and who asked: a rule, the mode, the tool or a hook. Whatever shows it takes its words
from here. The rule that must never break: what would run stands in the question whole, and in a form in which nothing
can hide.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from cellwright.codec import canonical
from cellwright.messages import JsonObject
from cellwright.permission.decision import CANT_BE_UNDONE, Mode
from cellwright.permission.grant import Scope
from cellwright.permission.judgement import Verdict
from cellwright.permission.offers import Offer
from cellwright.schema import Schema
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_all
from cellwright.views.file_diff import Diff
from cellwright.views.notebook_diff import NotebookDiff, summary
from cellwright.views.view import Group, View, as_json, as_text, pretty


async def nothing_waits() -> tuple[Question, ...]:
    """No other call waits behind this one."""
    return ()


class Question(Struct, frozen=True):
    """What a person is asked: may this call run?"""

    call_id: str
    tool: str
    args: JsonObject
    schema: Schema
    """The tool's input schema; edited arguments must fit it."""
    effect: View | None
    """What the call would do, exactly; None if the tool can't say, then the arguments are the effect."""
    reason: str
    """Why the person is asked."""
    destructive: bool
    check: Callable[[JsonObject], str | None]
    """The problem with edited arguments, or None. For a form that validates as the person types."""
    offers: tuple[Offer, ...] = ()
    """What could be granted beyond this call, the narrowest first; none where no grant would have an effect."""
    scopes: tuple[Scope, ...] = ()
    """How long a grant could last."""
    by: str = "default"
    """Who asks: the decider's name, such as `ask_rule`, `tool` or `hook`."""
    rule: str = ""
    """The rule that asks, if one does."""
    mode: Mode = "default"
    parts: tuple[Verdict, ...] = ()
    """What the rules say of each command in a command line; none for other tools."""
    operations: tuple[str, ...] = ()
    """The operations of the call, a line each, if some of them may be left out."""
    only: Callable[[Sequence[int]], Question | str] | None = None
    """The question as it would be with these of its operations alone, by number from 1; or why they can't be."""
    again: Callable[[JsonObject], Question] | None = None
    """The question as it would be with other arguments; for a form that shows what they would do."""
    waiting: Callable[[], Awaitable[tuple[Question, ...]]] = nothing_waits
    """The questions about calls of the same turn that wait behind this one, as far as they are known now."""

    @property
    def facts(self) -> tuple[Any, ...]:
        """All that a person is shown, to be compared with what they were shown before."""
        effect = as_json(self.effect) if self.effect else None
        return (
            *(self.call_id, self.tool, canonical(self.args), canonical(effect), self.destructive),
            *(self.reason, self.by, self.rule, self.mode, self.parts),
        )


def empty_arguments(question: Question) -> tuple[str, ...]:
    """The required texts that are blank: what such a call would do can't be seen."""
    return tuple(
        name
        for name in sorted(question.schema.required)
        if isinstance(value := question.args.get(name, ""), str) and not value.strip()
    )


def goes_with_others(question: Question) -> bool:
    """Whether a person may allow the call together with others: what it does can be undone, and seen."""
    return not question.destructive and not empty_arguments(question)


class Promises:
    """Calls of a turn that a person allowed together with an earlier one, as they were shown then."""

    def __init__(self) -> None:
        self._given: dict[str, tuple[str, tuple[Any, ...]]] = {}

    def give(self, first: str, listed: Iterable[Question]) -> None:
        """The listed calls are allowed with the first. What can't be undone is asked about by itself all the same."""
        for question in listed:
            if not question.destructive:
                self._given[question.call_id] = first, question.facts

    def claim(self, question: Question) -> str:
        """The call with which this one was allowed, once, if it is still what was shown; else nothing."""
        first, facts = self._given.pop(question.call_id, ("", ()))
        return first if facts == question.facts else ""


DESTRUCTIVE = "DESTRUCTIVE: what it does can't be undone."
"""What is said of a call that destroys."""
SENTENCES = {
    "agent": "May this sub-agent start?",
    "delete_range": "May this file be changed?",
    "delete_symbol": "May this file be changed?",
    "edit_file": "May this file be changed?",
    "exit_plan": "Do you agree to this plan?",
    "interrupt_kernel": "May this kernel be interrupted?",
    "kill_job": "May this job be ended?",
    "move_file": "May this file be moved?",
    "multi_edit": "May this file be changed?",
    "notebook_edit": "May this notebook be changed?",
    "notebook_patch": "May this notebook be changed?",
    "notebook_run": "May these cells run?",
    "restart_kernel": "May this kernel be started anew?",
    "run_code": "May this code run?",
    "run_command": "May this command run?",
    "run_here": "May this code run in your own kernel?",
    "web_fetch": "May this page be fetched?",
    "write_file": "May this file be written?",
}
"""What a person is asked, by the tool's name; of any other tool, whether it may run."""


def sentence(tool: str) -> str:
    """What the person is asked, as one sentence."""
    return SENTENCES.get(tool, f"May {mark_all(tool)} run?")


def asked_line(tool: str) -> str:
    """The sentence, and the tool's name if it is not in it."""
    return SENTENCES[tool] + f" ({tool})" if tool in SENTENCES else sentence(tool)


def outlook(question: Question) -> str:
    """What will happen if the person says yes, in one sentence."""
    match question.effect:
        case Diff(path=path):
            return _change(question.effect, mark_all(path))
        case NotebookDiff(path=path):
            return f"It would change {mark_all(path)}: {summary(question.effect)}."
        case Group(title=title) if question.parts:
            if _is_dark(question):
                return f"It would run a command line {mark_all(title)}; what it starts can't be told."
            return _command(mark_all(title), question.parts)
        case Group(title=title) if title:
            return f"What it would do: {mark_all(title)}."
    if not question.args:
        return "It takes no arguments." if not question.schema.properties else "It would run without arguments."
    named = ", ".join(mark_all(name) for name in question.args)
    return f"It would run with {quantity(len(question.args), 'argument')}: {named}."


def _change(diff: Diff, path: str) -> str:
    added, removed = diff.added, diff.removed
    if diff.is_new:
        held = f"of {quantity(added, 'line')}" if added else "with nothing in it"
        return f"It would make {path}, a new file {held}."
    if not added and not removed:
        return f"It would write {path}; no line differs."
    if "\n@@ -0,0 " in f"\n{diff.unified}":
        return f"It would write {quantity(added, 'line')} to {path}, which is empty now."
    counts = [f"add {quantity(added, 'line')}"] if added else []
    counts += [f"remove {quantity(removed, 'line')}"] if removed else []
    return f"It would change {path}: {' and '.join(counts)}."


def _is_dark(question: Question) -> bool:
    """Whether the whole line is one part because it was not understood."""
    part, *others = question.parts
    return not others and part.by == "unclear" and part.target in question.args.values()


def _command(where: str, parts: Sequence[Verdict]) -> str:
    """The programs by name; what a line reads or writes by itself is no command, and told whole."""
    targets = [part.target for part in parts]
    redirections = [target for target in targets if target.lstrip("0123456789&")[:1] in ("<", ">")]
    direct = [f"`{mark_all(target)}`" for target in redirections]
    names = Counter(f"`{mark_all(first_word(target))}`" for target in targets if target not in redirections)
    listed = ", ".join(f"{name} ({count} times)" if count > 1 else name for name, count in names.items())
    redirected = f"; redirected: {', '.join(direct)}" if direct else ""
    return f"It would run {quantity(names.total(), 'command')} {where}: {listed}{redirected}."


def first_word(command: str) -> str:
    """The first word of a command, whole. Blanks of other kinds than a shell's are part of it."""
    return next(filter(None, re.split(r"[ \t\n]", command)), "nothing")


ASKERS = {
    "always_asks": "the tool",
    "ask_rule": "a rule",
    "hook": "a hook",
    "tool": "the tool",
    "tool_insists": "the tool",
    "unclear_command": "the reading of the command",
}
"""Who asks, by the decider's name; the mode, where nobody else does."""


def asker(question: Question) -> str:
    """Who asks, in a few words: `mode default`, `the rule run_command(git push *)`, `a hook`."""
    if question.rule and question.by == "ask_rule":
        return f"the rule {mark_all(question.rule)}"
    return ASKERS.get(question.by, f"mode {question.mode}")


LONG = 300
"""Characters of a command that stand in a reason."""


def why(question: Question) -> str:
    """Why the person is asked; nothing if the mark of a destructive call says it. A long command is named by its ends,
    since all of it stands below."""
    if question.destructive and question.reason == CANT_BE_UNDONE:
        return ""
    for target in (part.target for part in question.parts if len(part.target) > LONG):
        if question.reason.startswith(f"`{target}`"):
            ends = f"{target[: LONG // 2]} … {target[-LONG // 2 :]}"
            return f"`{ends}`{question.reason.removeprefix(f'`{target}`')}"
    return question.reason


def question_text(question: Question) -> str:
    """The whole question as plain text: tool, reason, arguments, parts, effect; nothing cut, nothing hidden."""
    lines = [f"{asked_line(question.tool)} {mark_all(why(question))}".rstrip()]
    if question.destructive:
        lines.append(DESTRUCTIVE)
    lines += [outlook(question), f"asked by {asker(question)}"]
    lines.append(mark_all(pretty(question.args)))
    lines += _part_lines(question)
    if question.effect is not None:
        lines.append(mark_all(as_text(question.effect)))
    return "\n".join(lines)


def _part_lines(question: Question) -> Iterator[str]:
    for part in question.parts:
        yield f"  {part.decision:5}  {mark_all(part.target)}"
        yield f"         {mark_all(part.reason)}"
