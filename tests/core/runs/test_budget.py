import asyncio
import json
import threading
import time

import pytest

from cellwright import Agent, Allow, ScriptedApprover, Turn, UsageError
from cellwright.hooks.hook import Hook, HookAllow
from cellwright.messages import Usage
from cellwright.models.model import CallPart, EndPart
from cellwright.runs.budget import Budget, BudgetSpent, Spending, amount
from cellwright.runs.price import Price

from ..scene import BYPASS, Streams, act, agent_of, calling, echo, kinds_of, plain, play, returning

ECHO = ("echo", {"text": "x"})
DEAR = Usage(1_000, 200)


class Clock:
    """Seconds that a test lets pass."""

    now = 100.0

    def __call__(self):
        return self.now


def refusal(spending):
    with pytest.raises(BudgetSpent) as caught:
        spending.need_room()
    return str(caught.value)


def test_a_run_without_a_budget_has_fifty_steps():
    run = play([calling(("echo", {"text": str(n)})) for n in range(60)], [echo])
    assert (run.stop_reason, run.steps) == ("budget", 50)
    assert run.error.startswith("the budget of 50 steps is used up (50 steps used); go on with agent.start(")


def test_a_budget_of_steps_lets_the_calls_of_the_last_step_run():
    run = play([calling(ECHO)] * 5, [echo], budget=Budget(steps=3))
    assert (run.stop_reason, run.steps, run.answer) == ("budget", 3, "")
    assert [result.ok for result in run.results] == [True, True, True]
    assert play(["x"], budget=Budget(steps=0)).stop_reason == "budget"


def test_a_budget_that_names_other_limits_keeps_the_steps_unless_they_are_lifted():
    assert (Budget(tokens=5).steps, Budget(steps=None, tokens=5).steps) == (50, None)


def test_an_answer_counts_though_it_took_the_last_of_the_budget():
    run = play(["done"], budget=Budget(steps=1, tokens=1))
    assert (run.stop_reason, run.answer) == ("answered", "done")


OVER = [
    (Budget(tokens=1_000), "the budget of 1,000 tokens is used up (1,200 tokens used)"),
    (Budget(money=0.005), "the budget of $0.005 is used up ($0.006 used)"),
]


def at_the_end(*calls):
    """A model whose calls are whole only at the end of their turn, when it is known what it cost."""
    named = [(call, "") if isinstance(call, str) else (call[0], json.dumps(call[1])) for call in calls]
    parts = [CallPart(index, "", name, arguments) for index, (name, arguments) in enumerate(named)]
    return Streams(*parts, EndPart("calls", DEAR))


@pytest.mark.parametrize(("budget", "told"), OVER, ids=["tokens", "money"])
def test_a_turn_that_overspends_has_its_calls_denied_and_is_the_last(budget, told):
    model = at_the_end("give", ECHO)
    run = asyncio.run(act(Agent(model, [echo, returning(1)], budget=budget, price=Price(3, 15))))
    assert (run.stop_reason, run.error.startswith(told), run.steps) == ("budget", True, 1)
    assert [result.error_type for result in run.results] == ["guard_denied", "guard_denied"]
    assert run.results[0].content.startswith(f"{told}, so no more calls run")
    assert kinds_of(run, "executing") == []


def test_neither_a_rule_nor_a_hook_nor_bypass_nor_the_person_lifts_a_budget():
    hook = Hook("before_call", lambda occasion: HookAllow("it may"))
    given = {"approver": ScriptedApprover([Allow()]), "policy": BYPASS, "hooks": [hook], "budget": Budget(tokens=1)}
    run = asyncio.run(act(Agent(at_the_end("write"), [returning(1, "write", read_only=False)], **given)))
    assert (run.results[0].error_type, kinds_of(run, "question")) == ("guard_denied", [])


