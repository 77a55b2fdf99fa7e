import pytest

from cellwright.views.file_diff import diff_view
from cellwright.views.table import table_view
from cellwright.views.view import Code, Failure, Group, Picture, Terminal, Text, as_json
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


def test_the_person_can_read_what_the_model_saw():
    html = card(*call_events(content="for the model", view=as_json(Text("for the person"))))
    page = Page(html)
    assert "what the model saw · 13 characters" in page.text
    assert "for the model" in page.text
    assert "for the person" in page.text


PICTURE = Picture("image/png", "AAAA")
TABLE = table_view(["n"], [[1]])
WORTH_A_LOOK = (diff_view("a", "b", "p"), TABLE, PICTURE, Failure("x", "y"), Group("", (TABLE, Group("", (PICTURE,)))))
ONLY_READ = (table_view(["n"], [[1]] * 11), Text("x"), Code("x"), Terminal("x"), Group("", (TABLE, Code("x"))), None)


def is_open(html: str) -> bool:
    return "open" in Page(html).elements[0][1]


@pytest.mark.parametrize(("views", "opens"), [(WORTH_A_LOOK, True), (ONLY_READ, False)])
def test_drawings_are_open_and_what_was_only_read_is_folded(views, opens):
    assert {is_open(card(*call_events(view=as_json(view) if view else None))) for view in views} == {opens}


def test_what_failed_or_was_asked_is_open():
    facts = call_events(view=as_json(Text("x")))
    facts[3:3] = [("question", {"id": "c1", "args": {}, "view": None}), ("answer", {"id": "c1", "answer": "allow"})]
    assert is_open(card(*facts))
    assert is_open(card(*call_events(ok=False, error_type="guard_denied", view=as_json(Text("x")))))


def test_of_a_call_that_was_denied_the_person_sees_what_it_would_have_done():
    facts = call_events(ok=False, error_type="approval_denied", content="don't repeat it")
    asked = {"id": "c1", "args": {}, "view": as_json(diff_view(None, "new text", "a.txt"))}
    facts[3:4] = [("question", asked), ("answer", {"id": "c1", "answer": "deny", "reason": "not now"})]
    seen = Page(card(*facts)).text.split("denied by you: not now")[1]
    assert seen.startswith("You denied this call. Nothing was run.")
    assert "new text" in seen.split("what it would have done")[1].split("arguments")[0]


def test_the_stages_stand_with_their_times():
    html = card(
        *call_events(metadata={"stages": {"look_up": 0.00002, "execute": 1.5}, "decision": {"by": "read_only"}})
    )
    words = Page(html).text.split("how it went")[1]
    assert "0.02 ms  look_up\n" in words
    assert "1500.00 ms  execute\n" in words
    assert '"by": "read_only"' in words


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_a_model_or_tool_says_acts(text):
    facts = call_events(name=text, content=text, view=as_json(Text(text)), metadata={text: text, "seconds": text})
    facts[1][1]["args"] = {text: text}
    facts[1][1]["repairs"] = [text]
    facts[2][1].update(decision=text, by=text, reason=text)
    facts.insert(4, ("progress", {"id": "c1", "text": text}))
    facts[0][1].update(name=text, arguments=text)
    assert_harmless(Page(card(*facts)))


def test_a_stopped_tool_that_still_runs_is_not_called_cancelled_and_is_as_loud_as_a_failure():
    facts = call_events(ok=False, error_type="cancelled")
    facts[-1][1]["metadata"] = {**facts[-1][1].get("metadata", {}), "still_running": True}
    shown = card(*facts)
    assert "STILL RUNNING" in Page(shown).text
    start = shown.split("<summary", 1)[0]
    assert ('open=""' in start, "cw-failed" in start, "cw-cancelled" in start) == (True, True, False)


def test_a_card_tells_tries_and_where_the_rest_of_a_long_result_is():
    spilled = {"characters_left_out": 61_200, "spilled": {"path": ".cellwright/runs/r/c1.txt"}}
    text = Page(card(*call_events(metadata={"tries": 3, **spilled}))).text
    assert ("done after 3 tries" in text, "tried 3 times" in text) == (True, True)
    assert "61,200 characters were left out of what the model saw; the whole text is in .cellwright/runs" in text
    lost = {"characters_left_out": 5, "not_spilled": "there is no folder for it"}
    assert "the rest was not kept: there is no folder for it" in Page(card(*call_events(metadata=lost))).text


@pytest.mark.parametrize("inner", [False, True])
@pytest.mark.parametrize(
    ("error_type", "shown", "stands"),
    [
        ("guard_denied", "guard_denied", False),
        ("cancelled", "cancelled", False),
        ("timeout", "timeout", False),
        ("timeout", "CellTimeout", True),
    ],
)
def test_the_type_of_an_error_stands_in_it_where_the_head_does_not_say_it(error_type, shown, stands, inner):
    failure = Failure(shown, "not now")
    view = as_json(Group("", (failure, Terminal("x"))) if inner else failure)
    html = card(*call_events(ok=False, error_type=error_type, view=view))
    assert (f'cw-error-type">{shown}' in html) is stands
    assert "not now" in Page(html).text


@pytest.mark.parametrize("arguments", ['{"path": "a.py"}', "[1]", "nonsense", "[" * 3_000, "", "{" + "9" * 3_999])
def test_arguments_that_were_never_read_are_shown_as_well_as_they_can_be(arguments):
    facts = [("call", {"id": "c1", "name": "read_file", "arguments": arguments})]
    words = Page(card(*facts)).text
    assert ("a.py waiting" in words) if arguments.startswith('{"path') else (arguments[:20] in words)


def test_what_code_calls_is_marked_and_opens_when_the_person_is_asked():
    facts = call_events(ok=False, error_type="tool_error")
    facts[0][1]["within"] = "c0"
    assert "cw-within" in card(*facts)
    assert not is_open(card(*facts))
    facts[3:3] = [("question", {"id": "c1", "args": {}, "view": None})]
    assert is_open(card(*facts[:4]))


def test_code_that_was_asked_about_can_be_read_afterwards():
    facts = call_events(view=as_json(Text("done")))
    facts[3:3] = [("question", {"id": "c1", "args": {}, "view": Code("import os\nos.listdir()", "python")})]
    assert '<span class="cw-k-keyword">import</span>' in card(*facts)
