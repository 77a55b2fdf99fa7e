from cellwright.messages import Call
from cellwright.result import Result, failure
from cellwright.views.view import Failure

CALL = Call("c1", "t", "{}")


def test_the_result_object_of_the_command_line_has_five_fields():
    assert Result(CALL, True, "text", {"a": 1}, metadata={"k": 2}).as_json() == {
        "ok": True,
        "error_type": None,
        "content": "text",
        "value": {"a": 1},
        "metadata": {"k": 2},
    }


def test_a_failure_is_told_to_the_model_and_shown_to_the_person():
    result = failure(CALL, "tool_error", "no such file", code="not_found", detail="trace")
    assert (result.ok, result.content, result.value, result.metadata) == (
        False,
        "no such file",
        None,
        {"code": "not_found"},
    )
    assert result.view == Failure("not_found", "no such file", "trace")
    assert failure(CALL, "timeout", "slow").view == Failure("timeout", "slow")


def test_half_a_letter_in_a_message_does_not_spoil_the_history():
    result = failure(CALL, "tool_error", "a\ud83db", code="x", detail="\ud83d")
    assert (result.content, result.view) == ("a\ufffdb", Failure("x", "a\ufffdb", "\ufffd"))
