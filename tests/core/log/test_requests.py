import asyncio
import json

import pytest
from msgspec.structs import replace

from cellwright import Agent, Output, Policy, Registry, ScriptedApprover, ScriptedModel, tool
from cellwright.deferral import Threshold
from cellwright.hooks.hook import AddContext, Hook
from cellwright.log.events import Event
from cellwright.log.requests import requests
from cellwright.messages import Image, UserMessage

from ..scene import BYPASS, act, calling, echo, plain, play, returning


class Keeps(ScriptedModel):
    """Keeps each request that it really got."""

    def __init__(self, turns):
        super().__init__(turns)
        self.got = []

    async def stream(self, request):
        self.got.append(replace(request, conversation=tuple(request.conversation)))
        async for part in super().stream(request):
            yield part


def told(model, *runs):
    """What the logs of runs tell is what the model got; the projections."""
    asked = [each for run in runs for each in requests(run.events)]
    assert [each.request for each in asked] == model.got
    assert [each.request.definitions_json for each in asked] == [request.definitions_json for request in model.got]
    for each in asked:
        assert (
            "".join(part.text for part in each.parts).encode()[each.parts[-1].start :] == each.parts[-1].text.encode()
        )
    return asked


def ran(turns, tools=(), meanwhile=None, **conditions):
    model = Keeps(turns)
    run = asyncio.run(act(Agent(model, tools, approver=ScriptedApprover(()), **conditions), meanwhile))
    return told(model, run)


def picture(args, env):
    return Output("seen", images=(Image("image/png", "QUJD"),), context="look at its left half")


def test_a_run_with_pictures_notes_and_failures_is_told_as_it_was_sent():
    turns = [calling("picture", "gone", ("echo", {"text": "x"})), calling("picture", text="so", thinking="hm"), "done"]
    first, second, third = ran(turns, [plain(picture), echo], system="Be brief.")
    assert first.request.system == "Be brief."
    assert [type(message).__name__ for message in second.request.conversation] == [
        "UserMessage", "ModelMessage", "ToolMessage", "ToolMessage", "ToolMessage", "UserMessage",
    ]  # fmt: skip
    assert (third.turn, third.difference, third.repeated) == (3, None, second.size)


def test_what_is_said_while_a_run_goes_on_is_told_where_it_was_heard():
    async def speaks(run):
        run.steer("and be quick")
        run.steer("really")

    hooks = [Hook("user_prompt", lambda occasion: AddContext(f"said at {occasion.prompt}"), name="notes")]
    (asked,) = ran(["done"], meanwhile=speaks, hooks=hooks)
    said = ["go", "said at go", "and be quick", "said at and be quick", "really", "said at really"]
    assert list(asked.request.conversation) == [UserMessage(text) for text in said]


def test_tools_that_are_found_join_the_list_as_they_did():
    tools = [returning(0, "core", always_load=True), returning(1, "late"), returning(1, "other")]
    turns = [calling(("tool_search", {"query": "late"})), calling("late"), "done"]
    asked = ran(turns, tools, threshold=Threshold(1), policy=BYPASS)
    names = [[definition.name for definition in each.request.definitions] for each in asked]
    assert (names[0], names[1][:3], names[1]) == (["tool_search", "core"], ["tool_search", "core", "late"], names[2])
    place = len(asked[0].request.definitions_json) - 1
    assert (asked[1].difference.part, asked[1].difference.place, asked[1].repeated) == ("tools", place, place)
    assert asked[1].difference.now.startswith(',{"description":"A tool."')


def test_a_tool_that_changes_and_comes_back_is_told_as_it_was():
    registry = Registry([echo, returning(1, "t")])
    other, before = returning(2, "t"), registry.get("t")
    registry.add(plain(lambda args, env: registry.replace(replace(other, description="Another.")), "swap"))
    registry.add(plain(lambda args, env: registry.replace(before), "back"))
    first, second, third = ran([calling("swap"), calling("back"), "done"], registry)
    assert first.request.definitions_json == third.request.definitions_json != second.request.definitions_json
    assert second.difference.part == third.difference.part == "tools"


def test_what_was_undone_is_told_where_the_model_read_it(tmp_path):
    model = Keeps([calling(("write_file", {"path": "a", "content": "x"})), "one", "two"])
    agent = Agent(model, ["write_file"], cwd=tmp_path, policy=BYPASS)

    async def scene():
        first = await agent.run("go")
        first.undo("call_1")
        return first, await agent.run("and then?", after=first)

    *_, last = told(model, *asyncio.run(scene()))
    assert ["undone" in getattr(message, "text", "") for message in last.request.conversation][-2:] == [True, False]


def test_a_run_that_goes_on_from_another_needs_no_log_but_its_own():
    model = Keeps([calling("picture"), "one", "two"])
    agent = Agent(model, [plain(picture)])

    async def scene():
        first = await agent.run("go")
        return first, await agent.run("and then?", after=first)

    told(model, *asyncio.run(scene()))


def test_a_sub_agent_has_requests_of_its_own():
    model = Keeps([calling(("agent", {"task": "look", "prompt": "Look."})), "looked", "done"])
    run = asyncio.run(act(Agent(model, ["agent"], policy=Policy("dont_ask"))))
    (child,) = run.children
    mine, its = list(requests(run.events)), list(requests(child.events))
    assert [mine[0].request, its[0].request, mine[1].request] == model.got
    assert "You are a sub-agent" in its[0].request.system


def test_code_calls_and_calls_that_overlap_do_not_mix_the_order():
    @tool(read_only=True, concurrency_safe=True)
    async def late(n: int) -> int:
        """Ends the later the smaller the number."""
        await asyncio.sleep(0.01 * (3 - n))
        return n

    asked = ran([calling(*(("late", {"n": n}) for n in range(3))), "done"], [late])
    assert [message.content for message in asked[1].request.conversation[2:]] == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("texts", "part", "place", "repeated"),
    [(("ab", "ab"), None, None, 4), (("aé", "aèx"), "system", 1, 3), (("a", "ax"), "system", 1, 3)],
)
def test_the_first_difference_is_found_by_its_piece_and_place(texts, part, place, repeated):
    first, second = (Event(n, 0.0, "system", {"text": text}) for n, text in enumerate(texts, 1))
    turn = [Event(n, 0.0, "turn_started", {"turn": n}) for n in (1, 2)]
    asked = list(requests([first, turn[0], second, turn[1]]))[1]
    found = asked.difference
    assert (found and found.part, found and found.place, asked.repeated) == (part, place, repeated)


def test_the_bytes_of_the_definitions_are_in_a_log_once():
    run = play([*[calling(("echo", {"text": "x"}))] * 5, "done"], [echo])
    assert json.dumps([event.data for event in run.events]).count("Says it back.") == 1


def test_only_the_turns_that_are_wanted_are_told_and_just_as_they_are_among_all():
    run = play([calling(("echo", {"text": "a"})), calling(("echo", {"text": "b"})), "done"], [echo])
    every = list(requests(run.events))
    assert [each.turn for each in every] == [1, 2, 3]
    assert list(requests(run.events, 3)) == every[2:]
    assert list(requests(run.events, 2)) == every[1:]
