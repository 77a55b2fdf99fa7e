"""The process of a server, from its start to its end."""

import asyncio
import sys
import time

import psutil
import pytest

from cellwright.mcp.process import MAX_LINE, MAX_WORDS, ServerProcess

LEAVES_A_CHILD = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
print('{"jsonrpc": "2.0", "method": "m", "params": {"pid": %d}}' % child.pid, flush=True)
sys.stdin.read()
"""


def process(code, **facts):
    return ServerProcess([sys.executable, "-c", code], **facts)


def first_message(server):
    async def go():
        async with asyncio.timeout(20), server.streams() as (messages, _):
            return (await messages.receive()).message

    return asyncio.run(go())


def ended(server):
    async def go():
        async with asyncio.timeout(20), server.streams():
            await server.ended.wait()
        return server.ending

    return asyncio.run(go())


def is_gone(pid) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_nothing_of_it_is_left_at_the_end():
    child = first_message(process(LEAVES_A_CHILD)).params["pid"]
    latest = time.monotonic() + 20
    while not is_gone(child) and time.monotonic() < latest:  # a kill takes its time on a busy machine
        time.sleep(0.01)
    assert is_gone(child)


def test_it_gets_only_the_harmless_part_of_the_environment_and_what_it_is_given(monkeypatch):
    monkeypatch.setenv("SOME_TOKEN", "secret")
    code = "import json, os; print(json.dumps({'jsonrpc': '2.0', 'method': 'm', 'params': dict(os.environ)}))"
    params = first_message(process(code, env={"GIVEN": "1"})).params
    assert (params["GIVEN"], "SOME_TOKEN" in params, "PATH" in params) == ("1", False, True)


def test_its_last_words_are_kept_within_bounds():
    ending = ended(process("import sys; sys.exit('x' * 100_000 + ' no licence')"))
    assert ending.startswith("its process ended; the last it said: x")
    assert ending.endswith(" no licence")
    assert len(ending) < MAX_WORDS + 100


def test_a_line_without_end_ends_it():
    code = "import sys\nwhile True: sys.stdout.write('x' * 1_000_000)"
    assert f"over {MAX_LINE:,} bytes" in ended(process(code))


def test_a_program_that_is_not_there_can_not_be_started():
    with pytest.raises(OSError, match="no-such-program"):
        ended(ServerProcess(["no-such-program"]))
