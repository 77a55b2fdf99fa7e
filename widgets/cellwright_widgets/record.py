"""The record of a run: what stays in the notebook when the kernel is gone.

Live widgets die with their kernel, and most readers (GitHub, nbconvert, someone else's Jupyter) never ran them. So at
the end a run is written down as plain HTML from the same nodes, with its style inside and nothing loaded, and as plain
text. It still reads where style is stripped: folds are `<details>`, diffs keep their signs. The rule that must never
break: it is bounded, and says what it leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cellwright.events import Event
from cellwright.limits import cut
from cellwright.views import Group, Terminal, Text, as_seen
from cellwright.visible_text import mark_hidden
from cellwright_widgets.call_head import call_brief, draw_call_brief
from cellwright_widgets.call_story import CallStory
from cellwright_widgets.fold import missing
from cellwright_widgets.item_view import ENDINGS, draw_head, draw_item
from cellwright_widgets.node import Node, element, to_html
from cellwright_widgets.story import End, Item, Prompt, Remark, Said, Story
from cellwright_widgets.style import AS_IT_IS, style

LIMIT = 300_000
"""Characters of a record, about; a saved notebook stays quick to open, and JupyterLab, which looks through it for
headings after the run, holds up no frame for that."""
SHARE = 150_000
"""Characters that one item may take."""
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


def _items_html(items: Sequence[Item]) -> str:
    """All items in one line each, as many as there is room for; then, in order, as many as there is still room for in
    full. So a long run loses the details of its calls before it loses a call. The end always has its place."""
    end = [to_html(draw_item(item)) for item in items[-2:] if isinstance(item, End | Said)]
    before = items[: len(items) - len(end)]
    room = LIMIT - sum(map(len, end))
    parts: list[str] = []
    for item in before:
        brief = to_html(_brief(item))
        if len(brief) > room:
            break
        parts.append(brief)
        room -= len(brief)
    shortened = 0
    for place, (item, brief) in enumerate(zip(before, tuple(parts), strict=False)):
        most = min(SHARE, room + len(brief))
        full = to_html(draw_item(item)) if _weight(item) <= most else ""
        if not full or len(full) > most:
            shortened += 1
            full = to_html(draw_item(_in_brief(item))) if isinstance(item, CallStory) else brief
        if len(full) <= most:
            parts[place] = full
            room -= len(full) - len(brief)
    return "".join([*parts, *_left_out(shortened, len(before) - len(parts)), *end])


def _in_brief(call: CallStory) -> CallStory:
    """The call with the start and the end of what it brought; such as one whose result was too long for the model."""
    content = cut(call.content, PART)[0]
    seen = cut(as_seen(call.view), PART)[0] if call.view is not None else content
    view = Terminal(seen) if isinstance(call.view, Terminal | Group) else Text(seen)
    return replace(call, content=content, view=view, effect=None, progress="")


def _weight(item: Item) -> int:
    """Characters that a drawing has at least; drawing what there is no room for would only cost time."""
    return len(item.content) if isinstance(item, CallStory) else 0


def _brief(item: Item) -> Node:
    if isinstance(item, CallStory):
        return draw_call_brief(item)
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
            yield " ".join(part for part in (ENDINGS.get(item.stop_reason, item.stop_reason), item.error) if part)


def _call_text(call: CallStory) -> Iterator[str]:
    args = call_brief(call)
    state = call.state + (f" ({call.error_type})" if call.error_type else "")
    result = as_seen(call.view) if call.view is not None else mark_hidden(call.content)
    lines = result.split("\n")
    rest = [f"… {len(lines) - 40:,} more lines"] if len(lines) > 40 else []
    told = "\n  ".join([mark_hidden(f"{call.name}  {args}  [{state}]"), *lines[:40], *rest])
    yield "  " + told.replace("\n", "\n  ") if call.within else told
