"""The parts of a command line, each of which must be allowed for the whole to run.

A part is a simple command, a wrapper around one, a redirection, an assignment that steers programs, or something that
can't be understood. Wrappers are opened, and texts that a shell will read are read, so that what comes out is what
would run. The rule that must never break: nothing runs that is not inside a part.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cellwright.permission.shell.grammar import UnclearError
from cellwright.permission.shell.script import RESERVED, Command, Redirection, Script, read_script
from cellwright.permission.shell.variables import is_harmless
from cellwright.permission.shell.word import Word
from cellwright.permission.shell.wrappers import unwrapped

MAX_DEPTH = 8
"""Wrappers within wrappers, and texts within texts that a shell would read."""
MAX_PARTS = 500
HARMLESS_TARGETS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2"})
NO_COMMAND = Command(())


class Part(Struct, frozen=True):
    """One thing that a command line does."""

    kind: Literal["command", "wrapper", "function", "redirection", "assignment", "unclear"]
    """`wrapper` and `function` run only what is in other parts."""
    source: str
    """As it is written, on one line."""
    command: Command = NO_COMMAND
    redirection: Redirection | None = None
    why: str = ""
    """Why it is unclear."""

    @property
    def sets_nothing(self) -> bool:
        """Whether nothing is set for the command but harmless variables."""
        return all(is_harmless(found.name, found.value, alone=False) for found in self.command.assignments)

    @property
    def spellings(self) -> tuple[tuple[Word, ...], ...]:
        """The words a rule may mean: with all assignments, and without those that are harmless."""
        given = [(found, Word(f"{found.name}={found.value.text}", found.source)) for found in self.command.assignments]
        kept = [word for found, word in given if not is_harmless(found.name, found.value, not self.command.words)]
        whole = (*(word for _, word in given), *self.command.words)
        return (whole,) if len(kept) == len(given) else (whole, (*kept, *self.command.words))


@lru_cache(maxsize=32)  # of a pure function: guards and deciders look at the same line one after another
def read_parts(line: str) -> tuple[Part, ...]:
    """The parts of a command line; a single unclear one, if it can't be understood."""
    try:
        found = []
        for part in _parts(read_script(line), 0):
            found.append(part)
            if len(found) > MAX_PARTS:
                raise UnclearError(f"it has more than {MAX_PARTS} parts")
    except UnclearError as error:
        return (Part("unclear", line, why=str(error)),)
    return tuple(found)


def _parts(script: Script, depth: int, repeats: bool = False) -> Iterator[Part]:
    for command in script.commands:
        yield from _of_command(replace(command, repeats=repeats or command.repeats), script, depth)
    for redirection in script.redirections:
        target = redirection.target
        if not (target.is_literal and target.text in HARMLESS_TARGETS):
            yield Part("redirection", redirection.source, redirection=redirection)


def _of_command(command: Command, script: Script, depth: int) -> Iterator[Part]:
    if not command.words:
        if not all(is_harmless(found.name, found.value, alone=True) for found in command.assignments):
            yield Part("assignment", command.source, command)
        return
    name = command.words[0]
    if not name.is_literal or name.source in RESERVED:
        why = "its name is a word of the shell's grammar" if name.is_literal else "its name is not written out"
        yield Part("unclear", command.source, command, why=why)
        return
    if name.text in script.functions:
        yield Part("function", command.source, command)
        return
    try:
        inside = unwrapped(command, read_script)
        if inside is not None and depth >= MAX_DEPTH:
            raise UnclearError("wrappers are nested too deeply")
    except UnclearError as error:
        yield Part("unclear", command.source, command, why=str(error))
        return
    if inside is None or inside.adds:
        yield Part("command", command.source, command)
    else:
        yield Part("wrapper", command.source, command)
        if not all(is_harmless(found.name, found.value, alone=False) for found in command.assignments):
            alone = Command((), command.assignments)
            yield Part("assignment", alone.source, alone)
    if inside is not None:
        yield from _parts(inside.script, depth + 1, command.repeats or name.text == "trap")
