"""Globs and ignore files, as git and ripgrep read them, for where ripgrep is missing.

A rule without a slash fits a name at any depth, one with a slash fits from its folder on; of the rules that fit, the
last decides, and what is in an excluded folder is excluded whatever else is said of it.

Source: https://git-scm.com/docs/gitignore
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct


class GlobError(ValueError):
    """A text that is no glob."""


class Rule(Struct, frozen=True):
    """One line of an ignore file, or one glob."""

    pattern: re.Pattern[str]
    excludes: bool
    """False for a line that begins with `!`."""
    only_folders: bool


class Rules(Struct, frozen=True):
    """Rules that are seen from one folder."""

    folder: str
    """Its path from where a walk starts, with a slash at its end; empty for that place itself or one above."""
    rules: tuple[Rule, ...]
    below: str = ""
    """For a folder above, the path from there to where the walk starts, with a slash at its end."""

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """Whether a path is excluded; None if no rule fits it."""
        if not path.startswith(self.folder):
            return None
        inner = self.below + path.removeprefix(self.folder)
        for rule in reversed(self.rules):
            if (is_folder or not rule.only_folders) and rule.pattern.fullmatch(inner):
                return rule.excludes
        return None


def rules_of(lines: Iterable[str], folder: str = "", ignore_case: bool = False) -> Rules:
    """The rules that lines hold; what is no glob is passed over."""
    found = []
    for line in lines:
        try:
            rule = rule_of(line, ignore_case)
        except GlobError:
            continue
        if rule is not None:
            found.append(rule)
    return Rules(folder, tuple(found))


def rule_of(line: str, ignore_case: bool = False) -> Rule | None:
    """The rule in a line, None for a blank line or a comment.

    Raises:
        GlobError: if it is no glob.
    """
    text = re.sub(r"(?<!\\) +$", "", line.rstrip("\r\n"))
    if not text or text.startswith("#"):
        return None
    excludes = not text.startswith("!")
    text = text.removeprefix("!")
    only_folders = text.endswith("/") and text != "/"
    text = text.rstrip("/") if only_folders else text
    anchored = "/" in text
    text = text.removeprefix("/")
    body = glob_expression(text)
    try:
        pattern = re.compile(body if anchored else f"(?:.*/)?{body}", re.S | re.I * ignore_case)
    except (re.error, RecursionError, OverflowError) as error:
        raise GlobError(f"error parsing glob '{text}': {error}") from None
    return Rule(pattern, excludes, only_folders)


@functools.cache
def glob_expression(glob: str) -> str:
    """The regular expression of a glob: `*` and `?` stay within a folder, `**` crosses folders.

    Raises:
        GlobError: if it is no glob.
    """
    made, at, depth = "", 0, 0
    while at < len(glob):
        char = glob[at]
        at += 1
        stars = re.match(r"\*\*(?:/|$)", glob[at - 1 :]) if char == "*" and made[-1:] in ("", "/") else None
        if stars and at - 1 + stars.end() == len(glob) and not stars[0].endswith("/"):
            return made + ".*" + _closed(glob, depth)
        if stars:
            made, at = made + "(?:.*/)?", at - 1 + stars.end()
        elif char == "[":
            part, at = _class(glob, at)
            made += part
        elif char == "\\" and at < len(glob):
            made, at = made + re.escape(glob[at]), at + 1
        elif char in "{}," and (char == "{" or depth):
            depth += (char == "{") - (char == "}")
            made += {"{": "(?:", "}": ")", ",": "|"}[char]
        elif char != "*" or not made.endswith("[^/]*"):  # of stars in a row one says it all, and many take for ever
            made += {"*": "[^/]*", "?": "[^/]"}.get(char, re.escape(char))
    return made + _closed(glob, depth)


def _closed(glob: str, depth: int) -> str:
    if depth:
        raise GlobError(f"error parsing glob '{glob}': unclosed alternate group; missing '}}'")
    return ""


def _class(glob: str, at: int) -> tuple[str, int]:
    found = re.match(r"([!^]?)(\]?[^\]]*)\]", glob[at:])
    if not found:
        raise GlobError(f"error parsing glob '{glob}': unclosed character class; missing ']'")
    inner = re.sub(r"([\\\[&~|^])", r"\\\1", found[2])
    return f"(?!/)[{'^' * bool(found[1])}{inner}]", at + found.end()


def read_rules(file: Path, folder: str = "", below: str = "") -> Rules:
    """The rules in an ignore file; none if it can't be read."""
    try:
        text = file.read_text("utf-8-sig", "replace")
    except OSError:
        return Rules(folder, ())
    return Rules(folder, rules_of(text.split("\n")).rules, below)
