"""Searching, reading and comparing files, beside the program or the bytes that each of them can't do without.

A tree of 100,000 files is searched by ripgrep as a person would type it and by `search_code` through all stages; a
window of a file of a gigabyte is read near its beginning and deep inside, where lines must be counted on the way, for
the first time and again; two files of 10,000 lines are compared that differ in many places, and two that were made to
be hard.
"""

import asyncio
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from clock import MS, answers, cpu, tell, wall, wall_awaited

from cellwright import Env, Policy, Registry
from cellwright.calls.conditions import Conditions, Standing
from cellwright.calls.passage import Setup
from cellwright.calls.pipeline import run_call
from cellwright.catalogue import load
from cellwright.files.ledger import Ledger
from cellwright.log.events import Log
from cellwright.messages import Call
from cellwright.person.approval import DenyAll
from cellwright.text.text_diff import change_notes, unified_diff
from cellwright.tools.ripgrep import program
from cellwright.undo.snapshots import Snapshots

FOLDERS, FILES = 1000, 100
LINE = b"%07d the quick brown fox jumps over the lazy dog, and runs away from it in the end\n"
GIGABYTE = 1_000_000_000


def fill(root: Path) -> None:
    """A tree of 100,000 source files of 25 lines; a thousandth holds the word that is looked for."""
    dice = random.Random(1)
    words = ["".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=dice.randint(3, 9))) for _ in range(2000)]
    texts = ["\n".join(" ".join(dice.choices(words, k=8)) for _ in range(25)) + "\n" for _ in range(200)]
    for number in range(FOLDERS):
        folder = root / f"package{number % 50:02}" / f"module{number:03}"
        folder.mkdir(parents=True)
        for index in range(FILES):
            text = dice.choice(texts) + "def needle(): pass\n" * (index == 7 and number % 10 == 0)
            (folder / f"file{index:02}.py").write_text(text)


async def called(name: str, args: dict[str, object], folder: Path, rounds: int = 5) -> float:
    """Seconds of a call of a tool, through all stages."""
    tool = load(name)
    env = Env(folder.resolve(), Ledger(by_person=True))
    around = Setup(Registry([tool]), env, Standing(Conditions(Policy())), approver=DenyAll(), log=Log())

    async def call() -> None:
        answers((await run_call(Call("call_1", name, json.dumps(args)), around)).ok, True)

    return await wall_awaited(call, rounds)


def searched(pattern: str, folder: Path, *options: str) -> float:
    """Seconds of ripgrep itself."""
    command = [program() or "rg", *options, "--line-number", pattern, "."]
    return wall(lambda: subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True))


async def search(folder: Path) -> dict[str, float]:
    """One word in a hundred of the files, a pattern in each eighth, and one that fits nearly every line."""
    found = {}
    for name, pattern in (("rare", "needle"), ("common", "ab.d"), ("flood", "e")):
        found[f"rg_{name}_ms"] = searched(pattern, folder) * MS
        found[f"search_{name}_ms"] = await called("search_code", {"pattern": pattern}, folder) * MS
    return found


async def read(folder: Path) -> dict[str, float]:
    """A window of a gigabyte: near the beginning, after a tenth and nine tenths of all lines, and there once more."""
    lines = GIGABYTE // len(LINE % 0)
    with Path(folder, "huge.txt").open("wb") as file:
        for first in range(0, lines, 50_000):
            file.write(b"".join(LINE % number for number in range(first, min(first + 50_000, lines))))
    windows = {"near": 1_000, "tenth": lines // 10, "deep": lines * 9 // 10}
    found = {}
    for name, at in windows.items():
        args = {"path": "huge.txt", "offset": at, "limit": 100}
        found[f"window_{name}_ms"] = min([await called("read_file", args, folder, rounds=1) for _ in range(3)]) * MS
    found["window_deep_again_ms"] = await called("read_file", args, folder) * MS
    return found


def texts() -> Iterator[tuple[str, str, str]]:
    """Pairs of texts of 10,000 lines: what they are called, the old and the new."""
    dice = random.Random(1)
    words = ["".join(dice.choices("abcdefgh", k=6)) for _ in range(3000)]
    usual = ["", "}", "    return", "    pass"]
    old = [dice.choice(usual) if dice.random() < 0.3 else " ".join(dice.choices(words, k=7)) for _ in range(10_000)]
    edited = [line for line in old if dice.random() > 0.05]
    for at in dice.sample(range(len(edited)), 500):
        edited[at] = " ".join(dice.choices(words, k=7))
    yield "edited", "\n".join(old), "\n".join(edited)
    yield "shuffled", "\n".join(old), "\n".join(dice.sample(old, len(old)))
    yield "two_words", "\n".join(dice.choices("ab", k=10_000)), "\n".join(dice.choices("ab", k=10_000))


def compared() -> dict[str, float]:
    """A diff and the notes on it, as a view takes them."""
    return {
        f"diff_{name}_ms": cpu(lambda old=old, new=new: (unified_diff(old, new, "f"), change_notes(old, new))) * MS
        for name, old, new in texts()
    }


def kept(folder: Path) -> dict[str, float]:
    """What it costs to keep a copy of a file of 20 MB before a call changes it, beside a plain copy of it."""
    path = folder / "notebook.ipynb"
    path.write_bytes(random.Random(1).randbytes(20_000_000))
    snapshots = Snapshots(folder, "run-1")
    return {
        "snapshot_20_mb_ms": cpu(lambda: snapshots.keep(path)) * MS,
        "plain_copy_20_mb_ms": cpu(lambda: shutil.copyfile(path, folder / "copy")) * MS,
    }


async def measured() -> dict[str, float]:
    """All of it."""
    found = compared()
    with tempfile.TemporaryDirectory() as folder:
        found |= kept(Path(folder))
        found |= await read(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        print("a tree of 100,000 files is made ...", file=sys.stderr)
        await asyncio.to_thread(fill, Path(folder))
        found |= await search(Path(folder))
    return found


if __name__ == "__main__":
    tell(measured)
