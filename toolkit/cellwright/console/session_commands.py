"""`cellwright sessions`, `effects`, `undo`, `redo` and `export`: what is left of runs, in a terminal.

The kernel in which a run went on is gone, and its log is there; a person who finds a file changed wants to know by
which call, and to have it as it was. So the words are those of a run (`run.effects`, `run.undo`), and what they say is
told of a file. A log is named by its path, or by its name in the project's folder of sessions. The rule that must never
break: looking changes nothing, and what an undo can't take back is said with it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from cellwright.codec import to_json
from cellwright.console.usage import add_command
from cellwright.errors import UsageError
from cellwright.messages import JsonObject
from cellwright.sessions.export import export_markdown, export_notebook
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.sessions.session import Session
from cellwright.sessions.session_folder import SESSIONS, SessionFolder
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden
from cellwright.undo.effect import Effect

Act = Callable[[argparse.Namespace], str]
"""Does a command, and gives what to print."""
LOG = "the file of a log, or the name of a session"


def add_session_commands(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], command: Callable[[argparse.Namespace], int]
) -> None:
    """Adds the commands and their options, each with its act as `text`, which `command` is to print."""
    listing = add_command(commands, "sessions", "list the sessions of a folder, the newest first", "--json")
    folder = f"the folder of logs; by default {SESSIONS}, where the chat panel keeps its own"
    listing.add_argument("folder", nargs="?", default=SESSIONS, metavar="DIR", help=folder)
    listing.add_argument("--json", action="store_true", help="a line of JSON for each")
    listing.set_defaults(text=_sessions, command=command)
    effects = _of_a_run(commands, "effects", "tell what the calls of a run have changed", "run.jsonl", _effects)
    effects.add_argument("--json", action="store_true", help="the same as JSON")
    back = "bring files back to what they were before a call of a run"
    undo = _of_a_run(commands, "undo", back, "run.jsonl call_2", _undo)
    undo.add_argument("call", nargs="?", metavar="CALL", help="the id of the call, which `effects` tells")
    undo.add_argument("--to", metavar="PLACE", help="a call or the number of a step: it and all after it are undone")
    redo = _of_a_run(commands, "redo", "do again what was undone", "run.jsonl call_2", _redo)
    redo.add_argument("call", metavar="CALL", help="the id of the call")
    down = "write a run down as a notebook or as Markdown"
    export = _of_a_run(commands, "export", down, "run.jsonl run.ipynb", _export)
    export.add_argument("target", metavar="FILE", help="the new file; its ending, .ipynb or .md, says as what")
    for parser in (effects, undo, redo, export):
        parser.set_defaults(command=command)


def session_file(name: str, cwd: str | Path = ".") -> Path:
    """The log of a session that a person names.

    Raises:
        UsageError: if there is none.
    """
    return SessionFolder(Path(cwd).resolve() / SESSIONS).find(name)


def run_of(options: argparse.Namespace) -> RecordedRun:
    """The run that the options name.

    Raises:
        UsageError: if there is none.
    """
    runs = Session.load(session_file(options.source, getattr(options, "cwd", "."))).runs
    number = len(runs) if options.run is None else options.run
    if not 1 <= number <= len(runs):
        raise UsageError(f"--run {number} is not there: {options.source} holds {quantity(len(runs), 'run')}, from 1")
    return runs[number - 1]


def _of_a_run(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, what: str, example: str, text: Act
) -> argparse.ArgumentParser:
    parser = add_command(commands, name, what, example)
    add_source(parser)
    parser.set_defaults(text=text)
    return parser


def add_source(parser: argparse.ArgumentParser) -> None:
    """Adds the options that name a run."""
    parser.add_argument("source", metavar="LOG", help=LOG)
    parser.add_argument("--run", type=int, metavar="N", help="which run of the log, from 1; by default the last one")


def _sessions(options: argparse.Namespace) -> str:
    folder = SessionFolder(Path(options.folder).resolve())
    if options.folder != SESSIONS and not folder.path.is_dir():
        raise UsageError(f"the folder {folder.path} is not there; give one that holds logs (*.jsonl)")
    files = folder.files()
    if options.json:
        facts = ({"path": str(file.path), "changed": file.changed, "prompt": file.prompt} for file in files)
        return "\n".join(json.dumps(to_json(each)) for each in facts)
    return "\n".join(file.label for file in files) or f"{folder.path} holds no session"


def _effects(options: argparse.Namespace) -> str:
    run = run_of(options)
    if options.json:
        return json.dumps(to_json([_facts(run, effect) for effect in run.effects]), indent=2)
    told = [line for effect in run.effects for line in _lines(run, effect)]
    return "\n".join(map(mark_hidden, told)) or f"{run.id} has changed nothing"


def _facts(run: RecordedRun, effect: Effect) -> JsonObject:
    problem = run.undoing().problem(effect)
    return {
        "id": effect.call_id,
        "name": effect.tool,
        "step": effect.step,
        "files": effect.paths,
        "is_undone": effect.is_undone,
        "can_change": not problem,
        "problem": problem,
        "lasting": effect.lasting,
    }


def _lines(run: RecordedRun, effect: Effect) -> Iterator[str]:
    problem = run.undoing().problem(effect)
    state = " [undone]" if effect.is_undone else ""
    yield f"{effect.call_id}  step {effect.step}  {effect.tool}{state}  {', '.join(effect.paths)}".rstrip()
    for why in dict.fromkeys(filter(None, (problem, effect.lasting))):
        yield f"    stays: {why}"


def _undo(options: argparse.Namespace) -> str:
    run = run_of(options)
    if (options.call is None) == (options.to is None):
        raise UsageError(f"name a call, or --to PLACE for all from there on; see `cellwright effects {options.source}`")
    if options.call is not None:
        return _told("undone", [run.undo(options.call)], run)
    plan = run.undo_to(_place(options.to, run))
    return _told("undone", plan.undone, run, plan.lasting)


def _place(said: str, run: RecordedRun) -> str | int:
    """A call, or the number of a step; a call may be called by a number, too."""
    is_call = any(event.kind == "call" and event.data["id"] == said for event in run.events)
    return int(said) if said.isdecimal() and not is_call else said


def _export(options: argparse.Namespace) -> str:
    target = Path(options.target)
    write = {".ipynb": export_notebook, ".md": export_markdown}.get(target.suffix.lower())
    if write is None:
        raise UsageError(f"{target} ends in neither .ipynb nor .md; a page (.html) is written in the chat panel")
    text = write(run_of(options).events)
    try:
        with target.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"{target} can't be written: {error.strerror}; give another file") from None
    return f"written: {target}"


def _redo(options: argparse.Namespace) -> str:
    run = run_of(options)
    return _told("redone", [run.redo(options.call)], run)


def _told(how: str, effects: Sequence[Effect], run: RecordedRun, lasting: Sequence[Effect] = ()) -> str:
    lines = [f"{how}: {each.call_id} ({each.tool}): {', '.join(each.paths)}" for each in effects]
    lines += [f"stays: {each.call_id} ({each.tool}): {each.lasting}" for each in lasting or effects if each.lasting]
    return "\n".join(map(mark_hidden, lines)) or f"nothing of {run.id} is left to undo there"
