"""A Python text without some of its definitions.

Whole lines go, so nothing that stays is written anew. Two things are mended: of the blank lines above and below what
went, the fewer go too, so that the rest stands as far apart as before; and where nothing would be left in a block, a
`pass` takes the place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from cellwright.tools.python_source import Definition, PythonSource

Span = tuple[int, int, Definition]
"""First and last line that go, and the first of the definitions in them."""


def without(source: PythonSource, gone: Sequence[Definition]) -> Iterator[str]:
    """The lines that are left."""
    taken = Counter(one.block.number for one in gone)
    empty = {number for number, count in taken.items() if number and count == source.statements[number]}
    end = 0
    for first, last, definition in _spans(source, gone):
        is_emptied = definition.block.number in empty
        before, after = (0, 0) if is_emptied else _blanks(source, first, last, definition)
        yield from source.lines[end : first - 1 - before]
        if is_emptied:
            empty.discard(definition.block.number)
            yield _pass_for(source, definition)
        end = last + after
    yield from source.lines[end:]


def _spans(source: PythonSource, gone: Sequence[Definition]) -> list[Span]:
    """What goes, in order; definitions with only blank lines between them as one."""
    spans: list[Span] = []
    for one in sorted(gone, key=lambda one: one.first):
        if spans and all(source.is_blank(line) for line in range(spans[-1][1] + 1, one.first)):
            spans[-1] = spans[-1][0], one.last, spans[-1][2]
        else:
            spans.append((one.first, one.last, one))
    return spans


def _blanks(source: PythonSource, first: int, last: int, definition: Definition) -> tuple[int, int]:
    """How many of the blank lines above and below go as well."""
    before = after = 0
    while source.is_blank(first - before - 1):
        before += 1
    while source.is_blank(last + after + 1):
        after += 1
    if last + after == len(source.lines):
        return before, 0
    opens_block = first - before - 1 == definition.block.header
    return (0, after) if opens_block or before >= after else (before, 0)


def _pass_for(source: PythonSource, definition: Definition) -> str:
    line = source.lines[definition.line - 1]
    end = "\r\n" if line.endswith("\r\n") else "\n"
    is_last = definition.last == len(source.lines) and not source.lines[-1].endswith("\n")
    return line[: definition.indent] + "pass" + ("" if is_last else end)
