"""A change of a text, with the unchanged lines beside it."""

import random

import pytest

from cellwright.views.file_diff import NEAR, NEAR_CHARACTERS, diff_text, diff_view, hunks
from cellwright.views.view import as_json, from_json

LONG = [f"line {number}\n" for number in range(500)]


def changed(lines: list[str], *places: int) -> str:
    return "".join("other\n" if number in places else line for number, line in enumerate(lines))


def in_hunks(view) -> set[int]:
    """The lines of the new text that the hunks hold, from 1."""
    return {line for _, _, new, count in hunks(view.unified) for line in range(new, new + count)}


@pytest.mark.parametrize("seed", range(20))
def test_the_lines_beside_a_change_stand_at_their_numbers_in_both_texts_and_in_no_hunk(seed):
    dice = random.Random(seed)
    old = [f"{dice.randrange(6)}\n" for _ in range(dice.randrange(300))]
    new = [line for line in old if dice.random() > 0.02]
    new[len(new) // 2 : len(new) // 2] = ["x\n"] * dice.randrange(3)
    view = diff_view("".join(old), "".join(new), "a")
    seen = in_hunks(view)
    for first_old, first_new, text in view.unchanged:
        lines = text.splitlines(keepends=True)
        assert old[first_old - 1 :][: len(lines)] == new[first_new - 1 :][: len(lines)] == lines
        assert seen.isdisjoint(range(first_new, first_new + len(lines)))
        seen.update(range(first_new, first_new + len(lines)))


def test_a_short_gap_is_kept_whole_and_of_a_long_one_what_is_near():
    view = diff_view("".join(LONG), changed(LONG, 20, 60, 400), "a")
    kept = [(new, text.count("\n")) for _, new, text in view.unchanged]
    assert kept == [(1, 17), (25, 33), (65, NEAR), (358, NEAR), (405, NEAR)]


def test_what_is_kept_is_bounded_and_never_a_part_of_a_line():
    wide = ["x" * 900 + "\n"] * 100
    view = diff_view("".join(wide), changed(wide, 50), "a")
    assert sum(len(text) for _, _, text in view.unchanged) <= NEAR_CHARACTERS
    assert {text.count("x") % 900 for _, _, text in view.unchanged} <= {0}


def test_the_text_form_has_the_diff_alone_and_json_holds_both():
    view = diff_view("".join(LONG), changed(LONG, 250), "a")
    assert "line 240" not in diff_text(view)
    assert any("line 240\n" in text for _, _, text in view.unchanged)
    assert from_json(as_json(view)) == view


@pytest.mark.parametrize("unified", ["", "no diff", "@@ -1 +1 @@", "--- a\n+++ b\n@@ -0,0 +1,2 @@\n+a\n+@@ -9 +9 @@\n"])
def test_what_looks_like_a_head_within_a_hunk_is_none(unified):
    assert all(old < 9 for old, *_ in hunks(unified))


def test_a_change_without_a_line_around_it_has_none():
    assert diff_view("a\n", "b\n", "a").unchanged == ()
    assert diff_view("", "b\n" * 9, "a").unchanged == ()
    assert diff_view("same", "same", "a").unchanged == ()
