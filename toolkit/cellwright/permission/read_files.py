"""Whether a rule for a file tool speaks of a command line: `cat .env` reads that file as `read_file` would.

A person who denies a file means its content, not one way to it. So rules that restrict `read_file` are held against
the files that a command of a known program names, and against the folders that it walks through. Of other programs it
is not known what they do with a file, so a rule for any of the file tools may mean them. The rule that must never
break: no command that names a file passes a rule for it in silence; where it can't be told, that is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cellwright.env import Env, contained_path
from cellwright.errors import ToolError
from cellwright.permission.covering import Likelihood, may_cover_path, placed, wide_readings
from cellwright.permission.line_folders import Folders
from cellwright.permission.patterns import STAR, may_cover_text
from cellwright.permission.rules import Rule
from cellwright.permission.shell.word import HOLE

if TYPE_CHECKING:  # what is needed to read command lines is imported when the first one is judged
    from cellwright.permission.shell.parts import Part

READ_TOOL = "read_file"
FILE_TOOLS = frozenset({READ_TOOL, "edit_file", "write_file"})


def may_cover_reading(rule: Rule, part: Part, env: Env, folders: Folders) -> Likelihood:
    """Whether a rule that restricts a file tool covers what a part of a command line does with files."""
    if rule.tool not in FILE_TOOLS or not part.command.words or part.kind in ("wrapper", "function"):
        return "no"
    from cellwright.permission.shell.reading import named_files

    files = named_files(part.command)
    if files is None:
        if rule.covers_all:  # which speaks of the tool
            return "no"
        return (
            "maybe" if any(_covers(rule, t, env, f) != "no" for t in _named(part) for f in folders or (".",)) else "no"
        )
    if rule.tool != READ_TOOL:
        return "no"
    if folders is None:
        return "maybe" if files.named or files.walked else "no"
    found = {_covers(rule, text, env, folder) for text in files.named for folder in folders}
    walked = {_lies_in(rule, text, env, folder) for text in files.walked for folder in folders}
    if "surely" in found:
        return "surely" if len(folders) == 1 else "maybe"
    return "maybe" if "maybe" in found or True in walked else "no"


def _named(part: Part) -> Iterator[str]:
    """What of the words of an unknown program may be files; not those of which nothing is known."""
    for word in part.command.words[1:]:
        yield from (text for text in (word.text, word.text.partition("=")[2]) if text and text[0] != HOLE)


def _covers(rule: Rule, text: str, env: Env, folder: str) -> Likelihood:
    known, hole, rest = _split(text)
    path = _relative(known, env, folder)
    if path is None:  # it lies elsewhere, where a rule for this folder says nothing
        return "no"
    if not hole:
        return "surely" if may_cover_path(rule, path, str(env.cwd)) else "no"
    if ".." in rest.split("/") or rule.pattern is None:
        return "maybe"
    whole = f"{placed(path, str(env.cwd))}/{rest}"
    may = any(_may_name(pattern, whole) for pattern in wide_readings(rule.pattern, str(env.cwd)))
    return "maybe" if may else "no"


def _may_name(pattern: str, path: str) -> bool:
    """Whether a path with wildcards may be what a pattern covers, or lie in it. They match no `/` and no first dot."""
    given, wanted = path.split("/"), pattern.split("/")
    if STAR in pattern:
        return any(may_cover_text(pattern, "/".join(given[:end])) for end in range(1, len(given) + 1))
    return len(wanted) <= len(given) and all(
        may_cover_text(one, other) and (one[:1] != "." or other[:1] != HOLE)
        for one, other in zip(wanted, given, strict=False)
    )


def _lies_in(rule: Rule, text: str, env: Env, folder: str) -> bool:
    """Whether something in a folder that is walked through may be what the rule covers."""
    path = _relative(_split(text)[0], env, folder)
    if path is None or not (env.cwd / path).is_dir():
        return False
    within = f"{placed(path, str(env.cwd))}/"
    starts = [pattern.partition(STAR)[0] for pattern in wide_readings(rule.pattern or "*", str(env.cwd))]
    return any(start.startswith(within) or within.startswith(start) for start in starts)


def _split(text: str) -> tuple[str, bool, str]:
    """The folders of a path that are known, whether more of it is not, and the rest."""
    if HOLE not in text:
        return text, False, ""
    folder, slash, _ = text.partition(HOLE)[0].rpartition("/")
    return folder + slash or ".", True, text[len(folder + slash) :]


def _relative(path: str, env: Env, folder: str) -> str | None:
    try:
        return contained_path(f"{folder}/{path}" if path[:1] != "/" else path, env.cwd).relative_to(env.cwd).as_posix()
    except ToolError:
        return None
