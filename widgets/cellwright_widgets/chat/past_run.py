"""A run that is over, as a turn of a chat: what the person said, what was done in a fold, what the model answered.

A conversation of many runs would be a page of cards; what a reader looks for in it are the words. The rule that must
never break: the fold holds the record of the run, and a run of which the record is left out says where it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cellwright.calls.limits import cut
from cellwright.log.events import Event
from cellwright.text.quantity import quantity
from cellwright_widgets.cards.call_story import CallStory
from cellwright_widgets.cards.head import Head
from cellwright_widgets.cards.item_view import RUN_STATES, draw_item
from cellwright_widgets.cards.record import record_body, story_of
from cellwright_widgets.cards.story import End, Prompt, Said, Story
from cellwright_widgets.drawing.duration import duration
from cellwright_widgets.drawing.fold import missing
from cellwright_widgets.drawing.node import element, spaced, to_html

WORDS = 20_000
"""Characters of a prompt or an answer; the record has more of it."""


def past_run_html(events: Sequence[Event], with_record: bool = True) -> str:
    """The run as HTML; the style is up to the page."""
    story = story_of(events)
    record = record_body(events, "All that happened") if with_record else to_html(missing(LEFT_OUT))
    summary = to_html(element("summary", "", *spaced(*_facts(story))))
    fold = f'<details class="cw-fold cw-past-fold">{summary}{record}</details>'
    asked, said = (to_html(element("div", "", *map(draw_item, items))) for items in (_asked(story), _said(story)))
    return f'<div class="cw cw-past">{asked}{fold}{said}</div>'


LEFT_OUT = "The record of a run so long ago is not kept in this panel; its session has it."


def _asked(story: Story) -> list[Prompt]:
    prompts = [item for item in story.items if isinstance(item, Prompt) and not item.steered]
    return [Prompt(cut(item.text, WORDS)[0]) for item in prompts[:1]]


def _said(story: Story) -> Iterator[Said | End]:
    """The answer, and how the run ended if it did not end with one."""
    ends = [item for item in story.items if isinstance(item, End)]
    if ends and ends[0].answer.strip():
        yield Said(cut(ends[0].answer, WORDS)[0], final=True)
    if ends and ends[0].stop_reason != "answered":
        yield End(ends[0].stop_reason, "", ends[0].error, True)


def _facts(story: Story) -> Iterator[str]:
    head, calls = story.head, sum(isinstance(item, CallStory) for item in story.items)
    yield RUN_STATES.get(head.state, head.state) + " ·"
    yield f"{quantity(head.turns, 'step')}, {quantity(calls, 'call')}"
    yield from _time(head)


def _time(head: Head) -> Iterator[str]:
    if head.started is not None and head.ended is not None:
        yield f"· {duration(head.ended - head.started)}"
