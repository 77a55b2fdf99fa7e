"""What a project tells every agent that works in it."""

import asyncio

import pytest

from cellwright import Agent, ScriptedModel
from cellwright.log.requests import requests
from cellwright.runs.instructions import LONGEST, project_instructions


def make(folder, **files):
    for name, text in files.items():
        path = folder / {"agents": "AGENTS.md", "own": ".cellwright/instructions.md"}[name]
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return folder.resolve()


def ran(folder, system="Be brief."):
    run = asyncio.run(Agent(ScriptedModel(["done"]), [], cwd=folder, system=system).run("go"))
    notes = [event.data["text"] for event in run.events if event.kind == "note"]
    return next(requests(run.events)).request.system, notes


def test_the_files_stand_behind_the_system_prompt_each_under_its_name(tmp_path):
    system, notes = ran(make(tmp_path, agents="Run pytest.\n", own="Ask first.\n"))
    assert system == (
        "Be brief.\n\nInstructions of the project, from AGENTS.md:\nRun pytest.\n\n"
        "Instructions of the project, from .cellwright/instructions.md:\nAsk first."
    )
    assert notes == [
        "the model is told the instructions in AGENTS.md: 11 characters",
        "the model is told the instructions in .cellwright/instructions.md: 10 characters",
    ]


def test_letters_that_nobody_sees_are_named_to_the_model_and_the_person(tmp_path):
    system, notes = ran(make(tmp_path, agents="Be nice.\U000e0072\n"))
    assert system.endswith("Be nice.⟨U+E0072⟩")
    assert notes == ["the model is told the instructions in AGENTS.md: 17 characters, hidden ones named"]


def test_a_project_without_them_changes_nothing(tmp_path):
    assert ran(tmp_path) == ("Be brief.", [])


def test_they_are_read_when_a_run_begins_and_stay_until_it_ends(tmp_path):
    make(tmp_path, agents="Old.")

    def change(conversation):
        make(tmp_path, agents="New.")
        return "done"

    agent = Agent(ScriptedModel([change, "done"]), [], cwd=tmp_path, system="")
    first, second = (asyncio.run(agent.run("go")) for _ in range(2))
    assert [next(requests(run.events)).request.system[-4:] for run in (first, second)] == ["Old.", "New."]


def test_of_a_long_file_the_start_and_the_end_are_told_and_that_it_was_cut(tmp_path):
    found = project_instructions(make(tmp_path, agents="start " + "x" * 100_000 + " end"))
    assert len(found.text) < LONGEST + 300
    assert "start" in found.text and found.text.endswith(" end")
    assert "100,010 characters, of which the model is told" in found.notes[0]


@pytest.mark.parametrize("target", ["../secret", "/etc/hostname"])
def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path, target):
    (tmp_path / "secret").write_text("key")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "AGENTS.md").symlink_to(target)
    found = project_instructions((tmp_path / "in").resolve())
    assert found.text == ""
    assert found.notes[0].startswith("the instructions in AGENTS.md were not read:")


def test_a_link_inside_the_folder_is_followed(tmp_path):
    (tmp_path / "CLAUDE.md").write_text("Run pytest.")
    (tmp_path / "AGENTS.md").symlink_to("CLAUDE.md")
    assert project_instructions(tmp_path.resolve()).text.endswith("Run pytest.")


def test_what_is_no_text_is_named_and_not_told(tmp_path):
    (tmp_path / "AGENTS.md").write_bytes(b"\x00\x01\x02" * 100)
    found = project_instructions(tmp_path.resolve())
    assert found.text == "" and "AGENTS.md were not read" in found.notes[0]
