"""A server as our side sees it: what its tools are, and what becomes of them when it misbehaves, changes or dies."""

import asyncio
import os
import signal

import pytest

from cellwright import Allow, Registry
from cellwright.errors import RegistryError, UsageError
from cellwright.log.events import Recorder
from cellwright.mcp.server import McpServer

from ..scene import is_sound, kinds_of, plain
from .scene import called, connected, gone, rough, small, with_server


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """One connection to a server made with the SDK: its tools, and a run that calls most of them."""
    folder = tmp_path_factory.mktemp("small")

    async def scene(server, registry):
        tools = {tool.name.removeprefix("mcp__it__"): tool for tool in server.tools}
        calls = [
            ("echo", {"text": "hi"}),
            ("add", {"a": 1, "b": 2}),
            ("add", {"wrong": "x"}),
            ("draw", {}),
            ("fail", {}),
        ]
        run = await called(registry, *calls, ("echo", {}), cwd=folder)
        impatient = Impatient()
        stopped = await called(registry, ("wait", {}), meanwhile=impatient.watch, observers=[impatient], cwd=folder)
        await called(registry, ("grow", {}), cwd=folder)
        await server.until(lambda server: any(tool.name.endswith("__fruit") for tool in server.tools))
        return tools, run, stopped, server.left_out, tools["echo"] is registry_tool(registry, "echo")

    return (*with_server(small(folder), scene), folder)


class Impatient:
    """Stops a run as soon as one of its tools says something."""

    async def watch(self, run):
        self.run = run

    def on_event(self, event):
        if event.kind == "progress":
            self.run.cancel()


def registry_tool(registry, name):
    return registry.get(f"mcp__it__{name}")


def test_its_tools_have_names_of_ours_from_all_pages(played):
    names = {"echo", "add", "draw", "fail", "wait", "grow", "ask", "odd___31m_name_"}
    assert set(played[0]) == names


def test_a_tool_that_cant_be_taken_is_left_out_with_the_place_and_a_run_says_so(played):
    (told,) = played[3]
    assert "'bad schema'" in told
    assert "properties.a.type" in told
    assert [event.data["text"] for event in kinds_of(played[1], "note")] == [told]


def test_its_word_that_it_is_harmless_gives_it_nothing(played):
    tools = played[0]
    assert (tools["echo"].read_only, tools["echo"].concurrency_safe, tools["fail"].destructive) == (False, False, True)


def test_answers_come_back_as_text_values_and_pictures(played):
    run = played[1]
    is_sound(run)
    echo, add, wrong, draw, fail, invalid = run.results
    assert (echo.content, add.content, add.value) == ("hi", "the sum", {"sum": 3})
    assert (wrong.error_type, "sum must be an integer" in wrong.content) == ("invalid_output", True)
    assert [image.media_type for image in draw.images] == ["image/png"]
    assert (fail.error_type, fail.metadata["code"], fail.content) == ("tool_error", "server_error", "no such table")
    assert invalid.error_type == "invalid_arguments"


def test_a_call_that_is_stopped_is_cancelled_on_the_server_and_its_progress_is_told(played):
    (result,) = played[2].results
    assert (result.error_type, "half way (1 of 2)" in result.content) == ("cancelled", True)
    assert (played[5] / "cancelled").exists()


def test_a_call_that_takes_too_long_is_given_up_and_the_connection_stays(tmp_path):
    async def scene(server, registry):
        return await called(registry, ("hang", {})), server.state

    run, state = with_server(rough(tmp_path, timeout=0.1), scene)
    assert (run.results[0].error_type, state) == ("timeout", "connected")


def test_a_change_of_the_list_leaves_the_other_tools_as_they_were(played):
    assert played[4] is True


def test_without_a_rule_its_tools_are_asked_about(tmp_path):
    async def scene(server, registry):
        denied = await called(registry, ("echo", {}), policy="default")
        return denied, await called(registry, ("echo", {}), policy="default", answers=[Allow()])

    denied, allowed = with_server(rough(tmp_path), scene)
    assert [run.results[0].error_type for run in (denied, allowed)] == ["approval_unavailable", None]


def test_a_server_that_is_killed_in_the_midst_of_a_call_says_so_and_comes_back(tmp_path):
    async def scene(server, registry):
        before = registry.tools
        run = await called(registry, ("die", {}), ("echo", {}))
        await connected(server)
        again = await called(registry, ("echo", {}))
        return run, again, before == registry.tools

    run, again, same = with_server(rough(tmp_path, pauses=[0.1]), scene)
    lost, after = run.results
    assert (lost.metadata["code"], "not known: look" in lost.content) == ("connection_lost", True)
    assert (after.error_type, again.results[0].content, same) == ("tool_not_allowed", "echo", True)


class KilledAt:
    """Kills a process as soon as a run has so many events."""

    def __init__(self, pid, moment):
        self.pid = pid
        self.left = moment

    def on_event(self, event):
        self.left -= 1
        if self.left == 0:
            os.kill(self.pid, signal.SIGKILL)


