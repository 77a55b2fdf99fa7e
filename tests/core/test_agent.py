import asyncio
import inspect

import pytest

from cellwright import Agent, Allow, Policy, Registry, ScriptedApprover, ScriptedModel, Turn, UsageError
from cellwright.errors import RegistryError
from cellwright.log.events import Recorder
from cellwright.person.approval import DenyAll
from cellwright.runs.company import Company

from .scene import agent_of, calling, echo, kinds_of, plain, play, returning


def test_a_prompt_that_is_no_text_is_refused():
    with pytest.raises(UsageError, match="the prompt 3 is no text"):
        Agent(ScriptedModel(["Done."]), [echo]).run_sync(3)


def test_tools_are_given_as_tools_names_presets_or_a_registry():
    registry = Registry([echo])
    assert Agent(ScriptedModel([]), registry).registry is registry
    assert [tool.name for tool in Agent(ScriptedModel([]), [echo, "read_file"]).registry] == ["read_file", "echo"]
    assert "notebook_outline" in Agent(ScriptedModel([]), "read_only").registry
    with pytest.raises(RegistryError, match="no tool or preset 'everything' is installed"):
        Agent(ScriptedModel([]), "everything")


def test_an_agent_shows_its_model_and_how_much_it_may_do():
    assert repr(Agent(ScriptedModel([]), [echo], policy="plan")) == "<Agent: scripted, 1 tool, mode plan>"


def test_a_working_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match="is not there; make it, or give another as cwd="):
        Agent(ScriptedModel([]), [], cwd=tmp_path / "none")


def test_a_mode_that_is_none_is_refused():
    with pytest.raises(UsageError, match="there is no mode 'fast'; the modes are"):
        Agent(ScriptedModel([]), [], policy="fast")


def test_without_an_event_loop_starting_says_what_to_write():
    with pytest.raises(UsageError, match=r"in a script use agent\.run_sync"):
        agent_of(["x"]).start("go")


def test_a_run_that_is_not_awaited_says_what_to_write_and_is_a_coroutine_as_ever():
    begun = agent_of(["done"]).run("go")
    assert (inspect.iscoroutine(begun), inspect.iscoroutinefunction(Agent.run)) == (True, True)
    assert repr(begun).startswith("<coroutine object Agent.run (needs `await`: run = await agent.run(...)) at ")
    assert asyncio.run(begun).answer == "done"


def test_an_error_of_a_script_begins_with_itself():
    with pytest.raises(UsageError, match="the prompt 5 is no text") as caught:
        agent_of(["x"]).run_sync(5)
    assert caught.value.__context__ is None


def test_a_script_can_run_without_asyncio_and_twice():
    agent = agent_of(["one", "two"])
    assert (agent.run_sync("a").answer, agent.run_sync("b").answer) == ("one", "two")


def test_in_a_running_loop_the_sync_entry_names_the_async_one():
    async def cell():
        with pytest.raises(UsageError, match=r"write `await agent\.run\(\.\.\.\)` instead"):
            agent_of(["x"]).run_sync("go")
        return (await agent_of(["y"]).run("go")).answer

    assert asyncio.run(asyncio.wait_for(cell(), 5)) == "y"


def inner_run(args, env):
    return agent_of(["from inside"]).run_sync("go").answer


async def inner_await(args, env):
    return (await agent_of(["from inside"]).run("go")).answer


async def inner_sync(args, env):
    return agent_of(["from inside"]).run_sync("go").answer


@pytest.mark.parametrize(
    ("execute", "content"),
    [
        (inner_run, "from inside"),
        (inner_await, "from inside"),
        (
            inner_sync,
            "UsageError: an event loop is running here, as in a notebook; write `await agent.run(...)` instead",
        ),
    ],
)
def test_an_agent_within_a_tool_runs_or_says_how(execute, content):
    run = play([calling("t"), "done"], [plain(execute, "t")])
    assert run.results[0].content == content


def test_a_run_goes_on_from_an_earlier_one_that_has_ended():
    async def scene():
        agent = agent_of(["one", "two"])
        first = agent.start("a")
        with pytest.raises(UsageError, match="is still going; await it before you go on from it, or steer it"):
            agent.start("b", after=first)
        await first
        return await agent.run("b", after=first)

    run = asyncio.run(scene())
    assert [m.text for m in run.conversation] == ["a", "one", "b", "two"]


