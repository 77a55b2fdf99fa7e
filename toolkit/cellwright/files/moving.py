"""A file gets another path, and nothing else about it changes.

To copy and delete would lose what is not in the bytes: mode, owner, other names, time. So the file itself is given its
new name, and never in the place of another unless that still holds what was read of it. The rule that must never
break: a file that stands in the way is lost only if somebody knew its text and said so.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from cellwright.errors import ToolError
from cellwright.files.disk import content_of, require_regular
from cellwright.files.file_error import told_of
from cellwright.files.folder import Folder, opened_folder


def move_regular_file(path: Path, new: Path, over: bytes | None = None) -> None:
    """Move the regular file at a real path to another, with its missing folders; over one that holds `over`, if given.

    Raises:
        ToolError: `exists`, `stale` if what stands there is something else, `other_disk`, or what the system says.
    """
    with told_of(path, "move"), opened_folder(path.parent) as folder:
        require_regular(path, folder.stat(path.name))
        with told_of(new, "write"), opened_folder(new.parent, make=True) as other:
            try:
                if over is None:
                    folder.move(path.name, other, new.name)
                elif content_of(other, new) == over:
                    _replace(folder, path.name, other, new.name)
                else:
                    raise ToolError("stale", f"{new} has changed on disk since it was read; nothing was moved")
            except FileExistsError:
                raise ToolError("exists", f"{new} already exists; nothing was moved. Name another path") from None
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                raise ToolError(
                    "other_disk", f"{new} is on another disk than {path}; use run_command with mv, which copies"
                ) from None


def _replace(folder: Folder, name: str, other: Folder, new: str) -> None:
    """Two names of one file are a case of their own: the system would do nothing and call that done."""
    if os.path.samestat(folder.stat(name), other.stat(new)):
        folder.remove(name)
    else:
        folder.replace(name, other, new)
