from cellwright.views.view import Text
from cellwright_widgets.cards.call_card import draw_call
from cellwright_widgets.cards.story import Story
from cellwright_widgets.drawing.node import to_html

from ..page import HOSTILE, Page, assert_harmless
from ..run_events import call_events, events


def card(*facts) -> str:
    story = Story()
    for event in events(*facts):
        story.add(event)
    return to_html(draw_call(story.items[0]))


def hooked(event, answer, reason=""):
    return ("hook", {"id": "c1", "hook": "guard", "event": event, "answer": answer, "reason": reason})


def test_the_answer_of_the_person_stands_on_the_card():
    facts = call_events()
    facts[3:3] = [
        ("question", {"id": "c1", "args": {}, "view": Text("x")}),
        ("answer", {"id": "c1", "answer": "allow"}),
    ]
    assert "approved by you" in Page(card(*facts)).text
    assert "needs your approval" in Page(card(*facts[:4])).text


def test_the_trail_tells_what_hooks_did_before_and_after_the_call():
    facts = call_events()
    changed = ("arguments", {"id": "c1", "args": {"path": "b.py"}, "repairs": [], "by": "hook"})
    facts[2:2] = [hooked("before_call", "change"), changed]
    facts[-1:-1] = [hooked("after_call", "replace"), hooked("after_call", "failed", "too slow")]
    text = Page(card(*facts)).text
    steps = ("arguments changed by the hook guard", "allowed: read-only", "replaced by the hook guard", "not judged by")
    assert [text.index(step) for step in steps] == sorted(text.index(step) for step in steps)
    assert "not judged by the hook guard: too slow" in text
    assert "arguments, as a hook changed them" in text


def test_the_name_and_reason_of_a_hook_can_not_harm():
    for text in HOSTILE:
        fact = ("hook", {"id": "c1", "hook": text, "event": "before_call", "answer": text, "reason": text})
        assert_harmless(Page(card(*call_events()[:2], fact)))


def test_a_decision_that_is_made_again_after_an_edit_stands_once():
    facts = call_events()
    decision = next(fact for fact in facts if fact[0] == "decision")
    facts.insert(facts.index(decision), decision)
    assert Page(card(*facts)).text.count("allowed: read-only") == 1


def test_who_decided_is_said_where_the_reason_does_not_say_it():
    facts = call_events()
    facts[2][1].update(decision="ask", by="default", reason="it changes a file")
    assert "asked: it changes a file" in Page(card(*facts)).text
    facts[2][1].update(by="tool", reason="it sends a letter")
    assert "asked by the tool itself: it sends a letter" in Page(card(*facts)).text
