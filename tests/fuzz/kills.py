"""Processes that are killed in the midst of a run: whenever that was, their logs load, are mended and gone on from."""

from pathlib import Path
from random import Random
from tempfile import mkdtemp

from tests.core.crashes import crashed, survives

AT_ONCE = 8


def attack(random: Random, folder: Path) -> bool:
    """Kills some, each at another moment."""
    place = Path(mkdtemp(dir=folder))
    logs = crashed(place, random.randrange(10**9), AT_ONCE)
    return sum(survives(log) for log in logs) >= AT_ONCE // 2
