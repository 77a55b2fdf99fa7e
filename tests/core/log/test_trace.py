import pytest

from cellwright import Agent, Deny, Edit, ScriptedApprover, ScriptedModel, Turn, tool
from cellwright.calls.pipeline import STAGES
from cellwright.hooks.hook import Block, Hook
from cellwright.log.trace import trace_of
from cellwright.views.view import as_text


@tool
def write(text: str) -> str:
    """Write a text."""
    return text


def play(*answers, arguments=None):
    model = ScriptedModel([Turn(calls=[("write", arguments or {"text": "a"})]), "Done."])
    return Agent(model, [write], approver=ScriptedApprover(answers)).run_sync("Write.")


def notes(run):
    return {step.stage: step.note for step in run.trace(run.results[0].call.id).steps if step.note}


def test_a_call_that_ran_passed_every_stage_and_only_the_writing_down_is_not_timed():
    run = play(Edit({"text": "b"}))
    trace = run.trace(run.results[0].call.id)
    assert [step.stage for step in trace.steps] == [stage.__name__ for stage in STAGES[:-1]]
    assert (trace.tool, trace.outcome) == ("write", "ok")
    assert trace.seconds > 0


def test_the_trace_names_who_decided_and_what_was_changed():
    found = notes(play(Edit({"text": "b"})))
    assert found["permit"].startswith("ask: it may have effects outside the conversation (default)")
    assert found["approve"] == "the person answered edit; arguments edited by the person"


def test_a_denied_call_ends_at_the_approval():
    run = play(Deny("not now"))
    trace = run.trace(run.results[0].call.id)
    assert trace.outcome == "approval_denied"
    assert "execute" not in [step.stage for step in trace.steps]
    assert notes(run)["approve"] == "the person answered deny: not now"


def test_repairs_are_told_where_the_arguments_were_read():
    assert "sent as JSON text" in notes(play(Deny(), arguments='"{\\"text\\": \\"a\\"}"'))["read"]


def test_the_view_is_a_table_of_stages():
    run = play(Deny())
    text = as_text(run.trace(run.results[0].call.id).view())
    assert text.splitlines()[0].split() == ["stage", "ms", "note"]
    assert "look_up" in text


def test_a_call_without_a_result_has_no_trace():
    with pytest.raises(KeyError, match="call_9"):
        trace_of(play(Deny()).events, "call_9")


def test_what_a_hook_answered_stands_at_its_stage():
    hook = Hook("before_call", lambda occasion: Block("not on Sundays"), name="calendar")
    model = ScriptedModel([Turn(calls=[("write", {"text": "a"})]), "Done."])
    run = Agent(model, [write], hooks=[hook]).run_sync("Write.")
    assert notes(run)["before_hooks"] == "calendar answered block: not on Sundays"


def test_each_stage_begins_where_the_one_before_has_ended():
    trace = play(Deny()).trace("call_1")
    assert trace.offsets[0] == 0
    assert trace.offsets[-1] + trace.steps[-1].seconds == pytest.approx(trace.seconds)


def test_as_text_it_is_a_waterfall_that_ipython_shows():
    class Printer:
        def __init__(self):
            self.said = ""

        def text(self, text):
            self.said += text

    trace, printer = play(Deny("not\nnow")).trace("call_1"), Printer()
    trace._repr_pretty_(printer, False)
    lines = printer.said.split("\n")
    assert printer.said == trace.text()
    assert lines[0].startswith("write (call_1): approval_denied, ")
    assert len({line.index("|") for line in lines[1:]} | {line.rindex("|") for line in lines[1:]}) == 2
    assert lines[7].endswith("the person answered deny: not⏎now")
