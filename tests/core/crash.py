"""A process that is killed in the midst of a run: `python crash.py FOLDER SEED COUNT` kills so many, each with a log of
its own, at a moment that the seed decides: the first while it starts, every third just after its log was made, the
others in the midst of the run. A child notes each event that it was told of in `N.told`."""

import itertools
import os
import random
import sys
import time
from pathlib import Path

from cellwright import Agent, ScriptedModel, Turn, tool
from cellwright.runs.budget import Budget


@tool(read_only=True)
def alone(n: int) -> str:
    """Gives a text of some length."""
    return f"{n} " * 500


@tool(read_only=True, concurrency_safe=True)
async def beside(n: int) -> str:
    """Gives the same, beside others."""
    return f"{n} é" * 500


class Told:
    """Notes the numbers of the events that it was told."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_WRONLY)

    def on_event(self, event) -> None:
        os.write(self._file, f"{event.number}\n".encode())


def turns():
    """Turns with one call, and with several."""
    for n in itertools.count():
        yield Turn("so", [("alone", {"n": n})])
        yield Turn("and é", [("beside", {"n": n})] * 5 + [("alone", {"n": n})])


def work(log: Path) -> None:
    """Works until it is killed."""
    model = ScriptedModel(itertools.islice(turns(), 20_000))
    agent = Agent(
        model, [alone, beside], log=log, observers=[Told(log.with_suffix(".told"))], budget=Budget(steps=None)
    )
    agent.run_sync("go")


def main(folder: Path, seed: int, count: int) -> None:
    """Starts and kills them one after another."""
    moments = random.Random(seed)
    for number in range(count):
        child = os.fork()
        if child == 0:
            work(folder / f"{number}.log")
            os._exit(0)
        at_once = number % 3 == 1
        awaited, until = folder / f"{number}.{'log' if at_once else 'told'}", time.monotonic() + 30
        while number and not (awaited.exists() and (at_once or awaited.stat().st_size)) and time.monotonic() < until:
            time.sleep(0.001)
        time.sleep(moments.uniform(0, 0.01 if at_once else 0.1))
        os.kill(child, 9)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
