"""What is kept of an output that may have no end."""

import pytest

from cellwright.commands.kept_output import KEPT, KeptOutput


def kept(*pieces):
    output = KeptOutput()
    for piece in pieces:
        output.add(piece)
    return output


@pytest.mark.parametrize("texts", [[], [""], ["a", "", "é\n"], ["one\n" * 1_000, "\U0001f600"], ["\0", "\r\n"]])
def test_a_short_output_is_kept_whole_however_it_comes(texts):
    output = kept(*(text.encode() for text in texts))
    assert output.text() == "".join(texts)
    assert output.total == len("".join(texts).encode())


def test_of_a_long_one_head_and_tail_are_kept_and_the_rest_is_counted():
    output = kept(b"first", *[b"." * 100_000] * 40, b"last")
    text = output.text()
    assert (text[:5], text[-4:]) == ("first", "last")
    missing = 4_000_009 - (len(text) - len("\n[…  bytes were not kept …]\n") - len("2900009"))
    assert f"\n[… {missing} bytes were not kept …]\n" in text
    assert output.total == 4_000_009


@pytest.mark.parametrize("piece", [1, 1_000, 3 * KEPT])
def test_what_is_kept_stays_within_its_bounds(piece):
    output = kept(*[b"x" * piece] * (4 * KEPT // piece if piece > 1 else 10))
    assert len(output.text()) < 3 * KEPT + 100


def test_one_can_go_on_from_where_one_was():
    output = kept(b"one\n")
    seen = output.total
    output.add(b"two\n")
    assert output.text(seen) == "two\n"
    assert output.text(output.total) == ""


def test_what_was_lost_between_two_looks_is_counted():
    output = kept(b"." * 3 * KEPT)
    seen = output.total
    output.add(b"a" * KEPT * 4 + b"end")
    text = output.text(seen)
    assert text.startswith("\n[… ")
    assert text.endswith("aend")
    assert "." not in text


def test_what_is_no_utf_8_is_shown_as_such():
    assert kept(b"\xf0(ok\xff\n").text() == "\ufffd(ok\ufffd\n"