def test_the_cost_and_the_usage_stand_at_the_end_of_the_log():
    run = play([calling(ECHO, usage=DEAR), Turn("done", usage=DEAR)], [echo], price=Price(3, 15))
    (ended,) = kinds_of(run, "run_ended")
    assert (run.cost, ended.data["cost"]) == (pytest.approx(0.012), pytest.approx(0.012))
    assert ended.data["usage"]["input_tokens"] == 2_000
    assert [message.data["cost"] for message in kinds_of(run, "message")] == pytest.approx([0.006, 0.012])


def test_a_cost_that_is_not_known_is_none_and_not_nothing():
    run = play(["done"])
    assert (run.cost, kinds_of(run, "run_ended")[0].data["cost"]) == (None, None)


def test_money_can_not_be_limited_for_a_model_whose_price_is_not_known():
    with pytest.raises(
        UsageError,
        match=r"budget of \$1 can't be kept.*say it, as in price=Price\(input=3, output=15\).*cellwright\[prices\]",
    ):
        play(["done"], budget=Budget(money=1))


@pytest.mark.parametrize("wrong", [-1, float("nan"), float("inf"), "3", True, 10**400], ids=range(6))
@pytest.mark.parametrize("resource", ["steps", "tokens", "money", "seconds"])
def test_what_is_no_amount_is_no_budget(resource, wrong):
    with pytest.raises(UsageError, match=rf"a budget of {resource}=.* is no amount"):
        Budget(**{resource: wrong})


def test_a_number_is_no_budget():
    with pytest.raises(UsageError, match=r"50 is no budget; write budget=Budget\(steps=50\)"):
        agent_of(["done"], budget=50)


async def hangs(args, env):
    await asyncio.Event().wait()


def obeys(args, env):
    env.stopping.wait(20)


@pytest.mark.parametrize("tool", [hangs, obeys])
def test_a_tool_that_runs_when_the_time_is_over_is_stopped(tool):
    run = play([calling(tool.__name__, "give"), "never"], [plain(tool), returning(1)], budget=Budget(seconds=0.1))
    first, second = run.results
    assert (first.error_type, first.metadata["code"]) == ("timeout", "budget")
    assert "the budget of 0.1 s is used up" in first.content
    assert f"while {tool.__name__} was running" in first.content
    assert (second.error_type, run.stop_reason) == ("guard_denied", "budget")


def test_a_tool_that_does_not_stop_when_the_time_is_over_is_said_to_be_running():
    over = threading.Event()

    def deaf(args, env):
        over.wait(20)

    async def release(run):
        await run.wait()
        over.set()

    agent = agent_of([calling("deaf"), "never"], [plain(deaf)], budget=Budget(seconds=0.1))
    (result,) = asyncio.run(act(agent, release)).results
    assert (result.error_type, result.metadata["still_running"]) == ("timeout", True)
    assert "STILL RUNNING" in result.content


def test_calls_that_overlap_when_the_time_is_over_have_a_result_each():
    tools = [plain(hangs, concurrency_safe=True), echo]
    run = play([calling("hangs", ECHO, "hangs"), "never"], tools, budget=Budget(seconds=0.1))
    assert [result.error_type for result in run.results] == ["timeout", None, "timeout"]
    assert run.stop_reason == "budget"


def test_the_tools_own_limit_stays_what_it_is():
    run = play([calling("hangs"), "done"], [plain(hangs, timeout=0.05)], budget=Budget(seconds=60))
    assert run.results[0].content == "hangs did not end within 0.05 s"
    assert run.stop_reason == "answered"


class Slow:
    """Answers after a while, and notes how long it was asked."""

    asked = 0.0

    async def ask(self, question):
        began = time.monotonic()
        await asyncio.sleep(0.2)
        self.asked += time.monotonic() - began
        return Allow()


def test_time_in_which_the_person_is_asked_does_not_count():
    approver, began = Slow(), time.monotonic()
    run = play([calling("write"), "done"], [returning(1, "write", read_only=False)], approver=approver)
    assert run.results[0].ok
    assert run.spending.seconds <= time.monotonic() - began - approver.asked


