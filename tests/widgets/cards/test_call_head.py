import pytest

from cellwright_widgets.cards.call_card import draw_call
from cellwright_widgets.cards.call_head import args_brief, draw_call_brief
from cellwright_widgets.cards.story import Story
from cellwright_widgets.drawing.node import to_html, to_text

from ..page import Page
from ..run_events import call_events, events


def card(*facts) -> str:
    story = Story()
    for event in events(*facts):
        story.add(event)
    return to_html(draw_call(story.items[0]))


@pytest.mark.parametrize(
    ("steps", "words"),
    [(1, "waiting"), (3, "waiting"), (4, "running"), (5, "done"), (5, "allowed: read-only")],
)
def test_the_state_is_a_word(steps, words):
    assert words in Page(card(*call_events()[:steps])).text


@pytest.mark.parametrize(
    ("error_type", "words"),
    [("guard_denied", "denied by a guard"), ("timeout", "failed: timeout"), ("cancelled", "cancelled")],
)
def test_a_failure_says_whose(error_type, words):
    assert words in Page(card(*call_events(ok=False, error_type=error_type))).text


def test_the_telling_argument_comes_first_and_long_ones_are_cut():
    brief = args_brief({"new": "x" * 200, "path": "a.py", "limit": 3})
    assert brief.startswith("a.py · new: xxx")
    assert brief.endswith("… · limit: 3")
    assert len(args_brief({"command": "c" * 1_000})) == 160


def test_a_card_can_be_one_line():
    story = Story()
    for event in events(*call_events()):
        story.add(event)
    assert to_text(draw_call_brief(story.items[0])).split() == ["✓", "read_file", "a.py", "done", "1.0", "s"]


@pytest.mark.parametrize(
    ("code", "words"), [({}, "blocked by a hook"), ({"code": "hook_failed"}, "denied, as a hook failed")]
)
def test_a_hook_that_failed_is_told_from_one_that_blocked(code, words):
    assert words in Page(card(*call_events(ok=False, error_type="hook_blocked", metadata=code))).text
