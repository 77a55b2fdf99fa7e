"""What the Jupyter server that this kernel belongs to knows: where its files are, and what is open in a page.

A page that can't be reached still has its document, and would ask the person what to do once the file under it
changes. The server knows of such a page: it holds a connection from it to the kernel of the notebook. Servers describe
themselves in a file for programs of the same user. Where there is none (another machine, no server at all) nothing is
known, and nothing is said. The rule that must never break: it is only asked, never told to do anything, and nobody else
hears its token.
"""

from __future__ import annotations

import json
import os
import urllib.request
from pathlib import Path, PurePosixPath

from jupyter_core.paths import jupyter_runtime_dir
from msgspec import Struct

from cellwright.kernels.gateway import direct_opener

PATIENCE = 3.0
"""Seconds that it may take to answer."""


class Server(Struct, frozen=True):
    """A running server of this user."""

    url: str
    token: str
    root: Path
    """The folder from which it counts paths."""

    @classmethod
    def of_kernel(cls) -> Server | None:
        """The server that started this kernel; None where there is none, or none that can be asked."""
        parent = os.environ.get("JPY_PARENT_PID", "")
        if not parent.isdigit():
            return None
        try:
            said = json.loads(Path(jupyter_runtime_dir(), f"jpserver-{parent}.json").read_text("utf-8"))
            return cls(str(said["url"]), str(said["token"]), Path(said["root_dir"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def place(self, path: str) -> Path:
        """The real path of a document, by the path that the server has for it."""
        return Path(self.root, plain_path(path)).resolve()

    def pages(self, path: Path) -> int | None:
        """How many pages are connected to the kernel of a notebook; None if that can't be told."""
        request = urllib.request.Request(f"{self.url}api/sessions", headers={"Authorization": f"token {self.token}"})  # noqa: S310 (the address is the server's own)
        try:
            with direct_opener().open(request, timeout=PATIENCE) as answer:
                sessions = json.load(answer)
            mine = [one for one in sessions if self.place(str(one["path"])) == path]
            return sum(int(one["kernel"]["connections"]) for one in mine)
        except (OSError, ValueError, KeyError, TypeError):
            return None


def plain_path(path: str) -> str:
    """The path without the drive that some pages put before it, as in `RTC:a.ipynb`."""
    drive, colon, rest = path.partition(":")
    return rest if colon and "/" not in drive else path


def place_beside(session: str, path: str) -> Path | None:
    """The real path of a document where no server can be asked, from the file that the kernel was started for.

    Of a document that was moved to another folder since, this tells nothing.
    """
    folders = PurePosixPath(plain_path(path)).parent.parts
    around = Path(session).parent
    if not Path(session).is_absolute() or (folders and around.parts[-len(folders) :] != folders):
        return None
    return Path(around, PurePosixPath(path).name).resolve()
