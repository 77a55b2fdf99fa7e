import pytest
from msgspec.structs import fields

from cellwright.codec import to_json
from cellwright.errors import LogError
from cellwright.log.saved_message import message_of, saved
from cellwright.messages import Call, Image, ModelMessage, Sealed, ToolMessage, Usage, UserMessage

TURN = ModelMessage(
    "so", (Call("c1", "t", '{"a": 1}', False),), "hm", "broken", Usage(1, 2, 3, 4), (Sealed("m", "x", 1, 2, 3),)
)
MESSAGES = [UserMessage("hi"), TURN, ToolMessage("c1", "t", "no", False, (Image("image/png", "QUJD"),))]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_that_was_saved_and_read_again_is_equal(message):
    kept = to_json(saved(message))
    assert message_of(kept) == message
    plain = [field.name for field in fields(message) if getattr(message, field.name) == field.default]
    assert plain == []  # each field has a value of its own here, so one that is not read back is seen


@pytest.mark.parametrize("data", [{}, {"from": "x"}, {"from": "user"}, {"from": "model", "text": "", "calls": [1]}])
def test_what_is_no_message_is_refused(data):
    with pytest.raises(LogError, match="is no message; the log was changed, or another program wrote it"):
        message_of(data)
