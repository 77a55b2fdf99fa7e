"""The seam to sub-agents, and its scripted side."""

import asyncio

import pytest

from cellwright import ToolError
from cellwright.messages import Usage
from cellwright.runs.crew import Assignment, Report, ScriptedCrew


def test_a_scripted_crew_gives_its_answers_in_order():
    crew = ScriptedCrew(["nine", "ten"])
    names = [crew.start(Assignment("count", f"the {what}")) for what in ("cats", "dogs")]
    reports = asyncio.run(crew.reports(names, None))
    assert [(report.name, report.state, report.answer) for report in reports] == [
        ("agent-1", "answered", "nine"),
        ("agent-2", "answered", "ten"),
    ]
    assert [assignment.prompt for assignment in crew.assignments] == ["the cats", "the dogs"]


def test_where_there_are_no_sub_agents_the_work_is_given_back():
    with pytest.raises(ToolError, match="do the work yourself") as caught:
        ScriptedCrew().start(Assignment("count", "the cats"))
    assert caught.value.code == "no_agents"


def test_asking_for_one_that_there_is_not_names_those_that_there_are():
    crew = ScriptedCrew(["nine"])
    crew.start(Assignment("count", "the cats"))
    with pytest.raises(ToolError, match="no sub-agent 'agent-7' in this run; there are: agent-1"):
        asyncio.run(crew.reports(["agent-7"], 0))


def test_a_report_as_json_says_what_was_done_and_what_it_cost():
    report = Report("agent-1", "count", "max_steps", "", "", 3, (("read_file", "ok"),), Usage(10, 2))
    assert report.as_json() == {
        "agent": "agent-1",
        "task": "count",
        "state": "max_steps",
        "answer": "",
        "error": "",
        "steps": 3,
        "calls": [{"tool": "read_file", "outcome": "ok"}],
        "input_tokens": 10,
        "output_tokens": 2,
        "log": "",
    }
