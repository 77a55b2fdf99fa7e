"""The change from one state of a notebook to another, as a person reads it.

Both states are held against each other cell by cell, whatever the change was made by: so what is shown before an edit
and after it, of one cell or of a patch of ten, is worked out in one place from what would stand in the file.

The rule that must never break: a cell whose text in the file changes is among the cells that are shown.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from cellwright.notebook.cell import Cell
from cellwright.notebook.cell_members import outputs_json
from cellwright.notebook.document import NotebookDocument
from cellwright.notebook.matching import matched
from cellwright.notebook.output_brief import OutputsBrief, outputs_brief
from cellwright.notebook.remote import loads
from cellwright.text.text_diff import change_notes, unified_diff
from cellwright.views.notebook_diff import CellDiff, Fact, NotebookDiff, Touch

EXCERPT = (3, 200)
"""Lines and characters of a source that does not change."""
BEFORE = 300
"""Characters of a value that is replaced or goes; a new value is always whole."""
OWN = frozenset({"cell_type", "id", "metadata", "source", "outputs", "execution_count", "attachments"})
"""The keys of a cell that have a word of their own."""


def notebook_diff(before: NotebookDocument, after: NotebookDocument, asked: Collection[int] = ()) -> NotebookDiff:
    """What changes from one state to the other; `asked` are the indices before of cells that were asked to move."""
    pairs, movers = matched(before.cells, after.cells, asked)
    known = {cell.id for cell in before.cells}
    cells = (_cell_diff(old, new, old is not None and old.index in movers, after, known) for old, new in pairs)
    touched = tuple(cell for cell in cells if cell is not None)
    facts = tuple(_changed_values("", before.metadata, after.metadata))
    return NotebookDiff(after.path, touched, len(after.cells), facts)


def _cell_diff(
    old: Cell | None, new: Cell | None, moves: bool, after: NotebookDocument, known: Collection[str | None]
) -> CellDiff | None:
    """What happens to one cell; None if nothing does."""
    cell = new or old
    if cell is None or (old is not None and new is not None and _is_same(old, new) and not moves):
        return None
    facts = tuple(_facts(old, new))
    source_changes = old is None or new is None or old.source != new.source
    results = (old, new) if _results_differ(old, new) else (None, None)
    before, now = (outputs_brief(each) if each else OutputsBrief() for each in results)
    name = _name(cell, known)
    return CellDiff(
        name=name,
        cell_type=cell.cell_type,
        touched=tuple(_touches(old, new, moves, facts)),
        old=old.index if old else None,
        new=new.index if new else None,
        where=_where(new, after, known) if new and (moves or old is None) else "",
        unified=_source_diff(old, new, f"{after.path} · {name}") if source_changes else "",
        excerpt="" if source_changes else _excerpt(cell.source),
        facts=facts,
        outputs_before=before.lines,
        outputs_after=now.lines,
        results_before=before.views,
        results_after=now.views,
        notes=tuple(_notes(old, new)),
    )


TOUCHES: Mapping[str, Touch] = {
    "type": "type",
    "tags": "tags",
    "metadata": "metadata",
    "attachment": "attachments",
    "execution": "outputs",
    "key": "other",
    "layout": "other",
}
"""What a fact is about, by its first word."""


def _touches(old: Cell | None, new: Cell | None, moves: bool, facts: Collection[Fact]) -> Iterator[Touch]:
    if old is None or new is None:
        yield "deleted" if new is None else "added"
        return
    if moves:
        yield "moved"
    if old.source != new.source:
        yield "source"
    found = [TOUCHES[name.split(" ")[0]] for name, _, _ in facts]
    if _results_differ(old, new):
        found.append("outputs")
    yield from dict.fromkeys(found)


def _facts(old: Cell | None, new: Cell | None) -> Iterator[Fact]:
    """All that changes beside the source and the outputs."""
    if old and new and old.cell_type != new.cell_type:
        yield "type", old.cell_type, new.cell_type
    metadata = [dict(cell.metadata) if cell else {} for cell in (old, new)]
    tags = [_listed(values.pop("tags", None)) for values in metadata]
    if tags[0] != tags[1]:
        yield "tags", tags[0], tags[1]
    yield from _changed_values("metadata ", *metadata)
    attachments = [
        {name: _sizes(data) for name, data in cell.attachments.items()} if cell else {} for cell in (old, new)
    ]
    yield from _changed("attachment ", *attachments)
    others = [{k: v for k, v in cell.members.items() if k not in OWN} if cell else {} for cell in (old, new)]
    yield from _changed_values("key ", *others)
    counts = [str(cell.execution_count or "") if cell else "" for cell in (old, new)]
    if old and new and counts[0] != counts[1] and not _results_differ(old, new):
        yield "execution count", counts[0], counts[1]
    if old and new and not _is_same(old, new) and old.members == new.members and not _results_differ(old, new):
        yield "layout", "as it was", "other blanks or order of keys in the file"


def _changed_values(prefix: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Fact]:
    written = [{key: _json(value) for key, value in values.items()} for values in (before, after)]
    yield from _changed(prefix, *written)


def _changed(prefix: str, before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Fact]:
    for name in dict.fromkeys([*before, *after]):
        old, new = before.get(name, ""), after.get(name, "")
        if old != new:
            rest = f"… ({len(old):,} characters)" if len(old) > BEFORE else ""
            yield f"{prefix}{name}", old[:BEFORE] + rest, new


def _json(value: object) -> str:
    """JSON as a file may hold it, NaN included."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _listed(tags: object) -> str:
    return ", ".join(map(str, tags)) if isinstance(tags, list) else "" if tags is None else _json(tags)


