"""The source files of a folder that can define something, found by ripgrep.

Who looks for one name need not parse all: a file that defines it holds it. Files that `.gitignore` excludes are left
out, unless no other file is there.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from msgspec import Struct

from cellwright.env import Env
from cellwright.outline.language import SUFFIXES
from cellwright.tools.ripgrep import Ended, ripgrep, unread_notes


class CodeFiles(Struct, frozen=True):
    """The files to read, sorted by path."""

    paths: tuple[Path, ...]
    total: int
    """Source files in all, with those that don't hold the name."""
    notes: tuple[str, ...] = ()


def code_files(folder: Path, symbol: str, env: Env) -> CodeFiles:
    """The source files below a folder; those that hold the last part of a symbol's name, where there is one."""
    chosen = [part for suffix in SUFFIXES for part in ("--type-add", f"code:*{_any_case(suffix)}")] + ["--type", "code"]
    names, ended = _names(["--files", *chosen], folder, env)
    notes: list[str] = []
    if not names:
        chosen.append("--no-ignore")
        names, ended = _names(["--files", *chosen], folder, env)
        notes = ["these files are excluded by .gitignore; no other source file is there"] * bool(names)
    total = len(names)
    plain = re.split(r"\.|::|\$", symbol)[-1]
    if re.fullmatch(r"[ -)+->@-~]+", plain):  # not a pattern, and a notebook may write any other letter as an escape
        chosen += ["--files-with-matches", "--ignore-case", "--fixed-strings", f"--regexp={plain}"]
        names, ended = _names(chosen, folder, env)
    unspeakable = [name for name in names if re.search("[\udc80-\udcff]", name)]
    if unspeakable:
        notes.append(f"{len(unspeakable):,} files have names that are not UTF-8 and can't be passed on")
    paths = sorted(folder / name for name in set(names).difference(unspeakable))
    return CodeFiles(tuple(paths), total, (*notes, *unread_notes(ended)))


def _names(options: list[str], folder: Path, env: Env) -> tuple[list[str], Ended]:
    names: list[str] = []

    def take(block: bytes) -> None:
        names.extend(os.fsdecode(name.removeprefix(b"./")) for name in block.split(b"\0"))

    return names, ripgrep([*options, "--null", "--", "."], folder, env, take, b"\0")


def _any_case(suffix: str) -> str:
    return "".join(f"[{c}{c.upper()}]" if c.isalpha() else c for c in suffix)
