"""Places that hold keys and passwords; no tool touches them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

CREDENTIALS = frozenset(
    {
        *(".ssh", ".aws", ".azure", ".gnupg", ".kube", ".docker", ".netrc", ".pgpass", ".config/gcloud"),
        ".cellwright/snapshots",  # copies of files, whatever a rule says of the files themselves
    }
)
"""Folders and files, anywhere below the working folder and in any case, that hold keys and passwords."""


def leads_to_credentials(parts: Sequence[str]) -> bool:
    """Whether one of the parts of a path, or two in a row, is such a place."""
    folded = [part.casefold() for part in parts]
    return bool(CREDENTIALS & {*folded, *("/".join(pair) for pair in pairwise(folded))})
