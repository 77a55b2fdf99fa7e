import asyncio
import time

import pytest

from cellwright import Allow, Deny, Edit, Grant, Policy, ScriptedApprover, tool
from cellwright.calls.pipeline import STAGES
from cellwright.codec import canonical
from cellwright.hooks.hook import AddContext, Ask, Block, Change, Fail, Hook, HookAllow, Replace, StopRun
from cellwright.log.events import Recorder
from cellwright.messages import Image, UserMessage
from cellwright.permission.policy import MODES
from cellwright.tool import Output

from ..scene import CONSENT, act, agent_of, calling, echo, kinds_of, plain, play, returning


@tool(paths=("path",))
def write_file(path: str, limit: int = 5) -> str:
    """Would write."""
    return f"wrote {path} {limit}"


def before(answer, name="h", **facts):
    """A hook that gives an answer, or asks a function for it."""
    return Hook("before_call", answer if callable(answer) else lambda occasion: answer, name=name, **facts)


def after(answer, name="h", **facts):
    return Hook("after_call", answer if callable(answer) else lambda occasion: answer, name=name, **facts)


def played(*hooks, answers=(), made=write_file, args=None, **conditions):
    args = {"path": "a.txt"} if args is None else args
    run = play([calling((made.name, args)), "done"], [made], answers, hooks=hooks, **conditions)
    return run


def result_of(*hooks, **conditions):
    run = played(*hooks, **conditions)
    assert run.answer == "done"
    (result,) = run.results
    return result


def said(run):
    return [(event.data["hook"], event.data["answer"], event.data["reason"]) for event in kinds_of(run, "hook")]


ASKED = "this call needs approval, and the script has 0 answers"
ANSWERED = [
    (None, "approval_unavailable", ASKED),
    (Block("no writing"), "hook_blocked", "the hook h blocked this call: no writing. Nothing was run"),
    (Block(), "hook_blocked", "the hook h blocked this call. Nothing was run"),
    (HookAllow(), None, "wrote a.txt 5"),
    (Ask("look"), "approval_unavailable", ASKED),
    (Change({"path": "b.txt"}), "approval_unavailable", ASKED),
    (AddContext("a note"), "approval_unavailable", ASKED),
    (lambda occasion: 1 / 0, "hook_blocked", "the hook h could not judge this call, so nothing was run: ZeroDivision"),
    (True, "hook_blocked", "the hook h could not judge this call, so nothing was run: it answered bool"),
    (lambda occasion: time.sleep(1), "hook_blocked", "so nothing was run: it did not answer within 0.05 s"),
]


@pytest.mark.parametrize(("answer", "error_type", "words"), ANSWERED, ids=range(len(ANSWERED)))
def test_each_answer_before_a_call_has_its_one_result(answer, error_type, words):
    result = result_of(before(answer, timeout=0.05))
    assert (result.error_type, words in result.content) == (error_type, True), result.content


def test_a_failed_hook_is_told_from_one_that_blocks():
    assert result_of(before(Block())).metadata.get("code") is None
    assert result_of(before(1)).metadata["code"] == "hook_failed"


def test_a_hook_is_asked_about_its_tools_only():
    for name in ("write_fil", "write_file_x", "Write_File"):
        assert result_of(before(Block(), tools={name}), answers=[Allow()], observers=[Recorder()]).ok
    assert result_of(before(Block(), tools={"write_file", "read_file"})).error_type == "hook_blocked"


def test_the_first_block_ends_it_and_nobody_else_is_asked():
    seen = []
    hooks = [before(lambda o: seen.append(1), "a"), before(Block("b"), "b"), before(lambda o: seen.append(3), "c")]
    run = played(*hooks, answers=[Allow()])
    assert (run.results[0].error_type, seen, said(run)) == ("hook_blocked", [1], [("b", "block", "b")])
    assert kinds_of(run, "decision", "question") == []


def test_an_unknown_tool_and_wrong_arguments_reach_no_hook():
    seen = []
    run = played(before(seen.append), args={"path": 3})
    assert (run.results[0].error_type, seen) == ("invalid_arguments", [])
    run = play([calling("nope"), "done"], [write_file], hooks=[before(seen.append)])
    assert (run.results[0].error_type, seen) == ("unknown_tool", [])


