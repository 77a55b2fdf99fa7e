"""A conversation from elsewhere is made sound before a model reads it."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cellwright import UsageError
from cellwright.messages import Call, Image, ModelMessage, ToolMessage, UserMessage
from cellwright.runs.repair import UNKNOWN, repaired

from ..scene import agent_of, kinds_of

ASK, ANSWER = UserMessage("go"), ModelMessage("done")
CALLS = Call("c1", "look", "{}"), Call("c2", "look", "{}")
TURN, BOTH = ModelMessage("", CALLS[:1]), ModelMessage("", CALLS)
SEEN, ALSO = ToolMessage("c1", "look", "seen"), ToolMessage("c2", "look", "seen, too")
NOTE = UserMessage("[A result of look whose call is not known: seen]")
MADE_UP = ToolMessage("c1", "look", UNKNOWN, ok=False)


def is_sound(messages):
    """One result for each call, directly after its turn and in its order; no other results."""
    expected = []
    for message in messages:
        if isinstance(message, ToolMessage):
            if not expected or message.call_id != expected.pop(0):
                return False
        elif expected:
            return False
        if isinstance(message, ModelMessage):
            expected = [call.id for call in message.calls]
    return not expected


@pytest.mark.parametrize(
    ("broken", "mended"),
    [
        ([ASK, SEEN, ANSWER], [ASK, NOTE, ANSWER]),
        ([ASK, SEEN, TURN, ANSWER], [ASK, NOTE, TURN, MADE_UP, ANSWER]),
        ([ASK, TURN, SEEN, SEEN, ANSWER], [ASK, TURN, SEEN, NOTE, ANSWER]),
        ([ASK, TURN], [ASK, TURN, MADE_UP]),
        ([ASK, BOTH, ALSO, ASK, SEEN, ANSWER], [ASK, BOTH, SEEN, ALSO, ASK, ANSWER]),
        ([TURN, SEEN, TURN, SEEN], [TURN, SEEN, TURN, SEEN]),
    ],
    ids=["no call", "before its call", "twice", "no result", "out of order", "an id used twice"],
)
def test_each_call_gets_one_result_and_no_text_is_lost(broken, mended):
    found = repaired(broken)
    assert list(found.conversation) == mended
    assert bool(found.notes) == (broken != mended)
    assert repaired(found.conversation).conversation == found.conversation


def test_pictures_of_a_result_without_its_call_are_said_to_be_left_out():
    (note,) = repaired([ToolMessage("c9", "plot", "a plot", images=(Image("image/png", "AA=="),))]).conversation
    assert note.text == "[A result of plot whose call is not known, with 1 pictures that are left out: a plot]"


IDS = st.sampled_from(["a", "b", "c"])
MESSAGES = st.one_of(
    st.just(ASK),
    st.builds(lambda ids: ModelMessage("t", tuple(Call(i, "look", "{}") for i in ids)), st.lists(IDS, max_size=3)),
    st.builds(lambda i, text: ToolMessage(i, "look", text), IDS, st.sampled_from(["1", "2"])),
)


@settings(derandomize=True, deadline=None, database=None)
@given(st.lists(MESSAGES, max_size=12))
def test_any_history_becomes_sound_and_then_stays_as_it_is(messages):
    found = repaired(messages)
    assert is_sound(found.conversation)
    again = repaired(found.conversation)
    assert (again.conversation, again.notes) == (found.conversation, ())
    assert not is_sound(messages) or found.conversation == tuple(messages)


def test_a_run_can_go_on_from_a_history_and_its_log_says_what_was_mended():
    async def scene():
        return await agent_of(["done"]).run("go on", after=[ASK, SEEN, TURN])

    run = asyncio.run(scene())
    assert run.conversation[:-1] == (ASK, NOTE, TURN, MADE_UP, UserMessage("go on"))
    assert [event.data["text"] for event in kinds_of(run, "note")] == [
        "a result without its call became a note: c1 (look)",
        "a call without a result was given one: c1 (look)",
    ]


def test_what_is_no_history_is_refused():
    with pytest.raises(UsageError, match=r"after= takes a run, a session or messages as UserMessage.*'go' is none"):
        asyncio.run(agent_of(["done"]).run("go on", after=["go"]))
