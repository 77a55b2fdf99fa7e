"""A hint shows what the file holds, within bounded time, and changes nothing."""

import pytest

from cellwright.tools.near_miss import near_miss

from ..in_time import in_time


@pytest.mark.parametrize(
    ("text", "quote", "hint"),
    [
        (
            "a:\n\techo one\n",
            "        echo one",
            r'at line 2: "\techo one\n" (\t is a tab; old_string has blanks there)',
        ),
        ("x\n  step()\n", "      step()\n", 'at line 2: "  step()\\n"'),
        ("f(a,  b)\n", "f(a, b)", 'at line 1: "f(a,  b)\\n"'),
        ("one\ntwo\n", "one two", 'at line 1: "one\\ntwo\\n"'),
        ("def tokens():\n", "def token():", 'The closest line is 1: "def tokens():"'),
        ("say “hello there”\n", 'say "hello there"', r"say \u201chello there\u201d"),
        ("a\nb\n", "     1\ta\n     2\tb\n", "line numbers"),
        ("first\nsecond\n", "first\nother", "Its first line is at line 1"),
        ("abc\n", "xyzxyz", "Read the file again"),
        ("abc\n", "   ", "Read the file again"),
    ],
)
def test_the_hint_shows_what_is_there(text, quote, hint):
    assert hint in near_miss(text, quote)


@pytest.mark.parametrize("quote", ["word " * 20_000, "x" * 100_000, "\n" * 10_000, "a b c d e f g", "(a+)+$ b"])
def test_a_hint_comes_in_time_whatever_the_size(quote):
    text = "".join(f"some words of line {n} and more\n" for n in range(200_000))
    in_time(3, lambda _: near_miss(text, quote))


def test_of_an_empty_file_it_is_said_that_it_is_empty():
    assert near_miss("", "x") == "The file is empty; fill it with write_file"