def test_each_hook_sees_what_the_ones_before_it_made_of_the_arguments():
    hooks = [before(lambda o, x=x: Change({**o.args, "path": o.args["path"] + x}), x) for x in "AB"]
    run = played(*hooks, before(HookAllow()))
    assert run.results[0].content == "wrote a.txtAB 5"
    assert run.results[0].metadata["changed_by_hooks"] == ["A", "B"]
    written = [(event.data["by"], event.data["args"]["path"]) for event in kinds_of(run, "arguments")]
    assert written == [("model", "a.txt"), ("hook", "a.txtA"), ("hook", "a.txtAB")]
    assert said(run) == [
        ("A", "change", ""),
        ("B", "change", ""),
        ("A", "change", "not taken, since it has changed this call before"),
        ("B", "change", "not taken, since it has changed this call before"),
        ("h", "allow", ""),
    ]


CHANGED = [
    ({"path": "a.txt", "limit": "many"}, "invalid_arguments", "the hook h changed the arguments: limit must be an int"),
    ({"path": "a.txt", "key": 1}, "invalid_arguments", "the hook h changed the arguments: unknown parameter key"),
    ({}, "invalid_arguments", "the hook h changed the arguments: path is missing"),
    ({"path": "../x"}, "guard_denied", "outside the working folder"),
    ({"path": ".ssh/id"}, "guard_denied", "credentials"),
    ({"path": ".env"}, "permission_denied", "itself refuses"),
]


@pytest.mark.parametrize(("args", "error_type", "words"), CHANGED, ids=range(len(CHANGED)))
@pytest.mark.parametrize("first", [None, HookAllow(), Ask()])
def test_changed_arguments_are_validated_and_judged_like_any_others(args, error_type, words, first, tmp_path):
    made = plain(write_file.execute, "write_file", write_file.input_schema.json, read_only=False, paths=("path",))
    facts = {"check_permission": lambda args, env: "deny" if args["path"] == ".env" else None}
    made = type(made)(made.name, made.description, made.input_schema, made.execute, paths=("path",), **facts)
    result = result_of(before(first), before(Change(args)), before(HookAllow()), made=made, cwd=tmp_path)
    assert (result.error_type, words in result.content) == (error_type, True), result.content


def test_no_answer_stands_for_arguments_that_it_was_not_given_for():
    careful = before(lambda o: HookAllow() if o.args["path"] == "a.txt" else None, "careful")
    turns = before(lambda o: Change({"path": "b.txt"}), "turns")
    assert result_of(careful, turns).error_type == "approval_unavailable"
    strict = before(lambda o: Block("b") if o.args["path"] == "b.txt" else HookAllow(), "strict")
    for hooks in ((strict, turns), (turns, strict)):
        assert result_of(*hooks).content == "the hook strict blocked this call: b. Nothing was run"


def test_hooks_that_disagree_come_to_an_end():
    asked = []

    def swapping(this, that):
        return before(lambda o: asked.append(1) or Change({"path": that if o.args["path"] == this else this}), that)

    run = played(swapping("a", "b"), swapping("b", "a"), before(HookAllow()))
    assert (run.results[0].ok, len(asked) < 10) == (True, True)
    counting = before(lambda o: Change({**o.args, "limit": o.args.get("limit", 5) + 1}))
    assert result_of(counting, before(HookAllow())).content == "wrote a.txt 6"


def test_what_a_hook_does_to_its_copy_changes_nothing():
    kept = []

    def mean(occasion):
        occasion.args["path"] = "pwn"
        kept.append(Change({"path": "b.txt"}))
        return kept[-1]

    def tamper(question):
        for change in kept:
            change.args["path"] = "pwn"
        return Allow()

    approver = ScriptedApprover([tamper])
    result = result_of(before(mean), approver=approver)
    assert (result.content, approver.questions[0].args) == ("wrote b.txt 5", {"path": "b.txt"})


def test_no_hook_is_asked_after_the_approval_and_what_was_approved_is_what_runs():
    order = []

    def hook(occasion):
        order.append("hook")
        return Change({"path": f"b{len(order)}.txt"})

    run = played(before(hook), answers=[lambda question: order.append("person") or Allow()])
    (question,) = kinds_of(run, "question")
    assert (order, run.results[0].content) == (["hook", "hook", "person"], "wrote b1.txt 5")
    assert canonical(question.data["args"]) == canonical(kinds_of(run, "arguments")[-1].data["args"])


