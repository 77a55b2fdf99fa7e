"""A server of one local model, in a process of its own: a crash of it takes no kernel along.

It listens on loopback alone, at a port that is free, and wants a key that nobody but the process that began it knows;
both go over standard streams. It takes one thread fewer than there are cores: threads that wait for each other on a
busy machine make a turn twenty times as long. The rule that must never break: it ends when the process that began it
does, however that ends.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import subprocess
import sys
import threading
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from cellwright.errors import ModelError

CONTEXT = 8192
"""Tokens of a conversation at most."""


class LocalServer(Protocol):
    """Where a local model is served."""

    async def address(self) -> tuple[str, str]:
        """Its address, and the key that it wants."""


class ScriptedServer:
    """A server that runs somewhere already."""

    def __init__(self, url: str, key: str) -> None:
        self._at = (url, key)

    async def address(self) -> tuple[str, str]:
        """Its address, and the key that it wants."""
        return self._at


class LocalProcess:
    """A process that serves a file of weights; it is begun when it is first needed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._process: subprocess.Popen[str] | None = None
        self._at: tuple[str, str] | None = None
        self._lock = threading.Lock()

    async def address(self) -> tuple[str, str]:
        """Its address, and the key that it wants.

        Raises:
            ModelError: if it can't serve the file.
        """
        return await asyncio.to_thread(self._begun)

    def _begun(self) -> tuple[str, str]:
        with self._lock:
            if self._at is None or self._process is None or self._process.poll() is not None:
                self._at = self._begin()
            return self._at

    def _begin(self) -> tuple[str, str]:
        key = secrets.token_urlsafe(24)
        command = [sys.executable, "-m", "cellwright.models.local_process", str(self._path)]
        pipe = subprocess.PIPE
        self._process = process = subprocess.Popen(  # noqa: S603 (this very Python, and a path as one argument)
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
        )
        weakref.finalize(self, _end, process)
        if process.stdin is None or process.stdout is None:
            raise ModelError("the process of the local model has no streams")
        process.stdin.write(f"{key}\n")
        process.stdin.flush()
        url = process.stdout.readline().strip()
        if not url.startswith("http://127.0.0.1:"):
            _end(process)
            raise ModelError(
                f"the model {self._path} could not be loaded{': ' * bool(url)}{url}; give a file of weights in the "
                "format GGUF that fits into memory"
            )
        return f"{url}/v1", key


def _end(process: subprocess.Popen[str]) -> None:
    """Closes its input, at which it ends."""
    for stream in (process.stdin, process.stdout):
        if stream:
            with suppress(OSError):
                stream.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(5)
    process.kill()
    process.wait()


def main(path: str) -> None:
    """Serves the file until standard input ends; the first line of that is the key."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # llama.cpp writes to standard output as well
    key = sys.stdin.readline().strip()
    try:
        server = _served(path, key)
    except Exception as error:
        print(json.dumps(str(error)), file=out, flush=True)
        return
    print(server.listening_address, file=out, flush=True)
    sys.stdin.read()
    os._exit(0)


def _served(path: str, key: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 (the package has no types)
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.port = 0
    parameters.api_keys = [key]
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    threads = max(1, (os.cpu_count() or 2) - 1)
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    return xllamacpp.Server(parameters)


if __name__ == "__main__":
    main(sys.argv[1])
