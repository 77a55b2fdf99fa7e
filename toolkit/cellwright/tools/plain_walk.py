"""The files below the folder in which the program was started, as ripgrep would walk them, but in Python.

Folders are gone through in order and links are not followed, so that a walk ends and is the same each time. What can't
be read is told in ripgrep's words.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from cellwright.tools.glob_rules import Rules, read_rules, rule_of


class Walk(Struct, frozen=True):
    """Which files are wanted."""

    globs: Sequence[tuple[str, bool]]
    """Globs as `--glob` takes them (`!` excludes), and whether their case is ignored."""
    types: Sequence[str]
    """Globs of names; no file of another name is wanted. All, if there are none."""
    ignore_files: Sequence[str]
    by_rules: bool
    """Whether `.gitignore` counts."""

    def files(self) -> Iterator[str]:
        """The names, each as ripgrep gives it, in order; what can't be read is told on the standard error."""
        chosen = [rule for rule in (rule_of(glob, case) for glob, case in self.globs) if rule is not None]
        overrides = Rules("", tuple(chosen))
        types = Rules("", tuple(rule for rule in map(rule_of, self.types) if rule is not None))
        last = [read_rules(Path(file)) for file in self.ignore_files]
        wants = any(rule.excludes for rule in chosen)  # a plain glob is one that keeps what it fits
        yield from self._below("", [*last, *(_above() if self.by_rules else [])], overrides, types, wants)

    def _below(self, folder: str, rules: list[Rules], overrides: Rules, types: Rules, wants: bool) -> Iterator[str]:
        try:
            entries = sorted(os.scandir(folder or "."), key=lambda entry: os.fsencode(entry.name))
        except OSError as error:
            print(f"./{folder.rstrip('/')}: {error.strerror} (os error {error.errno})", file=sys.stderr)
            return
        if self.by_rules:
            rules = [*rules, read_rules(Path(folder, ".gitignore"), folder)]
        for entry in entries:
            path, is_folder = folder + entry.name, entry.is_dir(follow_symlinks=False)
            if entry.is_symlink() or _is_excluded(path, is_folder, rules, overrides, wants):
                continue
            if is_folder:
                yield from self._below(path + "/", rules, overrides, types, wants)
            elif stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode) and (
                not types.rules or types.verdict(path, False)
            ):
                yield "./" + path


def _is_excluded(path: str, is_folder: bool, rules: list[Rules], overrides: Rules, wants: bool) -> bool:
    kept = overrides.verdict(path, is_folder)
    if kept is not None:
        return not kept
    if wants and not is_folder:
        return True
    verdicts = (one.verdict(path, is_folder) for one in reversed(rules))
    return next((verdict for verdict in verdicts if verdict is not None), False)


def _above() -> list[Rules]:
    """The rules of the folders above, up to the root of a repository; the nearest come last."""
    here = Path.cwd()
    found = [read_rules(here / ".git" / "info" / "exclude")]
    below = ""
    for folder in [here, *here.parents]:
        if below:
            found.append(read_rules(folder / ".gitignore", below=below))
        if (folder / ".git").exists():
            break
        below = f"{folder.name}/{below}"
    return found[::-1]
