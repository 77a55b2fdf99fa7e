"""What a project tells every agent that works in it: `AGENTS.md` and `.cellwright/instructions.md`.

How to run the tests, which files to leave alone: it would have to be said again in each prompt. So these files are read
when a run begins and stand behind the agent's own system prompt, each under its name; `AGENTS.md` is what other agents
read, too (https://agents.md). They stay the same for the whole run, so that a provider can keep what it has read. The
rule that must never break: they are words to a model and no more; what it may do, only rules, modes and the person say,
and that a file was read is written into the log.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from cellwright.calls.limits import cut
from cellwright.env import contained_path
from cellwright.errors import ToolError
from cellwright.files.disk import read_text_file
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_spelling

FILES = ("AGENTS.md", ".cellwright/instructions.md")
"""Relative to the working folder, in the order in which they are told."""
LONGEST = 40_000
"""Characters that are told of one file; of a longer one the start and the end."""


class Instructions(Struct, frozen=True):
    """What a project tells, and what a person should know of it."""

    text: str
    notes: tuple[str, ...]

    def after(self, system: str) -> str:
        """The system prompt with the instructions behind it."""
        return "\n\n".join(part for part in (system, self.text) if part)


def project_instructions(cwd: Path) -> Instructions:
    """The instructions of the project in a folder; none if it has none. A file that can't be read is named."""
    parts, notes = [], []
    for name, text, note in _read(cwd):
        notes.append(note)
        if text:
            parts.append(f"Instructions of the project, from {name}:\n{text}")
    return Instructions("\n\n".join(parts), tuple(notes))


def _read(cwd: Path) -> Iterator[tuple[str, str, str]]:
    """Name, text and note of each file that is there."""
    for name in FILES:
        if not (cwd / name).is_file():
            continue
        try:
            written = read_text_file(contained_path(name, cwd)).text.strip()
            text = mark_spelling(written)
        except ToolError as error:
            yield name, "", f"the instructions in {name} were not read: {error.message}"
            continue
        told = cut(text, LONGEST)[0]
        part = f", of which the model is told {quantity(len(told), 'character')}" if told != text else ""
        part += ", hidden ones named" if text != written else ""
        yield name, told, f"the model is told the instructions in {name}: {quantity(len(text), 'character')}{part}"
