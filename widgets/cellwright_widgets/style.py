"""The one style sheet, for the live view, the approval card and the saved record; what few views need is added."""

from __future__ import annotations

from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"
SHEETS = ("cellwright.css", "drawings.css", "diffs.css", "sides.css")
CONTROLS = "controls.css"
QUESTIONS = "questions.css"


@cache
def live_style() -> str:
    """The style of what a person can press as well."""
    return style(CONTROLS)


@cache
def card_style() -> str:
    """The style of a card that asks a person; no saved record needs it."""
    return style(QUESTIONS)


@cache
def style(*more: str) -> str:
    """The text of the style sheets, and of more of them; every rule in it is bound to the class `cw`."""
    return "".join((STATIC / name).read_text("utf-8") for name in (*SHEETS, *more))
