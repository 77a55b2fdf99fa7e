import random
import string

import pytest

from cellwright import Tool, UsageError
from cellwright.permission.rules import Rule


def tool(name):
    return Tool.from_schema(name, "", {"type": "object"}, lambda args, env: None)


@pytest.mark.parametrize(
    ("text", "name", "pattern"),
    [
        ("read_file", "read_file", None),
        ("read_file(docs/*)", "read_file", "docs/*"),
        ("run_command(echo (a) b)", "run_command", "echo (a) b"),
        ("run_command(a\nb)", "run_command", "a\nb"),
        ("mcp__server", "mcp__server", None),
        ("mcp__server__do(x)", "mcp__server__do", "x"),
        ("mcp__server__do@0123456789ab", "mcp__server__do", None),
    ],
)
def test_a_rule_is_a_name_and_perhaps_a_pattern(text, name, pattern):
    rule = Rule.read(text)
    assert (rule.tool, rule.pattern, str(rule)) == (name, pattern, text)


def test_reading_what_a_rule_is_written_as_gives_the_rule():
    chance = random.Random(1)
    for _ in range(1000):
        words = tuple("".join(chance.choices(string.printable, k=chance.randint(0, 6))) for _ in range(3))
        for rule in (Rule.for_words("run_command", ("x", *words)), Rule.for_path("read_file", f"x{words[0]}")):
            assert Rule.read(str(rule)) == rule


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'' is no rule; a rule is the exact name of a tool, as read_file, or of a tool with a pattern"),
        ("*", "'*' is no rule"),
        ("read file", "'read file' is no rule"),
        ("read_*", "'read_*' is no rule"),
        ("(x)", "'(x)' is no rule"),
        ("a(x", "'a(x' is no rule"),
        ("a(x)b", "'a(x)b' is no rule"),
        ("a x)", "'a x)' is no rule"),
        ("a@0123", "'a@0123' is no rule"),
        (None, "None is no rule"),
        ("a()", "the pattern is empty; write a alone for every call"),
        ("a( )", "the pattern is empty"),
        ("a(x\\)", "a backslash at the end escapes nothing"),
        ("a('x)", "the quote ' is not closed"),
        ("a(\0)", "holds a character that no argument has"),
        ("a(\ue000)", "holds a character that no argument has"),
        ("mcp__server(x)", "a rule for a whole server takes no pattern"),
    ],
)
def test_what_is_no_rule_is_refused_with_the_reason(text, words):
    with pytest.raises(UsageError) as caught:
        Rule.read(text)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("rule", "names", "others"),
    [
        ("bash", ["bash"], ["bash_session", "Bash", "bas", "mcp__x__bash"]),
        ("mcp__git", ["mcp__git__log", "mcp__git__a__b", "mcp__git"], ["mcp__github__log", "mcp__gi__log", "git"]),
        ("mcp__git__log", ["mcp__git__log"], ["mcp__git__log2", "mcp__git__log__x"]),
    ],
)
def test_a_rule_names_exact_tools_or_those_of_a_server(rule, names, others):
    found = Rule.read(rule)
    assert all(found.names(tool(name)) for name in names)
    assert not any(found.names(tool(name)) for name in others)


def test_a_lone_star_covers_every_call():
    assert Rule.read("a(*)").covers_all
    assert Rule.read("a").covers_all
    assert not Rule.read("a(\\*)").covers_all
