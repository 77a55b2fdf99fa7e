"""What the rules say about a call, target by target.

A call aims at paths, at the parts of a command line, or simply at its tool; each of these is a target, and the call
may run only if every target may. For each, a denial from any layer counts; then the nearest layer that speaks
decides. The rule that must never break: doubt is held against the call. An allow rule has to cover a target surely,
a deny or ask rule needs only be possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, assert_never

from msgspec import Struct
from msgspec.structs import replace

from cellwright.env import Env, contained_path
from cellwright.errors import ToolError, UsageError
from cellwright.messages import JsonObject
from cellwright.permission.covering import (
    Likelihood,
    may_cover,
    may_cover_domain,
    may_cover_path,
    surely_covers,
    surely_covers_domain,
    surely_covers_path,
)
from cellwright.permission.layers import Layer
from cellwright.permission.line_folders import Folders, line_folders, start_of
from cellwright.permission.places import Places
from cellwright.permission.read_files import may_cover_reading
from cellwright.permission.rules import Rule
from cellwright.schema import json_type
from cellwright.tool import Tool
from cellwright.web.url import read_url

if TYPE_CHECKING:  # what is needed to read command lines is imported when the first one is judged
    from cellwright.permission.shell.parts import Part
    from cellwright.permission.shell.script import Redirection

By = Literal[
    "deny_rule", "may_be_denied", "ask_rule", "unclear", "allow_rule", "grant", "wrapper", "read_only", "no_rule"
]
"""What decided about a target. `may_be_denied` is a target that can't be told from one that a rule denies."""


Reads = Literal["allow", "ask"]
"""What becomes of a command that is known to only read."""
MAX_WORDS = 400
"""Words of a line up to which each is looked at as a path; a longer line needs rules."""


class Verdict(Struct, frozen=True):
    """What the rules say about one target of a call."""

    target: str
    """The path, the part of the command line as it is written, the domain, or the tool's name."""
    by: By
    reason: str
    rule: str = ""
    """The rule that decided, if one did."""

    @property
    def decision(self) -> Literal["allow", "ask", "deny"]:
        """What it comes to, where nothing else speaks."""
        match self.by:
            case "deny_rule":
                return "deny"
            case "may_be_denied" | "ask_rule" | "unclear" | "no_rule":
                return "ask"
            case "allow_rule" | "grant" | "wrapper" | "read_only":
                return "allow"
        assert_never(self.by)


def judge(
    tool: Tool, args: JsonObject, env: Env, layers: Sequence[Layer], reads: Reads = "allow"
) -> tuple[Verdict, ...]:
    """A verdict for each target of the call. Only a command line can have none: an empty one.

    `reads` is what becomes of commands that are known to only read, where no rule speaks.
    """
    if any(layer.granted for layer in layers) and tool.trait("destructive", args):
        layers = [replace(layer, granted=tuple(rule for rule in layer.granted if rule.is_exact)) for layer in layers]
    if tool.command:
        line = args.get(tool.command)
        if not isinstance(line, str):
            raise TypeError(f"{tool.command} holds no command line but {json_type(line)}")
        from cellwright.permission.shell.parts import read_parts

        parts = read_parts(line)
        folders = line_folders(parts, start_of(env))
        short = sum(len(part.command.words) for part in parts) <= MAX_WORDS
        may_read = reads == "allow" and short
        places = Places(env, folders)
        return tuple(_of_part(part, tool, places, layers, may_read) for part in parts)
    if tool.url:
        domain = read_url(args[tool.url]).domain
        may, surely = partial(may_cover_domain, domain=domain), partial(surely_covers_domain, domain=domain)
        return (_of_target(tool, layers, domain, may, surely),)
    if not layers:
        return (Verdict(tool.name, "no_rule", "no rule allows it"),)
    others = tuple(name for names in tool.counts_as.values() for name in names)
    rules = [rule for layer in layers for rule in layer.rules if rule.restricts(tool)]
    if all(rule.covers_all for rule in rules):
        return (_of_path(tool, layers, None, others, env),)
    if not tool.paths:
        raise UsageError(f"a rule for {tool.name} has a pattern, but the tool takes no path or command to compare")
    found = [(name, env.path(path)) for name in tool.paths for path in given_paths(tool, args, name)] or [("", env.cwd)]
    counted = {"": others, **tool.counts_as}
    return tuple(_of_path(tool, layers, env.shown(path), counted.get(name, ()), env) for name, path in found)


