"""What is attacked, by name. Each attack is made from a seed alone, so what it finds can be repeated.

An attack raises an AssertionError that shows what went wrong; any other exception is a crash. It gives back whether
it got through, which tells how much of what was made up is worth anything.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random

from . import kills, logs, rules, shell, texts
from .bash import BASH, Sandbox

Attack = Callable[[Random], bool]
TARGETS: dict[str, int] = {
    "arguments": 2,
    "json": 1,
    "long-arguments": 1,
    "buried-commands": 6,
    "real-bash": 6,
    "word-patterns": 1,
    "path-patterns": 1,
    "rule-names": 1,
    "grants": 1,
    "lasting-approvals": 1,
    "killed-processes": 2,
    "changed-logs": 2,
}
"""The targets, with their share of the time."""
NEEDS_BASH = frozenset({"real-bash"})
NEEDS_POSIX = frozenset({"killed-processes"})


def can_run(name: str) -> bool:
    """Whether this machine has what the target needs."""
    return (name not in NEEDS_BASH or BASH is not None) and (name not in NEEDS_POSIX or os.name == "posix")


@contextmanager
def attacks() -> Iterator[dict[str, Attack]]:
    """The attack on each target, with a folder of their own while they are used."""
    with tempfile.TemporaryDirectory() as place:
        sandbox = Sandbox(Path(place))
        folder = sandbox.folder
        yield {
            "arguments": texts.attack,
            "json": texts.attack_json,
            "long-arguments": texts.heavy,
            "buried-commands": partial(shell.bury, folder=folder),
            "real-bash": partial(shell.stir, sandbox=sandbox),
            "word-patterns": rules.attack_words,
            "path-patterns": rules.attack_texts,
            "rule-names": rules.attack_names,
            "grants": partial(rules.attack_grants, folder=folder),
            "lasting-approvals": partial(rules.attack_lasting, folder=folder),
            "killed-processes": partial(kills.attack, folder=folder),
            "changed-logs": partial(logs.attack, folder=folder),
        }
