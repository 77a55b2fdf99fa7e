"""The record of a run: what stays in the notebook when the kernel is gone.

Live widgets die with their kernel, and most readers (GitHub, nbconvert, someone else's Jupyter) never ran them. So at
the end a run is written down as plain HTML from the same nodes, with its style inside and nothing loaded, and as plain
text. It still reads where style is stripped: folds are `<details>`, diffs keep their signs. The rule that must never
break: it is bounded, and says what it leaves out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from cellwright.calls.limits import cut
from cellwright.log.events import Event
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden
from cellwright.views.view import Group, Terminal, Text, as_seen
from cellwright_widgets.cards.call_card import is_telling
from cellwright_widgets.cards.call_head import STATES, call_brief, call_line
from cellwright_widgets.cards.call_story import CallStory
from cellwright_widgets.cards.item_view import ENDINGS, draw_head, draw_item
from cellwright_widgets.cards.story import End, Item, Prompt, Remark, Said, Story
from cellwright_widgets.drawing.fold import missing
from cellwright_widgets.drawing.node import Node, element, to_html
from cellwright_widgets.drawing.style import AS_IT_IS, style

LIMIT = 200_000
"""Characters of a record, about; a saved notebook stays quick to open, and JupyterLab, which looks through it for
headings after the run, holds up no frame for that."""
SHARE = 150_000
"""Characters that one item may take."""
LEAST = 10_000
"""Characters of room that are not filled: to draw a thousand cards, of which none fits, would hold up the kernel."""
WHOLE = 150
"""Items up to which all of a record is in sight at once. A page that has to lay out a thousand is held up, and so is
its reader."""
STRETCH = 100
"""Items of each fold of a longer one."""
TOLD = 3
"""Tools named in the line of a fold."""
PART = 3_000
"""Characters of a result that is too long, of which the start and the end are kept."""
TEXT_LIMIT = 200_000
"""Characters of a record in plain text."""
TEXT_SHARE = 20_000
"""Characters of one item in it."""


def record_html(events: Sequence[Event], title: str = "Cellwright") -> str:
    """The run as one piece of HTML that needs nothing else."""
    return f"<style>{style()}</style>{record_body(events, title)}"


def record_body(events: Sequence[Event], title: str = "Cellwright") -> str:
    """The same without the style, for a page that has it."""
    story = story_of(events)
    head = to_html(draw_head(title, story.head))
    body = f'<div class="cw-bar">{head}</div>{_items_html(story.items)}'
    return f'<article class="cw {AS_IT_IS} cw-record">{body}</article>'


def record_text(events: Sequence[Event]) -> str:
    """The run as plain text, nothing hidden; of what is too long the start and the end."""
    parts = (cut(part, TEXT_SHARE)[0] for item in story_of(events).items for part in _item_text(item))
    return cut("\n\n".join(parts), TEXT_LIMIT)[0]


def story_of(events: Sequence[Event]) -> Story:
    """The story that events tell."""
    story = Story()
    for event in events:
        story.add(event)
    return story


class _Part(Struct, frozen=True):
    """An item as it stands in the record."""

    item: Item
    html: str
    is_line: bool = False
    """Whether it is a row of text only."""


def _items_html(items: Sequence[Item]) -> str:
    """All items in one line each, as many as there is room for; then as many as there is still room for in full: first
    what was said, then the calls that tell most, such as those that failed, each in order. So a long run loses the
    details of its calls before it loses a call. The end always has its place."""
    end = [to_html(draw_item(item)) for item in items[-2:] if isinstance(item, End | Said)]
    before = items[: len(items) - len(end)]
    room = LIMIT - sum(map(len, end))
    parts: list[_Part] = []
    for item in before:
        brief = _Part(item, to_html(_brief(item)), isinstance(item, CallStory))
        if len(brief.html) > room:
            break
        parts.append(brief)
        room -= len(brief.html)
    shortened = 0
    for place in sorted(range(len(parts)), key=lambda place: _rank(parts[place].item)):
        brief = parts[place]
        full, is_whole = _in_full(brief, min(SHARE, room + len(brief.html)))
        parts[place] = full
        room -= len(full.html) - len(brief.html)
        shortened += not is_whole
    return "".join([*_in_stretches(parts), *_left_out(shortened, len(before) - len(parts)), *end])


def _rank(item: Item) -> int:
    if not isinstance(item, CallStory):
        return 0
    return 1 if is_telling(item) else 2


def _in_full(brief: _Part, most: int) -> tuple[_Part, bool]:
    """The item in so many characters at most, and whether that is all of it."""
    item = brief.item
    if isinstance(item, CallStory):
        for call in (item, _in_brief(item)):
            if max(LEAST, len(call.content)) <= most and len(full := to_html(draw_item(call))) <= most:
                return _Part(item, full), call is item
        return brief, False
    full = to_html(draw_item(item))
    return (_Part(item, full), True) if len(full) <= most else (brief, False)


def _in_stretches(parts: Sequence[_Part]) -> Iterator[str]:
    """The parts; of a long record all after its prompt in folds, each of which says what it holds."""
    if len(parts) <= WHOLE:
        yield from _in_rows(parts)
        return
    first = int(isinstance(parts[0].item, Prompt))
    yield from _in_rows(parts[:first])
    for start in range(first, len(parts), STRETCH):
        stretch = parts[start : start + STRETCH]
        summary = to_html(element("summary", "", *_told([part.item for part in stretch])))
        yield f'<details class="cw-fold cw-stretch">{summary}{"".join(_in_rows(stretch))}</details>'


def _in_rows(parts: Sequence[_Part]) -> Iterator[str]:
    """Rows of text that follow on each other stand in one block."""
    for is_line, group in groupby(parts, lambda part: part.is_line):
        html = "".join(part.html for part in group)
        yield f'<pre class="cw-lines">{html}</pre>' if is_line else html


def _told(items: Sequence[Item]) -> Iterator[Node]:
    """Which calls are among the items, what became of them, and what the model said first."""
    calls = [item for item in items if isinstance(item, CallStory)]
    names = [_row(name, 40) for name, _ in Counter(call.name for call in calls).most_common(TOLD + 1)]
    of = f" of {', '.join(names[:TOLD])}" + (", …" if len(names) > TOLD else "") if names else ""
    yield quantity(len(calls), "call") + of
    for state, number in Counter(call.state for call in calls).items():
        words = f"{number:,} {STATES[state][1]}"
        yield " · "
        yield element("span", "cw-danger", words) if state in ("failed", "denied") else words
    said = next((item.text for item in items if isinstance(item, Said) and not item.thinking), "")
    if said.strip():
        yield f" · “{_row(said, 60)}”"


def _row(text: str, most: int) -> str:
    """The start of a text in one row."""
    row = " ".join(text[: 2 * most].split())
    return mark_hidden(row if len(row) <= most else row[: most - 1] + "…")


def _in_brief(call: CallStory) -> CallStory:
    """The call with the start and the end of what it brought; such as one whose result was too long for the model."""
    content = cut(call.content, PART)[0]
    seen = cut(as_seen(call.view), PART)[0] if call.view is not None else content
    view = Terminal(seen) if isinstance(call.view, Terminal | Group) else Text(seen)
    return replace(call, content=content, view=view, effect=None, progress="")


def _brief(item: Item) -> Node:
    if isinstance(item, CallStory):
        return call_line(item)
    text = item.text if isinstance(item, Prompt | Said | Remark) else ""
    rest = [f" … ({len(text):,} characters)"] if len(text) > 500 else []
    return element("p", "cw-remark", mark_hidden(text[:500]), *rest)


def _left_out(shortened: int, dropped: int) -> Iterator[str]:
    if shortened:
        items = "1 item is" if shortened == 1 else f"{shortened:,} items are"
        yield to_html(missing(f"{items} shortened to keep this record small; the log holds all"))
    if dropped:
        items = "1 more item is" if dropped == 1 else f"{dropped:,} more items are"
        yield to_html(missing(f"{items} left out to keep this record small; the log holds all"))


def _item_text(item: Item) -> Iterator[str]:
    match item:
        case Prompt(text=text):
            yield f"You: {mark_hidden(text)}"
        case Said(text=text, thinking=thinking):
            if text.strip() and not thinking:
                yield f"Model: {mark_hidden(text)}"
        case CallStory():
            yield from _call_text(item)
        case Remark(text=text):
            yield f"Note: {mark_hidden(text)}"
        case End():
            ending = ENDINGS.get(item.stop_reason, item.stop_reason)
            yield mark_hidden(" ".join(part for part in (ending, item.error) if part))


def _call_text(call: CallStory) -> Iterator[str]:
    args = call_brief(call)
    state = call.state + (f" ({call.error_type})" if call.error_type else "")
    result = as_seen(call.view) if call.view is not None else mark_hidden(call.content)
    lines = result.split("\n")
    rest = [f"… {len(lines) - 40:,} more lines"] if len(lines) > 40 else []
    told = "\n  ".join([mark_hidden(f"{call.name}  {args}  [{state}]"), *lines[:40], *rest])
    yield "  " + told.replace("\n", "\n  ") if call.within else told
