import pytest

from cellwright.permission.shell.parts import read_parts


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("", []),
        ("a", [("command", "a")]),
        ("a; b", [("command", "a"), ("command", "b")]),
        ("timeout 5 a", [("wrapper", "timeout 5 a"), ("command", "a")]),
        ("sudo a", [("command", "sudo a"), ("command", "a")]),
        ("bash -c 'a > f'", [("wrapper", "bash -c 'a > f'"), ("command", "a"), ("redirection", "> f")]),
        ("PATH=. timeout 5 a", [("wrapper", "PATH=. timeout 5 a"), ("assignment", "PATH=."), ("command", "a")]),
        ("PATH=.", [("assignment", "PATH=.")]),
        ("x=1", []),
        ("a > /dev/null 2>&1", [("command", "a")]),
        ("f() { a; }; f", [("command", "a"), ("function", "f")]),
        ("$x a", [("unclear", "$x a")]),
        ("a; $x b", [("command", "a"), ("unclear", "$x b")]),
        ("a; flock b c", [("command", "a"), ("unclear", "flock b c")]),
        ("a (", [("unclear", "a (")]),
    ],
)
def test_a_line_falls_into_parts(line, parts):
    assert [(part.kind, part.source) for part in read_parts(line)] == parts


def test_what_is_unclear_says_why():
    (part,) = read_parts("$x a")
    assert part.why == "its name is not written out"
    (part,) = read_parts("a (")
    assert "no complete shell syntax" in part.why


def test_wrappers_in_wrappers_are_opened_up_to_a_bound():
    assert read_parts("nice " * 5 + "a")[-1].source == "a"
    assert read_parts("nice " * 50 + "a")[-1].why == "wrappers are nested too deeply"
    shells = "a"
    for _ in range(12):
        shells = "bash -c '" + shells.replace("'", "'\\''") + "'"
        if len(shells) > 10_000:
            break
    assert read_parts(shells)[-1].kind == "unclear"


def test_a_rule_may_mean_a_command_with_or_without_harmless_variables():
    (part,) = read_parts("CI=1 A=2 b")
    texts = [[word.text for word in words] for words in part.spellings]
    assert texts == [["CI=1", "A=2", "b"], ["A=2", "b"]]
    assert not part.sets_nothing