def test_the_clock_stands_still_while_anyone_is_asked():
    clock = Clock()
    above = Spending(Budget(seconds=10), clock=clock)
    below = Spending(Budget(seconds=5), within=above, clock=clock)
    clock.now += 2
    with below.asking(), above.asking():
        clock.now += 60
        assert (above.seconds, below.seconds, below.seconds_left) == (2, 2, 3)
    clock.now += 1
    assert (above.seconds, below.seconds, below.seconds_left) == (3, 3, 2)
    clock.now += 2
    assert refusal(below) == "the budget of 5 s is used up (5 s used)"
    above.need_room()


def test_what_a_run_below_uses_is_used_above():
    above = Spending(Budget(steps=3, tokens=2_000, money=1), Price(3, 15).cost)
    below = Spending(Budget(), Price(30, 150).cost, within=above)
    above.add(DEAR)
    below.add(DEAR)
    assert (above.steps, above.tokens, above.money) == (1, 2_400, pytest.approx(0.066))
    assert (below.steps, below.tokens, below.money) == (1, 1_200, pytest.approx(0.06))
    told = "the budget of the run that started this one, of 2,000 tokens is used up (2,400 tokens used)"
    assert (refusal(below), below.overspent()) == (told, told)


@pytest.mark.parametrize("usage", [Usage(-10_000, -5), Usage(10, 10, 10**9), Usage(-1, -1, -1)])
@pytest.mark.parametrize("dollars", [-1.0, float("nan"), float("-inf")])
def test_whatever_a_server_says_that_a_turn_used_nothing_is_given_back(usage, dollars):
    for spending in (
        Spending(Budget(money=1), Price(3, 15, 0).cost, clock=Clock()),
        Spending(Budget(money=1), lambda usage: dollars, clock=Clock()),
    ):
        spending.money, spending.tokens = 5.0, 5_000
        spending.add(usage)
        assert spending.tokens >= 5_000
        assert spending.overspent()


def test_money_that_is_limited_above_needs_a_known_price_below():
    above = Spending(Budget(money=1), Price(3, 15).cost)
    with pytest.raises(UsageError, match=r"budget of \$1 can't be kept"):
        Spending(within=above)


def test_the_cost_of_a_run_is_unknown_once_a_run_below_used_a_model_without_a_price():
    above = Spending(Budget(), Price(3, 15).cost)
    Spending(within=above).add(DEAR)
    above.add(DEAR)
    assert above.money is None


def test_a_sub_agent_has_its_own_steps_and_draws_on_all_else():
    above = Spending(Budget(steps=2, tokens=2_000), Price(3, 15).cost)
    below = above.below()
    below.add(DEAR)
    assert (above.steps, below.steps, below.budget) == (0, 1, Budget(steps=2))
    below.add(DEAR)
    assert refusal(above) == "the budget of 2,000 tokens is used up (2,400 tokens used)"


def test_an_earlier_run_leaves_the_budget_of_the_next_whole():
    async def two():
        agent = agent_of([calling(ECHO)] * 2 + ["done"], [echo], budget=Budget(steps=2))
        first = await agent.run("go")
        return first, await agent.run("go on", after=first)

    first, second = asyncio.run(two())
    assert (first.stop_reason, second.stop_reason, second.answer) == ("budget", "answered", "done")


AMOUNTS = [
    ("money", 1, "$1"),
    ("money", 1_234.5, "$1,234.5"),
    ("money", 0.00001, "less than $0.0001"),
    ("money", 0, "$0"),
    ("money", None, "an unknown amount"),
    ("seconds", 61.2345, "61.23 s"),
    ("tokens", 1_200, "1,200 tokens"),
]


@pytest.mark.parametrize(("resource", "value", "text"), AMOUNTS, ids=[text for *_, text in AMOUNTS])
def test_amounts_are_written_as_people_write_them(resource, value, text):
    assert amount(resource, value) == text
