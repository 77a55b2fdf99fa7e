"""The stages of a call before it runs: what was asked for, whether it is sound, whether it may.

Each stage has one signature: it takes the passage and writes into it what it found. It refuses by raising `Refused`,
with a message that tells the model what was wrong and what to do instead. Up to `recheck` nothing has had any effect.
"""

from __future__ import annotations

import json
from functools import partial
from itertools import islice

from cellwright.arguments import ArgumentsError, read_arguments
from cellwright.calls.passage import Passage, Refused
from cellwright.codec import canonical, read_canonical, to_json
from cellwright.deferral import SEARCH
from cellwright.hooks.hook import weighed
from cellwright.messages import JsonObject, told
from cellwright.operations import left_out, only
from cellwright.permission.decision import Decision
from cellwright.permission.grant import Grant
from cellwright.permission.guards import followed
from cellwright.person.approval import Allow, Answer, Choose, Deny, Edit, Unavailable, asked
from cellwright.person.asking import MOVED, guard_paths, guarded, problem_of, question_of
from cellwright.person.granting import keep
from cellwright.person.question import Question
from cellwright.schema import parameters_text
from cellwright.surface import away_text
from cellwright.text.masking import unmasked
from cellwright.tool import Tool
from cellwright.views.view import as_json
from cellwright.waiting.threads import in_thread


async def look_up(passage: Passage) -> None:
    """Finds the tool by its exact name; a name that is only near is named, never used."""
    setup, name = passage.setup, passage.call.name
    tool = setup.tool(name)
    if name in setup.registry.refused:
        raise Refused("tool_not_allowed", setup.registry.refused[name])
    if tool is None:
        namespace = setup.registry.away(name)
        if namespace:
            raise Refused("tool_not_allowed", away_text(name[:100], namespace))
        near = ", ".join(setup.registry.near(name, setup.selection))
        hint = f"did you mean {near}?" if near else f"the tools are: {_open_tools(passage)}"
        raise Refused("unknown_tool", f"there is no tool {name[:100]!r}; {hint}")
    _check_open(passage, tool)
    passage.tool = tool


async def read(passage: Passage) -> None:
    """Reads the raw text once, strictly."""
    if not passage.call.complete:
        raise Refused(
            "invalid_arguments",
            "your reply was cut off at its length limit, so this call may be incomplete; nothing was run. "
            "Send the call again, in smaller parts",
        )
    try:
        args, repairs = read_arguments(passage.call.arguments, passage.found.input_schema)
    except ArgumentsError as error:
        raise Refused("invalid_arguments", str(error)) from None
    _record_arguments(passage, args, repairs, "model")
    passage.args, passage.repairs = args, repairs


async def validate(passage: Passage) -> None:
    """Holds the arguments against the schema, then asks the tool itself."""
    passage.text = canonical(passage.args)
    problem = problem_of(passage, passage.args, passage.text)
    if problem:
        parameters = parameters_text(passage.found.input_schema)
        changed = passage.changed_by and passage.text != passage.edited
        blame = f"the hook {passage.changed_by[-1].name} changed the arguments: " if changed else ""
        unseen = passage.setup.surface.is_hidden(passage.found.name)
        hint = f". To read its definition first, call {SEARCH} with select:{passage.found.name}" if unseen else ""
        raise Refused("invalid_arguments", f"{blame}{problem}. The parameters are: {parameters}{hint}")


async def guard(passage: Passage) -> None:
    """The checks that nothing later can lift. Paths are followed once, for all that judge them and for the tool."""
    guard_paths(passage)


async def permit(passage: Passage) -> None:
    """Rules, mode, the tool's opinion and the hooks' answers give allow, ask or deny."""
    weigh = partial(weighed, passage.setup.policy, passage.found, passage.args, passage.env, passage.hook_answers)
    # a tool that insists looks at what it would run, which may be in a page: that is waited for in a thread
    decision: Decision = await in_thread(weigh) if passage.found.asks_first else weigh()
    passage.setup.log.record(
        "decision", id=passage.call.id, decision=decision.decision, by=decision.by, reason=decision.reason
    )
    if decision.decision == "deny":
        raise Refused("permission_denied", f"not permitted: {decision.reason}")
    passage.decision = decision


async def approve(passage: Passage) -> None:
    """Asks the person, if the decision was to ask; one question at a time. From here on the arguments are frozen."""
    text = passage.text
    if _is_allowed(passage) or passage.edited == text:
        passage.frozen = text
        return
    before = passage.setup.policy
    async with passage.setup.asking:
        if passage.setup.policy is not before:  # another question was answered, or the mode switched
            await guard(passage)
            await permit(passage)
        if _is_allowed(passage):
            passage.frozen = text
        else:
            await _ask(passage, text)


