"""Room in a long conversation."""

import asyncio
import json

from cellwright import Agent, ScriptedModel, Turn
from cellwright.context.context_window import ContextWindow
from cellwright.context.summary import ASK
from cellwright.context.token_estimate import message_tokens
from cellwright.hooks.hook import Hook
from cellwright.log.requests import requests
from cellwright.messages import ModelMessage, ToolMessage, Usage, UserMessage, unanswered_calls
from cellwright.runs.budget import Budget

from ..log.test_requests import Keeps
from ..scene import calling, plain

UNCOUNTED = Usage(0, 0)


def tell(args, env):
    return f"{args.get('n')} " + "word " * 390


TELL = plain(tell, schema={"type": "object"})


def turns(count):
    return [calling(("tell", {"n": n}), usage=UNCOUNTED) for n in range(count)] + [Turn("done", usage=UNCOUNTED)]


def ran(count, tokens, folder):
    """A run of so many steps; its requests, as they were sent and as its log tells them, are the same."""
    model = Keeps(turns(count))
    agent = Agent(model, [TELL, "read_result"], cwd=folder, window=ContextWindow(tokens), budget=Budget(steps=None))
    run = asyncio.run(agent.run("count"))
    assert [each.request for each in requests(run.events)] == model.got
    return run, model


def compacted(run):
    return [event.data for event in run.events if event.kind == "compacted"]


def test_a_conversation_that_fits_is_left_alone(tmp_path):
    run, _ = ran(5, 1_000_000, tmp_path)
    assert compacted(run) == []


def test_old_results_go_into_files_first_and_can_be_read_again(tmp_path):
    run, model = ran(8, 4_500, tmp_path)
    (first, *_) = compacted(run)
    assert first["summary"] == "" and len(first["put_away"]) >= 3
    call_id = next(iter(first["put_away"]))
    old = next(m for m in model.got[-1].conversation if isinstance(m, ToolMessage) and m.call_id == call_id)
    assert old.content.startswith("[an old result of 1,952 characters, put away to make room; go on with read_result")
    where = next(event.data for event in run.events if event.kind == "result" and event.data["id"] == call_id)
    assert where["content"] == (next((tmp_path / ".cellwright/runs").rglob(f"{call_id}.txt"))).read_text()


def test_each_request_stays_below_the_window_however_long_the_run(tmp_path):
    run, model = ran(60, 6_000, tmp_path)
    sizes = [sum(map(message_tokens, request.conversation)) for request in model.got]
    assert run.answer == "done" and max(sizes) < 6_000
    assert len(compacted(run)) < 25


def test_no_call_is_parted_from_its_result(tmp_path):
    _, model = ran(40, 6_000, tmp_path)
    for request in model.got:
        assert unanswered_calls(request.conversation) == ()
        asked = {call.id for m in request.conversation if isinstance(m, ModelMessage) for call in m.calls}
        assert {m.call_id for m in request.conversation if isinstance(m, ToolMessage)} == asked


def test_between_two_shortenings_each_request_begins_with_the_one_before(tmp_path):
    run, _ = ran(40, 6_000, tmp_path)
    moved = [asked.turn for asked in requests(run.events) if asked.difference]
    assert 0 < len(moved) == len(compacted(run))


def test_the_prompt_is_in_the_summary_and_in_the_summary_of_that(tmp_path):
    run, model = ran(80, 6_000, tmp_path)
    assert sum(bool(each["summary"]) for each in compacted(run)) > 1
    assert "The person, or a note: count" in model.got[-1].conversation[0].text


def test_a_model_that_writes_its_summary_is_paid_for_it(tmp_path):
    def respond(conversation):
        if conversation[-1] == UserMessage(ASK):
            return Turn("In short: counting.", usage=Usage(700, 9))
        return calling("tell", usage=UNCOUNTED)

    window = ContextWindow(4_000, summary_by="model")
    run = asyncio.run(Agent(ScriptedModel([respond] * 60), [TELL], cwd=tmp_path, window=window).run("count"))
    summed = [each for each in compacted(run) if each["summary"]]
    assert summed and "In short: counting." in summed[0]["summary"]
    assert run.usage == Usage(700 * len(summed), 9 * len(summed))
    assert "summed up by the model" in summed[0]["text"]


def test_a_hook_watches_before_the_conversation_is_made_shorter(tmp_path):
    seen = []
    hook = Hook("before_compaction", lambda occasion: seen.append(occasion.event))
    agent = Agent(ScriptedModel(turns(8)), [TELL], cwd=tmp_path, window=ContextWindow(4_500), hooks=[hook])
    run = asyncio.run(agent.run("count"))
    assert seen == ["before_compaction"] * len(compacted(run)) != []


def test_one_turn_that_fills_the_window_alone_does_not_begin_it_again_and_again(tmp_path):
    run, _ = ran(12, 700, tmp_path)
    assert run.answer == "done" and len(compacted(run)) <= 12


def test_a_run_goes_on_from_one_that_was_made_shorter(tmp_path):
    model = Keeps([*turns(30), "again"])
    agent = Agent(model, [TELL], cwd=tmp_path, window=ContextWindow(6_000))

    async def both():
        return await agent.run("more", after=await agent.run("count"))

    run = asyncio.run(both())
    assert run.answer == "again"
    assert [each.request for each in requests(run.events)] == model.got[-1:]


def test_what_was_taken_away_is_json(tmp_path):
    run, _ = ran(30, 6_000, tmp_path)
    assert json.loads(json.dumps(compacted(run))) == compacted(run) != []
