import asyncio
import json
from functools import partial
from itertools import pairwise

import pytest

from cellwright import Agent, Allow, Deny, Edit, Policy, Run, ScriptedApprover, ScriptedModel, UsageError
from cellwright.log.history import History
from cellwright.log.requests import requests
from cellwright.person.approval import DenyAll
from cellwright.runs.pausing import Breakpoints
from cellwright.sessions.fork import AS_RECORDED, Otherwise
from cellwright.sessions.forking import Decided
from cellwright.sessions.session import Session
from cellwright.views.inquiry import Inquiry, NoReply

from ..log.test_requests import Keeps
from ..scene import act, calling, is_sound, kinds_of, plain

YES = [Allow()] * 3


class Counts:
    """A tool that counts its runs."""

    def __init__(self, **facts):
        self.ran = []
        self.tool = plain(self.count, "count", {"type": "object", "properties": {"n": {}}}, **facts)

    def count(self, args, env):
        self.ran.append(args.get("n"))
        return f"ran {args.get('n')}"


TURNS = [calling(("count", {"n": 1})), calling(("count", {"n": 2}), ("count", {"n": 3})), "done"]


def forked(step, otherwise=AS_RECORDED, turns=("other",), answers=YES, path=None, **facts):
    """A run, its fork that plays these turns, what was run in the fork, and what its model got."""
    counts, model = Counts(**facts), Keeps(list(turns))
    agent = Agent(ScriptedModel(TURNS), [counts.tool], approver=ScriptedApprover(answers), log=path)

    async def scene():
        first = await agent.run("go")
        counts.ran.clear()
        return first, await first.fork(step, otherwise, model=model)

    first, fork = asyncio.run(scene())
    if otherwise.call != "call_2":
        is_sound(fork)
    return first, fork, counts.ran, model.got


def contents(request):
    return [getattr(message, "content", getattr(message, "text", "")) for message in request.conversation]


@pytest.mark.parametrize("step", [1, 2, 3])
def test_the_model_is_asked_anew_and_nothing_is_done_again(step):
    first, fork, ran, got = forked(step)
    assert (ran, fork.answer, fork.steps) == ([], "other", step)
    before = list(requests(first.events))[step - 1].request
    assert [request.conversation for request in got] == [before.conversation]
    started = fork.events[0].data["forked_from"]
    assert (started["run"], started["step"], started["otherwise"]) == (first.id, step, "turn")
    assert started["log"] == first.standpoint.log


@pytest.mark.parametrize("by", ["run", "agent"])
def test_a_fork_has_the_tools_that_it_is_given_and_the_run_keeps_its_own(by):
    model, counts, other = Keeps([calling(("count", {"n": 9})), "other"]), Counts(), plain(lambda args, env: 1, "look")
    agent = Agent(ScriptedModel(TURNS), [counts.tool], approver=ScriptedApprover(YES))

    async def scene():
        first = await agent.run("go")
        start = first.fork if by == "run" else partial(agent.fork, first)
        return await start(2, model=model, tools=[other])

    fork = asyncio.run(scene())
    assert (counts.ran, fork.results[-1].error_type) == ([1, 2, 3], "unknown_tool")
    assert [tool["name"] for tool in json.loads(model.got[0].definitions_json)] == ["look"]
    assert [tool.name for tool in agent.registry] == ["count"]


@pytest.mark.parametrize(
    "other", [{"tools": []}, {"model": ScriptedModel(["new"])}, {}], ids=["tools", "model", "same"]
)
def test_a_fork_is_the_last_run_of_its_agent_and_so_is_a_fork_of_it(other):
    agent = Agent(ScriptedModel([*TURNS, "again", "once more"]), [Counts().tool], approver=ScriptedApprover(YES))

    async def scene():
        first = await agent.run("go")
        fork = await agent.fork(first, 3, **other)
        known = [agent.last_run is fork]
        again = await fork.fork(3, model=ScriptedModel(["last"]))
        return [*known, agent.last_run is again]

    assert asyncio.run(scene()) == [True, True]


def test_a_call_that_stays_but_has_no_tool_any_more_is_answered_so():
    async def scene():
        first = await Agent(ScriptedModel(TURNS), [Counts().tool], approver=ScriptedApprover(YES)).run("go")
        return await first.fork(1, Otherwise(args={"n": 5}), model=ScriptedModel(["done"]), tools=[])

    fork = asyncio.run(scene())
    is_sound(fork)
    assert [result.error_type for result in fork.results] == ["unknown_tool"]


