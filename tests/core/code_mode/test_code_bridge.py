import asyncio
import json
import os
import socket

import pytest

from cellwright.code_mode.code_bridge import CodeBridge
from cellwright.code_mode.code_client import Tools


async def answer(name, arguments):
    return {"ok": True, "value": f"{name} {arguments}"}


async def raw(port, data, *, leave=False):
    """What comes back for these bytes until the other side closes, or this one leaves."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(data)
        if not leave:
            return await reader.readline()
        await writer.drain()
    except OSError:
        return b""
    finally:
        writer.close()
    return b""


def scene(use, answering=answer):
    """Plays against a bridge; afterwards it still answers, and then nothing is left of it."""

    async def play():
        async with CodeBridge.open(answering) as bridge:
            found = await asyncio.wait_for(use(bridge), 20)
            good = Tools(bridge.port, bridge.token, {"t": ([], "")})
            assert answering is not answer or await good.t() == "t {}"
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert left == set(), left
        return found

    return asyncio.run(play())


def test_a_request_is_three_lines_and_the_answer_is_one():
    async def ask(bridge):
        return await raw(bridge.port, f"{bridge.token}\nread\n{{}}\n".encode())

    assert json.loads(scene(ask)) == {"ok": True, "value": "read {}"}


@pytest.mark.parametrize(
    "data",
    [
        b"wrong token\nread\n{}\n",
        "tökén\nread\n{}\n".encode(),
        b"\n\n\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        bytes(range(256)) * 100 + b"\n\n\n\n",
        b"\xff\xfe" * 20 + b"\n" + b"a\n" * 50,
        b"x" * 25_000_000,
    ],
    ids=["wrong", "unicode", "empty", "http", "bytes", "lines", "gigantic"],
)
def test_whoever_has_not_the_token_is_hung_up_on_without_a_word(data):
    calls = []

    async def note(name, arguments):
        calls.append(name)

    assert (scene(lambda bridge: raw(bridge.port, data), note), calls) == (b"", [])


def test_garbage_with_the_right_token_reaches_the_one_who_answers_as_text():
    async def ask(bridge):
        return await raw(bridge.port, bridge.token.encode() + b"\n\xff\x00\n{{{\xfe\n")

    assert json.loads(scene(ask))["value"] == "\ufffd\x00 {{{\ufffd"


def test_those_that_come_and_go_or_reset_cost_nothing():
    async def rude(bridge):
        for data in (b"", bridge.token.encode(), f"{bridge.token}\nread\n{{}}\n".encode()):
            await raw(bridge.port, data, leave=True)
            with socket.create_connection(("127.0.0.1", bridge.port)) as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                connection.sendall(data)

    scene(rude)


def test_a_flood_of_silent_connections_uses_up_no_files():
    async def flood(bridge):
        held = [await asyncio.open_connection("127.0.0.1", bridge.port) for _ in range(300)]
        files = len(os.listdir("/dev/fd"))
        for _, writer in held:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for _, writer in held), return_exceptions=True)
        return files

    assert scene(flood) < 300 + 250


def test_a_caller_that_says_more_or_leaves_stops_its_call():
    endings = []

    async def hang(name, arguments):
        try:
            await asyncio.Event().wait()
        finally:
            endings.append(name)

    async def leave(bridge):
        request = f"{bridge.token}\nfirst\n{{}}\n".encode()
        assert await raw(bridge.port, request + b"and more") == b""
        await raw(bridge.port, request.replace(b"first", b"second"), leave=True)
        while len(endings) < 2:
            await asyncio.sleep(0.01)

    scene(leave, hang)
    assert endings == ["first", "second"]


def test_at_its_end_a_bridge_waits_for_the_calls_that_it_stops():
    ended, started = [], asyncio.Event()

    async def slow_to_end(name, arguments):
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0.05)
            ended.append(name)
            raise

    async def play():
        async with CodeBridge.open(slow_to_end) as bridge:
            caller = asyncio.create_task(raw(bridge.port, f"{bridge.token}\nread\n{{}}\n".encode()))
            await started.wait()
        at_the_end = list(ended)
        return at_the_end, await caller

    assert asyncio.run(play()) == (["read"], b"")
