"""The one style sheet, for the live view, the approval card and the saved record; what few views need is added."""

from __future__ import annotations

from functools import cache
from pathlib import Path

STATIC = Path(__file__).parents[1] / "static"
SHEETS = ("cellwright.css", "drawings.css", "diffs.css", "sides.css")
CONTROLS = "controls.css"
QUESTIONS = "questions.css"
AS_IT_IS = "tex2jax_ignore mathjax_ignore"
"""Jupyter sets formulas in the HTML of an output, and takes `$` for the sign of one: what a model said would be other
signs than it said, and its `\\href` a link. MathJax leaves alone what has these classes, the first before version 3."""


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
