"""A real kernel with an agent in it that runs code right there, and what it says of that in JSON."""

import json

from ..kernel.driver import KernelDriver

SETUP = """
import asyncio, json, signal, sys, time
from cellwright import Agent, ScriptedModel, Turn
from cellwright.person.approval import AllowAll
from cellwright.views.view import as_json

def agent(*codes, **more):
    turns = [Turn(calls=[("run_here", {"code": code, **more})]) for code in codes]
    return Agent(ScriptedModel([*turns, "done"]), ["run_here"], approver=AllowAll())

def told(run):
    print(json.dumps([{**result.as_json(), "view": as_json(result.view), "images": len(result.images),
                       "stopped": run.stop_reason} for result in run.results]))

def reached(run):
    return any(event.kind == "executing" for event in run.events)

x = 41
"""


def started(folder=None) -> KernelDriver:
    return KernelDriver(folder=folder, env={"PYTHONWARNINGS": "ignore"})


def prepare(kernel: KernelDriver) -> KernelDriver:
    assert kernel.run(SETUP).status == "ok"
    return kernel


def results(kernel: KernelDriver, *codes: str, **more) -> list[dict]:
    """The results of a run that calls for each of these codes in turn, awaited by the cell that starts it."""
    arguments = ", ".join([*map(repr, codes), *(f"{name}={value!r}" for name, value in more.items())])
    cell = kernel.run(f"told(await agent({arguments}).run('go'))")
    assert cell.status == "ok", cell.text
    return parsed(cell)


def parsed(cell) -> list[dict]:
    """What `told` printed last in a cell."""
    return json.loads(cell.stdout.splitlines()[-1])