def given_paths(tool: Tool, args: JsonObject, only: str = "") -> Iterator[str]:
    """The paths in the arguments: a text, or the texts of a list. Anything else can't be judged, so it raises."""
    for name in (only,) if only else tool.paths:
        given = args.get(name)
        for path in given if isinstance(given, list) else [given]:
            if isinstance(path, str):
                yield path
            elif path is not None:
                raise TypeError(f"{name} holds no path but {json_type(path)}")


def reads_only(tool: Tool, args: JsonObject, env: Env, reads: Reads = "allow") -> bool:
    """Whether the call only reads: by the tool's word, or by what its command line does."""
    if tool.command:
        return all(verdict.decision == "allow" for verdict in judge(tool, args, env, (), reads))
    return tool.trait("read_only", args) and not tool.trait("destructive", args)


Covers = Callable[[Rule], bool]


class Test(Struct, frozen=True):
    """How the rules are held against one target."""

    target: str
    restricts: Callable[[Rule], Likelihood]
    """Whether a deny or ask rule covers it."""
    permits: Callable[[Rule], bool]
    """Whether an allow rule covers it."""
    unclear: str = ""
    """Why no allow rule can cover it."""

    def verdict(self, layers: Sequence[Layer]) -> Verdict | None:
        """What the rules say: a denial from anywhere, else the nearest layer that speaks. None if none does."""
        denials = [(layer, rule, self.restricts(rule)) for layer in layers for rule in layer.deny]
        for by, wanted in DENIALS:
            for layer, rule, likelihood in denials:
                if likelihood == wanted:
                    found = self._by(by, rule, layer)
                    return replace(found, reason=f"{self._doubt}, and {found.reason}") if self.unclear else found
        if self.unclear:
            return Verdict(self.target, "unclear", self._doubt)
        for layer in layers:
            for rule in layer.ask:
                if self.restricts(rule) != "no":
                    return self._by("ask_rule", rule, layer)
            for rule in layer.allow:
                if self.permits(rule):
                    return self._by("allow_rule", rule, layer)
            for rule in layer.granted:
                if self.permits(rule):
                    return self._by("grant", rule, layer)
        return None

    def hint(self, layers: Sequence[Layer]) -> str:
        """What a person should know of a rule that would allow the target, but stands in a file nobody trusts."""
        for layer in layers:
            for rule in layer.untrusted:
                if self.permits(rule):
                    return f"; {rule} in {layer.name} would, once you trust that file (cellwright trust)"
        return ""

    @property
    def _doubt(self) -> str:
        return f"it can't be understood ({self.unclear})"

    def _by(self, by: By, rule: Rule, layer: Layer) -> Verdict:
        return Verdict(self.target, by, REASONS[by].format(rule=f"the rule {rule} ({layer.name})"), str(rule))


DENIALS: tuple[tuple[By, Likelihood], ...] = (("deny_rule", "surely"), ("may_be_denied", "maybe"))
REASONS: dict[By, str] = {
    "deny_rule": "{rule} denies it",
    "may_be_denied": "it can't be told whether {rule} denies it",
    "ask_rule": "{rule} asks about it",
    "allow_rule": "{rule} allows it",
    "grant": "{rule} allows it",
}


def _of_path(tool: Tool, layers: Sequence[Layer], path: str | None, others: Sequence[str], env: Env) -> Verdict:
    """The verdict on one path, or on the tool as such."""
    cwd = str(env.cwd)
    may, surely = partial(may_cover_path, path=path, cwd=cwd), partial(surely_covers_path, path=path, cwd=cwd)
    return _of_target(tool, layers, path if path is not None else tool.name, may, surely, others)


