import pytest

from cellwright import Env, Policy, Registry
from cellwright.calls.conditions import Conditions, Standing
from cellwright.calls.passage import Passage, Refused, Setup, write_result
from cellwright.log.events import Log
from cellwright.messages import Call
from cellwright.person.approval import DenyAll
from cellwright.result import failure


@pytest.fixture
def setup(tmp_path):
    return Setup(Registry(), Env(tmp_path), Standing(Conditions(Policy())), DenyAll(), Log())


def test_a_tool_can_not_be_used_before_it_was_looked_up(setup):
    passage = Passage(Call("c1", "read_file", "{}"), setup, setup.env)
    with pytest.raises(LookupError, match="read_file was not looked up yet"):
        _ = passage.found


def test_a_refusal_carries_what_the_model_reads():
    refused = Refused("tool_error", "it is there twice", code="not_unique")
    assert (refused.error_type, refused.message, refused.code, str(refused)) == (
        "tool_error",
        "it is there twice",
        "not_unique",
        "it is there twice",
    )


def test_a_result_is_one_event_with_all_that_a_reader_needs(setup):
    write_result(setup.log, failure(Call("c1", "t", "{}"), "timeout", "too slow"))
    (event,) = setup.log.events
    assert (event.kind, event.number) == ("result", 1)
    assert event.data == {
        "id": "c1",
        "name": "t",
        "ok": False,
        "error_type": "timeout",
        "content": "too slow",
        "value": None,
        "metadata": {},
        "view": {"version": 1, "kind": "error", "error_type": "timeout", "message": "too slow", "detail": ""},
        "images": [],
        "context": "",
    }
