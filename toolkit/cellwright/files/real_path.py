"""Where a path leads, found out once.

Permission judges places, not spellings: links are followed, and a name that differs only by an odd blank or by
Unicode normalisation is taken if there is just one such file. What comes out holds no links, and the functions that
open files take it as it is. The rule that must never break: a path is followed here, before it is judged, and never
again.
"""

from __future__ import annotations

import os
from pathlib import Path

from cellwright.errors import ToolError
from cellwright.files.file_error import told_of
from cellwright.text.near_name import near_names, visible_name


def real_path(path: Path) -> Path:
    """Where `path` leads: links followed, an odd blank or another normalisation in its name seen through.

    A path that doesn't exist comes back as the place where a new file would be made.

    Raises:
        ToolError: `ambiguous` if several names look like it, `link_cycle`, or what else the system says.
    """
    with told_of(path, "find"):
        try:
            os.stat(path)
        except FileNotFoundError:
            if not os.path.islink(path):
                return _near(Path(os.path.realpath(path.parent)) / path.name)
        return Path(os.path.realpath(path))


def _near(path: Path) -> Path:
    """The one file whose name looks like that of a path to nothing, or else the path."""
    names = near_names(path)
    if len(names) > 1:
        shown = ", ".join(visible_name(name) for name in names)
        raise ToolError("ambiguous", f"{path} does not exist, but several names look like it: {shown}. Name one.")
    return Path(os.path.realpath(path.with_name(names[0]))) if names else path
