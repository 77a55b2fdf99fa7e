"""What holds for the next call."""

import pytest
from msgspec.structs import replace

from cellwright import Policy, UsageError
from cellwright.calls.conditions import Conditions, Standing, changed
from cellwright.log.events import Log
from cellwright.permission.layers import Layer
from cellwright.permission.project import Project
from cellwright.selection import Selection

from ..scene import CONSENT


def into(mode, **rules):
    return lambda now: replace(now, policy=replace(now.policy, mode=mode, **rules))


def noted(log):
    return [(event.kind, event.data) for event in log.events]


def test_changes_are_made_one_upon_the_other_and_touch_no_earlier_value():
    first, log = Conditions(Policy("plan")), Log()
    standing = Standing(first)
    standing.apply(into("accept_edits"), log, "c1")
    standing.apply(lambda now: now.with_found([f"after_{now.policy.mode}"]), log, "c2")
    assert standing.now == Conditions(Policy("accept_edits"), found=("after_accept_edits",))
    assert first.policy == Policy("plan")


def test_a_change_is_written_down_with_what_changed_and_who_did_it():
    log, standing = Log(), Standing(Conditions(Policy()))
    standing.apply(into("plan"), log, "c1")
    standing.apply(lambda now: now, log, "c2")
    standing.become(replace(standing.now, max_parallel=2), log)
    assert noted(log) == [
        ("conditions", {"id": "c1", "mode": "plan", "max_parallel": 10, "changed": ["mode"], "by": "call"}),
        ("conditions", {"mode": "plan", "max_parallel": 2, "changed": ["max_parallel"], "by": "person"}),
    ]


WRONG = {
    "it fails": (lambda now: 1 / 0, "failed (ZeroDivisionError: division by zero)"),
    "it ends the process": (lambda now: exit(3), "failed (SystemExit: 3)"),
    "it gives nothing": (lambda now: None, "gave no Conditions but NoneType"),
    "it gives a part": (lambda now: now.policy, "gave no Conditions but Policy"),
    "no such mode": (into("fast"), "there is no mode 'fast'"),
    "a pool of none": (lambda now: replace(now, max_parallel=0), "max_parallel is 0"),
    "more tools": (lambda now: replace(now, selection=Selection()), "a tool can only take tools out of a run"),
    "another role": (lambda now: replace(now, selection=now.selection.inner("main")), "only take tools out"),
    "no selection": (lambda now: replace(now, selection=None), "a tool can only take tools out of a run"),
    "nothing found": (lambda now: replace(now, found=None), "found is None; write now.with_found([name, ...])"),
    "a text found": (lambda now: replace(now, found="plot"), "found is 'plot'; write now.with_found"),
    "another rule": (into("default", allow=["run"]), "a tool can't change rules or grants"),
    "a denial less": (into("default", deny=[]), "a tool can't change rules or grants"),
    "a grant": (into("default", grants=(Layer("x"),)), "a tool can't change rules or grants"),
    "another project": (into("default", project=Project.at(".")), "a tool can't change rules or grants"),
    "commands that read, free of questions": (into("default", reads="ask"), "a tool can't change rules or grants"),
    "bypass": (into("bypass"), "entered by two confirmations"),
    "a folder that is none": (lambda now: replace(now, folder=None), "give a path"),
    "bypass by a tool that consents": (into("bypass", consent=CONSENT), "only the person can"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_change_that_can_not_be_made_is_noted_and_changes_nothing(kind):
    change, why = WRONG[kind]
    now, log = Conditions(Policy(deny=["write_file"]), Selection("sub_agent", deny=["plot"])), Log()
    standing = Standing(now)
    with pytest.raises(ValueError) as caught:
        changed(now, change)
    standing.apply(change, log, "c1")
    assert standing.now is now
    ((kind, data),) = noted(log)
    assert (kind, data["text"]) == ("note", f"after call c1: {caught.value}; the conditions stay as they were")
    assert why in data["text"]


def test_a_tool_can_take_tools_out_and_find_others():
    log, standing = Log(), Standing(Conditions(Policy(), Selection(deny=["plot"])))
    standing.apply(lambda now: replace(now, selection=now.selection.inner("main", deny=["draw"])), log, "c1")
    standing.apply(lambda now: now.with_found(["a", "b"]).with_found(["b", "c"]), log, "c2")
    assert (standing.now.selection.outer, standing.now.found) == (Selection(deny=["plot"]), ("a", "b", "c"))
    assert [data["changed"] for _, data in noted(log)] == [["selection"], ["found"]]


@pytest.mark.parametrize("number", [0, -1, 2.5, True, "3"])
def test_a_pool_holds_at_least_one_call(number):
    with pytest.raises(UsageError, match=r"max_parallel is .* from 1"):
        Conditions(Policy(), max_parallel=number)


def test_a_tool_can_move_the_commands_and_the_log_says_where():
    log, standing = Log(), Standing(Conditions(Policy()))
    standing.apply(lambda now: replace(now, folder="a/b"), log, "c1")
    ((_, data),) = noted(log)
    assert (standing.now.folder, data["changed"], data["folder"]) == ("a/b", ["folder"], "a/b")
