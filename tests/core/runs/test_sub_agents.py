"""Sub-agents: runs of their own, under the conditions of the one that started them."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from cellwright import Agent, Allow, Deny, Grant, Policy, ScriptedApprover, ScriptedModel, Session
from cellwright.calls.conditions import Conditions, Standing
from cellwright.catalogue import load
from cellwright.context.context_window import ContextWindow
from cellwright.deferral import Threshold
from cellwright.log.events import Log, Recorder
from cellwright.models.model import Request
from cellwright.runs.budget import Budget
from cellwright.runs.sub_agents import AT_ONCE, Beneath, Teller
from cellwright.tool import Output

from ..scene import CONSENT, act, agent_of, calling, echo, is_sound, kinds_of, plain, play, returning

AGENT, WAIT = load("agent"), load("wait")
WRITE = returning("written", "write", read_only=False)


class Company:
    """A model for each agent: which script is played says the prompt that it was given."""

    def __init__(self, **scripts) -> None:
        self.name = "company"
        self.requests: list[Request] = []
        self._models = {prompt: ScriptedModel(turns) for prompt, turns in scripts.items()}

    def stream(self, request: Request) -> AsyncIterator:
        self.requests.append(request)
        return self._models[request.conversation[0].text].stream(request)

    def shown(self, prompt) -> set[str]:
        """The tools that the agent with this prompt was shown at first."""
        request = next(r for r in self.requests if r.conversation[0].text == prompt)
        return {definition.name for definition in request.definitions}


def handing(*prompts, **args):
    """A turn that hands each of these prompts to a sub-agent."""
    return calling(*[("agent", {"task": prompt, "prompt": prompt, **args}) for prompt in prompts])


def staff(tools=(echo, WRITE), answers=(), **scripts):
    """An agent whose prompt is `go`, and the model for all."""
    model = Company(**{"go": [handing("help"), "done"], **scripts})
    agent = agent_of([], [AGENT, WAIT, *tools], answers)
    agent.model = model
    return agent, model


def run_of(agent, meanwhile=None):
    run = asyncio.run(act(agent, meanwhile))
    for child in run.children:
        is_sound(child)
    return run


def test_a_sub_agent_sees_only_its_prompt_and_only_its_answer_comes_back():
    agent, model = staff(help=[calling(("echo", {"text": "a secret plan"})), "nine"])
    run = run_of(agent)
    assert [(result.ok, result.content) for result in run.results] == [(True, "nine")]
    assert [message.text for message in model.requests[1].conversation] == ["help"]
    assert "a secret plan" not in str(run.conversation)
    assert "a secret plan" in str(run.children[0].conversation)
    assert run.results[0].value["calls"] == [{"tool": "echo", "outcome": "ok"}]


def test_a_sub_agent_can_start_no_agents_whatever_it_calls():
    agent, model = staff(help=[handing("more"), "could not"])
    run = run_of(agent)
    assert model.shown("help") == {"echo", "wait", "write"}
    assert model.shown("go") == {"agent", "echo", "wait", "write"}
    assert run.children[0].results[0].error_type == "tool_not_allowed"
    assert len(run.children) == 1


def test_several_work_side_by_side_and_answer_in_the_order_of_the_calls():
    met = asyncio.Event()

    async def meet(args, env):
        await met.wait()
        return "met"

    async def release(args, env):
        met.set()
        return "released"

    tools = [plain(meet), plain(release)]
    agent, _ = staff(tools, go=[handing("a", "b"), "done"], a=[calling("meet"), "A"], b=[calling("release"), "B"])
    assert [result.content for result in run_of(agent).results] == ["A", "B"]


def test_the_person_is_asked_for_it_and_told_who_asks():
    agent, model = staff(help=[calling("write"), "done"])
    person = ScriptedApprover([Allow()])
    run = run_of(type(agent)(model, agent.registry, approver=person))
    assert run.children[0].results[0].ok
    assert person.questions[0].reason.startswith("agent-1 asks: ")


def test_questions_of_several_come_one_at_a_time():
    asked, most = [], []

    class Slow:
        async def ask(self, question):
            asked.append(question.reason)
            most.append(len(asked))
            await asyncio.sleep(0)
            asked.pop()
            return Deny("not now")

    agent, _ = staff(go=[handing("a", "b"), "done"], a=[calling("write"), "A"], b=[calling("write"), "B"])
    agent = type(agent)(agent.model, agent.registry, approver=Slow())
    run = run_of(agent)
    assert most == [1, 1]
    assert [child.results[0].error_type for child in run.children] == ["approval_denied"] * 2


def test_one_in_the_background_is_waited_for_and_can_ask_nobody():
    go = [handing("help", background=True), calling(("wait", {})), "done"]
    agent, model = staff(go=go, help=[calling("write"), "alas"])
    run = run_of(agent)
    assert [result.content for result in run.results][1] == "agent-1 (answered):\nalas"
    assert model.shown("help") == {"echo"}
    assert run.children[0].results[0].error_type == "tool_not_allowed"


def test_those_in_the_background_end_with_the_run_that_started_them():
    async def forever(args, env):
        await asyncio.Event().wait()

    agent, _ = staff([plain(forever)], go=[handing("help", background=True), "done"], help=[calling("forever")])
    run = run_of(agent)
    assert (run.stop_reason, run.children[0].stop_reason) == ("answered", "cancelled")


def test_stopping_the_run_stops_its_sub_agents_and_each_call_has_its_result():
    started = asyncio.Event()

    async def forever(args, env):
        started.set()
        await asyncio.Event().wait()

    async def stop(run):
        await started.wait()
        run.cancel()

    agent, _ = staff([plain(forever)], help=[calling("forever")])
    run = run_of(agent, stop)
    assert (run.stop_reason, run.results[0].error_type) == ("cancelled", "cancelled")
    assert [child.results[0].error_type for child in run.children] == ["cancelled"]


def test_one_that_fails_is_told_with_what_it_did():
    agent, _ = staff(help=[calling(("echo", {"text": "x"}))])
    result = run_of(agent).results[0]
    assert (result.error_type, result.metadata["code"]) == ("tool_error", "agent_failed")
    assert "ended without an answer (model_error: the script has 1 turn" in result.content
    assert result.content.endswith("it did: echo (ok)")


def test_a_sub_agent_is_judged_by_the_rules_and_the_mode_of_the_run():
    agent, _ = staff(help=[calling("write", ("echo", {"text": "x"})), "done"])
    agent = type(agent)(agent.model, agent.registry, policy=Policy("plan", deny={"echo"}))
    child = run_of(agent).children[0]
    assert [result.error_type for result in child.results] == ["guard_denied", "permission_denied"]


def test_what_a_sub_agent_uses_is_used_of_the_budget_of_the_run():
    agent, _ = staff(help=[calling(("echo", {"text": "x"}))] * 9)
    run = run_of(type(agent)(agent.model, agent.registry, budget=Budget(tokens=1_000)))
    child = run.children[0]
    assert (run.stop_reason, child.stop_reason) == ("budget", "budget")
    assert child.error.startswith("the budget of the run that started this one, of 1,000 tokens is used up")
    assert run.spending.tokens > 1_000


def test_the_number_at_work_is_limited():
    async def forever(args, env):
        await asyncio.Event().wait()

    prompts = [f"p{number}" for number in range(AT_ONCE + 1)]
    scripts = {prompt: [calling("forever")] for prompt in prompts}
    agent, _ = staff([plain(forever)], go=[handing(*prompts, background=True), "done"], **scripts)
    run = run_of(agent)
    assert [result.ok for result in run.results] == [True] * AT_ONCE + [False]
    assert run.results[-1].metadata["code"] == "too_many_agents"


def test_each_has_a_log_of_its_own_beside_that_of_the_run(tmp_path):
    agent, _ = staff(help=["nine"])
    log = tmp_path / "run.jsonl"
    agent = type(agent)(agent.model, agent.registry, log=log)
    run_of(agent)
    own = tmp_path / f"run.{Session.load(log).last.log}.agent-1.jsonl"
    kinds = [json.loads(line)["kind"] for line in own.read_text().splitlines()]
    assert (kinds[0], kinds[1], kinds[-1]) == ("log", "run_started", "run_ended")
    assert str(own) in json.dumps([json.loads(line) for line in log.read_text().splitlines()])


def test_who_watches_the_agent_sees_the_runs_of_sub_agents_too():
    recorder = Recorder()
    agent, _ = staff(help=["nine"])
    agent = type(agent)(agent.model, agent.registry, observers=[recorder])
    run = run_of(agent)
    started = [event.data["run"] for event in recorder.events if event.kind == "run_started"]
    assert started == [run.id, run.children[0].id]


def test_that_it_waits_for_the_person_is_told_too():
    told = []
    agent, _ = staff(help=[calling("write"), "done"], answers=[Allow()])
    for event in run_of(agent).children[0].events:
        Teller("agent-1", told.append).on_event(event)
    assert told == ["agent-1: write", "agent-1 asks about write", "agent-1 has its answer: allow"]


def test_what_it_calls_is_told_as_progress_of_the_call_that_waits():
    recorder = Recorder()
    agent, _ = staff(help=[calling(("echo", {"text": "x"})), "nine"])
    run = run_of(type(agent)(agent.model, agent.registry, observers=[recorder]))
    told = [event.data for event in recorder.events if event.kind == "progress"]
    assert told == [{"id": run.results[0].call.id, "text": "agent-1: echo"}]


@pytest.mark.parametrize("turns", [[handing("help")], [handing("help", background=True)]])
def test_without_the_tool_nothing_starts_one(turns):
    run = play([*turns, "done"], [echo])
    assert run.results[0].error_type == "unknown_tool"
    assert run.children == []


def test_what_a_sub_agent_found_is_its_own_and_stays_when_the_conditions_above_it_change():
    above, log = Standing(Conditions(Policy(), found=("a",))), Log()
    below = Beneath(above, "sub_agent")
    below.apply(lambda now: now.with_found(["b"]), log, "c1")
    above.apply(lambda now: replace(now.with_found(["c"]), policy=Policy("plan")), log, "c2")
    assert (below.now.found, below.now.policy.mode, below.now.selection.role) == (("a", "b"), "plan", "sub_agent")


def test_a_sub_agent_finds_tools_that_wait_for_itself():
    late = [returning(n, f"mcp__srv__t{n}", origin="mcp") for n in range(5)]
    model = Company(
        go=[calling(("agent", {"task": "t", "prompt": "look"})), "done"],
        look=[calling(("tool_search", {"query": "select:mcp__srv__t3"})), calling("mcp__srv__t3"), "found"],
    )
    asyncio.run(act(Agent(model, [AGENT, *late], threshold=Threshold(tools=2), approver=ScriptedApprover([]))))
    lists = [[definition.name for definition in request.definitions] for request in model.requests]
    below = ["tool_search", "mcp__srv__t3"]
    assert lists == [["agent", "tool_search"], ["tool_search"], below, below, ["agent", "tool_search"]]


@pytest.mark.parametrize("scope", ["run", "session"])
def test_what_was_granted_to_the_run_is_asked_again_in_its_sub_agents(scope):
    turns = {"go": [calling("write", "write"), handing("help"), "done"], "help": [calling("write"), "asked"]}
    agent, model = staff(**turns)
    person = ScriptedApprover([Grant(scope, ("write",)), Deny("not you")])
    run = run_of(type(agent)(model, agent.registry, approver=person))
    assert [question.reason.startswith("agent-1 asks: ") for question in person.questions] == [False, True]
    assert [result.ok for result in run.results] == [True, True, True]
    assert run.children[0].results[0].error_type == "approval_denied"


def test_a_switch_of_the_run_to_plan_mode_holds_for_the_next_call_of_a_sub_agent():
    async def switch(args, env):
        runs[0].set_mode("plan")

    async def begin(run):
        runs.append(run)

    runs = []
    agent, model = staff([plain(switch), WRITE], help=[calling("switch", "write"), "done"])
    agent = type(agent)(model, agent.registry, policy=Policy(allow={"write"}))
    child = run_of(agent, begin).children[0]
    assert [result.error_type for result in child.results] == [None, "guard_denied"]


RAISES = {
    "another mode": lambda now: replace(now, policy=replace(now.policy, mode="accept_edits", allow={"write"})),
    "mode bypass": lambda now: replace(now, policy=Policy("bypass", consent=CONSENT)),
    "a rule": lambda now: replace(now, policy=replace(now.policy, deny=frozenset())),
    "a wider pool": lambda now: replace(now, max_parallel=99),
}


@pytest.mark.parametrize("kind", RAISES)
def test_what_a_call_of_a_sub_agent_would_change_changes_neither_its_own_conditions_nor_those_above(kind):
    change = returning(Output("x", context_change=RAISES[kind]), "change")
    scripts = {"help": [calling("change", "write"), "done"], "go": [handing("help"), calling("write"), "done"]}
    agent, model = staff([change, WRITE], **scripts)
    run = run_of(type(agent)(model, agent.registry, policy=Policy(deny={"write_file"})))
    assert run.mode == run.children[0].mode == "default"
    assert run.children[0].results[1].error_type == run.results[1].error_type == "approval_unavailable"
    assert [kinds_of(each, "conditions") for each in (run, run.children[0])] == [[], []]


def test_commands_of_a_sub_agent_begin_in_the_folder_of_its_parent_and_move_nobody_else(tmp_path):
    root = tmp_path.resolve()
    (root / "a" / "b").mkdir(parents=True)
    line = [calling(("run_command", {"command": command})) for command in ("cd a", "cd b", "pwd")]
    agent, model = staff([load("run_command")], go=[line[0], handing("help"), line[2], "done"], help=[*line[1:], "ok"])
    run = run_of(type(agent)(model, agent.registry, cwd=root, approver=ScriptedApprover([])))
    assert run.children[0].results[-1].value["output"] == f"{root}/a/b\n"
    assert run.results[-1].value["output"] == f"{root}/a\n"


def test_jobs_of_a_sub_agent_end_with_it(tmp_path):
    job = calling(("run_command", {"command": "sleep 60", "background": True}))
    agent, model = staff([load("run_command")], help=[job, "ok"])
    run = run_of(type(agent)(model, agent.registry, cwd=tmp_path, approver=ScriptedApprover([])))
    assert run.children[0].results[0].value["state"] == "running"


HANDED_ON = {
    "env": "cwd is_awaited desk shelf milestones call_id stopping progress judged ask bars",
    "setup": "registry timeout commit failed_sibling hooks within around window pauses asking behind promises notes",
}
"""What a sub-agent has of the run that started it. Of all else it has its own."""
OWN = {
    "env": "ledger spill spending deferred crew jobs moved_to todo kernels",
    "setup": "env standing approver log repetition closing surface grants snapshots",
}


@pytest.mark.parametrize("part", ["env", "setup"])
def test_of_all_that_a_run_has_it_is_settled_what_its_sub_agents_share(part, tmp_path):
    agent, _ = staff(help=["nine"])
    conditions = {"cwd": tmp_path, "window": ContextWindow(100_000), "approver": ScriptedApprover([])}
    run = run_of(type(agent)(agent.model, agent.registry, **conditions))
    setups = [each.going()[0] for each in (run, run.children[0])]
    above, below = [setup.env if part == "env" else setup for setup in setups]
    same = {name: getattr(above, name) is getattr(below, name) for name in type(above).__struct_fields__}
    assert same == dict.fromkeys(HANDED_ON[part].split(), True) | dict.fromkeys(OWN[part].split(), False)
