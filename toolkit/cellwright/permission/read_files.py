"""Whether a rule for a file tool speaks of a command line: `cat .env` reads that file as `read_file` would.

A person who denies a file means its content, not one way to it. So rules that restrict `read_file` are held against
the files that a command of a known program names, and against the folders that it walks through. Of other programs it
is not known what they do with a file or folder, so a rule for any of the file tools may mean it. The rule that must
never break: no word that names a file, or may once the shell has expanded it, passes a rule for that file in silence.
What stays unseen is what no word names: files that a program finds by itself, by its settings, its input or its code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cellwright.permission.covering import Likelihood, may_cover_place, wide_readings
from cellwright.permission.patterns import STAR, may_cover_text
from cellwright.permission.places import Places
from cellwright.permission.rules import Rule
from cellwright.permission.shell.word import HOLE

if TYPE_CHECKING:  # what is needed to read command lines is imported when the first one is judged
    from cellwright.permission.shell.parts import Part
    from cellwright.permission.shell.script import Command

READ_TOOL = "read_file"
FILE_TOOLS = frozenset({READ_TOOL, "edit_file", "write_file"})
BEFORE_PATH = re.compile("[=:,@]")
"""After what a path may stand in a word: `if=a`, `HEAD:a`, `src=a,dst=b`, `@a`."""


def may_cover_reading(rule: Rule, part: Part, places: Places) -> Likelihood:
    """Whether a rule that restricts a file tool covers what a part of a command line does with files."""
    if rule.tool not in FILE_TOOLS or not part.command.words or part.kind in ("wrapper", "function"):
        return "no"
    from cellwright.permission.shell.reading import named_files

    files = named_files(part.command)
    if files is None:  # a rule without a pattern speaks of the tool
        return "maybe" if not rule.covers_all and _may_touch(rule, part.command, places) else "no"
    if rule.tool != READ_TOOL or not (files.named or files.walked or files.is_open):
        return "no"
    if files.is_open or places.folders is None:
        return "maybe"
    found = {_covers(rule, text, places) for text in files.named}
    if "surely" in found:
        return "surely" if len(places.folders) == 1 else "maybe"
    walks = any(_may_hold(rule, text, places) for text in files.walked)
    return "maybe" if "maybe" in found or walks else "no"


def _may_touch(rule: Rule, command: Command, places: Places) -> bool:
    """Whether a program of which nothing is known may get what a rule covers."""
    from cellwright.permission.shell.reading import is_open

    words = command.words[1:]
    if words and (places.folders is None or any(is_open(word) for word in words)):
        return True
    set_for_it = [found.value for found in command.assignments if not is_open(found.value)]
    return any(
        _covers(rule, text, places) != "no" or _may_hold(rule, text, places)
        for word in (*words, *set_for_it)
        for text in _paths_in(word.text)
    )


def _paths_in(text: str) -> Iterator[str]:
    """What of a word of an unknown program may be a path."""
    yield text
    if text[:1] == "-" and text[2:]:
        yield text[2:]
    before = 0
    for found in BEFORE_PATH.finditer(text):
        yield from (part for part in (text[before : found.start()], text[found.end() :]) if part)
        before = found.end()


def _covers(rule: Rule, text: str, places: Places) -> Likelihood:
    known, hole, rest = _split(text)
    found, linked = places.of(known), places.linked(text)
    if found is None or linked is None or ".." in rest.split("/"):
        return "maybe"
    if rule.covers_all:
        inside = any(f"{path}/".startswith(f"{places.cwd}/") for path in (*(place.path for place in found), *linked))
        return "no" if not inside else "maybe" if hole else "surely"
    if not hole:
        return "surely" if any(may_cover_place(rule, place.path, places.cwd) for place in found) else "no"
    patterns = wide_readings(rule.pattern or "*", places.cwd)
    may = any(_may_name(pattern, f"{place.path}/{rest}") for pattern in patterns for place in found)
    return "maybe" if may or any(may_cover_place(rule, path, places.cwd) for path in linked) else "no"


def _may_name(pattern: str, path: str) -> bool:
    """Whether a path with wildcards may be what a pattern covers, or lie in it."""
    given, wanted = path.split("/"), pattern.split("/")
    if STAR in pattern:
        return any(may_cover_text(pattern, "/".join(given[:end])) for end in range(1, len(given) + 1))
    return len(wanted) <= len(given) and _may_begin(wanted, given)


def _may_hold(rule: Rule, text: str, places: Places) -> bool:
    """Whether something in a folder that is walked through may be what the rule covers."""
    known, hole, rest = _split(text)
    found, linked = places.of(known), places.linked(text)
    if found is None or linked is None:
        return True
    inside = [f"{place.path.rstrip('/')}/{rest}".rstrip("/").split("/") for place in found if place.is_folder or hole]
    inside += [path.split("/") for path in linked]
    if not inside:
        return False
    heads = [pattern.partition(STAR)[:2] for pattern in wide_readings(rule.pattern or "*", places.cwd)]
    return any(_may_begin((head + star).split("/"), given) for head, star in heads for given in inside)


def _may_begin(wanted: list[str], given: list[str]) -> bool:
    """Whether two paths may be the same as far as both go. Wildcards for files match no `/` and no first dot."""
    return all(
        may_cover_text(one, other) and (one[:1] != "." or other[:1] != HOLE)
        for one, other in zip(wanted, given, strict=False)
    )


def _split(text: str) -> tuple[str, bool, str]:
    """The folders of a path that are known, whether more of it is not, and the rest."""
    if HOLE not in text:
        return text, False, ""
    folder, slash, _ = text.partition(HOLE)[0].rpartition("/")
    return folder + slash or ".", True, text[len(folder + slash) :]
