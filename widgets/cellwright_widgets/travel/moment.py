"""A run as it stood after one of its steps: what had happened, what the model had been sent, which files had changed.

A step begins with a turn of the model and holds the calls of it; the next begins with the next turn. All of it is read
from the events up to there. The rule that must never break: what came later is not shown, not even as a later state of
something that was there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from cellwright.log.events import Event
from cellwright.messages import Call
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden
from cellwright.undo.effect import Effect, FileChange, effects_of
from cellwright_widgets.cards.call_head import draw_call_brief
from cellwright_widgets.cards.call_story import CallStory
from cellwright_widgets.cards.item_view import draw_item
from cellwright_widgets.cards.record import story_of
from cellwright_widgets.cards.story import Item, Prompt, Remark, Said
from cellwright_widgets.drawing.fold import fold, missing
from cellwright_widgets.drawing.node import Node, element, spaced
from cellwright_widgets.drawing.style import AS_IT_IS
from cellwright_widgets.inspector.inspection import Part, Turn
from cellwright_widgets.inspector.turn_inspection import draw_turn_sheet

Aspect = Literal["happened", "sent", "files"]
"""What of a moment is looked at."""
BEFORE = 200
"""Items before the step that have a line."""
LONG = 300_000
"""Characters of a result that is drawn whole."""


class Moment(Struct, frozen=True):
    """A run after a step."""

    step: int
    """From 1; 0 if no step has begun."""
    start: int
    """How many events were there before the step."""
    events: tuple[Event, ...]
    """All events up to the end of the step."""

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls that the model made in the step."""
        made = [
            event.data for event in self.events[self.start :] if event.kind == "call" and "within" not in event.data
        ]
        return tuple(Call(str(data["id"]), str(data["name"]), str(data["arguments"])) for data in made)


def moments(events: Sequence[Event]) -> tuple[Moment, ...]:
    """The moments of a run, one for each step; that before all steps if there is none."""
    starts = [place for place, event in enumerate(events) if event.kind == "turn_started"]
    if not starts:
        return (Moment(0, 0, tuple(events)),)
    ends = [*starts[1:], len(events)]
    numbers = [int(events[start].data["turn"]) for start in starts]
    return tuple(Moment(*each) for each in zip(numbers, starts, (tuple(events[:end]) for end in ends), strict=True))


def draw_moment(moment: Moment, aspect: Aspect) -> Node:
    """What is looked at of the moment."""
    drawn = {"happened": _happened, "sent": _sent, "files": _files}[aspect](moment)
    return element("div", f"cw cw-bare cw-moment {AS_IT_IS}", *drawn)


def _happened(moment: Moment) -> Iterator[Node]:
    before = story_of(moment.events[: moment.start]).items
    items = story_of(moment.events).items
    lines = [_brief(item) for item in before[-BEFORE:]]
    more = [missing(f"{len(before) - BEFORE:,} more before these")] if len(before) > BEFORE else []
    if before:
        yield fold(f"Before this step: {quantity(len(before), 'item')}", *more, *lines, is_open=len(before) <= 6)
    for item in items[len(before) :]:
        yield draw_item(item) if _weight(item) <= LONG else _brief(item)


def _weight(item: Item) -> int:
    return len(item.content) if isinstance(item, CallStory) else 0


def _brief(item: Item) -> Node:
    if isinstance(item, CallStory):
        return draw_call_brief(item)
    who = "You: " if isinstance(item, Prompt) else "Model: " if isinstance(item, Said) else ""
    text = item.text if isinstance(item, Prompt | Said | Remark) else item.stop_reason
    return element("p", "cw-brief", who + mark_hidden(" ".join(text[:300].split())))


def _sent(moment: Moment) -> Iterator[Node]:
    part = Part("", 0)
    part.take(moment.events)
    row = part.rows[part.turns[-1]] if part.turns else None
    if row is None or not isinstance(row.shows, Turn):
        yield missing("The model has not been asked yet.")
    else:
        yield draw_turn_sheet(row.shows, part)


def _files(moment: Moment) -> Iterator[Node]:
    effects = effects_of(moment.events)
    here = {call.id for call in moment.calls}
    for head, found in (
        ("Changed in this step", [effect for effect in effects if effect.call_id in here]),
        ("Changed before", [effect for effect in effects if effect.call_id not in here]),
    ):
        if found:
            yield element("p", "cw-undo-head", head)
            yield element("ul", "cw-undo-list", *map(_effect, found))
    if not effects:
        yield missing("Up to here nothing was changed.")


def _effect(effect: Effect) -> Node:
    told = [f"{mark_hidden(change.path)} ({_how(change)})" for change in effect.changes]
    lasting = [mark_hidden(effect.lasting)] if effect.lasting else []
    state = ["undone since"] if effect.is_undone else []
    return element(
        "li", "", *spaced(element("code", "cw-tool", mark_hidden(effect.tool)), "; ".join([*told, *lasting]), *state)
    )


def _how(change: FileChange) -> str:
    before, after = change.before, change.after
    if before.kind == "absent":
        return f"new, {quantity(after.size, 'byte')}"
    return "removed" if after.kind == "absent" else f"{before.size:,} → {quantity(after.size, 'byte')}"
