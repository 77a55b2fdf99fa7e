"""A list of what a run has changed, with buttons that take it back: for a run that is over, or one that was loaded.

When a run has ended its live view is a record, behind which nothing can be pressed; so the buttons are offered once
more, by plain widgets that work in every front end. The last change stands first, since it is undone first. The rule
that must never break: what can't be undone is on the list, too, and says why.
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets

from cellwright.errors import UsageError
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.text.visible_text import mark_hidden
from cellwright.undo.effect import Effect
from cellwright.undo.undoable import Undoable
from cellwright_widgets.cards.undo_bar import draw_plan, files_brief, refusal
from cellwright_widgets.drawing.node import Node, element, spaced, to_html
from cellwright_widgets.drawing.style import style
from cellwright_widgets.live.inputs import free
from cellwright_widgets.live.kernel_facts import kernel
from cellwright_widgets.open_notebook.live_notebook import LiveDesk, bridge_of_kernel

MOST = 200
"""Calls that are listed, the last ones; older ones are undone from Python."""


class UndoPanel(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """What a run has changed, with buttons: `UndoPanel(run)` as the last line of a cell."""

    def __init__(self, run: Undoable) -> None:
        super().__init__()
        self.add_class("cw-panel")
        self.add_class("cw-undo-panel")
        self._run = run
        if isinstance(run, RecordedRun) and kernel() is not None:
            run.desk = LiveDesk(bridge_of_kernel, lambda: None)
        self._shown: list[ipywidgets.Widget] = []
        self._draw()

    def _draw(self, *said: Node) -> None:
        """The list as things stand now, and what there is to say of the last press."""
        effects = self._run.effects[::-1]
        head = element("p", "cw-undo-head", _count(effects))
        rest = f"{len(effects) - MOST:,} older calls are not shown; run.effects has them"
        more = [element("p", "cw-missing", rest)] if len(effects) > MOST else []
        sheet = f"<style>{style('panel.css')}</style>"
        self._put([_html(head, sheet=sheet), *map(self._row, effects[:MOST]), _html(*more, *said)])

    def _put(self, widgets: list[ipywidgets.Widget]) -> None:
        """These stand there from now on; those that no longer do are freed."""
        before, self._shown, self.children = self._shown, widgets, widgets
        for widget in before:
            if widget not in widgets:
                free(widget)

    def _row(self, effect: Effect) -> ipywidgets.Widget:
        words = element("div", "cw-undo-row", *_words(effect, self._run.undoing().problem(effect)))
        text = _html(words, flex="1 1 240px", width="auto", min_width="0")
        layout = {"flex_flow": "row wrap", "align_items": "center", "overflow": "visible"}
        return ipywidgets.HBox([text, *self._buttons(effect)], layout=layout)

    def _buttons(self, effect: Effect) -> list[ipywidgets.Widget]:
        call, run = effect.call_id, self._run
        if not effect.changes:
            return []
        if effect.is_undone:
            return [self._button("Redo", "do again what it had done to its files", lambda: run.redo(call))]
        return [
            self._button("Undo", "bring its files back to what they were before", lambda: run.undo(call)),
            self._button("Undo to here…", "take back this call and all after it", lambda: self._plan(call), pause=True),
        ]

    def _button(self, text: str, hint: str, act: Callable[[], object], pause: bool = False) -> ipywidgets.Button:
        made = ipywidgets.Button(description=text, tooltip=hint, layout={"width": "auto"})
        made.on_click(lambda _: self._pressed(act, pause))
        return made

    def _pressed(self, act: Callable[[], object], pause: bool) -> None:
        """What a handler raises is shown nowhere, so it is shown here."""
        try:
            act()
        except (UsageError, OSError) as error:
            self._draw(refusal(str(error)))
        else:
            if not pause:
                self._draw()

    def _plan(self, call_id: str) -> None:
        """Shows what would be undone and what stays, and asks."""
        plan = self._run.undoing().plan(call_id)
        act = self._button("Undo all of these", "", lambda: self._run.undo_to(call_id))
        buttons = [act, self._button("Keep all", "", lambda: None)]
        question = ipywidgets.VBox([_html(draw_plan(call_id, plan)), ipywidgets.HBox(buttons)])
        self._put([*self._shown[:-1], question])

    def __repr__(self) -> str:
        rows = (" ".join((effect.call_id, *_told(effect))) for effect in self._run.effects[::-1][:MOST])
        return "\n".join([_count(self._run.effects), *rows])


def _count(effects: tuple[Effect, ...]) -> str:
    files = {path for effect in effects if not effect.is_undone for path in effect.paths}
    return (
        f"{len(files)} {'file is' if len(files) == 1 else 'files are'} changed by this run"
        if effects
        else ("This run has changed nothing.")
    )


def _told(effect: Effect) -> list[str]:
    """Tool, files and how things stand, in words."""
    state = ["undone"] if effect.is_undone else []
    stays = [f"not undone: {mark_hidden(effect.lasting)}"] if effect.lasting else []
    return [mark_hidden(effect.tool), *([files_brief(effect.paths)] if effect.changes else []), *state, *stays]


def _words(effect: Effect, problem: str) -> list[Node]:
    tool, *rest = _told(effect)
    why = [element("span", "cw-undo-why", mark_hidden(problem))] if problem and effect.changes else []
    cls = "cw-undo-why" if effect.is_undone or not effect.changes else ""
    return spaced(element("code", "cw-tool", tool), *(element("span", cls, words) for words in rest), *why)


def _html(*nodes: Node, sheet: str = "", **layout: str) -> ipywidgets.HTML:
    """A drawing; one of them brings the style for all."""
    inner = to_html(element("div", "cw cw-below", *nodes)) if nodes else ""
    return ipywidgets.HTML(sheet + inner, layout={"margin": "0", **layout})
