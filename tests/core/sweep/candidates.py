"""Models and tools for the runs of these tests; functions, since a model can't be sent to a process."""

import os
import time

from cellwright import ScriptedModel, Turn, tool
from cellwright.messages import Usage


@tool(read_only=True)
def end_process() -> str:
    """End the process at once."""
    print("about to end", flush=True)
    os._exit(3)


@tool(read_only=True)
def hang() -> str:
    """Never come back."""
    while True:
        time.sleep(1)


def tools():
    return ["write_file", "read_file", end_process, hang]


def writes():
    call = ("write_file", {"path": "answer.txt", "content": "42\n"})
    return ScriptedModel([Turn(calls=[call], usage=Usage(100, 10, 50)), Turn("written", usage=Usage(150, 5))])


def talks():
    return ScriptedModel(["the answer is 42"])


def ends():
    return ScriptedModel([Turn("so", calls=[("end_process", {})])])


def hangs():
    return ScriptedModel([Turn(calls=[("hang", {})])])


def is_no_model():
    return "model"


def is_written(folder, answer):
    return (folder / "answer.txt").read_text() == "42\n"
