"""What bash really starts: lines are run in a folder that is thrown away, where every program only writes down itself.

`PATH` holds stubs and nothing else. A stub notes its words, its folder and its variables; the few that run another
command (`env`, `xargs`) then do that. So nothing that a line says can have an effect, and all that it does is seen.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

BASH = shutil.which("bash")
RUNNING = ("env", "timeout", "nice", "xargs", "find", "bash", "sh", "nohup", "sed", "awk", "cat")
"""Stubs that go on as the real program."""
NOTING = (
    *("pwn", "touch", "rm", "mv", "ls", "git", "grep", "sort", "head", "wc", "uniq", "diff", "python3", "perl", "make"),
    *(
        "sudo",
        "ssh",
        "tar",
        "rg",
        "fd",
        "tree",
        "vim",
        "apwn",
        "pwna",
        "setsid",
        "parallel",
        "watch",
        "strace",
        "stdbuf",
    ),
)
SECONDS = 3


@dataclass(frozen=True, slots=True)
class Started:
    """A program that was started."""

    words: tuple[str, ...]
    folder: str
    variables: dict[str, str]


class Sandbox:
    """A folder with stubs, and one to run lines in."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.programs, self.traces, self.folder = (self.root / name for name in ("bin", "traces", "work"))
        for path in (self.programs, self.traces, self.folder):
            path.mkdir()
        for name in (*RUNNING, *NOTING):
            real = shutil.which(name) if name in RUNNING else None
            self._stub(self.programs / name, real)
        self.variables = {"PATH": str(self.programs), "HOME": str(self.folder), "x": "pwn"}

    def run(self, line: str) -> tuple[Started, ...]:
        """Runs a line in a fresh folder; what was started until it ended or its time was up."""
        for path in (self.traces, self.folder):
            shutil.rmtree(path)
            path.mkdir()
        (self.folder / "a").write_text("pwn\n")
        (self.folder / "b").mkdir()
        with subprocess.Popen(
            [BASH or "bash", "--norc", "-c", line],
            env=self.variables,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                pass
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        return tuple(self._started())

    @property
    def made(self) -> set[str]:
        """What the last line made or changed."""
        kept = {"a", "b"} if (self.folder / "a").read_bytes() == b"pwn\n" else {"b"}
        return {path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*")} - kept

    def _stub(self, path: Path, real: str | None) -> None:
        note = f'{{ printf "%s\\0" "$(pwd -P)" "${{0##*/}}" "$@"; printf "\\001\\0"; {shutil.which("env")} -0; '
        note += f'printf "\\002\\0"; }} >> "{self.traces}/$$"'
        path.write_text(f"#!/bin/sh\n{note}\n" + (f'exec {real} "$@"\n' if real else "exit 0\n"))
        path.chmod(0o755)

    def _started(self) -> Iterator[Started]:
        for path in sorted(self.traces.iterdir()):
            for note in path.read_bytes().decode(errors="surrogateescape").split("\x02\0")[:-1]:
                words, _, variables = note.partition("\x01\0")
                folder, *rest = words.split("\0")[:-1]
                pairs = (variable.partition("=") for variable in variables.split("\0") if variable)
                yield Started(tuple(rest), folder, {name: value for name, _, value in pairs})
