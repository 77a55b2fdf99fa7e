"""One connection over HTTP; those over standard streams are tested with what uses them."""

import contextlib
import subprocess
import sys

import pytest

from cellwright.errors import UsageError
from cellwright.mcp.server import McpServer

from .scene import HERE, called, connected, gone, with_server


@contextlib.contextmanager
def serving(folder, port=0):
    """A server at an address, as a process of its own."""
    command = [sys.executable, str(HERE / "small_server.py"), str(folder), "http", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def test_over_http_a_call_is_answered_and_a_server_that_is_lost_is_found_again(tmp_path):
    with contextlib.ExitStack() as stack:
        process, url = stack.enter_context(serving(tmp_path))
        port = url.split(":")[2].split("/")[0]

        async def scene(server, registry):
            before = await called(registry, ("echo", {"text": "hi"}))
            process.kill()
            process.wait()
            lost = await called(registry, ("echo", {"text": "hi"}), ("echo", {"text": "hi"}))
            await gone(server)
            stack.enter_context(serving(tmp_path, port))
            await connected(server)
            return [run.results[0] for run in (before, lost, await called(registry, ("echo", {"text": "again"})))]

        before, lost, after = with_server(McpServer("it", url=url, pauses=[0.05]), scene)
    assert (before.content, after.content) == ("hi", "again")
    assert (lost.ok, lost.error_type) in [(False, "tool_error"), (False, "tool_not_allowed")]


def test_an_address_where_nobody_is_can_not_be_reached():
    async def scene(server, registry):
        raise AssertionError("it is not there")

    with pytest.raises(UsageError, match="can't be reached"):
        with_server(McpServer("it", url="http://127.0.0.1:9/mcp", start_timeout=20), scene)
