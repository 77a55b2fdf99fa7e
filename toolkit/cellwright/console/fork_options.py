"""The options of `cellwright fork`: at which step, and what is to be otherwise from there on.

They are the words of `run.fork` and of `Otherwise`: the model is asked anew, or one call of the step has other
arguments, another answer or another result. The rule that must never break: what can't be read is said before anything
is begun.
"""

from __future__ import annotations

import argparse

from cellwright.arguments import ArgumentsError, parse_json
from cellwright.console.session_commands import add_source
from cellwright.console.usage import add_command
from cellwright.errors import UsageError
from cellwright.messages import JsonObject
from cellwright.person.approval import Allow, Answer, Deny
from cellwright.sessions.fork import Otherwise


def add_fork(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Adds the command with them, and with the log and the run that are forked."""
    what = "take a run of a log up again at a step, and let it go another way"
    parser = add_command(commands, "fork", what, """run.jsonl --at 2 --deny "not now\"""")
    add_source(parser)
    parser.add_argument("--at", type=int, required=True, metavar="STEP", help="the step from which on it is otherwise")
    parser.add_argument("--call", default="", metavar="ID", help="the call of the step, if it has several")
    parser.add_argument("--args", metavar="JSON", help="the call is made with other arguments")
    parser.add_argument(
        "--result", metavar="TEXT", help="nothing is run, and the model reads this as the call's result"
    )
    parser.add_argument("--allow", action="store_true", help="you would have allowed the call")
    parser.add_argument("--deny", metavar="REASON", nargs="?", const="", help="you would have denied the call")
    return parser


def otherwise(options: argparse.Namespace) -> Otherwise:
    """What is to be otherwise.

    Raises:
        UsageError: if it is several things, or the arguments are no JSON object.
    """
    if options.allow and options.deny is not None:
        raise UsageError("--allow and --deny are two answers to one question; give one of them")
    answer: Answer | None = Allow() if options.allow else Deny(options.deny) if options.deny is not None else None
    args = None if options.args is None else _object(options.args)
    return Otherwise(options.call, args=args, decision=answer, result=options.result)


def _object(text: str) -> JsonObject:
    try:
        found = parse_json(text)
    except ArgumentsError as error:
        raise UsageError(f"--args is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise UsageError(f'--args {text!r:.80} is no JSON object; write it as {{"path": "a.txt"}}')
    return found
