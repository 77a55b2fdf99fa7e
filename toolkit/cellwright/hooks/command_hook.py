"""Hooks that are programs of their own: the occasion as JSON on standard input, the answer as JSON on standard output.

    {"event": "before_call", "cwd": "/data", "mode": "default", "call_id": "c1", "tool": "t", "args": {"n": 1}}
    {"decision": "block", "reason": "not on a Friday"}

`decision` is the word of an answer (block, allow, ask, change, add_context; replace, fail, stop_run), beside it stand
the answer's own fields. No output is no opinion. The rule that must never break: an answer is JSON and exit code 0;
anything else means that the program could not judge, and the call is denied as such. An exit code alone never means a
block, since an interpreter that does not find its script ends with 2, as a block would.

A command is a list of words and no shell reads it; who wants one writes `["sh", "-c", "..."]`. It runs in the working
folder with the environment of this process, so keep the program itself where no tool can write. It is a session of
its own; at its end or at the time limit the whole group is killed.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import tempfile
from collections.abc import Collection, Sequence
from typing import IO

from cellwright.arguments import ArgumentsError, parse_json
from cellwright.codec import canonical
from cellwright.commands.process_group import ending, kill_group
from cellwright.errors import UsageError
from cellwright.hooks.hook import ANSWERS, TIME_LIMIT, Hook, HookAnswer, HookEvent, HookFailed, Occasion
from cellwright.messages import clean_text

MAX_OUTPUT = 1_000_000
"""Bytes that a program may write to each of its two outputs."""


def command_hook(
    event: HookEvent,
    command: Sequence[str],
    tools: Collection[str] | None = None,
    *,
    name: str = "",
    timeout: float = TIME_LIMIT,
) -> Hook:
    """A hook that starts a program each time it is asked.

    Raises:
        UsageError: for a command that is no list of words, and what `Hook` raises.
    """
    if isinstance(command, str) or not command or not all(isinstance(word, str) for word in command):
        raise UsageError(
            f"{command!r} is no command; give a list of words, such as ['python3', '/etc/guard.py'], or, for a "
            "shell to read it, ['sh', '-c', '...']"
        )
    words = tuple(command)

    async def ask(occasion: Occasion) -> HookAnswer | HookFailed | None:
        return await _answer(words, occasion)

    return Hook(event, ask, tools, name or shlex.join(words), timeout)


async def _answer(words: Sequence[str], occasion: Occasion) -> HookAnswer | HookFailed | None:
    with tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as errors:
        told.write(canonical(occasion.as_json()).encode())
        told.seek(0)
        try:
            process = subprocess.Popen(  # noqa: S603 (the person's own program, and no shell)
                words, stdin=told, stdout=said, stderr=errors, cwd=occasion.cwd, start_new_session=True
            )
        except (OSError, ValueError) as error:
            return HookFailed(f"{words[0]} can't be started: {error}")
        try:
            wrote_too_much = await _wait(process, said, errors)
        finally:
            kill_group(process)
        if wrote_too_much:
            return HookFailed(f"{words[0]} wrote more than {MAX_OUTPUT:,} bytes")
        if process.returncode != 0:
            return HookFailed(f"{words[0]} ended with {ending(process.returncode)}{_last_words(errors)}")
        return _read(_text(said), occasion.event)


async def _wait(process: subprocess.Popen[bytes], *outputs: IO[bytes]) -> bool:
    """Until the program has ended; true, at once, if it writes too much.

    It is looked at now and then: the end of a pipe would not come while a process that it left behind holds on to it.
    """
    pause = 0.001
    while process.poll() is None:
        if _too_much(outputs):
            return True
        await asyncio.sleep(pause)
        pause = min(pause * 1.5, 0.02)
    return _too_much(outputs)


def _too_much(outputs: Sequence[IO[bytes]]) -> bool:
    return any(os.fstat(output.fileno()).st_size > MAX_OUTPUT for output in outputs)


def _last_words(errors: IO[bytes]) -> str:
    words = " ".join(_text(errors).split())[-500:]
    return f": {words}" if words else ""


def _text(output: IO[bytes]) -> str:
    output.seek(0)
    return clean_text(output.read().decode(errors="replace")).strip()


def _read(text: str, event: HookEvent) -> HookAnswer | HookFailed | None:
    """The answer in a program's output. Its fields are checked where all answers are."""
    if not text:
        return None
    kinds = {kind.word: kind for kind in ANSWERS[event]}
    possible = f"at {event} its decision is one of {', '.join(kinds)}, or it writes nothing" if kinds else ""
    try:
        data = parse_json(text)
    except ArgumentsError:
        data = None
    if not isinstance(data, dict):
        return HookFailed(f"it wrote {text[:100]!r}, which is no JSON object; {possible or 'it can only watch'}")
    kind = kinds.get(str(data.pop("decision", None)))
    if kind is None:
        return HookFailed(f"it wrote {text[:100]!r}; {possible or f'at {event} it can only watch'}")
    try:
        return kind(**data)
    except (TypeError, UsageError):
        names = ", ".join(["decision", *kind.__struct_fields__])
        return HookFailed(f"it wrote {text[:100]!r}; the fields of this answer are {names}")