def test_a_person_reads_why_a_hook_asks_also_about_what_only_reads():
    approver = ScriptedApprover([Deny("no")])
    result = result_of(before(Ask("is it late?")), made=returning(1, "t"), args={}, approver=approver)
    assert approver.questions[0].reason == "the hook h asks: is it late?"
    assert (result.error_type, result.metadata["decision"]["by"]) == ("approval_denied", "hook")


def test_what_a_person_wrote_passes_the_hooks_too_and_is_not_asked_about_again():
    strict = before(lambda o: Block("not b") if o.args["path"] == "b" else Ask())
    assert result_of(strict, answers=[Edit({"path": "b"})]).content.startswith("the hook h blocked this call: not b")
    assert result_of(strict, answers=[Edit({"path": "c"})]).content == "wrote c 5"


def test_a_hook_that_changes_what_a_person_wrote_makes_it_a_new_question():
    late = before(lambda o: Change({"path": "late"}) if o.args["path"] == "mine" else None)
    approver = ScriptedApprover([Edit({"path": "mine"}), Allow()])
    result = result_of(late, approver=approver)
    assert [question.args["path"] for question in approver.questions] == ["a.txt", "late"]
    assert result.content == "wrote late 5"
    stubborn = ScriptedApprover([Edit({"path": "mine"})] * 9)
    assert result_of(late, approver=stubborn).content == "wrote mine 5"
    assert len(stubborn.questions) == 2


def test_notes_of_hooks_reach_the_model_with_the_next_turn_also_beside_a_denial():
    heard = []

    def listen(conversation):
        heard.extend(m.text for m in conversation if isinstance(m, UserMessage))
        return "done"

    hooks = [before(AddContext("one")), before(AddContext("two")), after(AddContext("three"))]
    for policy in (Policy(allow={"write_file"}), Policy(deny={"write_file"})):
        play([calling(("write_file", {"path": "a"})), listen], [write_file], hooks=hooks, policy=policy)
    assert heard == ["go", "one\ntwo\nthree", "go", "one\ntwo"]


def test_calls_that_a_hook_may_change_do_not_overlap_and_questions_come_one_at_a_time():
    calls = [("echo", {"text": str(n)}) for n in range(4)]
    approver = ScriptedApprover([Allow()] * 4)
    run = play([calling(*calls), "done"], [echo], hooks=[before(Ask())], approver=approver)
    assert [question.args["text"] for question in approver.questions] == ["0", "1", "2", "3"]
    kinds = [event.kind for event in kinds_of(run, "question", "answer")]
    assert kinds == ["question", "answer"] * 4
    assert [event.kind for event in kinds_of(run, "call", "result")] == ["call", "result"] * 4
    aside = play([calling(*calls), "done"], [echo], hooks=[before(Ask(), tools={"write_file"})])
    assert [event.kind for event in kinds_of(aside, "call", "result")] == ["call"] * 4 + ["result"] * 4


async def cancels(occasion):
    raise asyncio.CancelledError


BROKEN = [
    (lambda occasion: 1 / 0, "ZeroDivisionError: division by zero"),
    (lambda occasion: time.sleep(1), "it did not answer within 0.05 s"),
    (cancels, "it cancelled itself"),
    ("done", "it answered str; at after_call the answers are Replace, Fail, StopRun, AddContext, None"),
    (Block("no"), "it answered Block"),
]


@pytest.mark.parametrize(("answer", "reason"), BROKEN, ids=range(len(BROKEN)))
def test_a_hook_that_fails_after_a_call_never_loses_its_result(answer, reason):
    broken = after(answer, "broken", timeout=0.05)
    run = played(broken, after(lambda o: Replace(o.result.content + "!")), answers=[Allow()])
    (result,) = run.results
    assert (run.answer, result.ok, result.value) == ("done", True, "wrote a.txt 5")
    note = f"wrote a.txt 5!\n[the hook broken failed after this call, which is done: {reason}"
    assert result.content.startswith(note)
    assert said(run)[0][:2] == ("broken", "failed")


def test_a_replaced_text_is_all_that_the_model_reads_and_the_person_sees_the_tools_own_view():
    made = plain(lambda args, env: Output("secret", images=(Image("image/png", "AA"),)), "t")
    result = result_of(after(Replace("gone")), made=made, args={})
    assert (result.ok, result.content, result.images, result.value) == (True, "gone", (), "secret")
    assert result.view.text == "secret"


