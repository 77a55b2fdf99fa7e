import random

import pytest

from cellwright.views.view import Text, as_json
from cellwright_widgets.cards.story import Change, End, Prompt, Remark, Said, Story

from ..run_events import call_events, events, whole_run


def told(*facts) -> Story:
    story = Story()
    for event in events(*facts):
        story.add(event)
    return story


def test_a_streamed_text_grows_and_the_message_replaces_it():
    story = Story()
    changes = [
        story.add(event)
        for event in events(
            ("turn_started", {"turn": 1}),
            ("text", {"text": "Hel"}),
            ("text", {"text": "lo"}),
            ("message", {"text": "Hello.", "thinking": "", "usage": {}}),
        )
    ]
    assert changes == [(), (Change(0),), (Change(0, "lo"),), (Change(0),)]
    assert story.items == [Said("Hello.", final=True)]


def test_thinking_and_text_are_two_items_that_both_end():
    story = told(("thinking", {"text": "hm"}), ("text", {"text": "ok"}), ("message", {"text": "ok", "thinking": "hmm"}))
    assert story.items == [Said("hmm", thinking=True, final=True), Said("ok", final=True)]


WORDS = [("thinking", {"text": "hm"}), ("text", {"text": "Now "}), ("text", {"text": "so."})]
TURN = ("message", {"text": "Now so.", "thinking": "hm"})


@pytest.mark.parametrize("kept", [[], WORDS], ids=["a log", "live"])
@pytest.mark.parametrize("place", range(4))
def test_the_words_of_a_turn_stand_before_its_calls_whenever_they_came(kept, place):
    start, *rest = call_events("c2")
    early = [*kept[:place], start, *kept[place:], *rest[:3], TURN, rest[3]]
    earlier = [("run_started", {"prompt": "go"}), ("turn_started", {}), *call_events("c1"), ("turn_started", {})]
    items = told(*earlier, *early, *call_events("c3")).items
    assert items[2:4] == [Said("hm", thinking=True, final=True), Said("Now so.", final=True)]
    assert [(item.id, item.state) for item in items[1:2] + items[4:]] == [(f"c{n}", "done") for n in (1, 2, 3)]


def test_a_change_of_what_holds_is_a_remark():
    changes = {"mode": "plan", "max_parallel": 2, "changed": ["mode", "max_parallel", "allow"], "by": "call"}
    mode = {"mode": "default", "changed": ["mode", "found"], "by": "person"}
    first, second = told(("conditions", changes), ("conditions", mode)).items
    assert first.text == "from here on mode plan; at most 2 calls at once; other rules (allow)"
    assert second.text == "you switched to mode default"


def test_what_was_found_is_told_by_the_change_of_the_list_alone():
    found = {"mode": "plan", "max_parallel": 2, "changed": ["found"], "by": "call"}
    assert told(("conditions", found), ("tools_changed", {"text": "added: plot"})).items == [Remark("added: plot")]


def test_a_remark_at_the_beginning_of_a_turn_stays_before_its_words():
    turn = [("turn_started", {}), ("tools_changed", {"text": "added: plot"}), *call_events()]
    items = told(*turn, ("message", {"text": "So.", "thinking": ""})).items
    assert items[:2] == [Remark("added: plot"), Said("So.", final=True)]


def test_what_code_calls_stands_below_the_call_that_runs_it():
    def made(call, within=""):
        return ("call", {"id": call, "name": "t", "arguments": "{}", **({"within": within} if within else {})})

    story = told(made("c1"), made("c2"), made("c1.1", "c1"), made("c1.2", "c1"), made("c3"), made("x", "unknown"))
    assert [call.id for call in story.items] == ["c1", "c1.1", "c1.2", "c2", "c3", "x"]
    for event in events(("result", {"id": "c2", "ok": True}), ("result", {"id": "c1.2", "error_type": "timeout"})):
        story.add(event)
    assert [call.state for call in story.items[:4]] == ["pending", "pending", "failed", "done"]


def test_a_call_goes_through_its_states():
    story, seen = Story(), []
    for event in events(*call_events(view=as_json(Text("seen")))):
        story.add(event)
        seen.append(story.items[0].state)
    assert seen == ["pending", "pending", "pending", "running", "done"]
    assert story.items[0].view == Text("seen")


def test_each_error_type_ends_in_a_state():
    expected = {"guard_denied": "denied", "cancelled": "cancelled", "timeout": "failed", "approval_denied": "denied"}
    for error_type, state in expected.items():
        assert told(*call_events(ok=False, error_type=error_type)).items[0].state == state


def test_two_calls_of_the_same_id_are_two_cards():
    story = told(*call_events(), *call_events(ok=False, error_type="timeout"))
    assert [call.state for call in story.items] == ["done", "failed"]


def test_the_answer_is_told_once():
    items = told(("message", {"text": "42"}), ("run_ended", {"stop_reason": "answered", "answer": "42"})).items
    assert isinstance(items[-1], End)
    assert items[-1].repeats


def test_a_change_of_the_tools_is_a_remark():
    items = told(("tools_changed", {"text": "the list of tools changed: plot added", "digest": "x"})).items
    assert items[-1] == Remark("the list of tools changed: plot added")


def test_events_in_any_order_and_with_nothing_in_them_do_no_harm():
    mixed = [*whole_run(*call_events()), *events(("result", {}), ("message", {}), ("call", {}), ("steered", {}))]
    for seed in range(20):
        random.Random(seed).shuffle(mixed)
        story = Story()
        for event in mixed:
            story.add(event)
        assert any(isinstance(item, Prompt) for item in story.items)


def test_a_view_from_another_version_is_said_not_raised():
    story = told(*call_events(view={"kind": "hologram", "version": 9}))
    assert "can't be drawn" in story.items[0].view.text


def test_what_hooks_said_of_a_call_stays_with_it_and_the_rest_is_a_remark():
    facts = call_events()
    facts[2:2] = [
        ("hook", {"id": "c1", "hook": "cap", "event": "before_call", "answer": "change", "reason": ""}),
        ("arguments", {"id": "c1", "args": {"path": "b.py"}, "repairs": [], "by": "hook"}),
    ]
    aside = ("hook", {"hook": "keys", "event": "user_prompt", "answer": "block", "reason": "a key"})
    call, remark = told(*facts, aside, ("hook", {"id": "unknown"})).items
    assert (call.hooks, call.by, call.args) == ((("before_call", "change", "cap", ""),), "hook", {"path": "b.py"})
    assert remark.text == "the hook keys: block · a key"


def test_a_fork_says_whence_it_comes():
    whence = {"run": "run-1", "step": 2, "call": "c1", "otherwise": "args"}
    told_of = [
        told(("run_started", {"prompt": "p", "forked_from": source})).items[1:]
        for source in (whence, {**whence, "call": "", "otherwise": "turn"}, "<b>", None)
    ]
    stays = "what stays of it was not done again"
    assert told_of == [
        [Remark(f"forked from run-1 at step 2: other arguments of c1; {stays}")],
        [Remark(f"forked from run-1 at step 2: the model asked anew; {stays}")],
        [],
        [],
    ]
