import itertools
import re
import unicodedata

import pytest

from cellwright.calls.limits import HARD_CAP, Gap, cut, middle, note, whole_letters

from ..properties import for_any


def parts(text, limit):
    shown, left_out = cut(text, limit)
    head, note, tail = re.split(r"(\n\[… .* left out …\]\n)", shown)
    assert len(head) + left_out + len(tail) == len(text)
    assert text.startswith(head)
    assert text.endswith(tail)
    assert f"{left_out:,} characters" in note
    return head, tail


def test_a_text_within_its_limit_is_whole():
    assert cut("x" * 1000, 1000) == ("x" * 1000, 0)


def test_the_last_lines_of_a_long_output_stay():
    text = "".join(f"line {i}\n" for i in range(100_000)) + "test result: FAILED. 1 passed; 1 failed"
    head, tail = parts(text, 4000)
    assert head.startswith("line 0\nline 1\n")
    assert tail.endswith("\ntest result: FAILED. 1 passed; 1 failed")
    assert 3000 < len(head) + len(tail) <= 4000


def test_a_last_line_that_ends_with_a_newline_is_not_lost():
    head, tail = parts("a\n" * 5000 + "x" * 70 + "\n", 200)
    assert tail.endswith("x" * 70 + "\n")
    head, tail = parts("start\n" + "y" * 5000 + "\n", 300)
    assert len(head) > 100
    assert len(tail) > 80


def test_cuts_fall_at_line_ends_where_some_are_near():
    head, tail = parts("".join(f"{i:06}\n" for i in range(10_000)), 5000)
    assert re.fullmatch(r"\d{6}", head.split("\n")[-1])
    assert re.fullmatch(r"\d{6}", tail.split("\n")[0])


LETTERS = {
    "family": "👩\u200d👩\u200d👧",
    "flag": "🇩🇪",
    "accent": "e\u0301",
    "tone": "👍\U0001f3fd",
    "vowel": "นี้",
    "heart": "❤\ufe0f",
    "keycap": "1\ufe0f\u20e3",
    "syllable": "\u1112\u1161\u11ab",
    "conjunct": "\u0915\u094d\u0937\u093f",
    "tags": "🏴\U000e0067\U000e0062\U000e007f",
    "line end": "\r\n",
}


@pytest.mark.parametrize("letter", LETTERS.values(), ids=LETTERS)
def test_a_cut_never_splits_a_letter(letter):
    for shift in range(8):
        text = "x" * shift + f"{letter}." * 2000
        head, tail = parts(text, 400)
        assert re.fullmatch(rf"x*({re.escape(letter)}\.)*({re.escape(letter)})?", head)
        assert re.fullmatch(rf"({re.escape(letter)})?\.?({re.escape(letter)}\.)*", tail)
        assert not tail or not unicodedata.category(tail[0]).startswith("M")


def test_no_limit_exceeds_the_hard_cap():
    shown, left_out = cut("x" * 500_000, 10**9)
    assert left_out == 500_000 - HARD_CAP
    assert len(shown) < HARD_CAP + 100


@pytest.mark.parametrize("limit", [0, -5, 1, 199])
def test_a_limit_that_leaves_nothing_to_read_is_raised(limit):
    head, tail = parts("x" * 10_000, limit)
    assert (len(head), len(tail)) == (120, 80)


@pytest.mark.parametrize("letter", LETTERS.values(), ids=LETTERS)
def test_the_place_before_a_cut_is_that_of_a_whole_letter(letter):
    text = f"x{letter}y"
    places = [whole_letters(text, position) for position in range(1, len(text) + 1)]
    assert places == [*[1] * len(letter), 1 + len(letter), len(text)][: len(text)]


def test_what_must_be_left_out_lies_in_the_middle():
    assert middle("x" * 1000, 1000) is None
    assert middle("x" * 1000, 500) == Gap(300, 800, 1)


def test_the_note_counts_what_is_left_out_and_says_more_if_there_is_more():
    assert note(Gap(1_000, 3_500, 7), "; see there") == "\n[… 2,500 characters in 7 lines left out; see there …]\n"


@for_any(written="letters", limit="limit")
def test_whatever_is_cut_keeps_head_and_tail_whole_letters_and_its_limit(written, limit):
    text = "".join(written)
    gap = middle(text, limit)
    if gap is None:
        assert len(text) <= limit
        return
    ends = {0, *itertools.accumulate(map(len, written))}
    plain = {at for at in range(1, len(text)) if text[at - 1 : at + 1] == "xx"}
    assert {gap.start, gap.end} <= ends | plain
    assert 0 < gap.start < gap.end < len(text)
    assert gap.start + len(text) - gap.end <= limit
    assert gap.lines == text[gap.start : gap.end].count("\n") + 1
    text.encode()
