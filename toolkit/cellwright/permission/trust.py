"""Whether a person has looked at a project's own rules before they allow anything.

A cloned project can bring a file that allows what its author likes. What such a file denies or asks about counts at
once; what it allows counts only once the person has said that they trust this file, in this place, with this very
content. That is noted beside their own rules, outside of any project. The rule that must never break: a file that was
changed, moved or never looked at allows nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from contextlib import suppress
from pathlib import Path

from cellwright.errors import UsageError


class Trust:
    """The files that are trusted, kept in one file of JSON: a place, and the hash of what stood there."""

    def __init__(self, store: Path) -> None:
        self.store = store

    def holds(self, path: Path, data: bytes) -> bool:
        """Whether this content is trusted in this place. If the notes can't be read, nothing is."""
        with suppress(UsageError):
            return self._noted().get(_place(path)) == _hash(data)
        return False

    def give(self, path: Path, data: bytes) -> None:
        """From now on this content is trusted in this place, and no other content there.

        Raises:
            UsageError: if that can't be noted.
        """
        noted = {**self._noted(), _place(path): _hash(data)}
        new = self.store.with_name(f".{self.store.name}-{secrets.token_hex(6)}")
        try:
            self.store.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(json.dumps(noted, indent=1, sort_keys=True), encoding="utf-8")
            new.replace(self.store)
        except OSError as error:
            new.unlink(missing_ok=True)
            raise UsageError(f"{self.store} can't be written ({error}), so {path} stays untrusted") from None

    def _noted(self) -> dict[str, str]:
        try:
            found = json.loads(self.store.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            raise UsageError(f"{self.store} can't be read ({error}); mend it, or take it away") from None
        if not isinstance(found, dict):
            raise UsageError(f"{self.store} holds no notes of trust; mend it, or take it away")
        return found


def _place(path: Path) -> str:
    return os.path.realpath(path)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
