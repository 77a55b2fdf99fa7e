"""The program that makes one run."""

import json

import cloudpickle

from cellwright.sweep.child import JOB, LOG, REPORT, WORK, agent_of, main
from cellwright.sweep.job import Candidate, Job, Task

from . import candidates as c


def test_the_row_the_log_and_the_work_are_left_in_its_folder(tmp_path):
    job = Job(Task("go", check=c.is_written), Candidate(c.writes, tools=c.tools, policy="accept_edits"), 1)
    (tmp_path / JOB).write_bytes(cloudpickle.dumps(job))
    main(tmp_path)
    row = json.loads((tmp_path / REPORT).read_text())
    assert (row["score"], row["answer"]) == (1.0, "written")
    assert "run_ended" in (tmp_path / LOG).read_text()
    assert (tmp_path / WORK / "answer.txt").read_text() == "42\n"


def test_an_agent_is_made_as_the_candidate_says(tmp_path):
    agent = agent_of(Candidate("scripted:tour", tools="read_only", system="Be brief."), tmp_path, tmp_path / LOG)
    assert (agent.model.name, agent.system, agent.policy.mode) == ("scripted:tour", "Be brief.", "dont_ask")
