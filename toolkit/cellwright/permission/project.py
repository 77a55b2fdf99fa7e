"""The rules of a project as they are kept in its folder, and grants that are added to them.

A grant is written at the end of the file that one person adds to a project, as a table of its own: every byte that
stood there stays, comments too, and a person can take the grant away again by deleting its lines.
The rule that must never break: after a grant the file says what it said before, and the grant, or it is as it was.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from cellwright.calls.spill import IGNORED
from cellwright.errors import ToolError, UsageError
from cellwright.files.disk import create_file, replace_file
from cellwright.permission.layers import Layer
from cellwright.permission.rules import Rule
from cellwright.permission.sources import FOLDER, LOCAL, SHARED, load_layers, read_layer, trust_beside, user_permissions


class Project(Struct, frozen=True):
    """A folder that may hold rules of its own."""

    folder: Path
    user_file: Path
    """The person's own rules; beside it stands what they trust."""

    @classmethod
    def at(cls, folder: str | Path, user_file: Path | None = None) -> Project:
        """The project of a folder."""
        return cls(Path(folder).resolve(), user_file or user_permissions())

    def layers(self) -> tuple[Layer, ...]:
        """Its rules and the person's own, the nearest first."""
        return load_layers(self.folder, self.user_file)

    def untrusted(self) -> tuple[tuple[Path, bytes, Layer], ...]:
        """The files that allow something and are not trusted as they are now: place, content, rules."""
        trust, found = trust_beside(self.user_file), []
        for path in (self.folder / FOLDER / LOCAL, self.folder / FOLDER / SHARED):
            with suppress(OSError, ValueError):  # what can't be read allows nothing
                data = path.read_bytes()
                layer = read_layer(path, data, trust, grants=path.name == LOCAL)
                found += [(path, data, layer)] if layer.untrusted else []
        return tuple(found)

    def trust(self, path: Path, data: bytes) -> None:
        """What this file allows counts from now on, as long as it holds these bytes.

        Raises:
            UsageError: if that can't be noted.
        """
        trust_beside(self.user_file).give(path, data)

    def keep(self, rules: Sequence[str]) -> Path:
        """Writes a grant down, in the place that is returned.

        Raises:
            UsageError: if it can't be; the message says why, and nothing was written.
        """
        path = self.folder / FOLDER / LOCAL
        trust = trust_beside(self.user_file)
        if path.is_symlink() or path.parent.is_symlink():
            raise UsageError(f"{path} is a link, which may lead out of the project; make it a file")
        try:
            before = path.read_bytes() if path.exists() else None
            layer = None if before is None else read_layer(path, before, trust, grants=True)
            if layer is not None and (layer.broken or layer.untrusted):
                raise UsageError(layer.broken or f"{path} is not trusted; look at it, then run: cellwright trust")
            after = _with_grants(before or b"", rules)
            self._write(path, before, after)
        except (OSError, ValueError) as error:
            raise UsageError(f"{path} can't be written ({error})") from None
        except ToolError as error:
            raise UsageError(error.message) from None
        trust.give(path, after)
        return path

    def _write(self, path: Path, before: bytes | None, after: bytes) -> None:
        if before is not None:
            replace_file(path, after, expected=before)
            return
        create_file(path, after)
        ignore = path.with_name(".gitignore")
        if not ignore.exists():
            create_file(ignore, IGNORED.encode())


def _with_grants(before: bytes, rules: Sequence[str]) -> bytes:
    """The file with each new rule in a table at its end; read back and compared before it is worth anything."""
    text = before.decode("utf-8")
    known = _read(text)
    had = known.get("granted", [])
    new = [{"rule": str(Rule.read(rule))} for rule in rules if {"rule": rule} not in had]
    gap = "" if not text or text.endswith("\n") else "\n"
    after = text + gap + "".join(f"\n[[granted]]\nrule = {_quoted(table['rule'])}\n" for table in new)
    if new and not _says(after, {**known, "granted": [*had, *new]}):
        raise ValueError("a grant can't be added at its end; take the grants away that stand in it as a list")
    return after.encode("utf-8")


def _says(text: str, wanted: dict[str, Any]) -> bool:
    try:
        return _read(text) == wanted
    except ValueError:
        return False


def _read(text: str) -> dict[str, Any]:
    import tomllib  # needed only where something is granted for the project

    return tomllib.loads(text)


def _quoted(rule: str) -> str:
    """A basic string of TOML: JSON has the same escapes, but leaves one character as it is that TOML forbids."""
    return json.dumps(rule, ensure_ascii=False).replace("\x7f", "\\u007f")
