"""What `.gitignore` excludes in a folder.

ripgrep knows the rules, and lists files, not folders. So two walks are held against each other, one with the rules and
one without: what has files in the second and none in the first is excluded. A folder without any file is not.
"""

from __future__ import annotations

import os
from pathlib import Path

from cellwright.env import Env
from cellwright.tools.ripgrep import ripgrep


def ignored_in(folder: Path, depth: int, env: Env) -> frozenset[str]:
    """The paths of what is excluded in a folder, seen from it, down to so many levels."""
    return _with_files(["--no-ignore"], folder, depth, env) - _with_files([], folder, depth, env)


def _with_files(options: list[str], folder: Path, depth: int, env: Env) -> frozenset[str]:
    seen: set[bytes] = set()

    def take(block: bytes) -> None:
        for name in block.split(b"\0"):
            parts = name.removeprefix(b"./").split(b"/")[:depth]
            seen.update(b"/".join(parts[:length]) for length in range(1, len(parts) + 1))

    ripgrep(["--files", "--null", *options, "--", "."], folder, env, take, b"\0")
    return frozenset(map(os.fsdecode, seen))
