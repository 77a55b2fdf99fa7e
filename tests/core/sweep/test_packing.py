"""What is sent to the process of a run: from a notebook, too, where nothing can be imported."""

import pickle
import sys
import threading
from functools import partial

import pytest

from cellwright import UsageError
from cellwright.sweep.job import Candidate, Job, Task
from cellwright.sweep.packing import packed

from ...kernel.driver import KernelDriver
from . import candidates

NOTEBOOK = """
from __future__ import annotations
from dataclasses import dataclass, field
from enum import Enum
from pydantic import BaseModel
from cellwright import Env, ScriptedModel, Turn, tool
from cellwright.sweep import Candidate, Task, sweep

SCALE = 6

class Colour(Enum):
    RED = "red"

@dataclass
class Point:
    x: int
    tags: list[str] = field(default_factory=list)

class Shape(BaseModel):
    size: int = 1

def scaled(n):
    return n * SCALE

@tool(read_only=True)
async def times(n: int) -> int:
    "Multiplies."
    return scaled(n)

@tool(read_only=True)
def draw(point: Point, shape: Shape, env: Env, colour: Colour = Colour.RED) -> str:
    "Draws."
    return f"{colour.value} {point.x + shape.size} {env.cwd.name}"

def makes():
    calls = [("times", {"n": 7}), ("draw", {"point": {"x": 3}, "shape": {}}), ("list_dir", {})]
    return ScriptedModel([Turn(calls=calls), "done"])

done = lambda folder, answer: answer == "done"
"""
SWEEP = """
from cellwright import Session
(row,) = await sweep([Task("go", check=done)], [Candidate(makes, tools=[times, draw, "list_dir"])], folder="out")
print(row.score, row.error, [result.content.split(":")[0] for result in Session.load(row.log).last.results])
"""


def test_tools_models_and_checks_that_a_notebook_defines_are_sent_to_the_processes(tmp_path):
    with KernelDriver(folder=tmp_path) as kernel:
        assert kernel.run(NOTEBOOK).status == "ok"
        assert kernel.run(SWEEP).text.splitlines()[-1] == "1.0  ['42', 'red 4 work', '. is empty']"


def job(model, tools="all"):
    return Job(Task("go"), Candidate(model, tools=tools), 1)


def test_a_tool_is_the_same_to_a_model_once_it_was_sent():
    sent = pickle.loads(packed(job("scripted:tour", [candidates.hang]))).candidate.tools[0]
    assert (sent.definition, sent.input_schema.text) == (candidates.hang.definition, candidates.hang.input_schema.text)
    assert sent.input_schema.problems({"n": 1}) == candidates.hang.input_schema.problems({"n": 1}) != ()


def test_what_can_not_be_sent_is_said_with_what_to_do():
    with pytest.raises(UsageError, match=r"of 'go' by .* can't be sent to a process \(.*\); make what can't"):
        packed(job(partial(print, threading.Lock())))


def test_without_the_package_that_sends_code_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    assert pickle.loads(packed(job("scripted:tour"))).candidate.model == "scripted:tour"
    with pytest.raises(UsageError, match=r"defines, and tools, are sent by a package; run: pip install"):
        packed(job("scripted:tour", [candidates.hang]))