def _sizes(bundle: object) -> str:
    forms = bundle if isinstance(bundle, dict) else {}
    return ", ".join(f"{mime}, {len(str(data)) * 3 // 4:,} bytes" for mime, data in forms.items()) or "empty"


def _is_same(old: Cell, new: Cell) -> bool:
    """Whether the file says the same of both; the bytes of a cell that stayed are the very same object."""
    return old.raw is new.raw or old.raw == new.raw


def _results_differ(old: Cell | None, new: Cell | None) -> bool:
    results = [outputs_json(cell.raw) if cell else b"" for cell in (old, new)]
    return results[0] != results[1]


def _source_diff(old: Cell | None, new: Cell | None, label: str) -> str:
    """A source that ends without a newline, as most do, is no news."""
    texts = [cell.source + "\n" if cell and cell.source else "" for cell in (old, new)]
    return unified_diff(texts[0], texts[1], label)


def _notes(old: Cell | None, new: Cell | None) -> Iterator[str]:
    if new is not None and (old is None or old.source != new.source or old.cell_type != new.cell_type):
        yield from filter(None, (loads(new),))
    if old is not None and new is not None:
        yield from change_notes(old.source, new.source)
    if new is not None and not new.source:
        yield "its source is empty"


def _excerpt(source: str) -> str:
    lines = source.split("\n")
    shown = "\n".join(lines[: EXCERPT[0]])
    more = len(lines) > EXCERPT[0] or len(shown) > EXCERPT[1]
    return shown[: EXCERPT[1]] + "\n…" if more else shown


def _where(new: Cell, after: NotebookDocument, known: Collection[str | None]) -> str:
    """Such as `after #2 load`."""
    if new.index == 0:
        return "as the first cell"
    above = after.cells[new.index - 1]
    return f"after #{above.index}" + (f" {_name(above, known)}" if above.id is not None else "")


def _name(cell: Cell, known: Collection[str | None]) -> str:
    """A new cell's id is made up anew when the change is made, so it is not shown."""
    if cell.id is None:
        return f"#{cell.index}"
    return cell.id if cell.id in known else "new cell"
