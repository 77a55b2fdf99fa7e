"""Attacks on the judging of shell lines: what is buried is found, and bash starts nothing that was not judged."""

import re
from pathlib import Path
from random import Random

from cellwright import Env, Policy, Tool
from cellwright.permission.shell.parts import Part, read_parts
from cellwright.permission.shell.variables import HARMLESS, VALUE
from cellwright.permission.shell.word import HOLE

from .bash import Sandbox
from .lines import buried, mutated, soup

SCHEMA = {"type": "object", "properties": {"command": {"type": "string"}}}
SHELL = Tool.from_schema("run_command", "Runs a command.", SCHEMA, lambda args, env: None)
SHELL = Tool(SHELL.name, SHELL.description, SHELL.input_schema, SHELL.execute, command="command")
POLICIES = (
    Policy(),
    Policy("accept_edits"),
    Policy(allow={"run_command(echo *)", "run_command(ls *)", "run_command(git status)"}),
    Policy(allow={"run_command(echo *)", "run_command(xargs echo *)", "run_command(cat *)"}, reads="ask"),
)


def judged(line: str, policy: Policy, folder: Path) -> str:
    """What becomes of a line. That it is explained, and the same each time, is looked at on the way."""
    args, env = {"command": line}, Env(folder)
    told = policy.explain(SHELL, args, env)
    assert told.decision == policy.decide(SHELL, args, env), f"{line!r} is explained otherwise than decided"
    assert (told.decision.decision == "allow") <= all(part.decision == "allow" for part in told.parts), repr(line)
    return told.decision.decision


def bury(rng: Random, folder: Path) -> bool:
    """A command that nothing allows is in the line, so the line is not allowed; False, since it never gets through."""
    line = buried(rng)
    for policy in POLICIES:
        found = judged(line, policy, folder)
        assert found != "allow", f"{line!r} is allowed by {policy}"
    return False


def stir(rng: Random, sandbox: Sandbox) -> bool:
    """Whether a line of no sense is allowed; if so, bash starts only what was judged, as it was judged."""
    line = soup(rng) if rng.random() < 0.7 else mutated(rng, buried(rng, rng.choice(("pwn", "echo a", "ls")), 2))
    if judged(line, rng.choice(POLICIES), sandbox.folder) != "allow":
        return False
    holds(line, sandbox)
    return True


def holds(line: str, sandbox: Sandbox) -> None:
    """Runs an allowed line: each program that starts was judged with its words, in the folder, with nothing set."""
    parts = read_parts(line)
    for started in sandbox.run(line):
        assert any(_is_of(part, started.words) for part in parts), f"{line!r} started {started.words}"
        assert Path(started.folder).is_relative_to(sandbox.folder), f"{line!r} ran {started.words} in {started.folder}"
        steered = {name for name, value in started.variables.items() if _steers(name, value, sandbox)}
        assert not steered, f"{line!r} set {steered} for {started.words}"
    assert not sandbox.made, f"{line!r} made {sandbox.made}"


def _is_of(part: Part, words: tuple[str, ...]) -> bool:
    """Whether a part may have become these words: what was not known may be anything."""
    pattern = ""
    for word in part.command.words:
        known = ".*".join(map(re.escape, word.text.split(HOLE)))
        pattern += f"(?:{known}\0)" if not word.splits else ".*"
    text = "".join(word + "\0" for word in (words[0].rpartition("/")[2], *words[1:]))
    return bool(part.command.words) and re.fullmatch(pattern, text, re.S) is not None


def _steers(name: str, value: str, sandbox: Sandbox) -> bool:
    """Whether a variable that a program got could steer it."""
    if sandbox.variables.get(name) == value or name in ("PWD", "OLDPWD", "SHLVL", "_"):
        return False
    return not (name.islower() or (name in HARMLESS and VALUE.fullmatch(value)))
