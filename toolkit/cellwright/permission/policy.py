"""Whether a call runs, is asked about, or is refused: one list of deciders, read from the top.

Each decider looks at the call and either decides or passes it on; the first decision stands, and the last decider
always decides. Nothing configured, nothing matched, a decider that raises: each ends in a question or a denial,
never in a silent yes. Rules name tools exactly: a rule for `run` says nothing about `run_command`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from cellwright.env import Env
from cellwright.errors import UsageError
from cellwright.messages import JsonObject, told
from cellwright.permission.decision import Decision, Mode
from cellwright.tool import NAME, Opinion, Tool


@dataclass(frozen=True, slots=True)
class Policy:
    """The mode of a run, and its rules: exact tool names to allow, ask about or deny.

    Raises:
        UsageError: for a mode or a rule that can't be read.
    """

    mode: Mode = "default"
    allow: Collection[str] = frozenset()
    ask: Collection[str] = frozenset()
    deny: Collection[str] = frozenset()

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UsageError(f"there is no mode {self.mode!r}; the modes are {', '.join(MODES)}")
        for kind in ("allow", "ask", "deny"):
            object.__setattr__(self, kind, _names(kind, getattr(self, kind)))

    def decide(self, tool: Tool, args: JsonObject, env: Env) -> Decision:
        """The first decision of the list. A decider that raises denies."""
        for decider in DECIDERS:
            try:
                decision = decider(self, tool, args, env)
            except (Exception, SystemExit) as error:
                return Decision("deny", decider.__name__, f"{decider.__name__} failed ({told(error)})")
            if decision is not None:
                return self._without_questions(decision)
        return Decision("deny", "end_of_list", "no decider decided")

    def surely_allows(self, tool: Tool, args: JsonObject, env: Env) -> bool:
        """Whether the call would run without a question; what the scheduler needs to know beforehand."""
        return self.decide(tool, args, env).decision == "allow"

    def _without_questions(self, decision: Decision) -> Decision:
        if decision.decision == "ask" and self.mode == "dont_ask":
            return Decision("deny", "dont_ask", f"mode dont_ask denies what would be asked ({decision.reason})")
        return decision


def _names(kind: str, rules: Collection[str]) -> frozenset[str]:
    """The rules as a set. In a bare text `in` would find parts of names, so it is refused."""
    if isinstance(rules, str):
        raise UsageError(f"{kind}={rules!r} is a text; give the names of tools in a set: {kind}={{{rules!r}}}")
    for rule in rules:
        if not isinstance(rule, str) or not NAME.fullmatch(rule):
            raise UsageError(f"{rule!r} is no rule; a rule is the exact name of a tool")
    return frozenset(rules)


MODES: tuple[Mode, ...] = ("default", "plan", "accept_edits", "dont_ask", "bypass")
Decider = Callable[[Policy, Tool, JsonObject, Env], Decision | None]


def deny_rule(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """A deny rule beats everything after it."""
    if tool.name in policy.deny:
        return Decision("deny", "deny_rule", f"a rule denies {tool.name}; use another tool")
    return None


def tool_denies(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """The tool itself refuses these arguments."""
    return _by_tool(tool, args, env, "deny", f"{tool.name} itself refuses these arguments")


def bypass_mode(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """Mode bypass asks nothing."""
    return Decision("allow", "bypass", "mode bypass asks nothing") if policy.mode == "bypass" else None


def ask_rule(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """An ask rule beats an allow rule."""
    return Decision("ask", "ask_rule", f"a rule asks about {tool.name}") if tool.name in policy.ask else None


def allow_rule(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """An allow rule."""
    return Decision("allow", "allow_rule", f"a rule allows {tool.name}") if tool.name in policy.allow else None


def tool_asks(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """The tool itself wants a person to look at these arguments."""
    return _by_tool(tool, args, env, "ask", f"{tool.name} itself asks for these arguments")


def tool_allows(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """The tool itself finds these arguments harmless."""
    return _by_tool(tool, args, env, "allow", f"{tool.name} itself allows these arguments")


def read_only(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """What only reads may run. A tool that says it is destructive as well is not believed."""
    if tool.trait("read_only", args) and not tool.trait("destructive", args):
        return Decision("allow", "read_only", "it only reads")
    return None


def accept_edits_mode(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """Mode accept_edits runs edits of files in the working folder."""
    if policy.mode == "accept_edits" and tool.edits_files(args):
        return Decision("allow", "accept_edits", "mode accept_edits runs edits of files in the working folder")
    return None


def otherwise_ask(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """The end of the list: whatever is left is a question."""
    if tool.trait("destructive", args):
        return Decision("ask", "default", "it can't be undone")
    if tool.edits_files(args):
        return Decision("ask", "default", "it changes a file")
    return Decision("ask", "default", "it may have effects outside the conversation")


DECIDERS: list[Decider] = [
    deny_rule,
    tool_denies,
    bypass_mode,
    ask_rule,
    allow_rule,
    tool_asks,
    tool_allows,
    read_only,
    accept_edits_mode,
    otherwise_ask,
]


def _by_tool(tool: Tool, args: JsonObject, env: Env, wanted: Opinion, otherwise: str) -> Decision | None:
    """The tool's own decision, if it is the one wanted; with its reason, if it gives one."""
    given = tool.check_permission(args, env) if tool.check_permission else None
    opinion, reason = given if isinstance(given, tuple) else (given, otherwise)
    if opinion not in (None, "allow", "ask", "deny"):
        raise ValueError(f"{tool.name} answered {opinion!r}, not allow, ask, deny or None")
    return Decision(wanted, "tool", str(reason)) if opinion == wanted else None
