"""Kernels on a real Jupyter server: what runs there, how it ends, and that none is left."""

import asyncio
import gc
import time

import pytest
from tornado.ioloop import IOLoop

from cellwright import Policy
from cellwright.errors import ToolError
from cellwright.kernels.child_kernel import ChildKernel
from cellwright.kernels.gateway import Gateway
from cellwright.person.approval import AllowAll

from ..kernel_server import TOKEN, kernel_server
from ..scene import agent_of, calling

BINARY = "import comm; k = comm.create_comm('t'); k.send({}, buffers=[b'x' * 9, memoryview(b'yy')]); 'sent'"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with kernel_server(tmp_path_factory.mktemp("server")) as found:
        yield found


def gateway(server, token=TOKEN):
    return Gateway(server.address, token)


def plain(execution):
    return "".join(o["text"] if "text" in o else str(o.get("data", o).get("text/plain")) for o in execution.outputs)


def ran(server, *cells):
    """These cells, each with its time limit, in one kernel, which is gone afterwards."""

    async def run():
        kernel = ChildKernel(gateway=gateway(server))
        try:
            return [await kernel.run(source, timeout) for source, timeout in cells]
        finally:
            await kernel.close()

    executions = asyncio.run(run())
    server.until_no_kernels()
    return executions


def test_cells_put_out_fail_and_are_interrupted_there_as_here(server):
    shown, failed, slept, awaited, binary, after = ran(
        server,
        ("import sys; x = 1; print('out', flush=True); print('err', file=sys.stderr, flush=True); display(2); 3", 20),
        ("1/0", 20),
        ("import time; time.sleep(60)", 1),
        ("await __import__('asyncio').sleep(60)", 1),
        (BINARY, 20),
        ("x", 20),
    )
    assert (plain(shown), shown.execution_count) == ("out\nerr\n23", 1)
    assert (failed.status, failed.outputs[0]["ename"]) == ("error", "ZeroDivisionError")
    assert (slept.status, awaited.status) == ("timeout", "timeout") and "variables are kept" in slept.message
    assert (plain(binary), plain(after)) == ("'sent'", "1")


def test_a_death_is_told_with_the_last_words_and_the_next_cell_runs_in_a_new_kernel(server):
    died, after = ran(server, ("import os; print('last words'); os._exit(3)", 20), ("1 + 1", 20))
    assert (died.status, plain(died), plain(after)) == ("died", "last words\n", "2")
    assert "started it anew" in died.message and "variables of earlier cells are lost" in after.message


def test_a_flood_that_the_server_holds_back_says_so_and_ends(server):
    flood, after = ran(server, ("for n in range(20_000): print('%099d' % n)", 30), ("7", 20))
    assert (flood.status, plain(after)) == ("ok", "7")
    assert plain(flood).endswith("19999\n") or "rate exceeded" in plain(flood)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("moment", [0.0, 0.05, 0.6])
def test_a_start_that_is_given_up_leaves_no_kernel_behind(server, moment):
    async def give_up():
        kernel = ChildKernel(gateway=gateway(server))
        task = asyncio.create_task(kernel.open())
        await asyncio.wait({task}, timeout=moment)
        task.cancel()
        await asyncio.wait({task})
        if not task.cancelled():  # it was ready by then
            await kernel.close()

    async def forget():
        IOLoop.current()  # tornado keeps what belongs to an event loop until it sees another one
        gc.collect()

    asyncio.run(give_up())
    asyncio.run(forget())
    server.until_no_kernels()


def test_a_kernel_or_token_that_the_server_does_not_know_is_told(server):
    for name, token, code, said in (
        ("nowhere", TOKEN, "no_kernel", "It has: python3 (python)"),
        ("python3", "wrong", "gateway_failed", "the token is refused"),
    ):
        with pytest.raises(ToolError, match=server.address) as caught:
            asyncio.run(ChildKernel(name, gateway=gateway(server, token)).open())
        assert caught.value.code == code and said in caught.value.message


def test_an_agent_runs_its_code_there_says_so_and_shows_its_token_to_nobody(server, tmp_path):
    code = "import os; print(os.environ['JUPYTER_TOKEN'])"
    turns = [calling(("run_code", {"code": code})), calling(("run_code", {"code": "1", "kernel": "python"})), "done"]
    tools, policy = ["run_code"], Policy()
    address = f"{server.address}/?token={TOKEN}"
    agent = agent_of(turns, tools, cwd=tmp_path, policy=policy, approver=AllowAll(), kernels=address)
    first, second = agent.run_sync("go").results
    assert f"it runs on {server.address}" in first.content and TOKEN not in str(agent.last_run.events)
    assert "masked" in first.metadata and second.ok and server.address not in second.content
    assert f"on {server.address}" in str(agent.last_run.events) and server.kernels() == []


def test_a_server_that_is_gone_in_the_middle_of_a_cell_is_noticed_and_told(server):
    async def lose():
        kernel = ChildKernel(gateway=gateway(server))
        await kernel.open()
        cell = asyncio.create_task(kernel.run("import time; print('x', flush=True); time.sleep(60)"))
        while not (kernel.running and kernel.running.outputs):
            await asyncio.sleep(0.01)
        server.kill()
        started = time.monotonic()
        died = await cell
        with pytest.raises(ToolError, match="can't be reached"):
            await kernel.run("1")
        await kernel.close()
        return died, time.monotonic() - started

    died, seconds = asyncio.run(lose())
    assert (died.status, plain(died)) == ("died", "x\n") and "has ended" in died.message
    assert seconds < 10
