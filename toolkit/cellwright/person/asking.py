"""How a question about a call is made: from the very text that would run, with its effect, and with what waits behind.

The person may change the arguments, and must see what the changed call would do as exactly as they saw the first. They
may also want to answer for several calls of a turn at once. So a question can be made again for other arguments, and
beforehand for calls that wait. The rule that must never break: making a question has no effect, and decides nothing:
every call goes all its way when its turn comes.
"""

from __future__ import annotations

import contextvars
import json
from collections import Counter
from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from cellwright.arguments import read_arguments
from cellwright.calls.passage import Passage, Refused, Setup
from cellwright.codec import canonical
from cellwright.errors import ToolError
from cellwright.messages import Call, JsonObject, told
from cellwright.operations import only, operations_of
from cellwright.permission.barred import barred
from cellwright.permission.decision import Decision
from cellwright.permission.guards import denied_by, followed
from cellwright.permission.judgement import Verdict
from cellwright.person.granting import offered, scopes
from cellwright.person.question import Question
from cellwright.text.masking import OPENING, Masking, unmasked
from cellwright.views.view import Failure, View, checked_view
from cellwright.waiting.threads import in_thread

MOVED = "a path leads elsewhere since it was judged; nothing was run, call it again"


async def question_of(passage: Passage, text: str) -> Question:
    """The question about a call, whose arguments are this text.

    Raises:
        Refused: if the tool says that the call can't be done, so that there is nothing to ask.
    """
    try:
        effect = await in_thread(lambda: _presented(passage, text))
    except ToolError as error:
        raise Refused("tool_error", error.message, code=error.code) from None
    asked = _question(passage, text, effect, passage.decision)
    context, original = contextvars.copy_context(), json.loads(text)

    def check(args: JsonObject) -> str | None:
        return _denied(passage, unmasked(args, asked.args, original))

    def chosen(kept: Sequence[int]) -> Question | str:
        args = only(passage.found, original, kept)
        return _denied(passage, args) or context.copy().run(_again, passage, canonical(args))

    def again(args: JsonObject) -> Question:
        changed = canonical(unmasked(args, asked.args, original))
        return context.copy().run(_again, passage, changed)

    listed = operations_of(passage.found, asked.args)
    asked = replace(asked, operations=listed, only=chosen if listed else None)
    return replace(asked, check=check, again=again, waiting=Behind(passage).questions)


def _denied(passage: Passage, args: JsonObject) -> str | None:
    """Why the call may not run with other arguments, or None."""
    problem = problem_of(passage, args, canonical(args)) or guarded(passage, args)
    if problem:
        return problem
    decision = passage.setup.policy.decide(passage.found, args, passage.env)
    return decision.reason if decision.decision == "deny" else None


def _again(passage: Passage, text: str) -> Question:
    """The question as it would be with other arguments; what can't be done is shown as that."""
    args = json.loads(text)
    places = followed(passage.found, args, passage.env)
    other = replace(passage, args=args, text=text, env=passage.env.judging(places or {}, passage.env.bars))
    decision = other.setup.policy.decide(other.found, args, other.env)
    try:
        effect = _presented(other, text)
    except ToolError as error:
        effect = Failure(error.code, error.message)
    return _question(other, text, effect, decision)


def _question(passage: Passage, text: str, effect: View | None, decision: Decision | None) -> Question:
    tool, masking, masked = passage.found, passage.setup.log.masking, Counter[str]()
    shown = masking.json(json.loads(text), masked)
    return Question(
        call_id=passage.call.id,
        tool=tool.name,
        args=shown,
        schema=tool.input_schema,
        effect=effect and masking.view(effect, masked),
        reason=masking.text(decision.reason if decision else "") + _told_masks(masked),
        destructive=tool.trait("destructive", passage.args),
        check=lambda args: None,
        offers=offered(passage),
        scopes=scopes(passage),
        by=decision.by if decision else "default",
        rule=masking.text(decision.rule) if decision else "",
        mode=passage.setup.policy.mode,
        parts=_parts(passage, masking),
    )


