"""A run from its script to its end, and what must hold of every run."""

import asyncio
import json

from cellwright import Agent, Policy, Run, ScriptedApprover, ScriptedModel, Tool, Turn, tool
from cellwright.messages import ModelMessage, ToolMessage
from cellwright.models.model import CallPart, EndPart
from cellwright.permission.bypass import FIRST, SECOND, BypassConsent
from cellwright.views.view import as_json

CONSENT = BypassConsent(FIRST, SECOND)
BYPASS = Policy("bypass", consent=CONSENT)
REACHED = ("executing", "result")


def play(turns, tools=(), answers=(), **conditions) -> Run:
    """Runs to the end on an event loop of its own; nothing may be left behind on it."""
    return asyncio.run(act(agent_of(turns, tools, answers, **conditions)))


def play_long(turns, tools=(), answers=(), **conditions) -> Run:
    """The same for a run that starts kernels, which a busy machine may take a while for."""
    run = agent_of(turns, tools, answers, **conditions).run_sync("go")
    is_sound(run)
    return run


def agent_of(turns, tools=(), answers=(), **conditions) -> Agent:
    conditions.setdefault("approver", ScriptedApprover(answers))
    return Agent(ScriptedModel(turns), tools, **conditions)


async def act(agent: Agent, meanwhile=None) -> Run:
    """Starts a run, lets `meanwhile(run)` go on beside it, and waits for the end."""
    run = agent.start("go")
    if meanwhile is not None:
        await meanwhile(run)
    await asyncio.wait_for(run.wait(), 20)
    left = asyncio.all_tasks() - {asyncio.current_task()}
    assert left == set(), left
    is_sound(run)
    return run


def is_sound(run: Run) -> None:
    """Each call has one result of its id, in the order of the calls, in log and conversation; all of it encodes.

    Calls that code made are in the log alone.
    """
    inner = [event.data["id"] for event in run.events if event.kind == "call" and event.data.get("within")]
    ended = [event.data["id"] for event in run.events if event.kind == "result"]
    calls = [event.data["id"] for event in run.events if event.kind == "call" and event.data["id"] not in inner]
    results = [call_id for call_id in ended if call_id not in inner]
    assert sorted(call_id for call_id in ended if call_id in inner) == sorted(set(inner)) == sorted(inner)
    asked = [call.id for m in run.conversation if isinstance(m, ModelMessage) for call in m.calls]
    told = [m.call_id for m in run.conversation if isinstance(m, ToolMessage)]
    assert sorted(calls) == sorted(set(calls))
    assert results == asked == told == [result.call.id for result in run.results]
    assert set(calls) == set(asked)
    kinds = [event.kind for event in run.events]
    assert (kinds[0], kinds[-1], kinds.count("run_ended")) == ("run_started", "run_ended", 1)
    assert run.stop_reason is not None
    encodes([event.data for event in run.events])
    encodes([as_json(result.view) for result in run.results if result.view])


def encodes(value) -> str:
    """The value is JSON by the standard and encodes as UTF-8."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    text.encode("utf-8")
    return text


class Streams(ScriptedModel):
    """Gives these parts in its first turn: (tool name, arguments) for a whole call, a function to await before it goes
    on, an exception to raise. Then it plays its turns."""

    def __init__(self, *parts, turns=("done",)):
        super().__init__(turns)
        self.parts = parts

    async def stream(self, request):
        if self.parts is None:
            async for part in super().stream(request):
                yield part
            return
        parts, self.parts = self.parts, None
        for index, part in enumerate(parts):
            if isinstance(part, BaseException):
                raise part
            if callable(part):
                await part()
            elif isinstance(part, tuple):
                yield CallPart(index, "", part[0], json.dumps(part[1]), complete=True)
            else:
                yield part
        if not isinstance(parts[-1], EndPart):
            yield EndPart()


async def settled():
    """Lets everything go on that needs no more than the event loop."""
    for _ in range(40):
        await asyncio.sleep(0)


def calling(*calls, **turn) -> Turn:
    """A turn that asks for these calls: (name, arguments), or a name alone."""
    return Turn(calls=[(c, {}) if isinstance(c, str) else c for c in calls], **turn)


def plain(execute, name=None, schema=None, **facts) -> Tool:
    """A tool made in full, which runs without a question unless its facts say otherwise."""
    facts.setdefault("read_only", True)
    made = Tool.from_schema(name or execute.__name__, "A tool.", schema or {"type": "object"}, execute)
    return Tool(made.name, made.description, made.input_schema, execute, **facts)


def returning(value, name="give", **facts) -> Tool:
    return plain(lambda args, env: value, name, **facts)


@tool(read_only=True, concurrency_safe=True)
def echo(text: str) -> str:
    """Says it back."""
    return text


def raise_constant(name):
    raise AssertionError(f"{name} is not JSON")


def strict(text):
    """What the JSON standard reads."""
    return json.loads(text, parse_constant=raise_constant)


def kinds_of(run, *kinds):
    return [event for event in run.events if event.kind in kinds]
