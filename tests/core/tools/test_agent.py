"""`agent`: what a tool makes of a sub-agent's work."""

import asyncio

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.runs.crew import Report, ScriptedCrew
from cellwright.tools.agent import agent, report_text, report_view
from cellwright.views.view import as_text


def call(crew, tmp_path, **args):
    args = {"task": "count cats", "prompt": "Count the cats.", **args}
    assert agent.input_schema.problems(args) == ()
    return asyncio.run(agent.execute(args, Env(tmp_path, crew=crew)))


def test_the_answer_is_what_the_model_reads(tmp_path):
    crew = ScriptedCrew(["There are nine."])
    output = call(crew, tmp_path)
    assert output.content == "There are nine."
    assert (output.value["agent"], output.value["state"]) == ("agent-1", "answered")
    assert "agent-1: count cats" in as_text(output.view)


def test_in_the_background_only_the_name_comes_back(tmp_path):
    output = call(ScriptedCrew(["nine"]), tmp_path, background=True)
    assert output.value == {"agent": "agent-1", "state": "running"}
    assert "wait gives its answer" in output.content


def test_where_there_are_no_sub_agents_it_says_so(tmp_path):
    with pytest.raises(ToolError, match="do the work yourself"):
        call(ScriptedCrew(), tmp_path)


@pytest.mark.parametrize("args", [{"task": ""}, {"prompt": ""}, {"task": "x" * 101}, {"role": "main"}])
def test_what_is_no_assignment_is_refused_by_the_schema(args):
    assert agent.input_schema.problems({"task": "count", "prompt": "Count.", **args})


def test_one_that_ended_without_an_answer_tells_how_far_it_came():
    report = Report(
        "agent-2", "count", "model_error", "", "no more turns", 2, (("read_file", "ok"), ("find", "timeout"))
    )
    said = (
        "agent-2 (count) ended without an answer (model_error: no more turns) after 2 steps; it did: read_file (ok), "
    )
    assert report_text(report) == said + "find (timeout)"
    assert "timeout" in as_text(report_view(report))


def test_one_that_is_still_at_work_says_what_it_did():
    report = Report("agent-2", "count", "running", steps=1)
    assert report_text(report) == "agent-2 (count) is still at work after 1 step; it did: nothing"
