"""Globs and ignore rules mean what git says."""

import re

import pytest

from cellwright.tools.glob_rules import GlobError, glob_expression, read_rules, rule_of, rules_of


@pytest.mark.parametrize(
    ("glob", "fits", "fits_not"),
    [
        ("*.py", ["a.py", ".py"], ["a/b.py", "a.pyc"]),
        ("a?c", ["abc"], ["a/c", "ac"]),
        ("src/**/*.js", ["src/a.js", "src/a/b/c.js"], ["a.js", "src/a.jsx"]),
        ("**/x", ["x", "a/x", "a/b/x"], ["ax"]),
        ("a/**", ["a/b", "a/b/c"], ["ab"]),
        ("[!a-c]x", ["dx"], ["ax", "/x"]),
        ("*.{js,ts}", ["a.js", "a.ts"], ["a.jsx", "a.{js,ts}"]),
        (r"\*a[]]", ["*a]"], ["ba]"]),
        ("a,b", ["a,b"], ["a", "b"]),
        ("*" * 200 + "x", ["abx", "x"], ["a" * 60, "a/x"]),
    ],
)
def test_a_glob_fits_what_it_says(glob, fits, fits_not):
    made = re.compile(glob_expression(glob), re.S)
    assert [bool(made.fullmatch(path)) for path in fits + fits_not] == [True] * len(fits) + [False] * len(fits_not)


@pytest.mark.parametrize("glob", ["[a-", "{a", "{a,{b}"])
def test_what_is_no_glob_is_refused(glob):
    with pytest.raises(GlobError, match="unclosed"):
        glob_expression(glob)


@pytest.mark.parametrize("glob", ["[z-a]", "{" * 3_000 + "}" * 3_000])
def test_what_can_not_be_made_an_expression_is_refused_and_passed_over_in_an_ignore_file(glob):
    with pytest.raises(GlobError, match="error parsing glob"):
        rule_of(glob)
    assert rules_of([glob, "*.log"]).verdict("x.log", False) is True


def test_the_last_rule_that_fits_decides():
    rules = rules_of(["*.log", "!keep.log", "/top", "build/", "# no", "", "a b ", "{broken"])
    cases = {
        ("x.log", False): True, ("d/x.log", False): True, ("keep.log", False): False, ("top", False): True,
        ("d/top", False): None, ("build", True): True, ("build", False): None, ("a b", False): True,
    }  # fmt: skip
    assert {case: rules.verdict(*case) for case in cases} == cases


def test_rules_are_seen_from_their_folder(tmp_path):
    (tmp_path / ".gitignore").write_text("\ufeff/a\r\n/root/b\n", "utf-8")
    inner = read_rules(tmp_path / ".gitignore", "sub/")
    assert [inner.verdict(path, False) for path in ("sub/a", "a", "sub/x/a")] == [True, None, None]
    above = read_rules(tmp_path / ".gitignore", below="root/")
    assert [above.verdict(path, False) for path in ("b", "a")] == [True, None]
    assert read_rules(tmp_path / "none").rules == ()


def test_case_counts_unless_it_is_said_not_to():
    assert rule_of("*.PY").pattern.fullmatch("a.py") is None
    assert rule_of("*.PY", ignore_case=True).pattern.fullmatch("a.py")
