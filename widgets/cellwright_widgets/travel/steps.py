"""The steps of a run in a row, to slide along by mouse or by keys.

It is the slider that each page has, since that of ipywidgets has no name for a screen reader. Where it stands in a time
travel it looks after the plain widgets beside it, too: their names, and that a key on them goes to no other cell
(`static/steps.js`). The rule that must never break: it stands at a step that there is.
"""

from __future__ import annotations

import anywidget
import traitlets

from cellwright_widgets.drawing.style import STATIC
from cellwright_widgets.live.inputs import Acknowledging

SCRIPTS = ("keys.js", "steps.js")


class Steps(Acknowledging, anywidget.AnyWidget):
    """A place in a row of steps, counted from 1."""

    _esm = "\n".join((STATIC / name).read_text("utf-8") for name in SCRIPTS)
    max = traitlets.Int(1).tag(sync=True)
    value = traitlets.Int(1).tag(sync=True)

    @traitlets.validate("value")
    def _within(self, proposal: dict[str, int]) -> int:
        """What a page says may be anything."""
        return min(max(proposal["value"], 1), self.max)
