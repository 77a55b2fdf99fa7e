import pytest

from cellwright import Agent, ScriptedModel, Turn, tool
from cellwright.sessions.comparison import compare
from cellwright.sessions.recorded_run import RecordedRun
from cellwright_widgets.cards.comparison_view import SideBySide, draw_comparison
from cellwright_widgets.drawing.node import to_html, to_text

from ..page import HOSTILE, Page, assert_harmless


@tool(read_only=True)
def echo(text: str) -> str:
    """Echo."""
    return text


def ran(*texts, answer="done"):
    turns = [Turn(f"I say {text}.", [("echo", {"text": text})]) for text in texts]
    return Agent(ScriptedModel([*turns, answer]), [echo]).run_sync("go")


def drawn(left, right) -> str:
    return to_text(draw_comparison(compare(*(RecordedRun(run.events) for run in (left, right)))))


def test_what_is_alike_is_folded_and_what_differs_stands_side_by_side_from_where_they_part():
    text = drawn(ran("a", "b b b", answer="yes"), ran("a", "b c b", answer="yes"))
    alike, parts = text.split("Here they part")
    assert "1 step alike" in alike and "Step 2" in parts
    html = SideBySide(ran("b b b"), ran("b c b")).html()
    assert '<del class="cw-word">b</del>' in html and '<ins class="cw-word">c</ins>' in html


def test_a_step_that_the_other_run_has_not_is_said_to_be_missing():
    assert "No such step here." in drawn(ran("a"), ran("a", "b"))


def test_runs_that_did_the_same_are_said_to_be_alike():
    text = drawn(ran("a"), ran("a"))
    assert "Both did the same" in text and "Here they part" not in text


def test_outcome_and_usage_stand_beside_each_other():
    page = Page(to_html(draw_comparison(compare(*(RecordedRun(ran(text).events) for text in ("a", "a b c"))))))
    for words in ("Outcome", "Tokens in", "Cost", "Calls that failed", "answered"):
        assert words in page.text


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_shown_as_text(text):
    assert_harmless(
        Page(
            to_html(
                draw_comparison(compare(*(RecordedRun(ran(each, answer=text).events) for each in (text, text + "x"))))
            )
        )
    )


def test_plain_text_and_drawing_are_of_the_same_comparison():
    both = SideBySide(ran("a"), ran("b"))
    bundle = both._repr_mimebundle_()
    assert bundle["text/plain"] == both.comparison.text == repr(both)
    assert "<style>" in bundle["text/html"]
