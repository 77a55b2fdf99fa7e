import time

import pytest

from cellwright_widgets.drawing.word_diff import are_alike, word_diff

PAIRS = [("a b c", "a x c"), ("", "a"), ("aa", "a"), ("f(x)", "f(x, y)"), ("same", "same"), ("ab" * 9, "ba" * 9)]


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_the_parts_are_the_lines(old, new):
    left, right = word_diff(old, new)
    assert "".join(text for _, text in left) == old
    assert "".join(text for _, text in right) == new
    unchanged = ["".join(text for changed, text in side if not changed) for side in (left, right)]
    assert unchanged[0] == unchanged[1]


def test_a_whole_word_is_marked_not_a_letter_of_it():
    assert word_diff("return rows", "return row")[1] == [(False, "return "), (True, "row")]


def test_very_long_lines_cost_little():
    old, new = "a b " * 200_000, "a c " * 200_000
    start = time.thread_time()
    word_diff(old, new)
    assert time.thread_time() - start < 2


@pytest.mark.parametrize(
    ("old", "new", "alike"),
    [("x = 1", "x = 2", True), ("rows = []", '"""Reads a file."""', False), ("  a", "a", True), ("", "a", False)],
)
def test_lines_are_compared_only_if_they_share_enough(old, new, alike):
    assert are_alike(old, new) is alike
