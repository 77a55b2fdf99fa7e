import asyncio

import pytest

from cellwright import ScriptedModel, Turn, UsageError
from cellwright.messages import ToolMessage, Usage

from ..scene import agent_of, calling, echo, kinds_of, play


def test_turns_are_played_in_order_and_over_several_runs():
    async def scene():
        agent = agent_of(["one", Turn("two", thinking="hm")])
        first = await agent.run("a")
        second = await agent.run("b", after=first)
        return first, second, agent.model.turns_played

    first, second, played = asyncio.run(scene())
    assert (first.answer, second.answer, played) == ("one", "two", 2)
    assert [m.text for m in second.conversation] == ["a", "one", "b", "two"]
    assert second.conversation[-1].thinking == "hm"


def test_a_turn_can_react_to_what_a_tool_returned():
    def react(conversation):
        assert isinstance(conversation[-1], ToolMessage)
        return f"it said {conversation[-1].content}"

    assert play([calling(("echo", {"text": "hi"})), react], [echo]).answer == "it said hi"


def test_the_end_of_the_script_is_a_failure_that_says_so():
    run = play([calling(("echo", {"text": "hi"}))], [echo])
    assert run.stop_reason == "model_error"
    assert run.error == "the script has 1 turn and all were played; add a turn, or make a new model"


def test_a_failing_reaction_is_a_failure_of_the_model():
    run = play([lambda conversation: 1 / 0])
    assert (run.stop_reason, run.error) == (
        "model_error",
        "the model's stream broke off: ZeroDivisionError: division by zero",
    )


@pytest.mark.parametrize(
    ("text", "pieces"),
    [("one two  three", ["one ", "two ", " ", "three"]), ("", []), ("x\ny", ["x\ny"])],
)
def test_a_text_comes_in_words_that_add_up(text, pieces):
    class Heard:
        def __init__(self):
            self.texts = []

        def on_event(self, event):
            if event.kind == "text":
                self.texts.append(event.data["text"])

    heard = Heard()
    run = play([text], observers=[heard])
    assert (heard.texts, run.answer) == (pieces, text)


def test_usage_is_estimated_from_the_texts_or_as_given():
    run = play([Turn("x" * 40)], [])
    assert run.usage.output_tokens == 10
    assert play([Turn("x", usage=Usage(7, 8, 9))]).usage == Usage(7, 8, 9)


def test_the_estimate_grows_with_the_conversation():
    run = play([calling(("echo", {"text": "x" * 4000})), "done"], [echo])
    first, second = (event.data["usage"]["input_tokens"] for event in kinds_of(run, "message"))
    assert second - first >= 2000


def test_a_model_has_a_name_and_a_pace():
    model = ScriptedModel(["x"], "mine", pace=0.001)
    assert (model.name, model.pace) == ("mine", 0.001)


@pytest.mark.parametrize("turns", ["Done.", Turn("Done."), None])
def test_what_is_no_list_is_refused_with_what_to_write(turns):
    with pytest.raises(UsageError, match=r"is no list of turns; write ScriptedModel\(\[...\]\)"):
        ScriptedModel(turns)


@pytest.mark.parametrize("turn", [3, lambda conversation: None])
def test_what_is_no_turn_fails_when_it_is_played_with_its_number(turn):
    run = play([turn])
    assert run.error.startswith("turn 1 of the script is ")
    assert "a text, a Turn, or a function of the conversation" in run.error


@pytest.mark.parametrize("calls", [("t", {}), "t", ["t"], [("t",)], [(1, {})], [("t", {}, 1)], {"t": {}}])
def test_calls_that_are_no_list_of_pairs_are_refused_when_the_turn_is_made(calls):
    with pytest.raises(UsageError, match=r"are no list of pairs; write Turn\(calls=\[\('read_file', \{\.\.\.\}\)\]"):
        Turn("c", calls)
