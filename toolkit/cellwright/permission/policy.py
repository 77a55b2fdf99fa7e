"""Whether a call runs, is asked about, or is refused: one list of deciders, read from the top.

Each decider looks at the call and either decides or passes it on; the first decision stands, and the last decider
always decides. Nothing configured, nothing matched, a decider that raises: each ends in a question or a denial,
never in a silent yes. Rules name tools exactly: a rule for `run` says nothing about `run_command`. What aims at
several things at once, as a command line does, may run only if each of them may. `policy.explain` tells who decides.
The lesson is `notebooks/03_permission.ipynb`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property
from pathlib import Path

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from cellwright.env import Env
from cellwright.errors import UsageError
from cellwright.messages import JsonObject, told
from cellwright.permission.bypass import FIRST, HOW_TO_ENTER, SECOND, BypassConsent
from cellwright.permission.decision import CANT_BE_UNDONE, MODES, Decision, Mode
from cellwright.permission.explanation import Explanation, explained
from cellwright.permission.guards import changes_settings
from cellwright.permission.judgement import By, Reads, Verdict, judge, reads_only
from cellwright.permission.layers import Layer, read_rules
from cellwright.permission.project import Project
from cellwright.spelling import Spelling
from cellwright.tool import Opinion, Tool


class Policy(Struct, frozen=True, dict=True, metaclass=Spelling):
    """The mode of a run, and its rules: `read_file`, `edit_file(docs/*)`, `run_command(git status)`, `mcp__server`.

    Raises:
        UsageError: for a mode or a rule that can't be read.
    """

    mode: Mode = "default"
    allow: Collection[str] = frozenset()
    ask: Collection[str] = frozenset()
    deny: Collection[str] = frozenset()
    files: tuple[Layer, ...] = ()
    """Rules from files, the nearest first; those given here come before them. `Policy.load` reads them."""
    reads: Reads = "allow"
    """What becomes of shell commands that are known to only read, where no rule speaks."""
    grants: tuple[Layer, ...] = ()
    """What a person granted when asked; it comes before everything but denials."""
    project: Project | None = None
    """Where grants for the project are kept; None if no files were loaded."""
    consent: BypassConsent | None = None
    """Both confirmations, without which there is no mode bypass."""

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UsageError(f"there is no mode {self.mode!r}; the modes are {', '.join(MODES)}")
        if self.mode == "bypass" and not isinstance(self.consent, BypassConsent):
            raise UsageError(HOW_TO_ENTER)
        for kind in ("allow", "ask", "deny"):
            force_setattr(self, kind, frozenset(map(str, read_rules(kind, getattr(self, kind)))))

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """All rules by where they come from, the nearest first."""
        allow, ask, deny = (read_rules(kind, getattr(self, kind)) for kind in ("allow", "ask", "deny"))
        return (*self.grants, Layer("given in code", allow, ask, deny), *self.files)

    @cached_property
    def _about(self) -> dict[str, tuple[Tool, tuple[Layer, ...]]]:
        """The layers with the rules for one tool, by its name, as asked for: each call asks several times."""
        return {}

    @cached_property
    def _decided(self) -> dict[str, tuple[Tool, Decision]]:
        """What was decided of tools whose calls are all alike, by their names."""
        return {}

    @classmethod
    def load(
        cls,
        cwd: str | Path,
        mode: Mode = "default",
        user_file: Path | None = None,
        consent: BypassConsent | None = None,
    ) -> Policy:
        """The policy of a working folder: the rules in its `.cellwright` folder, then the person's own."""
        project = Project.at(cwd, user_file)
        return cls(mode, files=project.layers(), project=project, consent=consent)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a person should know of these rules."""
        return tuple(
            f"{layer.name} allows {', '.join(map(str, layer.untrusted))}; that counts for nothing until you have "
            "looked at the file and run: cellwright trust"
            for layer in self.files
            if layer.untrusted
        )

    def explain(self, tool: Tool, args: JsonObject, env: Env) -> Explanation:
        """How a call is judged: the guard, rule or mode that decides, why, and what becomes of each of its parts."""
        return explained(self.mode, tool, args, env, self.decide, self.judge)

    def judge(self, tool: Tool, args: JsonObject, env: Env) -> tuple[Verdict, ...]:
        """What the rules say about each thing that the call aims at."""
        return judge(tool, args, env, self._layers_about(tool), self.reads)

    def _layers_about(self, tool: Tool) -> tuple[Layer, ...]:
        if tool.command:  # what its redirections read and write is the business of the rules for file tools
            return self.layers
        known = self._about.get(tool.name)
        if known is None or known[0] is not tool:
            about = (layer.about(tool) for layer in self.layers)
            known = self._about[tool.name] = tool, tuple(layer for layer in about if layer.rules)
        return known[1]

    def decide(self, tool: Tool, args: JsonObject, env: Env) -> Decision:
        """The first decision of the list. A decider that raises denies."""
        known = self._decided.get(tool.name)
        if known is not None and known[0] is tool:
            return known[1]
        found = self._first(DECIDERS, tool, args, env) or Decision("deny", "end_of_list", "no decider decided")
        decision = self._without_questions(found)
        if tool.is_uniform:
            self._decided[tool.name] = tool, decision
        return decision

    def surely_allows(self, tool: Tool, args: JsonObject, env: Env) -> bool:
        """Whether the call would run without a question; what the scheduler needs to know beforehand."""
        return self.decide(tool, args, env).decision == "allow"

    def denies_all_of(self, tool: Tool) -> bool:
        """Whether a deny rule covers every call of a tool, so that showing it to a model is of no use."""
        return any(rule.names(tool) and rule.covers_all for layer in self.layers for rule in layer.deny)

    def leaves(self, tool: Tool, args: JsonObject, env: Env) -> bool:
        """Whether nothing denies the call, not even perhaps, and the tool insists on no question."""
        unasked = replace(self, mode="bypass", consent=BypassConsent(FIRST, SECOND))
        return unasked.decide(tool, args, env).decision == "allow" and not self._first([tool_insists], tool, args, env)

    def _first(self, deciders: list[Decider], tool: Tool, args: JsonObject, env: Env) -> Decision | None:
        for decider in deciders:
            try:
                decision = decider(self, tool, args, env)
            except (Exception, SystemExit) as error:
                return Decision("deny", decider.__name__, f"{decider.__name__} failed ({told(error)})")
            if decision is not None:
                return decision
        return None

    def _without_questions(self, decision: Decision) -> Decision:
        if decision.decision == "ask" and self.mode == "dont_ask":
            return Decision("deny", "dont_ask", f"mode dont_ask denies what would be asked ({decision.reason})")
        return decision


Decider = Callable[[Policy, Tool, JsonObject, Env], Decision | None]


def deny_rule(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """A deny rule beats everything after it, and so does a file of rules that can't be read."""
    for layer in policy.files:
        if layer.broken:
            return Decision("deny", "deny_rule", layer.broken)
    return _by_rule(policy, tool, args, env, "deny_rule", "deny", "denies", "; use another tool")


