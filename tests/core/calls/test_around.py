"""What the person puts around the running of tools."""

import asyncio

import pytest
from msgspec.structs import replace

from cellwright import ScriptedApprover, UsageError
from cellwright.calls.around import Retry
from cellwright.calls.execution import Outcome
from cellwright.errors import ToolError

from ..scene import act, agent_of, calling, plain, play

AT_ONCE = Retry(times=3, pause=0)


def failing(errors, **facts):
    """A tool that fails with these errors, one after another, and then works; and how often it was run."""
    runs = []

    def fetch(args, env):
        runs.append(args)
        if len(runs) <= len(errors):
            raise errors[len(runs) - 1]
        return "here it is"

    return plain(fetch, **facts), runs


def test_what_fails_in_passing_is_tried_again():
    tool, runs = failing([ConnectionError("reset"), TimeoutError("slow")])
    run = play([calling("fetch"), "done"], [tool], around=[AT_ONCE])
    assert (run.results[0].content, run.results[0].metadata["tries"], len(runs)) == ("here it is", 3, 3)


def test_the_last_failure_is_told_when_the_tries_are_used_up():
    tool, runs = failing([ConnectionError(str(number)) for number in range(9)])
    result = play([calling("fetch"), "done"], [tool], around=[AT_ONCE]).results[0]
    assert (result.ok, result.content, len(runs)) == (False, "ConnectionError: 2", 3)


@pytest.mark.parametrize("error", [ValueError("wrong"), ToolError("not_found", "no such page"), SystemExit(3)])
def test_what_would_fail_again_is_not_tried_again(error):
    tool, runs = failing([error])
    assert not play([calling("fetch"), "done"], [tool], around=[AT_ONCE]).results[0].ok
    assert len(runs) == 1


def test_what_may_have_had_an_effect_is_not_tried_again():
    tool, runs = failing([ConnectionError("reset")], read_only=False, check_permission=lambda args, env: "allow")
    assert not play([calling("fetch"), "done"], [tool], around=[AT_ONCE]).results[0].ok
    assert len(runs) == 1


def test_stopping_the_run_between_two_tries_ends_the_call_as_cancelled():
    tool, runs = failing([ConnectionError("reset")] * 9)

    async def stop(run):
        while not runs:
            await asyncio.sleep(0)
        await asyncio.sleep(0.05)
        run.cancel()

    run = asyncio.run(act(agent_of([calling("fetch")], [tool], around=[Retry(pause=60)]), stop))
    assert (run.results[0].error_type, run.stop_reason, len(runs)) == ("cancelled", "cancelled", 1)


def test_a_call_that_is_stopped_in_a_wrapper_after_its_tool_ran_is_not_said_to_be_without_effect():
    ran = asyncio.Event()

    async def slow(attempt, tool, args):
        await attempt()
        ran.set()
        await asyncio.Event().wait()

    async def stop(run):
        await ran.wait()
        run.cancel()

    run = asyncio.run(act(agent_of([calling("fetch")], [failing([])[0]], around=[slow]), stop))
    assert (run.stop_reason, run.results[0].error_type) == ("cancelled", "cancelled")
    assert "it may have had effects" in run.results[0].content


def test_wrappers_stand_one_inside_the_other_and_each_try_has_arguments_of_its_own():
    told = []

    def telling(name):
        async def wrapper(attempt, tool, args):
            told.append((name, tool.name, dict(args)))
            args["text"] = "changed"
            outcome = await attempt()
            told.append((name, outcome.value))
            return replace(outcome, value=f"{name}({outcome.value})")

        return wrapper

    tool = plain(lambda args, env: args["text"], "say")
    run = play([calling(("say", {"text": "x"})), "done"], [tool], around=[telling("outer"), telling("inner")])
    assert run.results[0].value == "outer(inner(x))"
    assert told[:2] == [("outer", "say", {"text": "x"}), ("inner", "say", {"text": "x"})]


@pytest.mark.parametrize("wrapper", [lambda attempt, tool, args: attempt, None])
def test_a_wrapper_that_is_none_ends_the_call_with_an_error_and_not_the_run(wrapper):
    tool, _ = failing([])
    run = play([calling("fetch"), "done"], [tool], around=[wrapper])
    assert (run.results[0].error_type, run.answer) == ("internal_error", "done")


def test_a_wrapper_may_give_up_before_the_tool_does():
    async def impatient(attempt, tool, args):
        return Outcome("timeout")

    run = play([calling("fetch"), "done"], [failing([])[0]], around=[impatient])
    assert (run.results[0].error_type, run.results[0].content) == ("timeout", "fetch did not end in time")


def test_a_denied_call_is_not_tried_at_all():
    tool, runs = failing([], read_only=False)
    play([calling("fetch"), "done"], [tool], around=[AT_ONCE], approver=ScriptedApprover([]))
    assert runs == []


def test_a_number_of_tries_under_one_is_refused():
    with pytest.raises(UsageError, match="times=0 is no number of tries; give 1 or more"):
        Retry(times=0)
