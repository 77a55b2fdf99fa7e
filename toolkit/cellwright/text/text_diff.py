"""The difference of two texts, as a unified diff that a patch tool can apply, with notes on what the eye misses.

Lines are the ones a patch tool sees (split at `\\n` alone). A diff of invisible changes is never empty: line ends,
a final newline, tabs, trailing blanks, odd blanks and Unicode normalisation are named in a note. The work is bounded:
where two texts share too little to be compared line by line in time, the differing middle is shown as replaced whole.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from cellwright.text.look_alike import changed_look_alikes

SCANS = 8
"""How often each line is looked at, on average and at most, while lines are sought that stand once in each text."""
MAX_WORK = 1_000_000
"""Lines times lines that are compared at most."""
MAX_PAIRS = 50_000
"""Equal lines times equal lines that are compared at most, or a file of blank lines would take a minute."""
CONTEXT = 3
NO_NEWLINE = "\\ No newline at end of file"


def unified_diff(old: str, new: str, path: str) -> str:
    """A unified diff from `old` to `new`; empty if they are equal."""
    if old == new:
        return ""
    label = path.replace("\n", " ").replace("\t", " ")
    lines = _hunks(split_lines(old), split_lines(new))
    return "".join([f"--- a/{label}\n", f"+++ b/{label}\n", *lines])


def change_notes(old: str, new: str) -> tuple[str, ...]:
    """What changed that a reader could overlook, one sentence each."""
    return tuple(_notes(old, new))


def changed_lines(unified: str) -> tuple[int, int]:
    """How many lines a unified diff adds and removes."""
    body = unified.split("\n")[2:]
    return sum(line.startswith("+") for line in body), sum(line.startswith("-") for line in body)


def split_lines(text: str) -> list[str]:
    """The lines of a text with their ends; only a newline ends one, though `str.splitlines` knows of others."""
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _hunks(old: list[str], new: list[str]) -> Iterator[str]:
    for group in _groups(old, new):
        (_, i1, _, j1, _), (_, _, i2, _, j2) = group[0], group[-1]
        yield f"@@ -{_range(i1, i2)} +{_range(j1, j2)} @@\n"
        for tag, a1, a2, b1, b2 in group:
            if tag == "equal":
                yield from (_marked(" ", line) for line in old[a1:a2])
            else:
                yield from (_marked("-", line) for line in old[a1:a2])
                yield from (_marked("+", line) for line in new[b1:b2])


def _marked(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n{NO_NEWLINE}\n"


def _range(start: int, stop: int) -> str:
    length = stop - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


Operation = tuple[str, int, int, int, int]


def _groups(old: list[str], new: list[str]) -> Iterator[list[Operation]]:
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    codes = _compared(old[head : len(old) - tail], new[head : len(new) - tail])
    moved = [(tag, a1 + head, a2 + head, b1 + head, b2 + head) for tag, a1, a2, b1, b2 in codes]
    before: list[Operation] = [("equal", 0, head, 0, head)] if head else []
    a, b = len(old) - tail, len(new) - tail
    after: list[Operation] = [("equal", a, len(old), b, len(new))] if tail else []
    return _with_context([*before, *moved, *after])


def _compared(old: list[str], new: list[str]) -> Iterator[Operation]:
    """How one becomes the other."""
    a = b = 0
    for i, j, size in [*_joined(sorted(_alike(old, new))), (len(old), len(new), 0)]:
        if a < i or b < j:
            yield ("replace" if a < i and b < j else "delete" if a < i else "insert"), a, i, b, j
        if size:
            yield "equal", i, i + size, j, j + size
        a, b = i + size, j + size


Block = tuple[int, int, int]
"""Where equal lines begin in the one and in the other, and how many they are."""


def _joined(blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks that follow each other as one."""
    i = j = size = 0
    for a, b, more in blocks:
        if (a, b) == (i + size, j + size):
            size += more
            continue
        yield i, j, size
        i, j, size = a, b, more
    yield i, j, size


def _alike(old: list[str], new: list[str]) -> Iterator[Block]:
    """Lines that are taken for the same, found in ever smaller pieces.

    A line that stands once in each ties the two together there. What lies between two such ties is looked at again, as
    a line may stand once in it; where there is none, difflib tries all lines with all. When the work that this may
    take is used up, the rest counts as unlike.
    """
    scans, work, pairs = SCANS * (len(old) + len(new)), MAX_WORK, MAX_PAIRS
    pieces = [(0, len(old), 0, len(new))]
    while pieces:
        a1, a2, b1, b2 = pieces.pop()
        scans -= a2 - a1 + b2 - b1
        one, other = old[a1:a2], new[b1:b2]
        if head := _common(one, other):
            yield a1, b1, head
            pieces.append((a1 + head, a2, b1 + head, b2))
            continue
        if not one or not other or scans < 0:
            continue
        if ties := _ties(one, other):
            corners = [(a1 - 1, b1 - 1), *((a1 + i, b1 + j) for i, j in ties), (a2, b2)]
            yield from ((i, j, 1) for i, j in corners[1:-1])
            pieces += [(i + 1, k, j + 1, m) for (i, j), (k, m) in pairwise(corners)]
            continue
        counts = Counter(other)
        size, alike = len(one) * len(other), sum(counts[line] for line in one)
        if alike and size <= work and alike <= pairs:
            work, pairs = work - size, pairs - alike
            matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
            yield from ((a1 + i, b1 + j, n) for i, j, n in matcher.get_matching_blocks() if n)