def tool_denies(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """The tool itself refuses these arguments."""
    return _by_tool(tool, args, env, "deny", f"{tool.name} itself refuses these arguments")


def always_asks(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """Of some tools a person's answer is all that they are for."""
    return Decision("ask", "always_asks", "it is for you to decide") if tool.always_asks else None


def bypass_mode(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """Mode bypass asks nothing. So what a deny rule might mean is denied."""
    if policy.mode != "bypass":
        return None
    doubtful = [verdict for verdict in policy.judge(tool, args, env) if verdict.by == "may_be_denied"]
    if doubtful:
        return Decision("deny", "deny_rule", f"`{doubtful[0].target}`: {doubtful[0].reason}", doubtful[0].rule)
    return Decision("allow", "bypass", "mode bypass asks nothing")


def tool_insists(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """The tool insists on a question, as about a cell that is marked for one, whatever allows the tool as such."""
    reason = tool.asks_first(args, env) if tool.asks_first else None
    return Decision("ask", "tool_insists", str(reason)) if reason else None


def ask_rule(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """An ask rule beats an allow rule, unless that stands in a nearer file."""
    return _by_rule(policy, tool, args, env, "ask_rule", "ask", "asks about")


def unclear_command(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """A command that can't be understood asks, whatever is allowed."""
    for verdict in policy.judge(tool, args, env) if tool.command else ():
        if verdict.by in ("unclear", "may_be_denied"):
            return Decision("ask", "unclear_command", f"`{verdict.target}`: {verdict.reason}", verdict.rule)
    return None


def allow_rule(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """Allow rules and grants cover everything that the call aims at. In a command line, what only reads needs none."""
    verdicts = policy.judge(tool, args, env)
    ruled = [verdict for verdict in verdicts if verdict.by in ("allow_rule", "grant")]
    if not ruled or any(verdict.decision != "allow" for verdict in verdicts):
        return None
    rules = ", ".join(dict.fromkeys(verdict.rule for verdict in ruled))
    granted = next((verdict for verdict in ruled if verdict.by == "grant"), None)
    if granted is not None:
        return Decision("allow", "grant", f"`{granted.target}`: {granted.reason}", rules)
    return Decision("allow", "allow_rule", f"a rule allows {_aim(tool, ruled[0])}", rules)


def tool_asks(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """The tool itself wants a person to look at these arguments."""
    return _by_tool(tool, args, env, "ask", f"{tool.name} itself asks for these arguments")


def tool_allows(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """The tool itself finds these arguments harmless."""
    return _by_tool(tool, args, env, "allow", f"{tool.name} itself allows these arguments")


def read_only(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """What only reads may run. A tool that says it is destructive as well is not believed."""
    return Decision("allow", "read_only", "it only reads") if reads_only(tool, args, env, policy.reads) else None


def accept_edits_mode(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """Mode accept_edits runs edits of files in the working folder, but for those that other programs obey."""
    if policy.mode != "accept_edits" or not tool.edits_files(args):
        return None
    if obeyed := changes_settings(tool, args, env):
        return Decision("ask", "accept_edits", f"{obeyed}, so it is asked about in mode accept_edits, too")
    return Decision("allow", "accept_edits", "mode accept_edits runs edits of files in the working folder")


def otherwise_ask(policy: Policy, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    """The end of the list: whatever is left is a question."""
    for verdict in policy.judge(tool, args, env) if tool.command else ():
        if verdict.by == "no_rule":
            return Decision("ask", "default", f"`{verdict.target}`: {verdict.reason}")
    if tool.trait("destructive", args):
        return Decision("ask", "default", CANT_BE_UNDONE)
    if tool.edits_files(args):
        return Decision("ask", "default", "it changes a file")
    return Decision("ask", "default", "it may have effects outside the conversation")


DECIDERS: list[Decider] = [
    deny_rule,
    tool_denies,
    always_asks,
    bypass_mode,
    tool_insists,
    ask_rule,
    unclear_command,
    allow_rule,
    tool_asks,
    tool_allows,
    read_only,
    accept_edits_mode,
    otherwise_ask,
]


def _by_tool(tool: Tool, args: JsonObject, env: Env, wanted: Opinion, otherwise: str) -> Decision | None:
    """The tool's own decision, if it is the one wanted; with its reason, if it gives one."""
    if tool.check_permission is None:
        return None
    given = tool.check_permission(args, env)
    opinion, reason = given if isinstance(given, tuple) else (given, otherwise)
    if opinion not in (None, "allow", "ask", "deny"):
        raise ValueError(f"{tool.name} answered {opinion!r}, not allow, ask, deny or None")
    return Decision(wanted, "tool", str(reason)) if opinion == wanted else None


def _by_rule(
    policy: Policy, tool: Tool, args: JsonObject, env: Env, by: By, decision: Opinion, verb: str, advice: str = ""
) -> Decision | None:
    """The decision of a rule that restricts, if one speaks."""
    for verdict in policy.judge(tool, args, env):
        if verdict.by == by:
            whole = verdict.rule == tool.name
            what = f"a rule {verb} {tool.name}" if whole else f"`{verdict.target}`: {verdict.reason}"
            return Decision(decision, by, what + advice, verdict.rule)
    return None


def _aim(tool: Tool, verdict: Verdict) -> str:
    return tool.name if verdict.rule == tool.name else f"`{verdict.target}`"
