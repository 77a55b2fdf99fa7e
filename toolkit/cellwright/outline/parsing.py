"""Source code parsed in another process, which is ended when it takes too long.

Why another process is told in `reader`. It is started once for all texts of a call, and again only if it had to be
ended or fell over; a text that did that is named as not read, and the others are read all the same. The rule that must
never break: the work ends, by itself, when the tool is asked to stop, or when its time is up.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from cellwright.commands.process_group import kill_group, killed_once
from cellwright.errors import ToolError
from cellwright.messages import JsonObject
from cellwright.outline.language import Language
from cellwright.outline.symbol import Symbol, symbols
from cellwright.waiting.stopping import Stopping

SECONDS = 20.0
"""Time that all texts of a call may take."""
SECONDS_EACH = 4.0
"""Time that one text may take."""
MAX_BYTES = 4_000_000
"""A larger text is not parsed; no person wrote it."""


class Source(Struct, frozen=True):
    """A text to be parsed."""

    name: str
    """What to call it: a path, or the id of a cell."""
    language: Language
    text: str


class Outline(Struct, frozen=True):
    """What one text defines."""

    source: Source
    symbols: tuple[Symbol, ...] = ()
    broken: bool = False
    """Whether the text is faulty somewhere, so that what is told of it may not be all."""
    problem: str = ""
    """Why it was not read, if so."""


class Parser:
    """The process that parses, for as long as it is entered: `with Parser(env.stopping) as parser: ...`."""

    def __init__(self, stopping: Stopping, seconds: float = SECONDS, seconds_each: float = SECONDS_EACH) -> None:
        self._stopping = stopping
        self._end = time.monotonic() + seconds
        self._each = seconds_each
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Parser:
        return self

    def __exit__(self, *error: object) -> None:
        if self._process is not None:
            kill_group(self._process)
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with suppress(BrokenPipeError):  # something was still to be sent
                        stream.close()

    @property
    def is_over(self) -> bool:
        """Whether it is time to end: nothing will be parsed any more."""
        return self._stopping.is_set() or time.monotonic() > self._end

    def outline(self, source: Source) -> Outline:
        """What a text defines.

        Raises:
            ToolError: `no_grammar` if the grammar of its language can't be loaded.
        """
        data = source.text.encode("utf-8", "replace")
        if len(data) > MAX_BYTES:
            return Outline(source, problem=f"it has {len(data):,} bytes, more than {MAX_BYTES:,}")
        if self.is_over:
            return Outline(source, problem="the time was up")
        if self._process is None or self._process.poll() is not None:
            self.__exit__()
            self._process = _started()
        return _outline(source, self._answer(source.language, data, self._process))

    def _answer(self, language: Language, data: bytes, process: subprocess.Popen[bytes]) -> JsonObject:
        request = {"grammar": language.grammar, "query": language.query, "heads": language.heads, "size": len(data)}
        deadline = min(self._end, time.monotonic() + self._each)

        def is_late() -> bool:
            return self._stopping.is_set() or time.monotonic() > deadline

        with killed_once(is_late, process) as killed:
            line = _exchanged(process, json.dumps(request).encode() + b"\n" + data)
        if killed.is_set() or not line.endswith(b"\n"):
            process.wait()  # the next text must not be handed to one that is about to end
        if line.endswith(b"\n"):
            answer: JsonObject = json.loads(line)
            return answer
        return {"problem": "it took too long to parse" if killed.is_set() else "the parser failed on it"}


def _started() -> subprocess.Popen[bytes]:
    script = Path(__file__).with_name("reader.py")
    return subprocess.Popen(  # noqa: S603 (our own program)
        [sys.executable, "-P", str(script)],  # -P: no module is taken from the folder of the script
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _exchanged(process: subprocess.Popen[bytes], request: bytes) -> bytes:
    if process.stdin is None or process.stdout is None:
        return b""
    try:
        process.stdin.write(request)
        process.stdin.flush()
    except BrokenPipeError:
        return b""
    return process.stdout.readline()


def _outline(source: Source, answer: JsonObject) -> Outline:
    if "no_grammar" in answer:
        raise ToolError(
            "no_grammar",
            f"the grammar of {source.language.name} can't be loaded: {answer['no_grammar']}. It is unpacked to a cache "
            "on its first use; set SEMBLE_GRAMMARS_CACHE_DIR to a folder that can be written",
        )
    if "problem" in answer:
        return Outline(source, problem=answer["problem"])
    return Outline(source, tuple(symbols(map(tuple, answer["definitions"]))), answer["broken"])
