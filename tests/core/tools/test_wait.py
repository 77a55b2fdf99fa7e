"""`wait`: the answers of those in the background."""

import asyncio

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.runs.crew import Assignment, ScriptedCrew
from cellwright.tools.wait import LONGEST, wait


def call(crew, tmp_path, **args):
    assert wait.input_schema.problems(args) == ()
    return asyncio.run(wait.execute(args, Env(tmp_path, crew=crew)))


@pytest.fixture
def crew():
    crew = ScriptedCrew(["nine", "ten"])
    for what in ("cats", "dogs"):
        crew.start(Assignment(f"count {what}", f"Count the {what}.", background=True))
    return crew


def test_without_names_it_waits_for_all(crew, tmp_path):
    output = call(crew, tmp_path)
    assert output.content == "agent-1 (answered):\nnine\n\nagent-2 (answered):\nten"
    assert [report["task"] for report in output.value] == ["count cats", "count dogs"]


def test_with_names_it_waits_for_these(crew, tmp_path):
    assert call(crew, tmp_path, names=["agent-2"]).content == "agent-2 (answered):\nten"


def test_a_name_that_there_is_not_is_an_error_with_those_that_there_are(crew, tmp_path):
    with pytest.raises(ToolError, match="there are: agent-1, agent-2"):
        call(crew, tmp_path, names=["agent-9"])


def test_such_a_name_ends_all_waiting(crew, tmp_path):
    async def run():
        env = Env(tmp_path, crew=crew)
        job = env.jobs.start("sleep 60", tmp_path)
        try:
            before = asyncio.all_tasks()
            with pytest.raises(ToolError, match="there are: agent-1, agent-2"):
                await wait.execute({"names": ["agent-9", "job-1"]}, env)
            for _ in range(5):  # what is cancelled ends in its own turn
                await asyncio.sleep(0)
            return asyncio.all_tasks() - before, job.state
        finally:
            await env.jobs.close()

    assert asyncio.run(run()) == (set(), "running")


def test_nothing_in_the_background_is_said(tmp_path):
    assert call(ScriptedCrew(), tmp_path).content == "nothing was started in the background"


@pytest.mark.parametrize("timeout", [-1, LONGEST + 1])
def test_it_never_waits_without_end(timeout):
    assert wait.input_schema.problems({"timeout": timeout})


@pytest.mark.parametrize(
    ("names", "told"),
    [({}, ["agent-1", "job-1"]), ({"names": ["job-1"]}, ["job-1"]), ({"names": ["agent-1"]}, ["agent-1"])],
)
def test_it_waits_for_commands_as_well_or_for_those_named(names, told, tmp_path):
    async def run():
        crew = ScriptedCrew(["nine"])
        crew.start(Assignment("count cats", "Count the cats.", background=True))
        env = Env(tmp_path, crew=crew)
        env.jobs.start("echo ten; exit 2", tmp_path)
        try:
            return await wait.execute(names, env)
        finally:
            await env.jobs.close()

    output = asyncio.run(run())
    assert [report.get("agent") or report["job"] for report in output.value] == told
    assert ("job-1 (echo ten; exit 2):\nten\n[exit code 2]" in output.content) == ("job-1" in told)
