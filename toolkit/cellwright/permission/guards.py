"""Checks that can only deny, and that no rule, hook, mode or person can lift.

A guard returns the reason for its denial, or None. Guards run before permission, on typed arguments, with paths
seen as the system sees them: links followed, contained by parts and never by a string prefix.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cellwright.env import Env, contained_path
from cellwright.errors import ToolError
from cellwright.messages import JsonObject, told
from cellwright.permission.credentials import leads_to_credentials
from cellwright.permission.decision import Mode
from cellwright.permission.judgement import MAX_WORDS, given_paths, reads_only
from cellwright.permission.line_folders import line_folders, start_of
from cellwright.permission.shell.wildcard import Wildcards
from cellwright.permission.shell.word import HOLE
from cellwright.permission.startup_files import decides_what_runs, is_setting, names_startup_file, own_rules
from cellwright.tool import Tool

if TYPE_CHECKING:
    from cellwright.permission.shell.parts import Part
    from cellwright.permission.shell.word import Word

Guard = Callable[[Tool, JsonObject, Env, Mode], str | None]


def within_budget(tool: Tool, args: JsonObject, env: Env, mode: Mode) -> str | None:
    """Nothing runs once the budget of the run is overspent."""
    spent = env.spending.overspent()
    return f"{spent}, so no more calls run; say what you found and what is left to do" if spent else None


def inside_working_folder(tool: Tool, args: JsonObject, env: Env, mode: Mode) -> str | None:
    """Every path lies in the working folder once links are followed."""
    for given in given_paths(tool, args):
        try:
            env.path(given)
        except ToolError as error:
            return error.message
    return None


def no_credentials(tool: Tool, args: JsonObject, env: Env, mode: Mode) -> str | None:
    """No path leads into a folder that holds keys and passwords. Runs after the guard that follows the paths."""
    for given in given_paths(tool, args):
        if leads_to_credentials(env.path(given).relative_to(env.cwd).parts):
            return f"{given!r} is a place for credentials, which tools never touch; work without it"
    words = {word.source: word for word in _command_words(tool, args)} if tool.command else {}
    folders, wildcards = _folders(tool, args, env), Wildcards()
    for source, word in words.items():
        followed = len(words) <= MAX_WORDS  # a longer line is looked at by its words only
        places = (
            [path.relative_to(env.cwd).parts for path in _places(word, env, folders, wildcards)] if followed else []
        )
        spelled = re.split(r"[/=:,@{}]", source if word.text == HOLE else word.text)
        if any(map(leads_to_credentials, (spelled, *places))):
            return f"{source!r} is a place for credentials, which tools never touch; work without it"
    return None


def rules_stay(tool: Tool, args: JsonObject, env: Env, mode: Mode) -> str | None:
    """No edit changes what decides over later calls: rules, and what git, kernels and shells run by themselves."""
    for given in given_paths(tool, args) if not tool.trait("read_only", args) else ():
        if decides_what_runs(env.path(given), env.cwd):
            return f"{given!r} decides what runs later, so tools never change it; ask the person to do it"
    folders, wildcards, own = _folders(tool, args, env), Wildcards(), own_rules() if tool.command else None
    for target in _written_files(tool, args):
        is_one = names_startup_file(target.text.split("/"))
        if is_one or any(decides_what_runs(path, env.cwd, own) for path in _places(target, env, folders, wildcards)):
            return f"{target.source!r} decides what runs later, so tools never change it; ask the person to do it"
    return None


def changes_settings(tool: Tool, args: JsonObject, env: Env) -> str:
    """What is to be said of an edit of a file that other programs obey; nothing if it is none."""
    for given in given_paths(tool, args):
        if is_setting(env.path(given).relative_to(env.cwd).parts):
            return f"{given!r} is what other programs obey or run by themselves"
    return ""


def read_only_in_plan_mode(tool: Tool, args: JsonObject, env: Env, mode: Mode) -> str | None:
    """Plan mode runs read-only tools and commands only."""
    if mode == "plan" and not reads_only(tool, args, env):
        what = "this command is not known to only read" if tool.command else f"{tool.name} is not"
        return f"in plan mode only read-only tools run, and {what}; present the plan with exit_plan"
    return None


def read_before_write(tool: Tool, args: JsonObject, env: Env, mode: Mode) -> str | None:
    """What is there already is changed only by a model that has read it in this run."""
    return tool.unread(args, env) if tool.unread else None


def followed(tool: Tool, args: JsonObject, env: Env) -> dict[str, Path] | None:
    """Where each path in the arguments leads now; None if that can't be told, and a guard says why.

    Once this changes, what the guards said is worth nothing.
    """
    try:
        return {given: contained_path(given, env.cwd) for given in given_paths(tool, args)}
    except Exception:
        return None


GUARDS: list[Guard] = [
    within_budget,
    inside_working_folder,
    no_credentials,
    rules_stay,
    read_only_in_plan_mode,
    read_before_write,
]


def denied_by(tool: Tool, args: JsonObject, env: Env, mode: Mode) -> tuple[str, str]:
    """The first guard that denies the call, and its reason; two empty texts if none does. One that fails denies."""
    for guard in GUARDS:
        try:
            reason = guard(tool, args, env, mode)
        except Exception as error:
            reason = f"the guard {guard.__name__} failed ({told(error)})"
        if reason:
            return guard.__name__, reason
    return "", ""


def _command_words(tool: Tool, args: JsonObject) -> Iterator[Word]:
    """The words of a command line that may name files."""
    for part in _parts(tool, args):
        yield from part.command.words[1:]
        yield from (found.value for found in part.command.assignments)
        if part.redirection is not None:
            yield part.redirection.target


def _parts(tool: Tool, args: JsonObject) -> Sequence[Part]:
    line = args.get(tool.command) if tool.command else None
    if not isinstance(line, str):
        return ()
    from cellwright.permission.shell.parts import read_parts  # imported when the first command line is judged

    return read_parts(line)


def _written_files(tool: Tool, args: JsonObject) -> Iterator[Word]:
    """What a line writes, as far as it is written out: the ends of redirections, and of the commands that copy."""
    for part in _parts(tool, args):
        from cellwright.permission.shell.writing import written_words  # imported with the first command line

        if part.redirection is not None and part.redirection.writes:
            yield part.redirection.target
        yield from written_words(part.command)


def _folders(tool: Tool, args: JsonObject, env: Env) -> tuple[str, ...]:
    """The folders in which the commands of a line may run; where that can't be told, the one in which it begins."""
    if not tool.command:
        return ()
    start = start_of(env)
    return line_folders(_parts(tool, args), start) or (start,)


def _places(word: Word, env: Env, folders: Sequence[str], wildcards: Wildcards) -> list[Path]:
    """Where a word leads, by links and by its wildcards; nothing for what is outside, or known only when it runs.

    That is a question, for which no rule speaks.
    """
    return [path for folder in folders for path in _places_from(word, env, folder, wildcards)]


def _places_from(word: Word, env: Env, folder: str, wildcards: Wildcards) -> list[Path]:
    try:
        if word.is_literal:
            return [env.path(str(Path(folder) / word.text))]
        is_set_later = word.splits or "$" in word.source or "`" in word.source
        found = () if is_set_later else wildcards.matches(word.text, env.path(folder)) or ()
        cwd = str(env.cwd)
        return [env.cwd.joinpath(*parts) for parts in (match.parts_below(cwd) for match in found) if parts is not None]
    except ToolError:
        return []