def test_a_rejected_result_is_a_failure_and_later_hooks_see_it():
    seen = []
    look = after(lambda o: seen.append((o.result.ok, o.result.error_type)))
    result = result_of(after(Fail("no license")), look, answers=[Allow()])
    assert (result.ok, result.error_type, result.value) == (False, "tool_error", None)
    assert result.content == "the tool has run, but the hook h rejects its result: no license"
    assert (seen, [view.kind for view in result.view.views]) == ([(False, "tool_error")], ["error", "text"])


def test_a_hook_can_stop_the_run_and_every_call_is_answered():
    calls = calling(("echo", {"text": "a"}), ("write_file", {"path": "b"}))
    run = play([calls, "never"], [echo, write_file], hooks=[after(StopRun("enough"), tools={"echo"})])
    assert (run.stop_reason, run.error, run.answer) == ("cancelled", "the hook h stopped the run: enough", "")
    assert [(result.ok, result.error_type) for result in run.results] == [
        (True, None),
        (False, "cancelled_before_start"),
    ]


def test_hooks_after_a_call_see_failures_of_the_tool_and_no_call_that_was_not_run():
    seen = []
    look = after(lambda o: seen.append((o.tool, o.args, o.result.error_type)))

    def fails(args, env):
        raise ValueError("boom")

    calls = calling("fails", "nope", ("write_file", {"path": "a"}))
    play([calls, "done"], [plain(fails), write_file], [Deny()], hooks=[look])
    assert seen == [("fails", {}, "tool_error")]


def test_what_a_hook_does_to_its_copy_of_the_result_changes_nothing():
    def mean(occasion):
        occasion.result.value.clear()
        occasion.result.metadata["x"] = 1

    result = result_of(after(mean), made=returning({"a": [1]}, "t"), args={})
    assert (result.value, "x" in result.metadata) == ({"a": [1]}, False)


@pytest.mark.parametrize("moment", ["before_call", "after_call"])
def test_a_run_that_is_stopped_while_a_hook_thinks_ends_with_every_call_answered(moment):
    started = []

    async def thinks(occasion):
        started.append(1)
        await asyncio.sleep(60)

    async def stop(run):
        while not started:
            await asyncio.sleep(0.005)
        run.cancel()

    agent = agent_of([calling(("write_file", {"path": "a"})), "never"], [write_file], [Allow()])
    agent.hooks = (Hook(moment, thinks),)
    run = asyncio.run(act(agent, stop))
    (result,) = run.results
    assert (run.stop_reason, result.ok) == ("cancelled", moment == "after_call")
    assert result.ok is False or result.content.endswith("the run was stopped before it answered]")


def test_without_hooks_nothing_is_recorded_and_a_call_passes_the_same_stages():
    with_hooks, without = result_of(before(None), after(None), answers=[Allow()]), result_of(answers=[Allow()])
    assert list(with_hooks.metadata["stages"]) == list(without.metadata["stages"])
    assert [stage.__name__ for stage in STAGES].count("before_hooks") == 1
    assert kinds_of(played(answers=[Allow()]), "hook") == []


def test_a_run_that_a_hook_starts_is_not_shown_to_that_hook():
    names = []

    async def delegates(occasion):
        names.append(occasion.tool)
        inner = agent_of([calling(("echo", {"text": "x"})), "inner"], [echo])
        inner.hooks = (hook, before(lambda o: names.append("other")))
        answer = (await inner.run("go")).answer
        return Block(answer)

    hook = before(delegates)
    assert result_of(hook).content == "the hook h blocked this call: inner. Nothing was run"
    assert names == ["write_file", "other"]


def watching(seen, *events):
    return [Hook(event, lambda o: seen.append((o.event, o.prompt, o.stop_reason, o.answer))) for event in events]


def test_hooks_watch_the_start_and_the_end_of_a_run():
    seen = []
    play(["hello"], hooks=watching(seen, "run_end", "run_start", "before_compaction"))
    assert seen == [("run_start", "go", "", ""), ("run_end", "go", "answered", "hello")]


def test_a_watching_hook_that_fails_is_written_down_and_changes_nothing():
    run = play(["hello"], hooks=[Hook("run_start", lambda o: 1 / 0, name="s"), Hook("run_end", cancels, name="e")])
    assert (run.stop_reason, run.answer) == ("answered", "hello")
    assert said(run) == [("s", "failed", "ZeroDivisionError: division by zero"), ("e", "failed", "it cancelled itself")]
    assert run.events[-1].kind == "run_ended"


