import asyncio

from cellwright import Agent, Allow, Deny, Policy, Registry, ScriptedModel, tool
from cellwright.code_mode.code_mode import CodeMode
from cellwright.hooks.hook import Hook, StopRun
from cellwright.person.approval import AllowAll, DenyAll, ScriptedApprover
from cellwright.selection import Selection

from ..scene import act, calling, echo, kinds_of, returning

CODE = "print(await tools.echo(text='hi'))"


def played(turns, tools=(echo,), **conditions):
    conditions.setdefault("approver", DenyAll())
    return asyncio.run(act(Agent(ScriptedModel(turns), CodeMode(tools), **conditions)))


class Reader(ScriptedModel):
    """Keeps what it is told of the tools."""

    async def stream(self, request):
        self.request = request
        async for part in super().stream(request):
            yield part


def seen(tools, **conditions):
    """What a model gets of these tools in code mode."""
    model = Reader(["done"])
    asyncio.run(act(Agent(model, CodeMode(tools), **conditions)))
    return model.request


def test_the_model_sees_one_tool_and_the_others_as_python_in_its_description():
    request = seen([echo, returning(1, "control", system=True)])
    shown = {definition.name: definition for definition in request.definitions}
    assert set(shown) == {"run_code", "control"}
    text = shown["run_code"].description
    assert "async def echo(text: str) -> Any\n    Says it back." in text and "control" not in text
    assert shown["run_code"].input_schema["required"] == ["code"]


def test_equal_tools_give_equal_bytes_run_after_run():
    one, other = seen("all"), seen(["write_file", "all"])
    assert one.definitions_json == other.definitions_json


def test_a_tool_that_code_may_call_is_refused_when_it_is_called_directly():
    run = played(
        [calling(("echo", {"text": "hi"}), "ecko", "control"), "done"], [echo, returning(1, "control", system=True)]
    )
    direct, unknown, control = run.results
    assert direct.error_type == "tool_not_allowed" and "run_code with `await tools.echo(...)`" in direct.content
    assert (unknown.error_type, control.value) == ("unknown_tool", 1)


def test_what_a_selection_leaves_out_is_neither_shown_nor_called():
    less = Selection(deny=["echo"])
    text = seen([echo, returning(1)], selection=less).definitions[0].description
    assert "def give(" in text and "def echo(" not in text
    run = played([calling(("echo", {"text": "hi"})), "done"], [echo, returning(1)], selection=less)
    assert run.results[0].error_type == "tool_not_allowed" and "taken out of this run" in run.results[0].content


def test_code_is_shown_to_the_person_who_is_asked_before_it_runs():
    approver = ScriptedApprover([Deny("too risky")])
    run = played([calling(("run_code", {"code": CODE})), "done"], approver=approver)
    assert (approver.questions[0].effect.kind, approver.questions[0].effect.code) == ("code", CODE)
    assert run.results[0].error_type == "approval_denied" and kinds_of(run, "executing") == []


def test_code_is_not_run_in_plan_mode_and_a_rule_may_allow_it():
    planned = played([calling(("run_code", {"code": CODE})), "done"], policy="plan")
    assert planned.results[0].error_type == "guard_denied"
    allowed = played([calling(("run_code", {"code": CODE})), "done"], policy=Policy(allow=["run_code"]))
    assert allowed.results[0].content == "hi"


def test_arguments_that_make_no_sense_start_no_kernel():
    calls = [
        ("run_code", args) for args in ({}, {"code": ""}, {"code": "1", "timeout": 0}, {"code": "1", "timeout": 601})
    ]
    run = played([calling(*calls), "done"], approver=AllowAll())
    assert [result.error_type for result in run.results] == ["invalid_arguments"] * 4


def test_a_hook_that_stops_the_run_at_a_call_from_code_stops_it():
    hook = Hook("after_call", lambda occasion: StopRun("enough"), tools=["echo"])
    run = played([calling(("run_code", {"code": CODE})), "never"], approver=AllowAll(), hooks=[hook])
    assert (run.stop_reason, "enough" in run.error, run.results[0].ok) == ("cancelled", True, True)


def test_a_registry_stays_what_it_is_and_serves_the_next_run_too():
    registry = Registry([echo])
    agent = Agent(ScriptedModel(["done", "done"]), CodeMode(registry))
    assert agent.registry is registry
    for _ in range(2):
        asyncio.run(act(agent))
    assert [found.name for found in registry] == ["echo"] and registry.refused == {}


def test_a_run_in_code_mode_can_be_gone_on_from():
    @tool(read_only=True)
    def answer() -> int:
        """Answers."""
        return 42

    async def twice():
        turns = [calling(("run_code", {"code": "x = await tools.answer(); x"})), "one"]
        turns += [calling(("run_code", {"code": "'x' in dir()"})), "two"]
        agent = Agent(ScriptedModel(turns), CodeMode([answer]), approver=ScriptedApprover([Allow(), Allow()]))
        first = await agent.run("go")
        return first, await agent.run("on", after=first)

    first, second = asyncio.run(twice())
    assert [first.results[0].content, second.results[0].content] == ["42", "False"]
