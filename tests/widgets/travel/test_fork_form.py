import pytest

from cellwright import Allow, Deny
from cellwright.messages import Call
from cellwright.schema import Schema
from cellwright.sessions.fork import AS_RECORDED, Otherwise
from cellwright_widgets.travel.fork_form import ANEW, ARGUMENTS, DECISION, RESULT, ForkForm, Wish

CALLS = [Call("c1", "add", '{"a": 1}'), Call("c2", "<b>", "no JSON")]
SCHEMAS = {"add": Schema({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, "add")}


@pytest.fixture
def wishes():
    return []


@pytest.fixture
def form(wishes):
    return ForkForm(CALLS, SCHEMAS, ["own", "other"], ["add", "look"], wishes.append)


def test_untouched_it_asks_the_model_anew(form, wishes):
    form.button.click()
    assert wishes == [Wish(AS_RECORDED, 0, None)]


def test_other_arguments_are_held_against_the_schema(form, wishes):
    form.kind.index = ARGUMENTS
    field = form.arguments.fields["a"]
    for text in ("one", "1.5"):
        field.input.value = text
        form.button.click()
    assert (wishes, "integer" in field.problem.value) == ([], True)
    field.input.value = "2"
    form.button.click()
    assert wishes == [Wish(Otherwise("c1", args={"a": 2}), 0, None)]


def test_a_decision_or_a_result_can_be_another(form, wishes):
    form.kind.index, form.reason.value = DECISION, " no "
    form.button.click()
    form.allow.index = 0
    form.button.click()
    form.kind.index, form.call.index, form.result.value = RESULT, 1, "fine"
    form.button.click()
    wanted = [("c1", {"decision": Deny("no")}), ("c1", {"decision": Allow()}), ("c2", {"result": "fine"})]
    assert [wish.otherwise for wish in wishes] == [Otherwise(call, **what) for call, what in wanted]


def test_another_model_and_fewer_tools(form, wishes):
    form.model.index, form.tools["look"].value = 1, False
    form.button.click()
    assert wishes == [Wish(AS_RECORDED, 1, frozenset({"add"}))]


def test_arguments_that_can_not_be_read_begin_anew(form, wishes):
    form.kind.index, form.call.index = ARGUMENTS, 1
    form.button.click()
    assert wishes == [Wish(Otherwise("c2", args={}), 0, None)]


def test_a_step_without_calls_offers_the_model_alone(wishes):
    form = ForkForm([], {}, ["own"], [], wishes.append)
    assert len(form.kind.options) == 1
    form.button.click()
    assert (form.kind.index, len(wishes)) == (ANEW, 1)


def test_a_refusal_is_told_in_the_form():
    def refuse(wish):
        Otherwise("c1")

    form = ForkForm(CALLS, SCHEMAS, ["own"], [], refuse)
    form.button.click()
    assert "changes nothing" in form.said.value
