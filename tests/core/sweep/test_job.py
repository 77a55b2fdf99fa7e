"""Tasks, candidates and jobs."""

import pytest

from cellwright import ScriptedModel, UsageError
from cellwright.sweep.job import Candidate, Job, Task


def test_a_task_without_a_name_is_called_by_the_beginning_of_its_prompt():
    assert Task("Write\n  the answer " + "x" * 100).label == ("Write the answer " + "x" * 100)[:60]


def test_a_candidate_without_a_name_is_called_as_its_model():
    def tiny(): ...

    assert (Candidate("scripted:tour").label, Candidate(tiny).label, Candidate(tiny, "mine").label) == (
        "scripted:tour", "tiny", "mine",
    )  # fmt: skip


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UsageError, match="of the task 'go' is not there"):
        Task("go", folder=tmp_path / "none")


def test_a_prompt_that_is_no_text_is_refused():
    with pytest.raises(UsageError, match="the prompt 3 is no text"):
        Task(3)


def test_a_model_that_is_already_made_is_refused_for_a_function_that_makes_it():
    with pytest.raises(UsageError, match=r"is no model's name and no function; .* give a function that makes it"):
        Candidate(ScriptedModel(["done"]))


def test_jobs_of_another_prompt_or_attempt_are_others():
    candidate = Candidate("scripted:tour")
    keys = {Job(Task(prompt, "same"), candidate, attempt).key for prompt in "ab" for attempt in (1, 2)}
    assert len(keys) == 4
