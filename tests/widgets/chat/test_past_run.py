from cellwright import Agent, ScriptedModel, Turn
from cellwright.runs.budget import Budget
from cellwright_widgets.chat.past_run import past_run_html

from ..page import HOSTILE, Page, assert_harmless


def events_of(folder, *turns, prompt="Read it.", **options):
    return Agent(ScriptedModel(turns), ["read_file"], cwd=folder, **options).run_sync(prompt).events


def test_the_words_stand_outside_of_the_fold_and_the_record_in_it(tmp_path):
    events = events_of(tmp_path, Turn("I look.", [("read_file", {"path": "x"})]), "It is **not** there.")
    html = past_run_html(events)
    before, fold, after = html.partition("<details")[0], Page(html).text, html.rpartition("</details>")[2]
    assert ("Read it." in before, "not</strong> there" in after, "I look." in fold) == (True, True, True)
    assert "2 steps, 1 call" in fold


def test_how_a_run_ended_is_said_if_it_was_not_by_an_answer(tmp_path):
    events = events_of(tmp_path, Turn("I look.", [("read_file", {"path": "x"})]), budget=Budget(steps=1))
    assert "the budget of 1 step is used up" in past_run_html(events).rpartition("</details>")[2]


def test_without_its_record_it_says_where_that_is(tmp_path):
    events = events_of(tmp_path, "Hi.")
    assert "its session has it" in past_run_html(events, with_record=False)


def test_hostile_texts_are_only_text(tmp_path):
    for text in HOSTILE:
        assert_harmless(Page(past_run_html(events_of(tmp_path, text, prompt=text))))


def test_a_text_without_end_is_cut(tmp_path):
    events = events_of(tmp_path, "y " * 100_000, prompt="x " * 100_000)
    assert len(past_run_html(events, with_record=False)) < 60_000
