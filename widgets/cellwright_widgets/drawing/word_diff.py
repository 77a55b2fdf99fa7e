"""Which parts of a replaced line changed.

A line of which one word changed should not be read twice. Two lines are taken apart into words and compared; the
common start and end are found first, so that even very long lines cost little, and the work in between is bounded.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

Part = tuple[bool, str]
"""Whether a stretch changed, and its text."""
MAX_WORDS = 300
"""Words of one line that are compared; beyond that the differing middle counts as changed whole."""
WORD = re.compile(r"\w+|\s+|.", re.DOTALL)


def word_diff(old: str, new: str) -> tuple[list[Part], list[Part]]:
    """Both lines as stretches, changed and unchanged in turn."""
    head = _common(old, new)
    tail = min(_common(old[::-1], new[::-1]), min(len(old), len(new)) - head)
    head, tail = _to_word(old, new, head, tail)
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    left, right = _middle(middle_old, middle_new)
    start, end = [(False, old[:head])], [(False, old[len(old) - tail :] if tail else "")]
    return _merged([*start, *left, *end]), _merged([*start, *right, *end])


def are_alike(old: str, new: str) -> bool:
    """Whether two lines share enough for a comparison word by word to help the reader."""
    if "".join(old.split()) == "".join(new.split()):
        return True
    a, b = set(re.findall(r"\w+", old[:2_000])), set(re.findall(r"\w+", new[:2_000]))
    shared = sum(map(len, a & b))
    if 5 * shared >= 2 * max(sum(map(len, a)), sum(map(len, b))) > 0:
        return True
    old, new = old.strip(), new.strip()
    return 5 * max(_common(old, new), _common(old[::-1], new[::-1])) >= 3 * min(len(old), len(new)) > 0


def _to_word(old: str, new: str, head: int, tail: int) -> tuple[int, int]:
    """Moves both borders outwards to the border of a word, if one is near."""

    def letter(text: str, index: int) -> bool:
        return 0 <= index < len(text) and (text[index].isalnum() or text[index] == "_")

    start, end = head, tail
    while head and start - head < 40 and letter(old, head - 1) and (letter(old, head) or letter(new, head)):
        head -= 1
    while (
        tail
        and end - tail < 40
        and letter(old, len(old) - tail)
        and (letter(old, len(old) - tail - 1) or letter(new, len(new) - tail - 1))
    ):
        tail -= 1
    return head, tail


def _middle(old: str, new: str) -> tuple[list[Part], list[Part]]:
    a, b = WORD.findall(old), WORD.findall(new)
    if len(a) > MAX_WORDS or len(b) > MAX_WORDS:
        return [(True, old)], [(True, new)]
    left: list[Part] = []
    right: list[Part] = []
    for tag, a1, a2, b1, b2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        left.append((tag != "equal", "".join(a[a1:a2])))
        right.append((tag != "equal", "".join(b[b1:b2])))
    return left, right


def _merged(parts: list[Part]) -> list[Part]:
    return list(_merge(part for part in parts if part[1]))


def _merge(parts: Iterator[Part]) -> Iterator[Part]:
    last: Part | None = None
    for changed, text in parts:
        if last is not None and last[0] == changed:
            last = (changed, last[1] + text)
            continue
        if last is not None:
            yield last
        last = (changed, text)
    if last is not None:
        yield last


def _common(a: str, b: str) -> int:
    """How many characters both start with; by halving, since comparing slices is quick."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[:middle] == b[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
