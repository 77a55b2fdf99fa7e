"""The tour without a browser: the script reacts to what really happens to the notebook."""

import shutil
from pathlib import Path

import nbformat
import pytest

from cellwright import Agent, Allow, Deny, Edit, Output, ScriptedApprover, model, tool
from cellwright.models.tour_script import CHECK, TABLE

from ..scene import plain, returning

ANALYSIS = Path(__file__).parents[3] / "notebooks" / "analysis"


@tool(read_only=True)
def monthly_report(path: str) -> Output:
    """The report of the tour, without its plot."""
    return Output({"path": path})


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ANALYSIS, tmp_path / "work"))


def play(work: Path, *answers):
    agent = Agent(
        model("scripted:tour"), ["notebook", "read_file", monthly_report], cwd=work, approver=ScriptedApprover(answers)
    )
    agent.model.pace = 0
    return agent.run_sync("Repair it.")


def cell(work: Path, name: str):
    return next(c for c in nbformat.read(work / "coffee_sales.ipynb", as_version=4).cells if c["id"] == name)


def test_when_all_is_allowed_the_check_of_the_notebook_shows_no_difference(work: Path):
    run = play(work, Allow(), Allow())
    assert run.stop_reason == "answered"
    assert run.answer.startswith("Done.")
    assert "Difference:                                0.00 euro" in cell(work, CHECK).outputs[0]["text"]
    assert [result.call.name for result in run.results if not result.ok] == []


def test_a_denied_edit_is_taken_as_an_answer(work: Path):
    before = (work / "coffee_sales.ipynb").read_bytes()
    run = play(work, Deny("not today"))
    assert "not today" in run.answer
    assert (work / "coffee_sales.ipynb").read_bytes() == before


def test_a_denied_run_leaves_the_repair_unproved(work: Path):
    run = play(work, Allow(), Deny())
    assert "not proved by a run" in run.answer
    assert 'to_period("M")' in cell(work, TABLE).source


def test_a_wrong_repair_is_noticed_by_the_check(work: Path):
    def worse(question):
        return Edit({**question.args, "new_source": question.args["new_source"].replace('"M"', '"Q"')})

    run = play(work, worse, Allow())
    assert "my repair was wrong" in run.answer


def test_a_notebook_that_is_not_there_ends_the_tour_with_what_to_do(tmp_path: Path):
    run = play(tmp_path)
    assert run.stop_reason == "model_error"
    assert "for the notebook coffee_sales.ipynb, which can't be read here" in run.error
    assert "`cellwright lab`, or name a model" in run.error


def test_in_a_terminal_where_the_report_is_no_tool_the_tour_comes_to_its_end_without_it():
    says = {"notebook_outline": "", "read_file": "", "notebook_edit": "", "notebook_run": ""}
    read = iter(["Difference: 11.80 euro", "Difference: 0.00 euro"])
    tools = [returning(text, name) for name, text in says.items()]
    tools.append(plain(lambda args, env: next(read), "notebook_read"))
    run = Agent(model("scripted:tour"), tools).run_sync("Repair it.")
    assert run.answer.startswith("Done.")
    assert [result.call.name for result in run.results] == [
        *list(says)[:2],
        "notebook_read",
        *list(says)[2:],
        "notebook_read",
    ]
