"""A process that is killed in the midst of a run: `python crash.py LOG die` kills itself; else it works on and on."""

import itertools
import os
import sys

from cellwright import Agent, ScriptedModel, Turn, tool


@tool(read_only=True)
def die() -> str:
    """Ends the process as a crash would."""
    os.kill(os.getpid(), 9)
    return ""


@tool(read_only=True, concurrency_safe=True)
def work(n: int) -> str:
    """Gives a text of some length."""
    return f"{n} " * 500


def turns():
    """Turns with one call, with many, and a text."""
    for n in itertools.count():
        yield Turn("so", [("work", {"n": n})])
        yield Turn("and", [("work", {"n": n})] * 5)


if __name__ == "__main__":
    path, way = sys.argv[1:]
    if way == "die":
        Agent(ScriptedModel([Turn(calls=[("die", {})])]), [die], log=path).run_sync("go")
    else:
        Agent(ScriptedModel(itertools.islice(turns(), 10_000)), [work], log=path).run_sync("go")
