from cellwright_widgets.head import Head

from .run_events import events, whole_run


def after(*facts) -> Head:
    head = Head()
    for event in events(*facts):
        head = head.after(event)
    return head


def test_the_head_adds_up_turns_and_tokens():
    head = Head()
    for event in whole_run():
        head = head.after(event)
    assert (head.turns, head.input_tokens, head.state) == (2, 20, "answered")


def test_the_cost_stands_in_the_head_if_it_is_a_cost():
    costs = [after(("run_ended", {"stop_reason": "answered", "cost": cost})).cost for cost in (0.5, None, "<b>", -1)]
    assert costs == [0.5, None, None, None]


def test_the_mode_is_that_which_holds_now():
    started = ("run_started", {"model": "m", "mode": "plan"})
    assert after(started).mode == "plan"
    assert after(started, ("conditions", {"mode": "accept_edits", "changed": ["mode"]})).mode == "accept_edits"


def test_events_with_nothing_in_them_do_no_harm():
    assert after(("message", {}), ("conditions", {}), ("run_ended", {})).input_tokens == 0