def test_a_call_with_other_arguments_is_made_and_its_siblings_are_not():
    _, fork, ran, got = forked(2, Otherwise("call_2", args={"n": 7}))
    assert ran == [7]
    assert contents(got[0])[-2:] == ["ran 7", "ran 3"]
    assert sorted(result.content for result in fork.results) == ["ran 1", "ran 3", "ran 7"]


def test_a_result_is_given_in_the_place_of_the_recorded_one():
    _, _, ran, got = forked(1, Otherwise(result="it is gone"))
    assert (ran, contents(got[0])) == ([], ["go", "", "it is gone"])


def test_a_call_that_was_allowed_is_denied():
    _, _, ran, got = forked(1, Otherwise(decision=Deny("not that one")), read_only=False)
    assert ran == []
    assert "not that one" in contents(got[0])[-1]


def test_a_call_that_was_denied_is_allowed_or_edited():
    for answer, n in ((Allow(), 1), (Edit({"n": 5}), 5)):
        _, _, ran, got = forked(1, Otherwise(decision=answer), answers=[Deny(), *[Allow()] * 3], read_only=False)
        assert (ran, contents(got[0])[-1][-5:]) == ([n], f"ran {n}")


def test_a_call_that_no_rule_asks_about_is_denied_in_a_fork():
    _, _, ran, got = forked(1, Otherwise(decision=Deny("no")))
    assert (ran, "no" in contents(got[0])[-1]) == ([], True)


def test_a_deny_rule_holds_in_a_fork():
    counts = Counts(read_only=False)
    first = Agent(ScriptedModel(TURNS), [counts.tool], approver=ScriptedApprover([Allow()] * 3))
    strict = Agent(
        ScriptedModel(["other"]), [counts.tool], policy=Policy(deny=["count"]), approver=ScriptedApprover([])
    )

    async def scene():
        run = await first.run("go")
        counts.ran.clear()
        return await strict.fork(run, 1, Otherwise(decision=Allow()))

    assert (asyncio.run(scene()).results[0].error_type, counts.ran) == ("permission_denied", [])


def test_a_fork_tells_its_own_log_whole_and_a_session_can_be_forked(tmp_path):
    path = tmp_path / "log"
    first, fork, _, got = forked(2, Otherwise("call_3", args={"n": 9}), path=path)
    session = Session.load(path)
    assert [run.events for run in session.runs] == [first.events, fork.events]
    assert [asked.request for asked in session.last.requests()][-1] == got[0]
    assert list(session.last.conversation) == list(fork.conversation)
    history = History()
    for event in fork.events:
        history.add(event)
    assert history.messages == list(fork.conversation)
    again = Agent(ScriptedModel(["third"]), [Counts().tool])
    third = asyncio.run(wait(again, session))
    assert (third.answer, len(Session.load(path).runs)) == ("third", 3)


async def wait(agent, session):
    return await agent.fork(session, 2)


def test_a_paused_run_is_forked_while_it_waits(tmp_path):
    counts = Counts()
    agent = Agent(ScriptedModel([*TURNS, "never"]), [counts.tool], log=tmp_path / "log.jsonl")
    forks = []

    async def meanwhile(run):
        run.set_breakpoints(Breakpoints(tools=["count"]))
        while not run.halts:
            await asyncio.sleep(0)
        forks.append(await run.fork(1, Otherwise(result="given"), model=ScriptedModel(["other"])))
        run.go_on()
        while not run.is_done:
            run.go_on()
            await asyncio.sleep(0)

    run = asyncio.run(act(agent, meanwhile))
    assert (forks[0].answer, run.answer, counts.ran) == ("other", "done", [1, 2, 3])
    assert Session.load(tmp_path / "log.fork-1.jsonl").last.answer == "other"


def test_the_numbers_and_times_of_a_fork_only_grow():
    _, fork, _, _ = forked(3)
    assert all(b.number == a.number + 1 and b.time >= a.time for a, b in pairwise(fork.events))
    assert len(kinds_of(fork, "run_started")) == 1


def test_what_a_tool_asks_goes_to_the_person():
    decided = Decided(DenyAll(), "call_1", Allow())
    reply = asyncio.run(decided.reply(Inquiry("c", ())))
    assert isinstance(reply, NoReply)


def test_a_sub_agent_has_nobody_to_fork_it():
    with pytest.raises(UsageError, match="was not started by an agent of yours; write agent"):
        Run("go", ScriptedModel([]), "").fork(1)