def test_at_whatever_moment_of_a_run_a_server_is_killed_each_call_has_its_result(tmp_path):
    async def scene(server, registry):
        told, pid = [], server.pid
        for moment in range(1, 21):
            killer = KilledAt(pid, moment)
            run = await called(registry, ("echo", {}), ("echo", {}), observers=[killer])
            is_sound(run)
            told += [result.metadata.get("code") or result.error_type or result.content for result in run.results]
            if killer.left <= 0:
                await server.until(lambda server, old=pid: server.state == "connected" and server.pid not in (0, old))
                pid = server.pid
        return told, await called(registry, ("echo", {}))

    told, after = with_server(rough(tmp_path), scene)
    assert (len(told), set(told)) == (40, {"echo", "connection_lost", "tool_not_allowed"})
    assert after.results[0].content == "echo"


def test_one_that_dies_between_calls_is_out_of_sight_until_it_is_back(tmp_path):
    async def scene(server, registry):
        seen = [len(registry)]
        os.kill(server.pid, signal.SIGKILL)
        await gone(server)
        seen.append(len(registry))
        await connected(server)
        return [*seen, len(registry)]

    assert with_server(rough(tmp_path), scene) == [11, 0, 11]


def test_one_that_never_comes_back_costs_nothing_and_can_be_left(tmp_path):
    async def scene(server, registry):
        os.kill(server.pid, signal.SIGKILL)
        await server.until(lambda server: "only once" in server.state)
        (run,) = [await called(registry, ("echo", {}))]
        return run.results[0]

    result = with_server(rough(tmp_path, "once"), scene)
    assert (result.error_type, "not connected" in result.content) == ("tool_not_allowed", True)


@pytest.mark.parametrize(("name", "code"), [("flood", "connection_lost"), ("wrong", "invalid_answer")])
def test_an_answer_without_end_or_sense_fails_its_call_only(name, code, tmp_path):
    async def scene(server, registry):
        run = await called(registry, (name, {}))
        await connected(server)
        return run, await called(registry, ("echo", {}))

    run, after = with_server(rough(tmp_path), scene)
    assert (run.results[0].metadata["code"], after.results[0].content) == (code, "echo")
    assert len(run.results[0].content) < 5000


def test_nonsense_between_messages_and_a_crowd_of_notices_are_passed_over(tmp_path):
    seen = Recorder()

    async def scene(server, registry):
        return await called(registry, ("garble", {}), ("crowd", {}), observers=[seen])

    run = with_server(rough(tmp_path), scene)
    assert [result.content for result in run.results] == ["garble", "crowd"]
    assert len([event for event in seen.events if event.kind == "progress"]) <= 1000


def test_a_tool_that_joins_is_there_from_the_next_turn_on(tmp_path):
    async def scene(server, registry):
        await called(registry, ("grow", {}))
        await server.until(lambda server: len(server.tools) == 12)
        return await called(registry, ("fruit", {}))

    assert with_server(rough(tmp_path), scene).results[0].content == "fruit"


def test_a_run_that_is_stopped_tells_the_server_to_stop(tmp_path):
    async def scene(server, registry):
        async def stop(run):
            while not (tmp_path / "hanging").exists():
                await asyncio.sleep(0.01)
            run.cancel()

        run = await called(registry, ("hang", {}), meanwhile=stop)
        await called(registry, ("echo", {}))  # what is sent after it was read after it
        return run

    run = with_server(rough(tmp_path), scene)
    assert (run.results[0].error_type, (tmp_path / "cancelled").exists()) == ("cancelled", True)


def test_a_long_description_is_bounded(tmp_path):
    async def scene(server, registry):
        return server.tools[0].definition.description

    described = with_server(rough(tmp_path), scene)
    assert len(described) < 4100
    assert "more characters were left out" in described


@pytest.mark.parametrize(("habit", "why"), [("dies", "no licence found"), ("silent", "did not answer within")])
def test_a_server_that_does_not_come_up_says_why(habit, why, tmp_path):
    async def scene(server, registry):
        raise AssertionError("it is not there")

    with pytest.raises(UsageError, match=why):
        with_server(rough(tmp_path, habit, start_timeout=20 if habit == "dies" else 0.2), scene)


@pytest.mark.parametrize(
    ("name", "way", "why"),
    [
        ("a__b", {"command": ["x"]}, "no name for an MCP server"),
        ("a" * 25, {"command": ["x"]}, "no name for an MCP server"),
        ("a", {}, "give either command"),
        ("a", {"command": ["x"], "url": "http://x"}, "give either command"),
        ("a", {"command": "x y"}, "give either command"),
    ],
)
def test_a_server_that_is_badly_named_or_described_is_refused(name, way, why):
    with pytest.raises(UsageError, match=why):
        McpServer(name, **way)


def test_a_program_that_is_not_there_is_named(tmp_path):
    async def scene(server, registry):
        raise AssertionError("it is not there")

    with pytest.raises(UsageError, match="no-such-program"):
        with_server(McpServer("it", ["no-such-program"]), scene)


def test_the_tools_of_another_server_of_this_name_are_not_taken_over(tmp_path):
    async def scene(server, registry):
        other = Registry([plain(lambda args, env: 1, "mcp__it__echo", origin="mcp")])
        with pytest.raises(RegistryError, match="another name"):
            server.attach(other)

    with_server(rough(tmp_path), scene)
