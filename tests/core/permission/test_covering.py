import pytest

from cellwright.errors import UsageError
from cellwright.permission.covering import (
    may_cover,
    may_cover_domain,
    may_cover_path,
    surely_covers,
    surely_covers_domain,
    surely_covers_path,
)
from cellwright.permission.rules import Rule
from cellwright.permission.shell.parts import read_parts


def part(line):
    (found,) = read_parts(line)
    return found


@pytest.mark.parametrize(
    ("pattern", "line", "surely", "may"),
    [
        ("git log *", "git log -p", True, "surely"),
        ("git log *", "git -C a log", False, "surely"),
        ("git log *", "git $x", False, "maybe"),
        ("git log *", "git show", False, "no"),
        ("git log *", "git log --output=f", False, "surely"),
        ("git log --output=f", "git log --output=f", True, "surely"),
        ("A=1 make *", "A=1 make all", True, "surely"),
        ("make *", "A=1 make all", False, "surely"),
        ("make *", "CI=1 make all", True, "surely"),
        ("make*", "make all", False, "surely"),
        ("make", "/usr/bin/make", False, "surely"),
        ("*", "make", True, "surely"),
        (None, "make", True, "surely"),
        ("make", "make (", False, "maybe"),
    ],
)
def test_a_rule_covers_a_command_surely_or_only_perhaps(pattern, line, surely, may):
    rule = Rule("run_command", pattern)
    assert (surely_covers(rule, part(line)), may_cover(rule, part(line))) == (surely, may)


@pytest.mark.parametrize(
    ("pattern", "path", "surely", "may"),
    [
        ("a/*", "a/b", True, True),
        ("a/*", "ab", False, False),
        ("a", "a", True, True),
        ("a", "a/b", False, True),
        ("a/", "a/b", False, True),
        ("./a", "a", True, True),
        ("*.env", "x/.env", True, True),
        ("a/*", "a", False, True),
        ("a*c", "ab/c", True, True),
        ("a*c", "ab/c/d", False, True),
        ("*/b", "x/b/c", False, True),
        ("*/b", "x/bc/b", True, True),
        ("*/b", "x/bc", False, False),
        ("a/b", "a", False, False),
        ("a", None, False, True),
        ("**/a", "a", True, True),
        ("**/a", "x/y/a", True, True),
        ("**/a", "xa", False, False),
        ("b/**/a", "b/a", True, True),
        ("b/../a", "a", True, True),
        ("/srv/p/a", "a", True, True),
        ("/srv/p/a*", "ab", True, True),
        ("/srv/p", "a", False, True),
        ("/srv", "a", False, True),
        ("/", "a", False, True),
        ("/*", "a", True, True),
        ("/srv/p/*", ".", True, True),
        ("/srv/p", ".", True, True),
        (".", "a", False, True),
        ("..", "a", False, True),
        ("../p/a", "a", True, True),
        ("../../..", "a", False, True),
        ("../q/a", "a", False, False),
        ("/**/a", "a", True, True),
        ("/*/a", "a", True, True),
        ("/srv/*/a", "a", True, True),
        ("/srv/**/a", "a", True, True),
        ("/srv/q*/a", "a", False, False),
        ("//srv/p/a", "a", True, True),
        ("b//a", "b/a", True, True),
        ("b/./a", "b/a", True, True),
        ("b/**/c/**/a", "b/c/x/a", True, True),
        ("b/**/c/**/a", "b/x/c/a", True, True),
        ("b/**/c/**/a", "b/x/a", False, False),
        ("doc**/a", "doca", False, False),
        ("**/b/**/c/**/d/**/e/**/a", "b/c/d/e/a", False, True),
        ("b/*/../a", "b/a", False, True),
        ("b/*/../../a", "a", False, True),
        ("b/*/../a", "c/a", False, False),
        ("/sr*", "a", True, True),
        ("/srv/p/../p/a", "a", True, True),
        ("/srv/pa", "a", False, False),
        ("/etc/a", "etc/a", False, False),
        (None, None, True, True),
    ],
)
def test_a_rule_that_restricts_a_folder_restricts_what_is_in_it(pattern, path, surely, may):
    rule = Rule("read_file", pattern)
    assert (surely_covers_path(rule, path, "/srv/p"), may_cover_path(rule, path, "/srv/p")) == (surely, may)


@pytest.mark.parametrize(
    ("pattern", "domain", "surely", "may"),
    [
        ("domain:example.org", "example.org", True, True),
        ("domain:Example.ORG", "example.org", True, True),
        ("domain:example.org.", "example.org", True, True),
        ("DOMAIN:example.org", "example.org", True, True),
        ("domain:example.org", "www.example.org", False, True),
        ("domain:example.org", "evilexample.org", False, False),
        ("domain:example.org", "example.org.evil.test", False, False),
        ("domain:example.org", "example.org:8080", False, True),
        ("domain:example.org", "www.example.org:8080", False, True),
        ("domain:example.org:8080", "example.org:8080", True, True),
        ("domain:example.org:8080", "example.org", False, False),
        ("domain:*.example.org", "a.example.org", True, True),
        ("domain:*.example.org", "a.b.example.org", True, True),
        ("domain:*.example.org", "example.org", False, False),
        ("domain:*.example.org", "a.example.org:81", False, True),
        ("domain:*", "example.org:81", True, True),
        ("domain:\\*.example.org", "a.example.org", False, False),
        ("domain:10.0.0.1", "10.0.0.1", True, True),
        ("domain:[2606:4700::1]", "[2606:4700::1]", True, True),
        ("domain:[2606:4700::1]", "[2606:4700::1]:81", False, True),
        (None, "example.org", True, True),
        ("*", "example.org", True, True),
    ],
)
def test_a_rule_on_a_domain_allows_that_one_and_restricts_what_is_below_it(pattern, domain, surely, may):
    rule = Rule("web_fetch", pattern)
    assert (surely_covers_domain(rule, domain), may_cover_domain(rule, domain)) == (surely, may)


@pytest.mark.parametrize(
    "pattern",
    ["example.org", "https://example.org", "domain:https://example.org/x", "domain:a@b", "domain:b\u00fccher.example"],
)
def test_a_rule_for_web_addresses_that_names_no_domain_is_refused_with_how_to_write_it(pattern):
    with pytest.raises(UsageError, match=r"web_fetch\(domain:example.org\)"):
        surely_covers_domain(Rule("web_fetch", pattern), "example.org")