def _is_allowed(passage: Passage) -> bool:
    return passage.decision is not None and passage.decision.decision == "allow"


async def _ask(passage: Passage, text: str) -> None:
    question = await question_of(passage, text)
    passage.setup.log.record(
        "question",
        id=passage.call.id,
        name=question.tool,
        args=json.loads(text),
        view=as_json(question.effect) if question.effect else None,
        reason=question.reason,
        destructive=question.destructive,
        by=question.by,
        rule=question.rule,
        parts=to_json(question.parts),
        offers=to_json(question.offers),
    )
    answer, allowed_with = await _answer(passage, question)
    _record_answer(passage, answer, allowed_with)
    match answer:
        case Allow(also=also):
            passage.setup.promises.give(passage.call.id, also)
            passage.frozen = text
        case Grant():
            keep(answer, passage)
            passage.frozen = text
        case Edit():
            args = unmasked(_edited(answer), question.args, json.loads(text))
            _record_arguments(passage, args, (), "person")
            passage.args, passage.edited, passage.back_to = args, canonical(args), "validate"
        case Choose(kept=kept):
            args = only(passage.found, json.loads(text), kept)
            passage.left_out = left_out(question.operations, kept) if len(kept) < len(question.operations) else ""
            _record_arguments(passage, args, (), "person")
            passage.args, passage.edited, passage.back_to = args, canonical(args), "validate"
        case Deny(reason=reason):
            said = f"the person denied this call: {reason}" if reason else "the person denied this call"
            raise Refused("approval_denied", f"{said}. Nothing was run; don't repeat it unchanged")
        case Unavailable(reason=reason):
            raise Refused("approval_unavailable", f"this call needs approval, and {reason}. Nothing was run")


async def _answer(passage: Passage, question: Question) -> tuple[Answer, str]:
    """What the person says, and the earlier call with which they allowed this one, if they did."""
    allowed_with = passage.setup.promises.claim(question)
    if allowed_with:
        return Allow(), allowed_with
    with passage.env.spending.asking():
        return await asked(passage.setup.approver, question), ""


async def recheck(passage: Passage) -> None:
    """What runs is what was judged: a tool still selected, the same arguments, the same files behind their paths."""
    pauses, call = passage.setup.pauses, passage.call
    if pauses.stops_call(call.name):
        await pauses.before_call(call.id, call.name, passage.setup.log, passage.env.spending)
    _check_open(passage, passage.found)
    passage.ready = read_canonical(passage.frozen)
    if passage.ready != passage.args:
        raise Refused("guard_denied", "the arguments changed after they were validated; nothing was run")
    if followed(passage.found, passage.args, passage.env) != passage.env.judged:
        raise Refused("guard_denied", MOVED)
    # while the person thought, the run may have been switched to plan mode
    reason = "" if _is_allowed(passage) else guarded(passage, passage.args)
    if reason:
        raise Refused("guard_denied", reason)


def _check_open(passage: Passage, tool: Tool) -> None:
    """The choice that made the list for the model, now held against the call itself."""
    reason = passage.setup.refusal(tool)
    if reason:
        raise Refused("tool_not_allowed", f"{reason}. Nothing was run; the tools are: {_open_tools(passage)}")


def _open_tools(passage: Passage) -> str:
    setup = passage.setup
    names = islice((tool.name for tool in setup.registry if not setup.refusal(tool)), 20)
    return ", ".join(names) or "none"


def _edited(answer: Edit) -> JsonObject:
    """A copy, which the one who answered can't change any more."""
    try:
        args: JsonObject = to_json(answer.args)
    except Exception as error:
        raise Refused("invalid_arguments", f"the person edited the arguments, but {told(error)}") from None
    return args


def _record_arguments(passage: Passage, args: JsonObject, repairs: tuple[str, ...], by: str) -> None:
    passage.setup.log.record("arguments", id=passage.call.id, args=args, repairs=list(repairs), by=by)


def _record_answer(passage: Passage, answer: Answer, allowed_with: str) -> None:
    reason = answer.reason if isinstance(answer, Deny | Unavailable) else ""
    kept: JsonObject = {"scope": answer.scope, "rules": list(answer.rules)} if isinstance(answer, Grant) else {}
    if isinstance(answer, Choose):
        kept["kept"] = list(answer.kept)
    if isinstance(answer, Allow) and answer.also:
        kept["also"] = [listed.call_id for listed in answer.also]
    if allowed_with:
        kept["allowed_with"] = allowed_with
    passage.setup.log.record("answer", id=passage.call.id, answer=type(answer).__name__.lower(), reason=reason, **kept)
