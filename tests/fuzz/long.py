"""The long fuzz: `make fuzz` attacks all targets for FUZZ_SECONDS (300), or until it is stopped.

Each target has a process of its own, which tells the seed it is at. So a crash of the interpreter is seen, and an
attack that does not come to its end is stopped and counts as found. One is repeated by
`python -m tests.fuzz.long TARGET SEED`.
"""

import multiprocessing
import os
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import Synchronized
from random import Random

from .targets import TARGETS, attacks, can_run

HANGS_AFTER = 30
"""Seconds for one attack; the slowest takes about one on an idle machine."""
SPAWNED = multiprocessing.get_context("spawn")  # a fork would copy the threads' locks
SHOWN = 10
"""Findings that are shown of each target."""


@dataclass
class Tally:
    """What came of the attacks on one target."""

    target: str
    made: int = 0
    through: int = 0
    found: Counter[str] = field(default_factory=Counter)
    """Each finding, with the seed that shows it."""


def once(target: str, seed: int) -> None:
    """One attack, with its traceback."""
    with attacks() as made:
        print(f"{target} {seed}: {'got through' if made[target](Random(seed)) else 'was refused'}")


def work(target: str, first: int, seconds: float, at: "Synchronized[int]", tell: Connection) -> None:
    """Attacks in this process until its time is up."""
    tally, until = Tally(target), time.time() + seconds
    with attacks() as made:
        for seed in range(first, first + 10**9):
            if time.time() > until:
                break
            at.value = seed
            tally.made += 1
            try:
                tally.through += bool(made[target](Random(seed)))
            except Exception as error:
                why = str(error) if isinstance(error, AssertionError) else traceback.format_exc(limit=-2)
                tally.found[f"seed {seed}: {why[:600]}"] += 1
                if len(tally.found) >= SHOWN:
                    break
    tell.send(tally)


def attacked(target: str, seconds: float, first: int) -> Tally:
    """The tally of one target; the process is watched, and started again after a hang or a crash."""
    total, until = Tally(target), time.time() + seconds
    while time.time() < until and len(total.found) < SHOWN:
        at = SPAWNED.Value("q", first)
        ours, theirs = SPAWNED.Pipe(duplex=False)
        process = SPAWNED.Process(target=work, args=(target, first, until - time.time(), at, theirs), daemon=True)
        process.start()
        theirs.close()
        problem = watched(process, at)
        if problem:
            total.found[f"seed {at.value}: {problem}"] += 1
        elif ours.poll():
            tally = ours.recv()
            total = Tally(target, total.made + tally.made, total.through + tally.through, total.found + tally.found)
        first = at.value + 1
    return total


def watched(process: BaseProcess, at: "Synchronized[int]") -> str:
    """Waits for the process; what is wrong with it, if anything."""
    seen, since = at.value, time.monotonic()
    while process.is_alive():
        process.join(0.5)
        if at.value != seen:
            seen, since = at.value, time.monotonic()
        elif time.monotonic() - since > HANGS_AFTER:
            process.kill()
            process.join()
            return f"no end after {HANGS_AFTER} seconds"
    return f"the process ended with {process.exitcode}" if process.exitcode else ""


def main() -> int:
    """Attacks everything; 1 if something was found."""
    if len(sys.argv) == 3:
        once(sys.argv[1], int(sys.argv[2]))
        return 0
    seconds = float(os.environ.get("FUZZ_SECONDS", "300"))
    first = int(os.environ.get("FUZZ_SEED", time.time_ns() // 1_000_000))
    chosen = [target for target in TARGETS if can_run(target)]
    workers = max(1, min(len(chosen), os.cpu_count() or 1))
    share = seconds * workers / sum(TARGETS[target] for target in chosen)
    print(f"{len(chosen)} targets, about {seconds:.0f} seconds, from seed {first}", flush=True)
    for target in set(TARGETS) - set(chosen):
        print(f"{target} is left out: there is no bash here")
    with ThreadPoolExecutor(workers) as pool:
        order = sorted(chosen, key=lambda target: -TARGETS[target])
        tallies = pool.map(lambda target: attacked(target, share * TARGETS[target], first), order)
        found = 0
        for tally in tallies:
            print(f"{tally.target:18} {tally.made:>9,} attacks, {tally.through:>9,} got through", flush=True)
            for finding in tally.found:
                print(f"  FOUND {finding}", flush=True)
            found += len(tally.found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
