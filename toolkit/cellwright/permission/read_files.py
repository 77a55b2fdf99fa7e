"""Whether a rule for `read_file` speaks of what a command line reads: `cat .env` reads that file as the tool would.

A person who denies a file means its content, not one way to it. So rules that restrict `read_file` are held against
the files that a command of a known program names, and against the folders that it walks through. A program that is
not known is asked about anyway. The rule that must never break: what a known command may read is never read past a
rule; where it can't be told whether it does, that is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cellwright.env import Env, contained_path
from cellwright.errors import ToolError
from cellwright.permission.covering import Likelihood, may_cover_path
from cellwright.permission.line_folders import Folders
from cellwright.permission.patterns import STAR, may_cover_text, path_pattern
from cellwright.permission.rules import Rule
from cellwright.permission.shell.word import HOLE

if TYPE_CHECKING:  # what is needed to read command lines is imported when the first one is judged
    from cellwright.permission.shell.parts import Part

READ_TOOL = "read_file"


def may_cover_reading(rule: Rule, part: Part, env: Env, folders: Folders) -> Likelihood:
    """Whether a rule that restricts `read_file` covers what a part of a command line reads."""
    if rule.tool != READ_TOOL or not part.command.words:
        return "no"
    from cellwright.permission.shell.reading import named_files

    files = named_files(part.command)
    if folders is None:
        return "maybe" if files.named or files.walked else "no"
    found = {_covers(rule, text, env, folder) for text in files.named for folder in folders}
    walked = {_lies_in(rule, text, env, folder) for text in files.walked for folder in folders}
    if "surely" in found:
        return "surely" if len(folders) == 1 else "maybe"
    return "maybe" if "maybe" in found or True in walked else "no"


def _covers(rule: Rule, text: str, env: Env, folder: str) -> Likelihood:
    known, hole, rest = _split(text)
    path = _relative(known, env, folder)
    if path is None:  # it lies elsewhere, where a rule for this folder says nothing
        return "no"
    if not hole:
        return "surely" if may_cover_path(rule, path) else "no"
    if ".." in rest.split("/") or rule.pattern is None:
        return "maybe"
    return "maybe" if _may_name(path_pattern(rule.pattern), f"{path}/{rest}".removeprefix("./")) else "no"


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
    start = path_pattern(rule.pattern or "*").partition(STAR)[0]
    within = "" if path == "." else f"{path}/"
    return start.startswith(within) or within.startswith(start)


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
