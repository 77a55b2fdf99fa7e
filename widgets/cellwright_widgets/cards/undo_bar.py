"""The line of a card that says which files its call changed, with what takes that back.

On a live page it has buttons: *Undo* or *Redo*, and *Undo to here*, which first shows what would be undone and what
stays all the same. In a record, behind which there is no kernel, it names the words that do it from Python. The rule
that must never break: nothing is undone that was not shown before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden
from cellwright.undo.effect import Effect
from cellwright.undo.undoing import UndoPlan
from cellwright_widgets.cards.call_story import CallStory
from cellwright_widgets.drawing.control import button, part
from cellwright_widgets.drawing.node import Element, Node, element, spaced

TO = "undo"
"""Who answers its buttons."""
FEW = 3
"""Files that are named in one line."""
MAX_CALL = 1_000
"""Characters of the id of a call that has buttons; a provider's ids are short."""
ROWS = 200
"""Calls that a plan names; it counts the rest."""


def undo_bar(call: CallStory) -> Iterator[Node]:
    """The line of a call that has changed files; nothing for any other."""
    if call.files and call.ended is not None:
        yield draw_undo(call.id, call.files, call.is_undone)


def draw_undo(call_id: str, files: Sequence[str], is_undone: bool, *said: Node) -> Element:
    """The line, and below it what there is to say of the last press."""
    act = "redo" if is_undone else "undo"
    names = files_brief(files)
    what = f"Undone by you: {names} as before this call" if is_undone else f"Changed {names}"
    word = element("code", "cw-undo-word", f"run.{act}({mark_hidden(call_id)!r})")
    line = element("div", "cw-undo-line", *spaced(element("span", "cw-undo-what", what), word, *_buttons(call_id, act)))
    return part("undo", "cw-undo", line, *said)


def draw_plan(call_id: str, plan: UndoPlan) -> Element:
    """What *Undo to here* would do, before it is done."""
    done = [*_rows("To be undone, the last first", plan.undone, lambda effect: files_brief(effect.paths))]
    stays = [*_rows("Stays as it is", plan.lasting, lambda effect: mark_hidden(effect.lasting))]
    count = quantity(len(plan.undone), "call")
    act = button(f"Undo {count}", "act", _press(call_id, "undo_to"), "cw-undo-act")
    rest = button("Keep all", "here", _press(call_id, "show"))
    nothing = [] if plan.undone else [element("p", "cw-undo-head", "There is nothing left to undo from here on.")]
    buttons = element("div", "cw-undo-line", *([act] if plan.undone else []), rest)
    return part("undo", "cw-undo cw-undo-plan", *nothing, *done, *stays, buttons)


def refusal(words: str) -> Node:
    """Why it was not done, and how the file differs."""
    first, _, rest = words.partition("\n")
    more = [element("pre", "cw-pre", mark_hidden(rest.rstrip()))] if rest.strip() else []
    return element("div", "cw-undo-refused", element("p", "", mark_hidden(first)), *more, attrs={"role": "status"})


def files_brief(files: Sequence[str]) -> str:
    """The files in a few words."""
    more = f" and {len(files) - FEW} more" if len(files) > FEW else ""
    return mark_hidden(", ".join(files[:FEW]) + more)


def _rows(head: str, effects: Sequence[Effect], told: Callable[[Effect], str]) -> Iterator[Node]:
    if not effects:
        return
    rows = [
        element("li", "", *spaced(element("code", "cw-tool", mark_hidden(effect.tool)), told(effect)))
        for effect in effects[:ROWS]
    ]
    rest = [element("li", "", f"and {len(effects) - ROWS:,} more")] if len(effects) > ROWS else []
    yield element("p", "cw-undo-head", head)
    yield element("ul", "cw-undo-list", *rows, *rest)


def _buttons(call_id: str, act: str) -> Iterator[Node]:
    if len(call_id) > MAX_CALL:
        return
    if act == "redo":
        yield button("Redo", "act", _press(call_id, "redo"), hint="Redo: do again what this call had done to its files")
        return
    yield button("Undo", "act", _press(call_id, "undo"), hint="Undo: bring its files back to what they were before")
    hint = "Undo to here: take back this call and all after it; you see first what that does"
    yield button("Undo to here…", "here", _press(call_id, "plan"), hint=hint)


def _press(call_id: str, act: str) -> dict[str, str]:
    return {"to": TO, "call": call_id, "act": act}
