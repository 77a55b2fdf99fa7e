import asyncio

import pytest

from cellwright import Agent, ScriptedApprover
from cellwright.models.model import TextPart
from cellwright.runs.alarm import Alarm
from cellwright.runs.budget import Budget, BudgetSpent, Spending

from ..scene import act, kinds_of


class Stalls:
    """Says a word, then nothing more; deaf for the first few cancellations if it is told to be."""

    name = "stalls"

    def __init__(self, deaf=0, error=None):
        self.deaf = deaf
        self.error = error
        self.began = None

    async def stream(self, request):
        yield TextPart("hm")
        self.began = self.began or asyncio.Event()
        self.began.set()
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.deaf -= 1
                if self.deaf < 0:
                    raise (self.error or asyncio.CancelledError) from None


def stalled(model, seconds, meanwhile=None):
    agent = Agent(model, [], approver=ScriptedApprover([]), budget=Budget(seconds=seconds))
    return asyncio.run(act(agent, meanwhile))


MODELS = [Stalls(), Stalls(deaf=2), Stalls(error=ConnectionError("cancelled, it seems"))]


@pytest.mark.parametrize("model", MODELS, ids=["cooperative", "deaf", "with an error of its own"])
def test_a_turn_that_goes_on_when_the_time_is_over_is_stopped(model):
    run = stalled(model, 0.1)
    assert (run.stop_reason, run.steps) == ("budget", 0)
    assert "the budget of 0.1 s is used up" in run.error
    assert "while the model was thinking" in run.error
    assert kinds_of(run, "run_ended")[0].data["stop_reason"] == "budget"


def test_a_run_that_is_stopped_by_the_person_counts_as_stopped():
    model = Stalls()
    model.began = None

    async def cancel(run):
        while model.began is None:
            await asyncio.sleep(0)
        run.cancel()

    assert stalled(model, 60, cancel).stop_reason == "cancelled"


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_the_alarm_looks_again_when_time_stood_still():
    clock = Clock()
    spending = Spending(Budget(seconds=0.01), clock=clock)
    rang = []

    async def work():
        try:
            with Alarm(spending):
                await asyncio.sleep(0.1)
                rang.append("not yet")
                clock.now = 1.0
                await asyncio.Event().wait()
        except BudgetSpent:
            rang.append("now")

    asyncio.run(work())
    assert rang == ["not yet", "now"]


def test_work_that_ends_in_time_is_let_alone():
    async def work():
        with Alarm(Spending(Budget(seconds=60))), Alarm(Spending()):
            await asyncio.sleep(0)
        return asyncio.current_task().cancelling()

    assert asyncio.run(work()) == 0


def test_a_person_and_the_alarm_at_once_is_a_stop_by_the_person():
    async def work():
        with Alarm(Spending(Budget(seconds=0))):
            asyncio.current_task().cancel()
            await asyncio.sleep(1)

    async def outer():
        task = asyncio.create_task(work())
        await asyncio.wait({task})
        return task.cancelled()

    assert asyncio.run(outer())
