from cellwright.views.view import Text
from cellwright_widgets.cards.call_story import MAX_PROGRESS, CallStory

from ..run_events import call_events, events


def followed(*facts) -> CallStory:
    call = CallStory("c1", "t", "{}", 0.0)
    for event in events(*facts):
        call = call.after(event)
    return call


def said(*texts: str) -> str:
    return followed(*(("progress", {"text": text}) for text in texts)).progress


def test_each_progress_is_a_line():
    assert said("one", "two\n", "three") == "one\ntwo\nthree"
    assert said("10%", "\r20%") == "10%\r20%"


def test_the_end_of_a_long_progress_is_kept():
    assert said("x" * MAX_PROGRESS, "the end").endswith("\nthe end")
    assert len(said("x" * MAX_PROGRESS, "the end")) == MAX_PROGRESS


def test_a_call_ends_with_its_result():
    call = followed(*call_events(view=Text("seen"), metadata={"tries": 2}))
    assert (call.state, call.view, call.metadata, call.started, call.ended) == (
        *("done", Text("seen"), {"tries": 2}, 1_004.0, 1_005.0),
    )


def test_arguments_that_are_none_are_not_taken_from_a_question():
    asked = [followed(("question", {"id": "c1", "name": "t", "args": args})) for args in ([1], "x", 1, None, {"a": 1})]
    assert [call.args for call in asked] == [None, None, None, None, {"a": 1}]


def test_what_it_does_not_know_changes_nothing():
    assert followed(("note", {"text": "x"}), ("steered", {})) == CallStory("c1", "t", "{}", 0.0)
