"""Markdown that makes a browser load something from another host as soon as the cell is shown.

A picture in a cell tells its host when, and from where, the notebook was opened. An agent can be led to write one, so
the person who is asked reads it as a warning.
"""

from __future__ import annotations

import re

from cellwright.notebook.cell import Cell

_REMOTE = re.compile(
    r"""(?:!\[[^\]]{0,999}\]\(\s{0,99}<?|<\w[^>]{0,300}?=\s{0,99}["']?|\burl\(\s{0,99}["']?|"""
    r"""^[ \t>]{0,99}\[[^\]]{1,999}\]:\s{0,99})((?:https?:)?//[^\s)>"']+)""",
    re.M,
)
"""The repetitions are bounded, so that no text makes it slow."""


def loads(cell: Cell) -> str:
    """A warning for a cell that loads from elsewhere when it is shown; empty for one that does not."""
    found = _REMOTE.findall(cell.source) if cell.cell_type == "markdown" else []
    return f"when shown, this may load from other hosts: {', '.join(dict.fromkeys(found))}" if found else ""