SCREENED = [
    (Block("it holds a key"), "the hook h blocked the prompt: it holds a key"),
    (lambda o: 1 / 0, "the hook h could not judge the prompt, so the model did not read it: ZeroDivisionError: divis"),
    (HookAllow(), "the hook h could not judge the prompt, so the model did not read it: it answered HookAllow"),
]


@pytest.mark.parametrize(("answer", "error"), SCREENED, ids=range(len(SCREENED)))
def test_a_blocked_prompt_never_reaches_the_model(answer, error):
    ends = []
    hook = Hook("user_prompt", answer if callable(answer) else lambda o: answer, name="h")
    run = play(["never"], hooks=[hook, *watching(ends, "run_end")])
    assert (run.stop_reason, run.steps, run.conversation) == ("cancelled", 0, ())
    assert run.error.startswith(error)
    assert ends == [("run_end", "go", "cancelled", "")]


def test_a_hook_adds_to_a_prompt_what_the_model_should_know():
    heard = []

    def listen(conversation):
        heard.extend(message.text for message in conversation)
        return "ok"

    run = play([listen], hooks=[Hook("user_prompt", lambda o: AddContext(f"about {o.prompt}"))])
    assert (heard, run.answer) == (["go", "about go"], "ok")


def test_what_is_said_while_the_run_goes_on_is_screened_too():
    async def say(run):
        run.steer("the key is 123")

    agent = agent_of(["one", "never"])
    agent.hooks = (Hook("user_prompt", lambda o: Block("a key") if "key" in o.prompt else None, name="h"),)
    run = asyncio.run(act(agent, say))
    assert (run.stop_reason, run.error) == ("cancelled", "the hook h blocked the prompt: a key")
    assert "123" not in str(run.conversation)


DENIED, ASKED_ALL = "denied guarded denied denied denied", "asked guarded asked denied asked"
PRECEDENCE = {
    # what is ruled, what the hook answers: in mode default, plan, accept_edits, dont_ask, bypass
    ("deny rule", HookAllow()): DENIED,
    ("deny rule", Ask()): DENIED,
    ("deny rule", None): DENIED,
    ("ask rule", HookAllow()): "ran guarded ran ran ran",
    ("ask rule", Ask()): ASKED_ALL,
    ("ask rule", None): "asked guarded asked denied ran",
    ("allow rule", Ask()): ASKED_ALL,
    ("allow rule", Block()): "blocked blocked blocked blocked blocked",
    ("allow rule", None): "ran guarded ran ran ran",
    ("grant", Ask()): ASKED_ALL,
    ("grant", None): "ran guarded ran ran ran",
    ("nothing", HookAllow()): "ran guarded ran ran ran",
    ("nothing", Ask()): ASKED_ALL,
    ("nothing", None): "asked guarded asked denied ran",
}
OUTCOMES = {
    "permission_denied": "denied",
    "guard_denied": "guarded",
    "approval_unavailable": "asked",
    "hook_blocked": "blocked",
    None: "ran",
}


@pytest.mark.parametrize(("ruled", "answer"), PRECEDENCE)
def test_hooks_rules_grants_and_modes_come_before_each_other_as_in_the_table(ruled, answer):
    kind, _, is_rule = ruled.partition(" ")
    found = []
    for mode in MODES:
        policy = Policy(mode, **({kind: {"act"}} if is_rule else {}), consent=CONSENT)
        acts = returning("x", "act", read_only=False)
        agent = agent_of([calling("act"), "done"], [acts], policy=policy, hooks=[before(answer)])
        if ruled == "grant":
            agent.grants.add(Grant("session", ("act",)))
        (result,) = asyncio.run(act(agent)).results
        found.append(OUTCOMES[result.error_type])
    assert " ".join(found) == PRECEDENCE[ruled, answer]


SECRET = "ghp_" + "A" * 36


@pytest.mark.parametrize(
    ("event", "answer"),
    [
        ("user_prompt", AddContext(SECRET)),
        ("user_prompt", Block(SECRET)),
        ("user_prompt", SECRET),
        ("after_call", StopRun(SECRET)),
    ],
)
def test_what_a_hook_says_is_masked_wherever_the_model_or_the_person_reads_it(event, answer):
    def hook(occasion):
        if isinstance(answer, str):
            raise ValueError(answer)
        return answer

    run = play([calling("t"), "done"], [returning(1, "t")], hooks=[Hook(event, hook)])
    read = [run.error, *(result.stops_run for result in run.results), *map(repr, run.conversation)]
    assert SECRET not in "".join(read)
    assert "⟨masked: github token⟩" in "".join(read)
