import shutil
import subprocess

import pytest

from cellwright.permission.shell.grammar import UnclearError
from cellwright.permission.shell.script import read_script
from cellwright.permission.shell.word import HOLE, Word

LITERAL = [
    "a",
    "'a b'",
    '"a b"',
    "a\\ b",
    "a'b'\"c\"",
    "''",
    '"a\'b"',
    "'a\"b'",
    '"a\\"b\\$c\\`d\\\\e\\f"',
    "$'a\\x41\\n\\t\\'\\101\\u00e9'",
    "a\\*b\\?c",
    "'*'",
    '"?"',
    "a#b",
    "a=b",
    "--x='y z'",
    "HEAD@{1}",
    "{}",
    "a{b",
    "é漢",
    '"$"',
    "a$",
    "'a\nb'",
    '"a\nb"',
    "123",
    "a%b^c",
    "@x:y",
    "\\~",
    "{," * 2000,
]


def word(written):
    (command,) = read_script(f"x {written}").commands[:1]
    (found,) = command.words[1:]
    return found


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash tells what a word is")
@pytest.mark.parametrize("written", LITERAL)
def test_a_literal_word_is_what_bash_makes_of_it(written):
    done = subprocess.run(["bash", "-c", f"printf %s {written}"], capture_output=True, check=True)
    assert (word(written).text, word(written).is_literal) == (done.stdout.decode(), True)


@pytest.mark.parametrize(
    ("written", "text", "splits"),
    [
        ("$x", HOLE, True),
        ('"$x"', HOLE, False),
        ('"a $x b"', f"a {HOLE} b", False),
        ("a$x", f"a{HOLE}", True),
        ("${x}", HOLE, True),
        ("$(ls)", HOLE, True),
        ('"$(ls)/b"', f"{HOLE}/b", False),
        ("`ls`", HOLE, True),
        ("*.py", f"{HOLE}.py", False),
        ("a?", f"a{HOLE}", False),
        ("[ab]c", HOLE, False),
        ("secre[t]", f"secre{HOLE}", False),
        ("secre[t]'x'", f"secre{HOLE}", False),
        ("{a,b}", HOLE, True),
        ("{1..3}", HOLE, True),
        ("x{a,b}", HOLE, True),
        ("<(ls)", f"/dev/fd/{HOLE}", False),
        ("$((1+2))", HOLE, True),
    ],
)
def test_what_the_shell_expands_is_a_hole(written, text, splits):
    found = word(written)
    assert (found.text, found.splits, found.source) == (text, splits, written)
    assert not found.is_literal


@pytest.mark.parametrize("written", ["$'\\0'", "$'\\cA'", "$'\\xff'", "a\ue000"])
def test_a_word_that_is_no_text_is_unclear(written):
    with pytest.raises(UnclearError):
        word(written)


def test_an_unknown_word_may_be_several():
    assert (Word.unknown().text, Word.unknown().splits) == (HOLE, True)
    assert Word.literal("a").is_literal
