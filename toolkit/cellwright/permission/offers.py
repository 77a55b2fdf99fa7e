"""The rules that an approval may leave behind, from the narrowest to the widest, to be chosen by the person.

The narrowest covers exactly what was shown and nothing that only looks like it: every character that means something
in a pattern is escaped, so a `*` in an approved command stays a star. Wider ones cover a command by its first words, a
folder, or a tool. A shell tool is never offered whole, since that would be a mode of its own.
The rule that must never break: rules are offered only if they let the very call run that they were made from; where
none can (a command with unknown words, a guard or a deny rule in the way), there is no offer, and the reason is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from cellwright.env import Env
from cellwright.errors import UsageError
from cellwright.messages import JsonObject
from cellwright.permission.covering import DOMAIN, surely_covers
from cellwright.permission.judgement import judge
from cellwright.permission.layers import Layer
from cellwright.permission.patterns import escaped
from cellwright.permission.policy import Policy
from cellwright.permission.rules import Rule, digest_of
from cellwright.tool import Tool
from cellwright.web.url import read_url

if TYPE_CHECKING:
    from cellwright.permission.shell.parts import Part


class Offer(Struct, frozen=True):
    """Rules that can be granted together, and what they cover."""

    title: str
    """In words for the person: `exactly this`, `everything in docs/`."""
    rules: tuple[str, ...]
    """The text that is kept, exactly."""


LONGEST = 2_000
"""Characters of a command line for which rules are offered; nobody reads a longer rule before saying yes to it."""


def offers(tool: Tool, args: JsonObject, env: Env, policy: Policy) -> tuple[Offer, ...]:
    """What may be granted beyond this one call, the narrowest first; nothing where no grant would have an effect."""
    too_long = bool(tool.command) and len(str(args.get(tool.command))) > LONGEST
    if too_long or policy.decide(tool, args, env).decision != "ask":
        return ()
    wanted: tuple[tuple[str, Callable[[], Sequence[Rule]]], ...] = (
        (
            f"every page of {read_url(args[tool.url]).domain}" if tool.url else "exactly this",
            lambda: _exact(tool, args, env, policy),
        ),
        *_wider(tool, args, env, policy),
    )
    found: list[Offer] = []
    for title, make in wanted:
        with suppress(UsageError):  # there is no such rule, so it is not offered
            rules = _effective(tuple(make()), tool, args, env, policy)
            if all(rules != offer.rules for offer in found):
                found.append(Offer(title, rules))
    return tuple(found)


def exact_rules(tool: Tool, args: JsonObject, env: Env, policy: Policy) -> tuple[Rule, ...]:
    """The rules under which this call, and no other, runs without a question.

    Raises:
        UsageError: if there are none; the message says why.
    """
    rules = _exact(tool, args, env, policy)
    _effective(rules, tool, args, env, policy)
    return rules


def _effective(rules: tuple[Rule, ...], tool: Tool, args: JsonObject, env: Env, policy: Policy) -> tuple[str, ...]:
    """The texts of rules, once it is sure that a grant of them would let this call run."""
    granted = replace(policy, grants=(Layer("offered", granted=rules), *policy.grants))
    found = granted.explain(tool, args, env).decision
    if not rules or found.decision != "allow":
        raise UsageError(f"no rule would let this call run without a question: {found.reason}")
    return tuple(map(str, rules))


def _exact(tool: Tool, args: JsonObject, env: Env, policy: Policy) -> tuple[Rule, ...]:
    if tool.command:
        return tuple(dict.fromkeys(_of_part(tool, part) for part in _needing(tool, args, env, policy)))
    if tool.url:
        return (Rule(tool.name, DOMAIN + escaped(read_url(args[tool.url]).domain)),)
    return tuple(dict.fromkeys(Rule.for_path(tool.name, path) for path in _paths(tool, args, env)))


def _paths(tool: Tool, args: JsonObject, env: Env) -> Iterator[str]:
    marked = judge(tool, args, env, (Layer("any path", ask=(Rule(tool.name, "\\*"),)),)) if tool.paths else ()
    if not marked:
        raise UsageError(f"{tool.name} takes no path or command; a rule could only allow every call of it")
    yield from (verdict.target for verdict in marked)


def _needing(tool: Tool, args: JsonObject, env: Env, policy: Policy) -> list[Part]:
    """The parts of the command line that need a rule."""
    from cellwright.permission.shell.parts import read_parts

    needing = {verdict.target for verdict in judge(tool, args, env, (), policy.reads) if verdict.decision != "allow"}
    return [part for part in read_parts(str(args.get(tool.command))) if part.source in needing]


def _of_part(tool: Tool, part: Part) -> Rule:
    words = _literal_words(part)
    rule = Rule.for_words(tool.name, words)
    if not surely_covers(rule, part):
        raise UsageError(f"no rule can mean exactly `{part.source}`")
    return rule


def _literal_words(part: Part) -> tuple[str, ...]:
    if part.redirection is not None:
        raise UsageError(
            f"no rule can mean exactly `{part.source}`, only one for the tool that writes or reads that file"
        )
    words = part.spellings[0] if part.kind in ("command", "assignment") else ()
    if not words or not all(word.is_literal for word in words):
        raise UsageError(f"no rule can mean exactly `{part.source}`, since parts of it are known only when it runs")
    return tuple(word.text for word in words)


PLAIN = re.compile(r"[A-Za-z][\w-]*")
"""A word that looks like the name of a program or of one of its commands, not like a file or an option."""
FIRST_WORDS = 3


def _wider(
    tool: Tool, args: JsonObject, env: Env, policy: Policy
) -> Iterator[tuple[str, Callable[[], Sequence[Rule]]]]:
    if tool.command:
        yield (
            "commands that begin the same way",
            lambda: [_beginning(tool, part) for part in _needing(tool, args, env, policy)],
        )
        return
    if tool.url:  # a rule for all the web would let any page send anything anywhere
        return
    if tool.paths:
        yield "the same folder, and all in it", lambda: [_folder(tool, path) for path in _paths(tool, args, env)]
    if tool.origin == "mcp":
        told = f"every call of {tool.name}, as long as it says of itself what it says now"
        yield told, lambda: [Rule(tool.name, digest=digest_of(tool))]
        return
    yield f"every call of {tool.name}", lambda: [Rule(tool.name)]


def _beginning(tool: Tool, part: Part) -> Rule:
    """The rule for commands of the same first words. One word alone could be an interpreter, which runs anything."""
    words = _literal_words(part)
    plain = next((at for at, word in enumerate(words) if not PLAIN.fullmatch(word)), len(words))
    if plain < 2:
        raise UsageError(f"`{part.source}` begins with no words that tell what it does")
    kept = Rule.for_words(tool.name, words[: min(plain, FIRST_WORDS)])
    return Rule(tool.name, f"{kept.pattern} *")


def _folder(tool: Tool, path: str) -> Rule:
    folder = PurePosixPath(path).parent
    if folder == PurePosixPath("."):
        raise UsageError(f"{path} lies in the working folder itself, so that its folder is all there is")
    return Rule(tool.name, f"{Rule.for_path(tool.name, str(folder)).pattern}/*")
