import asyncio

import pytest

from cellwright import Agent, Policy, ScriptedModel, Turn
from cellwright.errors import UndoError
from cellwright_widgets.drawing.node import to_text
from cellwright_widgets.drawing.press import Press
from cellwright_widgets.live.undo_answer import UndoAnswer


@pytest.fixture
def run(tmp_path):
    writes = [("write_file", {"path": name, "content": name}) for name in ("a", "b")]
    agent = Agent(ScriptedModel([Turn(calls=writes), "done"]), cwd=tmp_path, policy=Policy("accept_edits"))
    return agent.run_sync("go")


def answer(run, act, call="call_1"):
    return to_text(asyncio.run(UndoAnswer(run).answer(Press("undo", {"act": act, "call": call}))))


def test_a_press_undoes_and_the_next_one_redoes(run, tmp_path):
    assert "Undone by you: a" in answer(run, "undo")
    assert not (tmp_path / "a").exists()
    assert "Changed a" in answer(run, "redo")
    assert (tmp_path / "a").read_text() == "a"


def test_the_way_back_is_shown_first_and_gone_only_when_it_is_pressed(run, tmp_path):
    assert "write_file b" in answer(run, "plan") and (tmp_path / "b").exists()
    assert "Changed a" in answer(run, "show") and (tmp_path / "b").exists()
    assert "Undone by you" in answer(run, "undo_to")
    assert not (tmp_path / "a").exists() and not (tmp_path / "b").exists()


def test_a_refusal_stands_below_the_line_with_the_difference(run, tmp_path):
    (tmp_path / "a").write_text("mine")
    said = answer(run, "undo")
    assert "Changed a" in said and "changed by somebody else" in said and "+mine" in said
    assert (tmp_path / "a").read_text() == "mine"


@pytest.mark.parametrize(("act", "call"), [("undo", "nobody"), (7, None), ("undo", {"x": 1}), ("plan", "nobody")])
def test_a_press_that_makes_no_sense_changes_nothing(run, tmp_path, act, call):
    with pytest.raises(UndoError, match="has changed a file"):
        answer(run, act, call)
    assert (tmp_path / "a").exists() and not any(effect.is_undone for effect in run.effects)
