import asyncio
import json
import pathlib

import numpy
import pytest

from cellwright.code_mode.code_bridge import CodeBridge
from cellwright.code_mode.code_client import MAX_REQUEST, ToolCallError, Tools

TOLD = {"echo": (["text", "times"], "Says it back."), "do-it": ([], "Does it."), "fail": ([], "Fails.")}


async def answer(name, arguments):
    if name == "fail":
        return {"ok": False, "error_type": "tool_error", "code": "not_found", "message": "it is not there"}
    return {"ok": True, "value": [name, json.loads(arguments)]}


def called(use, answering=answer):
    """What `use(tools)` gives, with the other side in the same process."""

    async def scene():
        async with CodeBridge.open(answering) as bridge:
            return await use(Tools(bridge.port, bridge.token, TOLD))

    return asyncio.run(scene())


@pytest.mark.parametrize(
    ("call", "value"),
    [
        (lambda t: t.echo("hi", times=2), ["echo", {"text": "hi", "times": 2}]),
        (
            lambda t: t["do-it"](**{"from": None, "a-b": [1.5], "self": 1, "name": "n"}),
            ["do-it", {"from": None, "a-b": [1.5], "self": 1, "name": "n"}],
        ),
        (lambda t: t.echo(numpy.arange(3), numpy.int64(4)), ["echo", {"text": [0, 1, 2], "times": 4}]),
        (lambda t: t.echo(pathlib.PurePosixPath("a/b")), ["echo", {"text": "a/b"}]),
        (lambda t: t.echo("ä\n\ud800" + "x" * 3_000_000), ["echo", {"text": "ä\n\ud800" + "x" * 3_000_000}]),
    ],
)
def test_arguments_and_values_go_over_as_they_are(call, value):
    assert called(call) == value


def test_a_failed_call_raises_with_what_a_reader_needs():
    with pytest.raises(ToolCallError, match=r"^it is not there$") as caught:
        called(lambda tools: tools.fail())
    assert (caught.value.error_type, caught.value.code) == ("tool_error", "not_found")


@pytest.mark.parametrize(
    ("call", "kind", "why"),
    [
        (lambda t: t.ecko("x"), AttributeError, "there is no tool 'ecko'; near are: ['echo']"),
        (lambda t: t.echo("x", 1, 2), TypeError, "echo takes 2 arguments, not 3: text, times"),
        (lambda t: t.echo("x", text="y"), TypeError, "echo got 'text' twice"),
        (lambda t: t.echo({1, 2}), TypeError, "an argument is a set, which has no JSON form"),
        (lambda t: t.echo("x" * (MAX_REQUEST + 1)), ToolCallError, "the arguments of echo have 10,000,0"),
    ],
)
def test_a_call_that_can_not_be_made_says_why_before_anything_is_sent(call, kind, why):
    async def nobody(name, arguments):
        raise LookupError("it was sent")

    with pytest.raises(kind) as caught:
        called(call, nobody)
    assert why in str(caught.value)


def test_the_tools_can_be_looked_at():
    async def look(tools):
        return dir(tools), repr(tools), tools.echo.__doc__, tools["do-it"].__name__, hasattr(tools, "_repr_html_")

    assert called(look) == (["do-it", "echo", "fail"], "<tools: echo, do-it, fail>", "Says it back.", "do-it", False)


def test_calls_made_together_arrive_in_the_order_in_which_they_were_made():
    arrived = []

    async def note(name, arguments):
        arrived.append(json.loads(arguments)["text"])
        return {"ok": True, "value": len(arrived)}

    async def many(tools):
        return await asyncio.gather(*(tools.echo(n) for n in range(100)))

    called(many, note)
    assert arrived == list(range(100))


def test_a_call_that_is_given_up_is_stopped_on_the_other_side():
    stopped = asyncio.Event()

    async def hang(name, arguments):
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    async def give_up(tools):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(tools.echo("x"), 0.05)
        await asyncio.wait_for(stopped.wait(), 5)
        return True

    assert called(give_up, hang)


def test_a_call_when_nobody_listens_any_more_raises():
    async def late():
        async with CodeBridge.open(answer) as bridge:
            tools = Tools(bridge.port, bridge.token, TOLD)
        await tools.echo("x")

    with pytest.raises(ToolCallError, match="the run does not take calls any more"):
        asyncio.run(late())


def test_a_call_that_the_other_side_cuts_off_raises():
    async def cut_off(tools):
        wrong = Tools(vars(tools)["_port"], "wrong", TOLD)
        await wrong.echo("x")

    with pytest.raises(ToolCallError, match="cut off before its answer came"):
        called(cut_off)
