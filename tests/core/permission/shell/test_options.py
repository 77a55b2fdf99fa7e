import pytest

from cellwright.permission.shell.options import Options, read_arguments
from cellwright.permission.shell.word import Word

KNOWN = Options("ab", "n", "U", "all color=", "lines", numeric=True, single_dash="-print -name=")


def read(text, known=KNOWN):
    found = read_arguments([Word.literal(word) for word in text.split()], known)
    return None if found is None else (found.options, [word.text for word in found.operands])


@pytest.mark.parametrize(
    ("text", "options", "operands"),
    [
        ("x y", (), ["x", "y"]),
        ("-a x -b", (("-a", ""), ("-b", "")), ["x"]),
        ("-abn5 x", (("-a", ""), ("-b", ""), ("-n", "5")), ["x"]),
        ("-n 5 x", (("-n", "5"),), ["x"]),
        ("-U5 -U x", (("-U", "5"), ("-U", "")), ["x"]),
        ("--all --color --color=auto", (("--all", ""), ("--color", ""), ("--color", "auto")), []),
        ("--lines 5 --lines=6 x", (("--lines", "5"), ("--lines", "6")), ["x"]),
        ("-5 x", (("-5", ""),), ["x"]),
        ("-name x -print y", (("-name", "x"), ("-print", "")), ["y"]),
        ("-a -- -x --y", (("-a", ""),), ["-x", "--y"]),
        ("- x", (), ["-", "x"]),
    ],
)
def test_words_are_taken_apart_into_options_and_operands(text, options, operands):
    assert read(text) == (options, operands)


@pytest.mark.parametrize("text", ["-x", "-ax", "--al", "--all=x", "--other", "-n", "--lines", "-name", "-5x"])
def test_an_option_that_is_not_known_is_not_guessed(text):
    assert read(text) is None


def test_an_option_with_an_unknown_part_is_not_known():
    assert read_arguments([Word("-n\ue000", "-n$x", splits=True)], KNOWN) is None


def test_options_end_at_the_first_operand_where_a_program_takes_them_so():
    found = read_arguments([Word.literal(word) for word in ("-a", "x", "-z")], Options("a", mixed=False))
    assert ([word.text for word in found.operands], found.start) == (["x", "-z"], 1)
