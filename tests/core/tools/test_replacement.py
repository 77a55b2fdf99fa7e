"""A replacement changes its place and nothing else, whatever the text."""

import random
import re

import pytest

from cellwright.errors import ToolError
from cellwright.files.disk import read_text_file
from cellwright.tools.replacement import Replacement, all_replaced, replaced

PIECES = ["a", "b", " ", "\t", "\n", "\r\n", "é", "\u2028", "\x0c", "\\1", "$&", "(", ".", "😀"]


def random_text(chance, longest):
    return "".join(chance.choices(PIECES, k=chance.randrange(1, longest)))


def occurrences(text, quote):
    """All places of a quote by plain comparison, overlapping ones too."""
    return [at for at in range(len(text)) if text.startswith(quote, at)]


def test_any_exact_edit_leaves_all_bytes_around_it_alone(tmp_path):
    chance = random.Random(20)
    for _ in range(500):
        text = random_text(chance, 60)
        start = chance.randrange(len(text))
        quote = text[start : start + chance.randrange(1, 9)]
        new = f"<{chance.choice(PIECES[8:])}>"
        if len(occurrences(text, quote)) > 1 or "\n" in quote:
            continue
        (tmp_path / "t").write_bytes(text.encode())
        file = read_text_file(tmp_path / "t")
        after = file.encode(replaced(file.text, Replacement(quote, new)).text)
        head, tail = text[:start].encode(), text[start + len(quote) :].encode()
        assert after == head + new.encode() + tail


def test_line_ends_of_the_place_are_kept_in_any_mixture():
    chance = random.Random(21)
    for _ in range(500):
        text = "".join(f"{n}x{end}" for n, end in enumerate(chance.choices(["\n", "\r\n"], k=8)))
        first, last = sorted(chance.sample(range(8), 2))
        quote = "".join(f"{n}x\n" for n in range(first, last + 1))
        after = replaced(text, Replacement(quote, quote.replace("x", "y"))).text
        assert after == re.sub(rf"([{first}-{last}])x", r"\1y", text)


def test_a_quote_that_fits_several_places_never_changes_one():
    chance = random.Random(22)
    for _ in range(300):
        text = random_text(chance, 30).replace("\r", "")
        quote = text[(at := chance.randrange(len(text))) : at + 2]
        if len(occurrences(text, quote)) > 1:
            with pytest.raises(ToolError, match="was found") as caught:
                replaced(text, Replacement(quote, "<new>"))
            assert caught.value.code == "not_unique"


def test_replace_all_agrees_with_plain_replacement():
    chance = random.Random(23)
    for _ in range(300):
        text = random_text(chance, 40).replace("\r", "")
        quote = chance.choice(text)
        made = replaced(text, Replacement(quote, "\\g<0>$1", replace_all=True))
        expected = text.replace(quote, "\\g<0>$1")
        assert made.text == expected
        assert len(made.lines) == text.count(quote)


def test_the_lines_of_the_places_are_those_of_the_text_before():
    assert replaced("a\nb a\n\na", Replacement("a", "x\ny", replace_all=True)).lines == (1, 2, 4)


def test_many_places_are_counted_and_only_some_named():
    with pytest.raises(ToolError, match=r"found 5,000 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, \.\.\.;"):
        replaced("a\n" * 5_000, Replacement("a", "b"))


def test_a_list_of_edits_agrees_with_edits_one_by_one():
    edits = [Replacement("a", "bb"), Replacement("bb c", "d"), Replacement("e", "f", replace_all=True)]
    assert all_replaced("a c e e", edits) == ("d f f", [1, 1, 2])
