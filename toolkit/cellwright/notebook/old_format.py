"""Notebooks of the formats before 4, which can be read and not written.

They keep their cells elsewhere, under other names, so an edit that leaves every other byte alone can't be made in
them. nbformat knows how to turn them into format 4; what it gives is shown, and the file stays what it is.

The rule that must never break: nothing of what is read here is ever written.
"""

from __future__ import annotations

import json

from cellwright.errors import ToolError
from cellwright.messages import told
from cellwright.notebook.document import NotebookDocument

OLD = (1, 2, 3)


def read_old(data: bytes, path: str) -> tuple[NotebookDocument, str] | None:
    """A notebook of an old format as a document of format 4, and its own format; None if it isn't an old one."""
    text = data.decode("utf-8-sig", "surrogateescape")
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or fields.get("nbformat") not in OLD:
        return None
    try:
        new = _upgraded(text)
    except Exception as error:  # whatever nbformat stumbles over in a file that only says that it is a notebook
        raise ToolError(
            "not_a_notebook",
            f"{path} says it is a notebook of format {fields['nbformat']}, but can't be read as one: {told(error)}.",
        ) from None
    own = f"{fields['nbformat']}.{fields.get('nbformat_minor', 0)}"
    return NotebookDocument.parse(json.dumps(new).encode(), path), own


def _upgraded(text: str) -> dict[str, object]:
    """The notebook in format 4.4: from 4.5 on cells have ids, and made-up ones would be others at each reading."""
    from nbformat.converter import convert
    from nbformat.reader import reads

    new = convert(reads(text), 4)  # type: ignore[no-untyped-call]  # nbformat has no types here
    new["nbformat_minor"] = 4
    for cell in new["cells"]:
        cell.pop("id", None)
    return dict(new)