def _ties(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """The longest row of lines that stand once in each, in the same order in both (found by patience sorting)."""
    places = {line: j for j, line in enumerate(new)}
    ones = Counter(old)
    twos = Counter(new)
    found = [(i, places[line]) for i, line in enumerate(old) if ones[line] == 1 and twos[line] == 1]
    tops: list[int] = []
    ends: list[tuple[int, int]] = []
    before: list[int] = []
    last: list[int] = []
    for index, (_, j) in enumerate(found):
        pile = bisect_left(tops, j)
        tops[pile : pile + 1] = [j]
        last[pile : pile + 1] = [index]
        before.append(last[pile - 1] if pile else -1)
    index = last[-1] if last else -1
    while index >= 0:
        ends.append(found[index])
        index = before[index]
    return ends[::-1]


def _with_context(codes: list[Operation]) -> Iterator[list[Operation]]:
    """The operations in groups, each with at most CONTEXT equal lines around it."""
    group: list[Operation] = []
    for index, (tag, a1, a2, b1, b2) in enumerate(codes):
        if tag != "equal":
            group.append((tag, a1, a2, b1, b2))
            continue
        first, last = index == 0, index == len(codes) - 1
        if a2 - a1 <= (CONTEXT if first or last else 2 * CONTEXT):
            group.append((tag, a1, a2, b1, b2))
            continue
        if not first:
            group.append((tag, a1, a1 + CONTEXT, b1, b1 + CONTEXT))
            yield group
        group = [] if last else [(tag, a2 - CONTEXT, a2, b2 - CONTEXT, b2)]
    if any(tag != "equal" for tag, *_ in group):
        yield group


def _common(a: list[str], b: list[str]) -> int:
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count


def _notes(old: str, new: str) -> Iterator[str]:
    if _line_end(old) != _line_end(new) and old and new:
        yield f"line ends changed from {_line_end(old)} to {_line_end(new)}"
    if old and new and old.endswith("\n") != new.endswith("\n"):
        yield "newline at the end of the file " + ("added" if new.endswith("\n") else "removed")
    yield from _blank_notes(old, new)
    if old != new and not (old.isascii() and new.isascii()):
        yield from _letter_notes(old, new)
    odd = sorted(char for char in set(new) - set(old) if unicodedata.category(char) == "Zs" and char != " ")
    if odd:
        yield "blanks of another kind appear: " + ", ".join(f"U+{ord(char):04X}" for char in odd)


SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""What chooses between two forms of the letter before it, which may look the same."""


def _letter_notes(old: str, new: str) -> Iterator[str]:
    if unicodedata.normalize("NFC", old) == unicodedata.normalize("NFC", new):
        yield "only the encoding of accented letters changed (Unicode normalisation)"
    if SELECTORS.sub("", old) == SELECTORS.sub("", new):
        yield "only variation selectors changed (such as U+FE0F), which are not seen"
    for happens, letters in zip(("appear", "go"), changed_look_alikes(old, new), strict=True):
        if letters:
            named = ", ".join(f"{char} (U+{ord(char):04X})" for char in letters[:10])
            yield f"letters that pass for others {happens}: {named}{', …' if len(letters) > 10 else ''}"


def _blank_notes(old: str, new: str) -> Iterator[str]:
    a, b = old.replace("\r\n", "\n").split("\n"), new.replace("\r\n", "\n").split("\n")
    if a == b or "".join(old.split()) != "".join(new.split()):
        return
    yield "only white space changed"
    if old.count("\t") != new.count("\t"):
        yield f"tabs changed from {old.count(chr(9))} to {new.count(chr(9))}"
    if [line.rstrip() for line in a] == [line.rstrip() for line in b]:
        yield "trailing blanks changed"
    elif [line.lstrip() for line in a] == [line.lstrip() for line in b]:
        yield "indentation changed"


def _line_end(text: str) -> str:
    crlf, lf = text.count("\r\n"), text.count("\n")
    if not lf:
        return "none"
    return "LF" if not crlf else ("CRLF" if crlf == lf else "mixed")
