"""Our tools offered to clients of others, and to our own."""

import asyncio
import subprocess
import sys

import pytest
from mcp import Client, MCPError
from mcp_types import ElicitResult

from cellwright import Registry
from cellwright.calls.conditions import Conditions, Standing
from cellwright.calls.passage import Setup
from cellwright.env import Env
from cellwright.log.events import Log
from cellwright.mcp.server import McpServer
from cellwright.mcp.service import Service, offered
from cellwright.messages import Image
from cellwright.permission.policy import Policy
from cellwright.person.approval import DenyAll
from cellwright.schema import Schema
from cellwright.tool import Output

from ..scene import echo, plain, returning
from .scene import called, with_server

ERAS = ("legacy", "auto")
OURS = [sys.executable, "-m", "cellwright.console.command_line", "mcp", "--tools", "read_file", "write_file", "agent"]
PICTURE = Image("image/png", "AAAA")


def writes(args, env):
    return {"wrote": args["text"]}


WRITE = plain(writes, "write", {"type": "object", "properties": {"text": {"type": "string"}}}, read_only=False)


@pytest.mark.parametrize(("kind", "is_told"), [("object", True), ("integer", False)])
def test_a_client_is_told_of_a_value_only_if_it_is_an_object(kind, is_told):
    told = offered(returning(3, output_schema=Schema({"type": kind}))).output_schema
    assert told == ({"type": kind} if is_told else None)


def service(tools, folder, policy="default"):
    return Service(Setup(Registry(tools), Env(folder), Standing(Conditions(Policy(policy))), DenyAll(), Log()))


def client(tools, folder, era, scene, policy="default", answers=None):
    """Awaits `scene(client)`; `answers` are the forms that the person fills."""
    asked = []

    async def fill(context, params):
        asked.append(params.message)
        return answers.pop(0)

    async def go():
        facts = {"elicitation_callback": fill} if answers is not None else {}
        async with asyncio.timeout(20), Client(service(tools, folder, policy).server(), mode=era, **facts) as client:
            return await scene(client)

    return asyncio.run(go()), asked


def call(name, args=None):
    async def scene(client):
        return await client.call_tool(name, args or {})

    return scene


@pytest.mark.parametrize("era", ERAS)
def test_a_client_sees_names_schemas_and_what_the_tools_say_of_themselves(era, tmp_path):
    tools = [echo, plain(writes, "wipe", read_only=False, destructive=lambda args: False)]
    found, _ = client(tools, tmp_path, era, lambda client: client.list_tools())
    hints = {tool.name: (tool.annotations.read_only_hint, tool.annotations.destructive_hint) for tool in found.tools}
    assert hints == {"echo": (True, False), "wipe": (False, True)}
    assert {tool.name: tool.input_schema for tool in found.tools}["echo"] == echo.input_schema.json


@pytest.mark.parametrize("era", ERAS)
def test_a_result_goes_out_as_text_value_and_pictures(era, tmp_path):
    tool = returning(Output({"a": 1}, "one", images=(PICTURE,)))
    found, _ = client([tool], tmp_path, era, call("give"))
    assert [block.type for block in found.content] == ["text", "image"]
    assert (found.content[0].text, found.structured_content, found.is_error) == ("one", {"a": 1}, False)


@pytest.mark.parametrize(
    ("name", "args", "error"),
    [
        ("nothing", {}, "unknown_tool"),
        ("echo", {"text": 1}, "invalid_arguments"),
        ("write", {"text": "x"}, "approval_unavailable"),
    ],
)
def test_a_failure_goes_out_with_its_type(name, args, error, tmp_path):
    found, _ = client([echo, WRITE], tmp_path, "legacy", call(name, args))
    assert (found.is_error, found.meta["cellwright"]["error_type"]) == (True, error)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        (ElicitResult(action="accept", content={"answer": "allow"}), None, "wrote"),
        (
            ElicitResult(action="accept", content={"answer": "deny", "reason": "too late"}),
            "approval_denied",
            "too late",
        ),
        (ElicitResult(action="accept", content={"answer": "allow all"}), "approval_unavailable", "not allow or deny"),
        (ElicitResult(action="accept", content={}), "approval_unavailable", "not allow or deny"),
        (ElicitResult(action="decline"), "approval_denied", "the person denied"),
        (ElicitResult(action="cancel"), "approval_unavailable", "dismissed"),
    ],
)
def test_the_person_behind_the_client_is_asked(era, answer, error, said, tmp_path):
    found, asked = client([WRITE], tmp_path, era, call("write", {"text": "in\u202eside"}), answers=[answer])
    assert (found.meta["cellwright"].get("error_type"), said in found.content[0].text) == (error, True)
    assert ("May write run?" in asked[0], "⟨U+202E⟩" in asked[0], len(asked)) == (True, True, 1)


def test_an_answer_is_good_for_the_call_that_was_shown_and_no_other(tmp_path):
    async def scene(client):
        first = await client.session.call_tool("write", {"text": "a"}, allow_input_required=True)
        yes = {"approval": ElicitResult(action="accept", content={"answer": "allow"})}
        state = {"input_responses": yes, "request_state": first.request_state, "allow_input_required": True}
        for args in ({"text": "b"}, {"text": "a"}):  # a token that was tried in vain is worth nothing
            with pytest.raises(MCPError, match="about another call"):
                await client.session.call_tool("write", args, **state)

    client([WRITE], tmp_path, "auto", scene, answers=[])


def test_rules_and_modes_hold_for_clients(tmp_path):
    found, asked = client([WRITE], tmp_path, "legacy", call("write", {"text": "x"}), policy="plan", answers=[])
    assert (found.meta["cellwright"]["error_type"], asked) == ("guard_denied", [])


def never_ending(ended):
    async def wait(args, env):
        env.progress("half way")
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("stopped")

    return plain(wait)


@pytest.mark.parametrize("era", ERAS)
def test_progress_reaches_the_client_and_its_giving_up_reaches_the_tool(era, tmp_path):
    ended = []

    async def scene(client):
        heard = asyncio.Event()

        async def hear(progress, total, message):
            ended.append(message)
            heard.set()

        task = asyncio.create_task(client.call_tool("wait", {}, progress_callback=hear))
        await heard.wait()
        task.cancel()
        while len(ended) < 2:
            await asyncio.sleep(0.001)

    client([never_ending(ended)], tmp_path, era, scene)
    assert ended == ["half way", "stopped"]


def test_our_own_client_uses_our_own_server(tmp_path):
    (tmp_path / "a.txt").write_text("hello\n")
    calls = [("read_file", {"path": "a.txt"}), ("write_file", {"path": "b.txt", "content": "x"})]

    async def scene(server, registry):
        return {tool.name for tool in server.tools}, await called(registry, *calls, cwd=tmp_path)

    names, run = with_server(McpServer("it", [*OURS, "--cwd", str(tmp_path)]), scene)
    read, write = run.results
    assert names == {"mcp__it__read_file", "mcp__it__write_file"}
    assert ("hello" in read.content, write.error_type, (tmp_path / "b.txt").exists()) == (True, "tool_error", False)
    assert "the person dismissed the question" in write.content


def test_without_the_package_it_is_said_what_to_install():
    code = "import sys; sys.modules['mcp'] = None; from cellwright.console import command_line as line; "
    code += "sys.exit(line.main(['mcp']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, "pip install 'cellwright[mcp]'" in done.stderr, done.stdout) == (2, True, "")