def test_ids_of_calls_stay_unique_when_a_run_goes_on():
    async def scene():
        agent = agent_of([calling(("echo", {"text": "a"})), "x", calling(("echo", {"text": "b"})), "y"], [echo])
        first = await agent.run("a")
        return await agent.run("b", after=first)

    run = asyncio.run(scene())
    assert [event.data["id"] for event in kinds_of(run, "call")] == ["call_2"]


def test_the_company_is_who_asks_and_watches_unless_the_agent_was_given_others():
    watch = Recorder()

    class Hosted(Agent):
        def company(self, run):
            assert run.prompt == "go"
            return Company(ScriptedApprover([Allow()]), [watch])

    turns = [calling("t"), "done"]
    tools = [returning("ran", "t", read_only=False)]
    assert asyncio.run(Hosted(ScriptedModel(turns), tools).run("go")).results[0].ok
    assert watch.events[-1].kind == "run_ended"
    denied = asyncio.run(Hosted(ScriptedModel(turns), tools, approver=DenyAll()).run("go"))
    assert denied.results[0].error_type == "approval_unavailable"


def test_a_company_may_let_go_before_the_end():
    class Hosted(Agent):
        def company(self, run):
            async def wait(run):
                await asyncio.sleep(0)

            return Company(DenyAll(), wait=wait)

    async def scene():
        run = Hosted(ScriptedModel(["one two three"], pace=0.02), []).start("go")
        await run
        early = run.is_done
        await run.wait()
        return early, run.answer

    assert asyncio.run(scene()) == (False, "one two three")


def test_the_first_event_says_under_which_conditions_the_run_goes(tmp_path):
    run = play(["x"], [echo], policy=Policy("plan"), cwd=tmp_path)
    data = run.events[0].data
    assert (data["mode"], data["cwd"], data["model"], data["run"]) == (
        "plan",
        str(tmp_path.resolve()),
        "scripted",
        run.id,
    )
    assert data["tools"] == Registry([echo]).digest


def test_an_agent_imports_no_tool_it_was_not_given():
    assert len(agent_of(["x"], [echo]).registry) == 1


def test_a_run_that_goes_on_from_another_knows_what_was_read(tmp_path):
    (tmp_path / "a.txt").write_text("one\n")
    read = Turn(calls=[("read_file", {"path": "a.txt"})])
    write = Turn(calls=[("write_file", {"path": "a.txt", "content": "two\n"})])
    model = ScriptedModel([read, "Read.", write, "Written."])
    agent = Agent(model, ["read_file", "write_file"], cwd=tmp_path, policy="accept_edits")
    first = agent.run_sync("Read.")
    (tmp_path / "a.txt").write_text("mine\n")
    second = agent.run_sync("Write.", after=first)
    assert second.results[0].metadata["code"] == "stale"
    assert (tmp_path / "a.txt").read_text() == "mine\n"


def test_a_run_that_goes_on_reads_what_the_run_before_has_kept(tmp_path):
    tools = [returning("line\n" * 20_000), "read_result"]
    reads = calling(("read_result", {"call_id": "call_1", "offset": 20_000}))
    agent = agent_of([calling("give"), "one", reads, "two", reads], tools, cwd=tmp_path)
    first = agent.run_sync("go")
    assert "; go on with read_result " in first.results[0].content
    second = agent.run_sync("go on", after=first)
    assert second.results[0].content == "call_1 (give): lines 20000 to 20000 of 20000\n 20000\tline"
    alone = agent.run_sync("alone")
    assert alone.results[0].content == "no result of 'call_1' was cut and kept; there are: none"


def test_more_secrets_than_those_of_the_environment_can_be_named(tmp_path):
    agent = agent_of(
        [calling("give"), "done"], [returning("a given-by-hand")], cwd=tmp_path, secrets={"PIN": "given-by-hand"}
    )
    run = agent.run_sync("go")
    assert (run.results[0].value, run.results[0].metadata["masked"]) == ("a ⟨masked: PIN⟩", {"PIN": 1})
