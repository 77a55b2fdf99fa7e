"""The command line: the same tools, pipeline and loop without a notebook.

JSON goes in and out on standard streams, messages for people go to standard error, and the exit code is 0 only on
success. `call` takes one call through all its stages, which is how a tool is tried, debugged and taught.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from cellwright.agent import Agent
from cellwright.calls.conditions import Conditions, Standing
from cellwright.calls.passage import Setup
from cellwright.calls.pipeline import run_call
from cellwright.calls.spill import Spill
from cellwright.catalogue import registry_of
from cellwright.console.explain import add_explain, explain
from cellwright.console.fork_options import add_fork, otherwise
from cellwright.console.narrator import Narrator, narrator, put, tell
from cellwright.console.session_commands import LOG, add_session_commands, run_of, session_file
from cellwright.console.trust import add_trust, trust
from cellwright.console.usage import add_command, program
from cellwright.deferral import SEARCH
from cellwright.env import Env
from cellwright.errors import CellwrightError, UsageError
from cellwright.files.ledger import Ledger
from cellwright.kernels.kernels import Kernels, gateway_of
from cellwright.log.events import Log
from cellwright.messages import Call
from cellwright.models.naming import model
from cellwright.permission.bypass import confirmed
from cellwright.permission.decision import MODES
from cellwright.permission.policy import Policy
from cellwright.person.approval import AllowAll, Approver, ConsoleApprover, DenyAll
from cellwright.person.typed_line import typed_line
from cellwright.result import Result
from cellwright.runs.run import Run
from cellwright.selection import Selection
from cellwright.sessions.replay import replay
from cellwright.sessions.session import Session
from cellwright.surface import Surface
from cellwright.text.visible_text import mark_hidden
from cellwright.waiting.keyboard import run_until_interrupted

APPROVERS: dict[str, type[Approver]] = {"all": AllowAll, "none": DenyAll, "ask": ConsoleApprover}

STOPPED = 130
"""The exit code of what was stopped from the keyboard."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; the exit code."""
    parser = command_parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help(sys.stderr)
        return 2
    try:
        code: int = options.command(options)
    except CellwrightError as error:
        print(f"cellwright: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return STOPPED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def command_parser() -> argparse.ArgumentParser:
    """What reads the words of a command line."""
    parser = program()
    parser.add_argument("--version", dest="command", action="store_const", const=_version, help="print the version")
    commands = parser.add_subparsers(metavar="COMMAND")
    lab = add_command(commands, "lab", "open JupyterLab at the tour notebook", "--port 8890")
    lab.add_argument("--no-browser", action="store_true", help="start the server only")
    lab.add_argument("--port", type=int, metavar="N", help="the server's port; by default the first that is free")
    lab.set_defaults(command=_lab)
    tools = add_command(commands, "tools", "list the tools as a model gets them", "minimal")
    tools.add_argument("tools", nargs="*", metavar="NAME", help="installed tools and presets; by default all")
    tools.add_argument("--json", action="store_true", help="the exact bytes that a model gets")
    tools.set_defaults(command=_tools)
    example = """read_file '{"path": "README.md"}'"""
    call = add_command(commands, "call", "take one call through all stages and print its result", example)
    call.add_argument("tool", metavar="TOOL", help="its name, as `cellwright tools` lists it")
    call.add_argument("arguments", metavar="JSON", help="its arguments, as one JSON object")
    _add_conditions(call, "none")
    call.set_defaults(command=_call)
    run = add_command(commands, "run", "run an agent in the terminal", '"Which tests are slow?" --log run.jsonl')
    run.add_argument("prompt", metavar="PROMPT", help="what the agent is to do")
    run.add_argument("--after", metavar="LOG", help="go on from the last run of a log, and write behind it")
    for taking, act in ((run, _run), (add_fork(commands), _fork)):
        _add_model(taking)
        _add_conditions(taking, "ask")
        taking.set_defaults(command=act)
    what = "offer tools to a client of the Model Context Protocol, on standard streams"
    mcp = add_command(commands, "mcp", what, "--tools notebook")
    _add_folder_and_mode(mcp)
    mcp.add_argument("--tools", nargs="+", default=["all"], metavar="NAME", help="tools and presets; by default all")
    mcp.set_defaults(command=_mcp)
    add_trust(commands).set_defaults(command=trust)
    add_explain(commands).set_defaults(command=_shown, text=explain)
    add_session_commands(commands, _shown)
    again = add_command(
        commands, "replay", "show the runs of a log again, without a model or a key", "run.jsonl --speed 2"
    )
    again.add_argument("log", metavar="LOG", help=LOG)
    pace = "1 for the pace at which it went, 2 for twice that; by default all at once"
    again.add_argument("--speed", type=float, default=math.inf, metavar="N", help=pace)
    again.set_defaults(command=_replay)
    return parser


def _add_model(parser: argparse.ArgumentParser) -> None:
    named = "such as anthropic:NAME or scripted:FILE.json; by default the first that is there, and it is said which"
    parser.add_argument("--model", metavar="NAME", help=named)
    parser.add_argument("--base-url", metavar="URL", help="a server of models, as http://127.0.0.1:11434/v1")
    parser.add_argument("--log", metavar="FILE", help="write the run's events there, as JSON lines")


def _add_folder_and_mode(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cwd", default=".", metavar="DIR", help="the working folder; by default this one")
    named = f"how much runs without a question: {', '.join(MODES)}; by default what only reads"
    parser.add_argument("--mode", default="default", choices=MODES, metavar="MODE", help=named)


def _add_conditions(parser: argparse.ArgumentParser, approve: str) -> None:
    _add_folder_and_mode(parser)
    who = f"who answers questions: all (yes to each), none (no to each) or ask (you); by default {approve}"
    parser.add_argument("--approve", default=approve, choices=sorted(APPROVERS), metavar="WHO", help=who)


def _version(options: argparse.Namespace) -> int:
    from importlib.metadata import version

    put(f"cellwright {version('cellwright')}")
    return 0


def _lab(options: argparse.Namespace) -> int:
    from cellwright.console.lab import start_lab

    return start_lab(browser=not options.no_browser, port=options.port)


def _tools(options: argparse.Namespace) -> int:
    registry, surface = registry_of(options.tools or "all"), Surface()
    env = Env(Path.cwd(), deferred=surface.deferred)
    listing = surface.renew(registry, Conditions(Policy()), env)
    if options.json:
        put(listing.json.decode())
        return 0
    for definition in listing.definitions:
        tool = (surface.tools or {})[definition.name]
        traits = ("read_only", "concurrency_safe", "destructive")
        held = [name for name in traits if getattr(tool, name) is True] or ["asks first"]
        print(f"{tool.name}  [{', '.join(held)}]\n    {definition.description.partition(chr(10))[0]}")
    for definition in surface.deferred():
        print(f"{definition.name}  [found by {SEARCH}]\n    {definition.description.partition(chr(10))[0]}")
    shown = {definition.name for definition in (*listing.definitions, *surface.deferred())}
    for name in (name for name in options.tools if name in registry and name not in shown):
        print(f"cellwright: {name} is installed, but not shown to a model here", file=sys.stderr)
    return 0


def _call(options: argparse.Namespace) -> int:
    call = Call("call_1", options.tool, options.arguments)
    env = _env(options.cwd)
    standing = Standing(Conditions(_policy(options, env.cwd)))
    setup = Setup(registry_of("all"), env, standing, APPROVERS[options.approve](), Log())
    for remark in setup.remarks:
        tell(f"note: {remark}")
    result = run_until_interrupted(_called(call, setup))
    escaped = sys.stdout.isatty()  # what a terminal would obey, such as U+009B, is then written as an escape
    put(json.dumps(result.as_json(), ensure_ascii=escaped, indent=2, allow_nan=False))
    if result.error_type == "approval_unavailable":
        print("cellwright: --approve all answers yes, --approve ask asks you", file=sys.stderr)
    return 0 if result.ok else STOPPED if result.error_type == "cancelled" else 1


async def _called(call: Call, setup: Setup) -> Result:
    try:
        return await run_call(call, setup)
    finally:
        await setup.env.jobs.close()
        await setup.env.kernels.close()


def _run(options: argparse.Namespace) -> int:
    after = None if options.after is None else _session(options.after, options.cwd)
    return _ended(_agent(options).run_sync(options.prompt, after=after))


def _fork(options: argparse.Namespace) -> int:
    agent, run, other = _agent(options), run_of(options), otherwise(options)

    async def forked() -> Run:
        return await agent.fork(run, options.at, other)

    done = run_until_interrupted(forked())
    tell(f"the fork is written to {done.standpoint.path}")
    return _ended(done)


def _agent(options: argparse.Namespace) -> Agent:
    return Agent(
        model(options.model, base_url=options.base_url),
        cwd=options.cwd,
        policy=_policy(options, options.cwd),
        approver=APPROVERS[options.approve](),
        observers=[narrator()],
        log=options.log,
    )


def _ended(run: Run) -> int:
    put(mark_hidden(run.answer) if sys.stdout.isatty() else run.answer)
    if run.stop_reason != "answered":
        print(f"cellwright: the run ended: {run.stop_reason}. {run.error}".rstrip(), file=sys.stderr)
        return 1
    return 0


def _mcp(options: argparse.Namespace) -> int:
    from cellwright.mcp.service import Service

    env = replace(_env(options.cwd), ledger=Ledger())
    standing = Standing(
        Conditions(_policy(options, env.cwd), Selection(deny=["agent", "ask_user"]))
    )  # no run that it could be of
    setup = Setup(registry_of(options.tools), env, standing, DenyAll(), Log())
    for remark in setup.remarks:
        tell(f"note: {remark}")
    asyncio.run(Service(setup).serve())
    return 0


def _policy(options: argparse.Namespace, cwd: str | Path) -> Policy:
    """The rules of the folder, in the mode that was asked for; mode bypass only once it was confirmed twice."""
    if options.mode != "bypass":
        return Policy.load(cwd, options.mode)
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(
            "mode bypass is confirmed twice at a terminal, and there is none; use --mode dont_ask and allow what is "
            "needed by rules"
        )
    return Policy.load(cwd, options.mode, consent=confirmed(typed_line))


def _shown(options: argparse.Namespace) -> int:
    put(options.text(options))
    return 0


def _replay(options: argparse.Namespace) -> int:
    session = _session(options.log)
    for run in session.runs:
        tell(f"{run.id}: {run.prompt}")
        run_until_interrupted(replay(run.events, [Narrator()], options.speed))
        put(mark_hidden(run.answer) if sys.stdout.isatty() else run.answer)
    return 0


def _session(name: str, cwd: str = ".") -> Session:
    session = Session.load(session_file(name, cwd))
    for note in session.notes:
        tell(f"note: {note}")
    return session


def _env(cwd: str) -> Env:
    folder = Path(cwd).resolve()
    if not folder.is_dir():
        raise UsageError(f"the working folder {folder} is not there; give another with --cwd")
    kernels = Kernels(gateway=gateway_of(None))
    return Env(folder, Ledger(by_person=True), Spill(folder, "call"), kernels=kernels)


if __name__ == "__main__":
    sys.exit(main())
