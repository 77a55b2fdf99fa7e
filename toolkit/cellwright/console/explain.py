"""`cellwright explain`: how permission judges a shell command, without running it and without reading any file.

The rules are those on the command line, for the tool `run_command` alone: patterns, or whole rules as they stand in a
file. What is printed is what the policy's own `explain` says, so this is the way to try out a rule before it is written
into a file. With `--allow` these patterns are all that allows; without, commands that are known to only read run, as
they do by default.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from cellwright.catalogue import BUILT_IN
from cellwright.console.usage import add_command
from cellwright.env import Env
from cellwright.errors import UsageError
from cellwright.messages import JsonObject
from cellwright.permission.explanation import Explanation
from cellwright.permission.judgement import Reads
from cellwright.permission.layers import Layer
from cellwright.permission.policy import Policy
from cellwright.permission.rules import RULE, Rule
from cellwright.text.visible_text import mark_hidden
from cellwright.tool import Tool

NAME = "run_command"


def add_explain(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Adds the command and its options."""
    what = "tell how permission judges a shell command under some rules"
    parser = add_command(commands, "explain", what, """"git log | head" --allow 'git *'""")
    parser.add_argument("line", metavar="COMMAND", help="the command line; put -- before one that begins with -")
    for kind, what in (("allow", "allow, as: git *"), ("ask", "ask about"), ("deny", "deny")):
        told = f"what to {what}; may be given several times"
        parser.add_argument(f"--{kind}", action="append", default=[], metavar="PATTERN", help=told)
    rest = "what becomes of all else; by default ask"
    parser.add_argument("--default", choices=("ask", "allow"), default="ask", help=rest)
    parser.add_argument("--json", action="store_true", help="the explanation as JSON")
    return parser


def explain(options: argparse.Namespace) -> str:
    """What to print."""
    found = explained_line(options.line, options.allow, options.ask, options.deny, options.default)
    if options.json:
        return json.dumps(found.as_json(), ensure_ascii=False, indent=2)
    return mark_hidden(_for_people(found))


def explained_line(line: str, allow: list[str], ask: list[str], deny: list[str], default: str = "ask") -> Explanation:
    """The explanation of a command line under patterns for `run_command`.

    Raises:
        UsageError: for a pattern that can't be read.
    """
    rules = {
        kind: [str(_rule(pattern)) for pattern in patterns]
        for kind, patterns in (("allow", allow), ("ask", ask), ("deny", deny))
    }
    rest = (Layer("--default allow", allow=(Rule(NAME),)),) if default == "allow" else ()
    reads: Reads = "ask" if allow else "allow"
    policy = Policy("default", rules["allow"], rules["ask"], rules["deny"], rest, reads)
    return policy.explain(_tool(), {"command": line}, Env(Path.cwd().resolve()))


def _rule(given: str) -> Rule:
    """The rule of a pattern, or the rule itself, if all of it was given."""
    found = RULE.fullmatch(given)
    if found is None or found["tool"] not in BUILT_IN:
        return Rule(NAME, given)
    if found["tool"] != NAME:
        raise UsageError(
            f"{given!r} is a rule for {found['tool']}, and only commands are explained; give one such as git *"
        )
    return Rule.read(given)


def _tool() -> Tool:
    """A stand-in for the tool: only what permission looks at."""
    schema: JsonObject = {"type": "object", "properties": {"command": {"type": "string"}}}
    plain = Tool.from_schema(NAME, "Runs a command.", schema, lambda args, env: None)
    return Tool(NAME, plain.description, plain.input_schema, plain.execute, command="command")


def _for_people(found: Explanation) -> str:
    lines = [f"{found.decision.decision}: {found.decision.reason} ({found.decision.by})"]
    for part in found.parts:
        lines.append(f"  {part.decision:5}  {part.target}")
        lines.append(f"         {part.reason}")
    return "\n".join(lines)
