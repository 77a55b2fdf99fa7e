"""What is taken away from a conversation."""

from cellwright.context.shortening import Shortening
from cellwright.messages import Call, Image, ModelMessage, ToolMessage, UserMessage

SAID, TURN = UserMessage("go"), ModelMessage("", (Call("1", "plot", "{}"),))
RESULT = ToolMessage("1", "plot", "long" * 100, images=(Image("image/png", "QUJD"),))


def test_a_result_that_is_put_away_stays_in_its_place_without_its_picture():
    shorter = Shortening({"1": "away"}).of([SAID, TURN, RESULT])
    assert shorter == [SAID, TURN, ToolMessage("1", "plot", "away")]


def test_a_summary_stands_for_all_before_the_first_that_is_kept():
    shorter = Shortening({}, "In short.", 1).of([SAID, TURN, RESULT])
    assert shorter == [UserMessage("In short."), TURN, RESULT]
