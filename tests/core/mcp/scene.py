"""Runs against real servers."""

import asyncio
import sys
from pathlib import Path

from cellwright import Agent, Policy, Registry, ScriptedApprover, ScriptedModel
from cellwright.mcp.server import McpServer

from ..scene import calling

HERE = Path(__file__).parent
ALLOWED = Policy(allow=["mcp__it"])


def rough(folder, *habits, **facts) -> McpServer:
    facts.setdefault("start_timeout", 20)
    facts.setdefault("pauses", [0.01])
    return McpServer("it", [sys.executable, str(HERE / "rough_server.py"), str(folder), *habits], **facts)


def small(folder, **facts) -> McpServer:
    return McpServer("it", [sys.executable, str(HERE / "small_server.py"), str(folder)], start_timeout=60, **facts)


def with_server(server: McpServer, scene):
    """Awaits `scene(server, registry)` with the server connected; nothing may be left behind."""

    async def go():
        registry = Registry()
        async with asyncio.timeout(60), server:
            server.attach(registry)
            found = await scene(server, registry)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return found

    return asyncio.run(go())


async def called(registry, *calls, answers=(), replies=(), policy=ALLOWED, meanwhile=None, **conditions):
    """The run that makes these calls, each in a turn of its own; names are without `mcp__it__`."""
    turns = [calling((f"mcp__it__{name}", args)) for name, args in calls]
    model = ScriptedModel([*turns, "done"])
    conditions.setdefault("approver", ScriptedApprover(answers, replies))
    agent = Agent(model, registry, policy=policy, **conditions)
    return await finished(agent, meanwhile)


async def finished(agent, meanwhile=None):
    run = agent.start("go")
    if meanwhile is not None:
        await meanwhile(run)
    await run
    return run


async def connected(server):
    await server.until(lambda server: server.state == "connected")


async def gone(server):
    await server.until(lambda server: server.state != "connected")
