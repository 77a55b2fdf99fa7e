"""What stands at a path at one moment: nothing, a file with its content and mode, or a link.

To say later whether somebody else has changed a file, and to bring back what was there, one has to have written down
what was there. Content goes by its SHA-256, which also names the copy that was kept of it; time stamps are not looked
at, since they miss changes and see some where there were none. The rule that must never break: two states are equal
only if the same bytes stand there with the same mode.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from cellwright.messages import JsonObject
from cellwright.text.quantity import quantity

Kind = Literal["absent", "file", "link", "other"]
DIGEST = re.compile(r"[0-9a-f]{64}")


class FileState(Struct, frozen=True):
    """What stands at a path. Of anything but a file or a link (a folder, a pipe) no more is known than that."""

    kind: Kind
    digest: str = ""
    """The SHA-256 of a file's bytes."""
    size: int = 0
    mode: int = 0
    """The permission bits of a file, such as 0o644."""
    target: str = ""
    """Where a link leads, as it is written in it."""

    @property
    def told(self) -> str:
        """The state in a few words, as in "it is ..."."""
        match self.kind:
            case "absent":
                return "not there"
            case "file":
                return f"a file of {quantity(self.size, 'byte')}, {self.digest[:8]}, mode {self.mode:o}"
            case "link":
                return f"a link to {self.target}"
            case "other":
                return "a folder, or something else that is no file"

    def as_data(self) -> JsonObject:
        """The state as JSON, for the log."""
        match self.kind:
            case "file":
                return {"kind": "file", "digest": self.digest, "size": self.size, "mode": self.mode}
            case "link":
                return {"kind": "link", "target": self.target}
            case kind:
                return {"kind": kind}

    @classmethod
    def of_data(cls, data: JsonObject) -> FileState:
        """The state that a log tells of.

        Raises:
            ValueError: if that is none. A log may be anybody's.
        """
        match data:
            case {"kind": "file", "digest": str(digest), "size": int(size), "mode": int(mode)}:
                if DIGEST.fullmatch(digest) and 0 <= mode <= 0o7777:
                    return cls("file", digest, size, mode)
            case {"kind": "link", "target": str(target)} if target:
                return cls("link", target=target)
            case {"kind": "absent" | "other" as kind}:
                return cls(kind)
        raise ValueError(f"{data!r:.200} is no state of a file")


ABSENT = FileState("absent")
"""Nothing stands there."""
