"""Whether a notebook has a twin: a text file with the same cells, kept beside it by Jupytext.

Jupyter then takes the text of the cells from the twin, and only outputs from the notebook. An edit of the notebook's
file alone is gone with the next opening, without a word; so it is said with the edit, with what brings the two
together. The rule that must never break: a notebook that is not paired is never said to be.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path

from cellwright.notebook.document import NotebookDocument

FORMAT = re.compile(r"[\w.+ /-]{1,80}")
"""A format that is looked for, and told; a notebook can say anything."""
MAX_TWINS = 5


def pairing_note(before: NotebookDocument, after: NotebookDocument, path: Path, shown: str) -> str:
    """What is to be said of an edit of the file of a paired notebook; nothing for one that leaves the cells' texts."""
    formats = _formats(after.parts.fields.get("metadata"))
    twins = [each for each in formats if not each.endswith("ipynb") and _may_be_there(each, path)][:MAX_TWINS]
    if not twins or [cell.source for cell in before.cells] == [cell.source for cell in after.cells]:
        return ""
    return (
        f"Jupytext pairs it with a text file ({', '.join(twins)}), whose cells count when Jupyter opens it; to carry "
        f"this edit over run: jupytext --sync {shlex.quote(shown)}"
    )


def _formats(metadata: object) -> list[str]:
    """Such as `ipynb` and `py:percent`, without what stands behind the colon."""
    kept = metadata.get("jupytext") if isinstance(metadata, Mapping) else None
    formats = kept.get("formats") if isinstance(kept, Mapping) else None
    given = formats.split(",") if isinstance(formats, str) else []
    return [each for each in (each.strip().partition(":")[0] for each in given[:20]) if FORMAT.fullmatch(each)]


def _may_be_there(extension: str, path: Path) -> bool:
    """Whether the twin is there; one in another folder, `scripts//py`, is not looked for."""
    return "/" in extension or os.path.exists(f"{path.with_suffix('')}.{extension}")
