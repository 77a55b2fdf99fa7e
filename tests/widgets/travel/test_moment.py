import pytest

from cellwright import Agent, Policy, ScriptedModel, Turn
from cellwright_widgets.drawing.node import to_html, to_text
from cellwright_widgets.travel.moment import draw_moment, moments

from ..page import HOSTILE, Page, assert_harmless
from ..run_events import events


@pytest.fixture
def run(tmp_path):
    writes = [Turn(f"Write {name}.", [("write_file", {"path": name, "content": name})]) for name in ("a", "b")]
    return Agent(ScriptedModel([*writes, "Done."]), ["write_file"], cwd=tmp_path, policy="accept_edits").run_sync("go")


def seen(run, step, aspect):
    return to_text(draw_moment(moments(run.events)[step - 1], aspect))


def test_a_moment_shows_its_step_and_nothing_that_came_later(run):
    first, second, last = (seen(run, step, "happened") for step in (1, 2, 3))
    assert "Write a." in first and "Write b." not in first
    assert "Before this step" in second and "Write b." in second and "Done." not in second
    assert "The model answered." in last


def test_a_moment_shows_what_the_model_was_sent(run):
    assert "Request of step 2" in seen(run, 2, "sent")
    assert "Changed in this step" not in seen(run, 2, "sent")


def test_the_files_are_those_of_the_step_and_those_before(run):
    assert seen(run, 1, "files").count("new, 1 byte") == 1
    here, before = seen(run, 2, "files").split("Changed before")
    assert ("b (new" in here, "a (new" in before) == (True, True)


def test_each_step_has_the_calls_of_the_model(run):
    assert [[call.name for call in moment.calls] for moment in moments(run.events)] == [["write_file"]] * 2 + [[]]


def test_a_run_that_has_not_begun_a_step_has_one_moment():
    (moment,) = moments(events(("run_started", {"prompt": "p"})))
    assert moment.step == 0
    assert "has not been asked" in to_text(draw_moment(moment, "sent"))
    assert "nothing was changed" in to_text(draw_moment(moment, "files"))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_shown_as_text(text, tmp_path):
    model = ScriptedModel([Turn(text, [("write_file", {"path": "a", "content": text})]), text])
    run = Agent(model, ["write_file"], cwd=tmp_path, policy=Policy("accept_edits")).run_sync(text)
    for moment in moments(run.events):
        for aspect in ("happened", "sent", "files"):
            assert_harmless(Page(to_html(draw_moment(moment, aspect))))
