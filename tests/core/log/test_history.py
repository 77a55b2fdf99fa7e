import asyncio

from cellwright import Agent, ScriptedModel
from cellwright.hooks.hook import AddContext, Block, Hook
from cellwright.log.events import Event
from cellwright.log.history import History
from cellwright.messages import Call, ModelMessage, ToolMessage, UserMessage

from ..changing import changed, changing
from ..scene import Streams, act, calling, echo, plain, play, settled


def history(events):
    told = History()
    for event in events:
        told.add(event)
    return told


def test_the_history_of_a_run_is_its_conversation():
    run = play([calling(("echo", {"text": "x"}), "gone", thinking="hm"), "done"], [echo])
    assert history(run.events).messages == list(run.conversation)
    assert history(run.events).names == ("echo",)


def test_a_prompt_that_a_hook_keeps_away_is_not_in_the_history():
    hooks = [
        Hook("user_prompt", lambda occasion: AddContext("more"), name="adds"),
        Hook("user_prompt", lambda occasion: Block("no") if occasion.prompt == "bad" else None, name="blocks"),
    ]

    async def speaks(run):
        run.steer("bad")

    run = asyncio.run(act(Agent(ScriptedModel(["never"]), [], hooks=hooks), speaks))
    assert run.stop_reason == "cancelled"
    assert history(run.events).messages == list(run.conversation) == [UserMessage("go"), UserMessage("more")]


def test_a_turn_that_was_stopped_while_it_was_written_is_told_with_its_results():
    model = Streams(("echo", {"text": "x"}), settled, ConnectionError("gone"))
    run = asyncio.run(act(Agent(model, [echo])))
    assert run.stop_reason == "model_error"
    assert history(run.events).messages == list(run.conversation)


def test_calls_whose_turn_was_never_whole_stand_in_one_that_broke_off():
    call = {"id": "c1", "name": "t", "arguments": "{}"}
    result = {"id": "c1", "name": "t", "content": "x", "ok": True, "images": [], "context": ""}
    facts = [("run_started", {"prompt": "go"}), ("turn_started", {"turn": 1}), ("call", call), ("result", result)]
    told = history(Event(number, 0.0, kind, data) for number, (kind, data) in enumerate(facts, 1))
    told.settle()
    turn = ModelMessage("", (Call("c1", "t", "{}"),), stop="broken")
    assert told.messages == [UserMessage("go"), turn, ToolMessage("c1", "t", "x")]


def test_what_a_person_undoes_is_heard_before_the_next_turn_and_at_once_after_the_end(tmp_path):
    run = changed(tmp_path, changing("write", "a"), "undo", more=[plain(lambda args, env: 1, "undo")])
    undone = {"id": "call_1", "text": "undone"}
    place = next(number for number, event in enumerate(run.events) if event.data.get("name") == "undo")
    told = history([*run.events[:place], Event(0, 0.0, "undone", undone), *run.events[place:]])
    assert told.messages[-2:] == [UserMessage("undone"), run.conversation[-1]]
    run.undo("call_1")
    assert history(run.events).messages == list(run.conversation)
