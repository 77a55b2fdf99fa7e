"""Logs that somebody has changed: each is refused in words, or whoever asks anything of it gets an answer."""

import asyncio
import copy
import json
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp

from cellwright import Agent, Allow, CellwrightError, ScriptedApprover, ScriptedModel, Session, Turn, tool
from cellwright.log.timeline import timeline
from cellwright.messages import Image
from cellwright.models.recorded_model import RecordedModel
from cellwright.sessions.comparison import compare
from cellwright.sessions.export import export_markdown, export_notebook
from cellwright.sessions.fork import Otherwise
from cellwright.sessions.replay import replay
from cellwright.tool import Output

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
CALLS = [
    ("draw", {"n": 1}),
    ("write_file", {"path": "a.txt", "content": "x"}),
    ("todo", {"items": [{"text": "a", "state": "open"}]}),
    ("run_command", {"command": "pwd > q"}),
    ("nope", {}),
]
ODD = [
    None,
    -1,
    0,
    1e308,
    10**30,
    "",
    [],
    {},
    "\ud800",
    "x" * 300,
    True,
    [[]],
    {"a": {}},
    "../../etc",
    "call_1",
    [None],
]
DEEP = b'{"number": 1, "time": 1.0, "kind": "note", "data": {"text": ' + b"[" * 2_000 + b"]" * 2_000 + b"}}\n"


@tool(read_only=True)
def draw(n: int) -> Output:
    """Draws."""
    return Output(n, "a picture", images=(Image("image/png", PNG),))


@cache
def sound_log() -> bytes:
    """Two runs, in which much has happened."""
    folder = Path(mkdtemp())
    model = ScriptedModel(
        [Turn("so", CALLS), Turn(calls=[("write_file", {"path": "a.txt", "content": "y"})]), "a", "b"]
    )
    tools = ["write_file", "read_file", "todo", "run_command", draw]
    yes = ScriptedApprover([Allow()] * 5)
    agent = Agent(model, tools, cwd=folder, policy="accept_edits", approver=yes, log=folder / "log")
    agent.run_sync("go").undo("call_6")
    agent.run_sync("again", after=Session.load(folder / "log"))
    return (folder / "log").read_bytes()


def attack(random: Random, folder: Path) -> bool:
    """Changes some of it, and asks all that can be asked."""
    place = Path(mkdtemp(dir=folder))
    lines = changed(random, [json.loads(line) for line in sound_log().splitlines()])
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    (place / "log").write_bytes(data + DEEP * (random.random() < 0.05))
    try:
        ask_all(place / "log")
    except CellwrightError:
        return False
    return True


def changed(random: Random, lines: list) -> list:
    """The lines with something else in one place or two, or one of them gone, doubled or moved."""
    lines = copy.deepcopy(lines)
    for _ in range(random.choice([1, 1, 1, 2])):
        number = random.randrange(len(lines))
        match random.choice(["value"] * 9 + ["gone", "double", "moved"]):
            case "value":
                put(random, lines[number])
            case "gone":
                del lines[number]
            case "double":
                lines.insert(random.randrange(len(lines)), lines[number])
            case "moved":
                lines.insert(random.randrange(len(lines)), lines.pop(number))
    return numbered(lines) if random.random() < 0.7 else lines


def put(random: Random, line: dict) -> None:
    """Something odd in a place of the line, mostly of its data."""
    value = line["data"] if "data" in line and random.random() < 0.9 else line
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = random.choice(keys)
        if not isinstance(value[key], dict | list) or random.random() < 0.3:
            break
        value = value[key]
    if random.random() < 0.2:
        del value[key]
    else:
        alike = [odd for odd in ODD if type(odd) is type(value[key])]
        value[key] = copy.deepcopy(random.choice(alike if alike and random.random() < 0.8 else ODD))


def numbered(lines: list) -> list:
    """The events of each run counted anew."""
    counts, log = dict[str, int](), ""
    fresh = [dict(line) for line in lines]
    for line in fresh:
        log = str(line.get("id")) if line.get("kind") == "log" else log
        if "number" in line:
            line["number"] = counts[log] = counts.get(log, 0) + 1
    return fresh


class Silent:
    """Watches a replay."""

    def on_event(self, event) -> None:
        """Says nothing."""


def ask_all(path: Path) -> None:
    """Everything that can be asked of a log.

    Raises:
        CellwrightError: if it is refused.
    """
    session = Session.load(path)
    for run in session.runs:
        _ = run.effects, run.children, list(run.requests()), repr(run)
        for result in run.results:
            run.trace(result.call.id).text()
        timeline(run.events).text()
        export_markdown(run.events)
        json.loads(export_notebook(run.events))
        asyncio.run(replay(run.events, [Silent()]))
        _ = [run.undoing().problem(effect) for effect in run.effects]
    compare(session.runs[0], session.last)
    RecordedModel(path)
    asyncio.run(goes_on(session, path))


async def goes_on(session: Session, path: Path) -> None:
    """A run after it, and a fork of it, which are as sound as any."""
    agent = Agent(ScriptedModel(["x", "x"]), [draw], cwd=path.parent, log=path.with_name("after"))
    run = await agent.run("x", after=session)
    assert run.stop_reason == "answered", run.error
    await agent.fork(session.runs[0], 1, Otherwise("call_1", result="r"))
    assert [run.stop_reason for run in Session.load(path.with_name("after")).runs] == ["answered", "answered"]
