"""Agents for tests in real kernels: one writes a file under approval, one sleeps."""

import json

from ..kernel.driver import KernelDriver

SET_UP = """
import pathlib, time
from cellwright import ScriptedModel, Turn, tool
from cellwright_widgets import Agent

def said(conversation):
    return f"I was told: {conversation[-1].content}"

def writer():
    write = Turn("I will write.", [("write_file", {"path": "note.txt", "content": "hello\\n"})])
    return Agent(ScriptedModel([write, said]), tools=["write_file"])

@tool(read_only=True)
def sleep(seconds: float) -> str:
    "Sleeps."
    pathlib.Path("asleep").touch()
    time.sleep(seconds)
    return "slept"

def sleeper():
    return Agent(ScriptedModel([Turn("I will sleep.", [("sleep", {"seconds": 30})]), said]), tools=[sleep])

def outcome(run):
    ids = [e.data["id"] for e in run.events if e.kind == "call"]
    results = [e.data["id"] for e in run.events if e.kind == "result"]
    print(__import__("json").dumps([run.stop_reason, run.answer, ids == results]))
"""
AWAITED = "run = await writer().run('Write a note.')\noutcome(run)"
STARTED = "run = writer().start('Write a note.')"


def outcome(kernel: KernelDriver) -> list[object]:
    """Stop reason, answer, and whether each call has its result, once the run has ended."""
    found: list[object] = json.loads(kernel.run("await run.wait()\noutcome(run)").stdout)
    return found