def _of_target(
    tool: Tool, layers: Sequence[Layer], target: str, may: Covers, surely: Covers, others: Sequence[str] = ()
) -> Verdict:
    """The verdict on a target of which a rule says whether it covers it; `others` are tools whose rules restrict it."""
    test = Test(
        target,
        lambda rule: "surely" if (rule.names(tool) or rule.tool in others) and may(rule) else "no",
        lambda rule: rule.names(tool) and surely(rule),
    )
    return test.verdict(layers) or Verdict(target, "no_rule", f"no rule allows it{test.hint(layers)}")


def _of_part(part: Part, tool: Tool, places: Places, layers: Sequence[Layer], may_read: bool) -> Verdict:
    env, folders = places.env, places.folders
    if part.redirection is not None:
        return _of_redirection(part.source, part.redirection, tool, env, layers, folders)
    test = Test(
        part.source,
        lambda rule: may_cover(rule, part) if rule.names(tool) else may_cover_reading(rule, part, places),
        lambda rule: rule.names(tool) and surely_covers(rule, part),
        part.why,
    )
    ruled = test.verdict(layers)
    if ruled is not None:
        return ruled
    match part.kind:
        case "wrapper":
            return Verdict(part.source, "wrapper", "it only runs what is judged by itself")
        case "function":
            return Verdict(
                part.source, "wrapper", "it is a function of this line; its commands are judged by themselves"
            )
        case "assignment":
            return Verdict(part.source, "no_rule", "it sets what can steer programs, and no rule has it written")
    from cellwright.permission.shell.reading import only_reads

    plain = may_read and part.sets_nothing and folders is not None
    if plain and only_reads(part.command, env, folders or (), places.wildcards):
        return Verdict(part.source, "read_only", "it only reads")
    why = "no rule allows it, and it is not known to only read" if may_read else "no rule allows it"
    return Verdict(part.source, "no_rule", why + test.hint(layers))


def _of_redirection(
    source: str,
    redirected: Redirection,
    tool: Tool,
    env: Env,
    layers: Sequence[Layer],
    folders: Folders,
) -> Verdict:
    """Rules for the tool as such speak of a redirection, and those for the tool that writes or reads such a file."""
    path = _path_of(redirected, env, folders)
    file_tool = "write_file" if redirected.writes else "read_file"

    def restricts(rule: Rule) -> Likelihood:
        if rule.names(tool) and rule.covers_all:
            return "surely"
        if rule.tool != file_tool or not may_cover_path(rule, path, str(env.cwd)):
            return "no"
        return "maybe" if path is None else "surely"

    def permits(rule: Rule) -> bool:
        return (rule.names(tool) and rule.covers_all) or (
            rule.tool == file_tool and surely_covers_path(rule, path, str(env.cwd))
        )

    ruled = Test(source, restricts, permits).verdict(layers)
    if ruled is not None:
        return ruled
    if path is not None and not redirected.writes:
        return Verdict(source, "read_only", "it only reads")
    what = "writes to" if redirected.writes else "reads"
    where = "a file" if path is not None else "a file that is not known to lie in the working folder"
    return Verdict(source, "no_rule", f"it {what} {where}, and no rule allows that")


def _path_of(redirected: Redirection, env: Env, folders: Folders) -> str | None:
    """The path of the file relative to the working folder; None if it lies elsewhere or can't be told."""
    from cellwright.permission.shell.reading import is_inside

    text = redirected.target.text
    start = start_of(env)
    if folders != (start,) or not redirected.target.is_literal or not is_inside(text, env, (start,)):
        return None
    try:
        return contained_path(str(Path(start) / text), env.cwd).relative_to(env.cwd).as_posix()
    except ToolError:  # such as /dev/stdin
        return None
