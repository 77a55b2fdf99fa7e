"""Inputs whose value arrives whole, also while a cell waits.

A page sends the next change of a widget only after the kernel has said that it is done with the last one. A kernel
that handles messages while a cell waits never says so, and all but the first change would stay on the page: a person
would see one text and send another. So these inputs say it themselves. A text box sends its text when the person
leaves it, which is before the click on a button reaches the kernel; or while they type, where that is to be answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ipywidgets

from cellwright_widgets.live.kernel_facts import kernel


class Acknowledging:
    """A widget that tells the page that its message was handled."""

    def _handle_msg(self, msg: Any) -> None:  # noqa: ANN401 (a Jupyter message)
        super()._handle_msg(msg)  # type: ignore[misc]  # of the widget that this is mixed into
        running = kernel()
        if running is not None and "header" in msg:
            running._publish_status("idle", "shell", parent=msg)


class TextBox(Acknowledging, ipywidgets.Textarea):  # type: ignore[misc]  # ipywidgets has no types
    """A box of several lines, as wide as its place. `named` is what a screen reader calls it."""

    def __init__(
        self, value: str = "", placeholder: str = "", rows: int = 3, named: str = "", as_typed: bool = False
    ) -> None:
        layout = {"width": "calc(100% - 4px)"}
        super().__init__(
            value=value,
            placeholder=placeholder,
            rows=rows,
            layout=layout,
            continuous_update=as_typed,
            tooltip=named or placeholder,
        )


class Tick(Acknowledging, ipywidgets.Checkbox):  # type: ignore[misc]  # ipywidgets has no types
    """A box to tick."""


class Choice(Acknowledging, ipywidgets.Dropdown):  # type: ignore[misc]  # ipywidgets has no types
    """One of a few values, by its place: two that look alike are still two."""

    def __init__(self, labels: Sequence[str], index: int, named: str) -> None:
        options = [(label, place) for place, label in enumerate(labels)]
        super().__init__(options=options, index=index, tooltip=named, layout={"width": "auto", "max_width": "100%"})


class Listing(Acknowledging, ipywidgets.Select):  # type: ignore[misc]  # ipywidgets has no types
    """A list of which one is chosen, by its place."""

    def __init__(self, named: str, rows: int = 6) -> None:
        super().__init__(options=(), rows=rows, tooltip=named, layout={"width": "calc(100% - 4px)"})

    def show(self, labels: Sequence[str]) -> None:
        """These stand in the list; the first is chosen."""
        self.options = [(label, place) for place, label in enumerate(labels)]
        self.index = 0 if labels else None


def free(widget: ipywidgets.Widget) -> None:
    """Frees a widget that is no longer shown, with all that it holds."""
    for inner in getattr(widget, "children", ()):
        free(inner)
    for part in (getattr(widget, name, None) for name in ("layout", "style")):
        if part is not None:
            part.close()
    widget.close()
