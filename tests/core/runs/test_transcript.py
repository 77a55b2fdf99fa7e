"""The conversation of a run as it grows."""

from cellwright.messages import Call, ModelMessage, ToolMessage, Usage, UserMessage
from cellwright.result import Result, failure
from cellwright.runs.transcript import Transcript


def test_turns_and_results_follow_each_other_and_are_counted():
    transcript = Transcript()
    call = Call("c1", "look", "{}")
    transcript.hear(["go"])
    transcript.keep(ModelMessage("", (call,), usage=Usage(3, 2)))
    transcript.observe([Result(call, True, "seen")])
    transcript.keep(ModelMessage("done", usage=Usage(5, 1)))
    assert [type(message) for message in transcript.messages] == [UserMessage, ModelMessage, ToolMessage, ModelMessage]
    assert transcript.usage == Usage(8, 3)
    assert list(transcript.results) == ["c1"]


def test_what_results_have_to_say_beside_their_content_comes_once_after_all_of_them():
    transcript = Transcript()
    calls = [Call(f"c{number}", "look", "{}") for number in (1, 2)]
    transcript.observe([Result(calls[0], True, "a", context="one"), Result(calls[1], True, "b", context="two")])
    assert transcript.messages[-1] == UserMessage("one\ntwo")
    assert len(transcript.messages) == 3


def test_one_that_goes_on_from_an_earlier_conversation_knows_its_calls():
    call = Call("c1", "look", "{}")
    before = (UserMessage("go"), ModelMessage("", (call,)), ToolMessage("c1", "look", "seen", True))
    transcript = Transcript(before)
    assert transcript.taken == {"c1"}
    transcript.observe([failure(call, "cancelled", "stopped")])
    assert tuple(transcript.messages[:3]) == before


def test_the_conversation_that_a_model_was_given_stays_as_it_was_while_the_transcript_grows():
    transcript = Transcript((UserMessage("before"),))
    transcript.hear(["go"])
    given = transcript.conversation
    transcript.keep(ModelMessage("done"))
    assert given == (UserMessage("before"), UserMessage("go"))
    assert transcript.conversation == (*given, ModelMessage("done"))


def test_what_is_said_aside_is_heard_before_the_next_turn_or_at_once_where_none_is_to_come():
    transcript = Transcript()
    transcript.hear_aside(lambda: False, "undone")
    assert transcript.messages == []
    transcript.hear_asides()
    transcript.hear_aside(lambda: True, "redone")
    assert transcript.messages == [UserMessage("undone"), UserMessage("redone")]
    assert transcript.unheard == []