def _told_masks(masked: Counter[str]) -> str:
    """What a person must know of a question in which secrets are masked."""
    names = ", ".join(sorted(masked))
    return f"; masked here, but not in what runs: {names}" if names else ""


def _parts(passage: Passage, masking: Masking) -> tuple[Verdict, ...]:
    """What the rules say of each command of a line; nothing where the line can't be judged, which asks by itself."""
    if not passage.found.command:
        return ()
    try:
        judged = passage.setup.policy.judge(passage.found, passage.args, passage.env)
    except Exception:  # the decision tells why
        return ()
    return tuple(
        replace(part, target=masking.text(part.target), reason=masking.text(part.reason), rule=masking.text(part.rule))
        for part in judged
    )


def _presented(passage: Passage, text: str) -> View | None:
    """What the tool says that the call would do.

    Raises:
        ToolError: if it can't be done.
    """
    present = passage.found.present_call
    if present is None:
        return None
    try:
        return checked_view(present(json.loads(text), passage.env))
    except ToolError:
        raise
    except (Exception, SystemExit) as error:
        return Failure("no_preview", f"the effect can't be shown ({told(error)})")


class Behind:
    """The questions about the calls that wait behind one, each made once, when somebody first wants to see it."""

    def __init__(self, passage: Passage) -> None:
        self._passage = passage
        self._made: dict[str, Question | None] = {}

    async def questions(self) -> tuple[Question, ...]:
        """Those about calls that are sure to be asked about, in the order of the turn."""
        calls = self._passage.setup.behind(self._passage.call)
        for call in calls:
            if call.id not in self._made:
                self._made[call.id] = await _foreseen(call, self._passage.setup)
        return tuple(question for call in calls if (question := self._made[call.id]) is not None)


async def _foreseen(call: Call, setup: Setup) -> Question | None:
    """The question about a call whose turn has not come, as things are now; None where there would be none."""
    tool = setup.tool(call.name)
    if tool is None or not call.complete or setup.refusal(tool):
        return None
    if any(hook.is_for("before_call", call.name) for hook in setup.hooks):
        return None  # it may make another call of it
    try:
        args, _ = read_arguments(call.arguments, tool.input_schema)
        passage = Passage(call, setup, setup.env, tool=tool, args=args, text=canonical(args))
        if problem_of(passage, args, passage.text):
            return None
        guard_paths(passage)
        passage.decision = setup.policy.decide(tool, args, passage.env)
        return await question_of(passage, passage.text) if passage.decision.decision == "ask" else None
    except Exception:  # what is wrong with it is told when its turn comes
        return None


def problem_of(passage: Passage, args: JsonObject, text: str) -> str | None:
    """What is wrong with arguments: by the schema, then by the tool itself."""
    tool = passage.found
    problems: Sequence[str] = tool.input_schema.problems(args)
    if problems:
        return "; ".join(problems)
    mark = passage.setup.log.masking.mark_in(text) if OPENING in text else ""
    if mark and not tool.trait("read_only", args):
        return f"{mark} stands for a secret that is not shown to you; write around it, an exact edit leaves it in place"
    try:
        return tool.validate(args, passage.env) if tool.validate else None
    except ToolError as error:
        return error.message
    except Exception as error:
        return f"{tool.name} could not check these arguments ({told(error)})"


def guarded(passage: Passage, args: JsonObject) -> str:
    """Why a guard denies these arguments; nothing if none does."""
    return denied_by(passage.found, args, passage.env, passage.setup.policy.mode)[1]


def guard_paths(passage: Passage) -> None:
    """Follows the paths of a call once, for all that judge them and for the tool, and lets the guards look.

    Raises:
        Refused: if a guard denies the call.
    """
    places = followed(passage.found, passage.args, passage.env)
    if passage.found.paths or places != passage.env.judged:
        bars = partial(barred, passage.setup.policy, passage.found, str(passage.env.cwd))
        passage.env = passage.env.judging(places or {}, bars)
    reason = guarded(passage, passage.args)
    if reason or places is None:
        raise Refused("guard_denied", reason or MOVED)
