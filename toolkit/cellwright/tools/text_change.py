"""A change of one text file: made in memory, shown to the person, then written.

The tools that edit text differ in how they arrive at the new text; what happens around it is the same and stands
here. A change starts from what is on disk now and is refused as `stale` if the ledger knows another version, so an
edit never rests on text that is no longer there. Showing a change notes the version it was made from: if the file
changes while the person thinks, the write is refused too. The rule that must never break: what is written is what
was shown.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files.disk import create_file, read_text_file, replace_file
from cellwright.files.text_file import TextFile
from cellwright.messages import JsonObject
from cellwright.tools.location import text_path
from cellwright.views.file_diff import Diff, diff_view

ABSENT = ""
"""The version of a file that does not exist."""


class TextChange(Struct, frozen=True):
    """What a file holds and what it is to hold.

    Raises:
        ToolError: `not_text` for a text that would make the file binary.
    """

    path: Path
    """The real path."""
    before: TextFile | None
    """None if the file is to be made."""
    text: str
    """The new text."""
    data: bytes
    """The new text as it is to be on disk."""

    def __post_init__(self) -> None:
        if "\0" in self.text:
            raise ToolError(
                "not_text",
                "the new text holds a zero byte (U+0000), which would make the file binary; nothing was written. For a "
                "backslash and a zero write them as such, for binary data use run_command",
            )

    @classmethod
    def of(cls, before: TextFile, text: str) -> TextChange:
        """The change of a file that keeps its encoding and byte order mark.

        Raises:
            ToolError: `not_encodable`.
        """
        return cls(before.path, before, text, before.encode(text))

    @property
    def text_before(self) -> str:
        """The old text; none if the file is to be made."""
        return self.before.text if self.before else ""

    @property
    def warning(self) -> str:
        """What to know if letters beyond ASCII were written in an encoding that is a guess; else nothing."""
        if self.before is None or not self.before.is_guess:
            return ""
        new_letters = "".join(set(self.text) - set(self.before.text))
        return "" if new_letters.isascii() else f"; new letters are in {self.before.encoding}, which is a guess"

    def view(self, env: Env) -> Diff:
        """The change for the person."""
        return diff_view(self.before.text if self.before else None, self.text, env.shown(self.path))

    def write(self, env: Env) -> str:
        """Put the new text on disk and note its version, which is returned.

        Raises:
            ToolError: `stale`, `exists`, `not_permitted` or `write_failed`; the file is as it was.
        """
        if self.before is None:
            create_file(self.path, self.data)
        else:
            replace_file(self.path, self.data, expected=self.before.data)
        version = content_version(self.data)
        env.ledger.note_written(self.path, version, whole=self.before is None)
        return version


def content_version(data: bytes) -> str:
    """The version that `TextFile` gives to a file of these bytes."""
    return TextFile(Path(), data, "", "", b"").version


def text_before(given: str, env: Env) -> TextFile:
    """The text file that is to be edited, as it is now.

    Raises:
        ToolError: `stale` if it is not what the ledger knows, `is_notebook`, or what reading it says.
    """
    path = text_path(given, env, "notebook_edit")
    file = read_text_file(path)
    check_unchanged(path, file.version, env)
    return file


def check_unchanged(path: Path, version: str, env: Env) -> None:
    """Refuse if a file was read or shown in another version than it has now.

    Raises:
        ToolError: `stale`.
    """
    if env.ledger.seen(path) not in (None, version):
        raise ToolError("stale", f"{env.shown(path)} changed since it was read; read it again, nothing was written")


def unread(args: JsonObject, env: Env) -> str | None:
    """Why a file may not be edited yet. A part is enough: the quote proves that the model knows the place."""
    path = env.path(args["path"])
    if not _is_text_file(path) or env.ledger.knows(path):
        return None
    return f"{env.shown(path)} was not read in this run, so nothing in it is changed; read it first with read_file"


def unread_in_part(args: JsonObject, env: Env) -> str | None:
    """Why a file may not be replaced yet: all of it has to be read, since all of it goes."""
    path = env.path(args["path"])
    if unread(args, env) or not _is_text_file(path) or env.ledger.knows_whole(path):
        return unread(args, env)
    shown = env.shown(path)
    return f"only a part of {shown} was read, and all of it would go; read the rest, or change a part with edit_file"


def _is_text_file(path: Path) -> bool:
    """Whether something is there that read_file reads; of all else the tool itself says what it is."""
    return path.is_file() and path.suffix.lower() != ".ipynb"


def change_view(change: TextChange, env: Env) -> Diff:
    """The exact diff that a change would make, for the person who is asked; changes nothing but the ledger."""
    env.ledger.note(change.path, change.before.version if change.before else ABSENT)
    return change.view(env)
