import fnmatch
import random
import re

import pytest

from cellwright.permission.patterns import (
    STAR,
    covers_text,
    covers_words,
    escaped,
    may_cover_text,
    may_cover_words,
    path_pattern,
    word_patterns,
)
from cellwright.permission.shell.word import HOLE, Word


def words(*texts):
    return [Word.unknown() if text is None else Word.literal(text) for text in texts]


@pytest.mark.parametrize(
    ("pattern", "read"),
    [
        ("git  log *", ("git", "log", STAR)),
        ("a\\ b c", ("a b", "c")),
        ("'a b' \"c *\" \\*", ("a b", "c *", "*")),
        ("a*b", (f"a{STAR}b",)),
        ("'' x", ("", "x")),
        ("a''b", ("ab",)),
        ("it\\'s", ("it's",)),
        ("a\nb", ("a", "b")),
        ("(x) [y] ?", ("(x)", "[y]", "?")),
    ],
)
def test_a_pattern_is_split_as_a_shell_would_and_only_a_bare_star_is_a_wildcard(pattern, read):
    assert word_patterns(pattern) == read


@pytest.mark.parametrize(("pattern", "why"), [("a\\", "escapes nothing"), ("'a", "not closed"), ('a"', "not closed")])
def test_a_pattern_that_can_not_be_read_says_why(pattern, why):
    with pytest.raises(ValueError, match=why):
        word_patterns(pattern)


@pytest.mark.parametrize(
    ("pattern", "read"),
    [("./a b/", "a b"), ("a/*", f"a/{STAR}"), ("\\*'x", "*'x"), ("/", "/"), (".", "."), (".//a", "a")],
)
def test_a_pattern_for_paths_keeps_blanks_and_quotes(pattern, read):
    assert path_pattern(pattern) == read


def test_an_escaped_text_is_read_as_one_word_with_this_text():
    chance = random.Random(3)
    for _ in range(500):
        text = "".join(chance.choices("ab*?[]\\ '\"\t\n$();", k=chance.randint(0, 8)))
        assert word_patterns(escaped(text)) == (text,)
        assert path_pattern("x" + escaped(text + "x")) == "x" + text + "x" or text == ""


def test_wildcards_cover_what_fnmatch_says():
    chance = random.Random(5)
    for _ in range(2000):
        pattern = "".join(chance.choices("ab*", k=chance.randint(0, 6)))
        text = "".join(chance.choices("ab", k=chance.randint(0, 6)))
        read = pattern.replace("*", STAR)
        wanted = re.match(fnmatch.translate(pattern), text) is not None
        assert (covers_text(read, text), may_cover_text(read, text)) == (wanted, wanted), (pattern, text)


def test_an_unknown_part_is_covered_by_a_wildcard_and_may_be_anything():
    chance = random.Random(9)
    for _ in range(2000):
        pattern = "".join(chance.choices(["a", "b", STAR], k=chance.randint(0, 5)))
        text = "".join(chance.choices(["a", "b", HOLE], k=chance.randint(0, 5)))
        filled = [text.replace(HOLE, filling) for filling in ("", "a", "b", "ab", "ba", "aab")]
        assert not covers_text(pattern, text) or all(covers_text(pattern, one) for one in filled)
        assert may_cover_text(pattern, text) or not any(covers_text(pattern, one) for one in filled)


@pytest.mark.parametrize(
    ("pattern", "given", "surely", "may"),
    [
        ("git *", ["git"], True, True),
        ("git *", ["git", "a", "b"], True, True),
        ("git * b", ["git", "b"], True, True),
        ("git * b", ["git", "a", "c", "b"], True, True),
        ("git * b", ["git", "a"], False, False),
        ("git a*", ["git", "ab", "c"], False, True),
        ("git a", ["git", None], False, True),
        ("git a b", ["git", None], False, True),
        ("git", ["git", None], False, True),
        ("git *", ["git", None], True, True),
        ("rm *", [None, "a"], False, True),
        ("rm", ["git", None], False, False),
    ],
)
def test_words_are_covered_surely_or_perhaps(pattern, given, surely, may):
    patterns = word_patterns(pattern)
    assert (covers_words(patterns, words(*given)), may_cover_words(patterns, words(*given))) == (surely, may)


def test_a_word_that_must_be_written_is_not_covered_by_a_wildcard():
    given = words("find", ".", "-delete")
    assert covers_words(word_patterns("find *"), given)
    assert not covers_words(word_patterns("find *"), given, {2})
    assert not covers_words(word_patterns("find . -d*"), given, {2})
    assert covers_words(word_patterns("find * -delete"), given, {2})
    assert covers_words(word_patterns("git --output=*"), words("git", "--output=f"), {1})
