import asyncio

from cellwright import Agent, ScriptedModel, Turn
from cellwright_widgets.cards.head import Head

from ..run_events import events, whole_run


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
    assert after(("message", {"cost": 0.25}), ("turn_started", {})).cost == 0.25


def test_usage_that_is_none_counts_nothing():
    for usage in (None, [1], "x", {"input_tokens": None}, {"input_tokens": [1]}):
        assert after(("compacted", {"usage": usage})).input_tokens == 0


def test_the_head_of_a_fork_counts_what_the_fork_has_spent_as_its_usage_does():
    first = Agent(ScriptedModel([Turn("I look.", [("find_files", {"pattern": "*.csv"})]), "done"]), "read_only")

    async def scene():
        return await (await first.run("go")).fork(2, model=ScriptedModel(["other"]))

    run, head = asyncio.run(scene()), Head()
    for event in run.events:
        head = head.after(event)
    assert (head.input_tokens, head.output_tokens) == (run.usage.input_tokens, run.usage.output_tokens)
    assert (head.turns, head.input_tokens > 0) == (2, True)


def test_the_mode_is_that_which_holds_now():
    started = ("run_started", {"model": "m", "mode": "plan"})
    assert after(started).mode == "plan"
    assert after(started, ("conditions", {"mode": "accept_edits", "changed": ["mode"]})).mode == "accept_edits"


def test_events_with_nothing_in_them_do_no_harm():
    assert after(("message", {}), ("conditions", {}), ("run_ended", {})).input_tokens == 0


def test_the_state_is_that_of_what_waits_for_the_person_then_of_what_runs():
    steps = [
        (("executing", {"id": "a"}), "running"),
        (("question", {"id": "b"}), "asking"),
        (("executing", {"id": "c"}), "asking"),
        (("answer", {"id": "b"}), "running"),
        (("result", {"id": "b"}), "running"),
        (("result", {"id": "never asked"}), "running"),
        (("result", {"id": "a"}), "running"),
        (("result", {"id": "c"}), "thinking"),
    ]
    facts = [fact for fact, _ in steps]
    assert [after(*facts[:number]).state for number in range(1, len(steps) + 1)] == [state for _, state in steps]


def test_a_run_that_waits_says_where_until_it_goes_on():
    turn = {"before": "turn", "turn": 3, "why": "pause"}
    call = {"before": "call", "id": "a", "name": "send", "why": "breakpoint"}
    steps = [
        ("paused", turn),
        ("paused", call),
        ("question", {"id": "b"}),
        ("answer", {"id": "b"}),
        ("continued", turn),
    ]
    heads = [after(*steps[:number]) for number in range(1, len(steps) + 1)]
    assert [head.state for head in heads] == ["paused", "paused", "asking", "paused", "paused"]
    assert heads[1].halts == ("before step 3", "before send (breakpoint)")
    assert after(*steps, ("continued", call)).state == "running"
    assert after(*steps, ("run_ended", {"stop_reason": "cancelled"})).halts == ()


def test_places_that_no_event_of_this_run_tells_are_told_by_who_knows_them():
    head = after(("executing", {"id": "a"})).paused_at(("before look",))
    assert (head.state, head.paused_at(()).state) == ("paused", "running")
