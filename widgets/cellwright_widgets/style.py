"""The one style sheet, for the live view, the approval card and the saved record."""

from __future__ import annotations

from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"


@cache
def style() -> str:
    """The text of `static/cellwright.css`; every rule in it is bound to the class `cw`."""
    return (STATIC / "cellwright.css").read_text("utf-8")
