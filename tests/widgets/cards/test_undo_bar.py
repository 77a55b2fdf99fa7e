import json

from cellwright.undo.effect import Effect, FileChange
from cellwright.undo.file_state import ABSENT
from cellwright.undo.undoing import UndoPlan
from cellwright_widgets.cards.call_story import CallStory
from cellwright_widgets.cards.record import story_of
from cellwright_widgets.cards.undo_bar import draw_plan, draw_undo, files_brief, refusal, undo_bar
from cellwright_widgets.drawing.node import to_html, to_text

from ..run_events import call_events, whole_run

CHANGES = [{"path": "a.py", "before": {"kind": "absent"}, "after": {"kind": "absent"}}]
EFFECT = ("effect", {"id": "c1", "changes": CHANGES, "folders": [], "lasting": "", "store": "run-1"})


def call_of(*more, ok=True) -> CallStory:
    facts = call_events("c1", "write_file", ok)
    story = story_of(whole_run(*facts[:-1], EFFECT, facts[-1], *more))
    return next(item for item in story.items if isinstance(item, CallStory))


def presses(node):
    """What the buttons of a drawing send, in their order."""
    if isinstance(node, str):
        return []
    own = [json.loads(node[1]["data-press"])] if "data-press" in node[1] else []
    return own + [press for child in node[2] for press in presses(child)]


def test_a_call_that_changed_files_can_be_undone_from_its_card():
    (bar,) = undo_bar(call_of())
    assert [press["act"] for press in presses(bar)] == ["undo", "plan"]
    assert presses(bar)[0] == {"to": "undo", "call": "c1", "act": "undo"}
    assert "Changed a.py" in to_text(bar)


def test_one_that_was_undone_says_so_and_can_be_redone():
    call = call_of(("undone", {"id": "c1"}))
    (bar,) = undo_bar(call)
    assert [press["act"] for press in presses(bar)] == ["redo"]
    assert "Undone by you: a.py" in to_text(bar)
    assert not call_of(("undone", {"id": "c1"}), ("redone", {"id": "c1"})).is_undone


def test_a_record_has_the_words_for_python_in_place_of_the_buttons():
    (bar,) = undo_bar(call_of())
    html = to_html(bar)
    assert "run.undo('c1')" in html
    assert "<button" not in html and "data-press" not in html


def test_a_call_that_changed_nothing_has_no_such_line():
    story = story_of(whole_run(*call_events()))
    call = next(item for item in story.items if isinstance(item, CallStory))
    assert list(undo_bar(call)) == []


def test_what_goes_and_what_stays_is_shown_before_anything_is_undone():
    write = Effect("c1", "write_file", 3, 1, (FileChange("a.py", ABSENT, ABSENT),))
    shell = Effect("c2", "run_command", 9, 2, lasting="it ran a command <b>")
    plan = draw_plan("c1", UndoPlan((write,), (shell,)))
    assert [press["act"] for press in presses(plan)] == ["undo_to", "show"]
    assert to_text(plan).index("write_file a.py") < to_text(plan).index("run_command it ran a command <b>")
    assert "<b>" not in to_html(plan)
    empty = draw_plan("c1", UndoPlan((), (shell,)))
    assert [press["act"] for press in presses(empty)] == ["show"]
    assert "nothing left to undo" in to_text(empty)


def test_nothing_hides_in_a_name_or_in_a_refusal():
    shown = to_text(draw_undo("c\u202e1", ["a\u202eb.py"], False, refusal("why \u202e\n-old\n+new")))
    assert "\u202e" not in shown
    assert "-old\n+new" in shown
    assert files_brief(["a", "b", "c", "d"]) == "a, b, c and 1 more"


def test_a_call_with_an_endless_id_has_no_buttons():
    assert presses(draw_undo("x" * 5_000, ["a"], False)) == []
