"""The rules that an approval may leave behind: exactly what was shown, and nothing that only looks like it.

Every character of a word that means something in a pattern is escaped, so a `*` in an approved command stays a star.
The rule that must never break: a rule is made only if it lets the very call run that it was made from; where that
can't be (a command with unknown words, a guard or a deny rule in the way), there is none, and the reason is told.
"""

from __future__ import annotations

from cellwright.env import Env
from cellwright.errors import UsageError
from cellwright.messages import JsonObject
from cellwright.permission.covering import surely_covers
from cellwright.permission.judgement import judge
from cellwright.permission.layers import Layer
from cellwright.permission.policy import Policy
from cellwright.permission.rules import Rule
from cellwright.permission.shell.parts import Part, read_parts
from cellwright.tool import Tool


def exact_rules(tool: Tool, args: JsonObject, env: Env, policy: Policy) -> tuple[Rule, ...]:
    """The rules under which this call, and no other, runs without a question.

    Raises:
        UsageError: if there are none; the message says why.
    """
    rules = _rules(tool, args, env, policy)
    allowed = Policy(
        policy.mode, {*policy.allow, *map(str, rules)}, policy.ask, policy.deny, policy.files, policy.reads
    )
    found = allowed.explain(tool, args, env).decision
    if found.decision != "allow":
        raise UsageError(f"no rule would let this call run without a question: {found.reason}")
    return rules


def _rules(tool: Tool, args: JsonObject, env: Env, policy: Policy) -> tuple[Rule, ...]:
    if tool.command:
        needing = {
            verdict.target for verdict in judge(tool, args, env, (), policy.reads) if verdict.decision != "allow"
        }
        parts = [part for part in read_parts(str(args.get(tool.command))) if part.source in needing]
        return tuple(dict.fromkeys(_of_part(tool, part) for part in parts))
    marked = judge(tool, args, env, (Layer("any path", ask=(Rule(tool.name, "\\*"),)),)) if tool.paths else ()
    if not marked:
        raise UsageError(f"{tool.name} takes no path or command; a rule could only allow every call of it")
    return tuple(dict.fromkeys(Rule.for_path(tool.name, verdict.target) for verdict in marked))


def _of_part(tool: Tool, part: Part) -> Rule:
    words = part.spellings[0] if part.kind in ("command", "assignment") else ()
    if not words or not all(word.is_literal for word in words):
        raise UsageError(f"no rule can mean exactly `{part.source}`, since parts of it are known only when it runs")
    rule = Rule.for_words(tool.name, tuple(word.text for word in words))
    if not surely_covers(rule, part):
        raise UsageError(f"no rule can mean exactly `{part.source}`")
    return rule
