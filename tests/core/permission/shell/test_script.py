import re

import pytest

from cellwright.permission.shell.grammar import UnclearError
from cellwright.permission.shell.script import read_script


def names(line):
    return [" ".join(word.text for word in command.words) for command in read_script(line).commands]


@pytest.mark.parametrize(
    "line",
    [
        "a; b",
        "a && b || c",
        "a | b |& c",
        "a & b",
        "a\nb",
        "(a; b)",
        "{ a; b; }",
        "! a",
        "a $(b)",
        "a `b`",
        'a "$(b)"',
        "a <(b) >(c)",
        "if a; then b; elif c; then d; else e; fi",
        "while a; do b; done",
        "until a; do b; done",
        "case x in y) a;; z) b;; esac",
        "[[ -f $(a) ]] && b",
        "a <<EOF\n$(b)\nEOF\nc",
        "a <<EOF | b\nx\nEOF\n",
        "a <<< $(b)",
        "a > $(b)",
        "${x:-$(a)}; b",
    ],
)
def test_every_simple_command_is_found_wherever_it_stands(line):
    found = {name.partition(" ")[0] for name in names(line)}
    assert found >= {name for name in "abcde" if re.search(rf"\b{name}\b", line)}


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        (">f a b", ["a b"]),
        ("a >f b", ["a b"]),
        ("a 2>/dev/null b c", ["a b c"]),
        ("A=1 B=2 a b", ["a b"]),
        ("a \\\n b", ["a b"]),
        ("a # b", ["a"]),
        ("a '#' b", ["a # b"]),
        ("export A=1 b", ["export A=1 b"]),
        ("unset a", ["unset a"]),
        ("find . -exec a {} \\; -print", ["find . -exec a {} ; -print"]),
        ("echo 'a; b' \"c && d\" e\\|f", ["echo a; b c && d e|f"]),
    ],
)
def test_the_words_of_a_command_are_all_its_words(line, commands):
    assert names(line) == commands


def test_assignments_and_loop_variables_are_found():
    script = read_script("A=1; B=2 c; for d in e; do f; done")
    found = [(a.name, a.value.text) for command in script.commands for a in command.assignments]
    assert found[:2] == [("A", "1"), ("B", "2")]
    assert found[2][0] == "d"


@pytest.mark.parametrize(
    ("line", "redirections"),
    [
        ("a > f", [("> f", True)]),
        ("a >> f 2> g", [(">> f", True), ("> g", True)]),
        ("a &> f", [("&> f", True)]),
        ("a >& f", [(">& f", True)]),
        ("a < f", [("< f", False)]),
        ("a 2>&1 >&2 2>&-", []),
        ("{ a; } > f", [("> f", True)]),
        ("a <<< b", []),
    ],
)
def test_redirections_to_files_are_found_and_copies_of_streams_are_none(line, redirections):
    assert [(found.source, found.writes) for found in read_script(line).redirections] == redirections


@pytest.mark.parametrize(("line", "name"), [(": ${X:=a}", "X"), (": ${X=a}", "X"), ('cat <<< "b${PATH:=a}"', "PATH")])
def test_a_variable_that_an_expansion_sets_is_an_assignment(line, name):
    commands = read_script(line).commands
    assert [found.name for command in commands for found in command.assignments] == [name]


@pytest.mark.parametrize(
    ("line", "functions"),
    [
        ("f() { a; }; f", {"f"}),
        ("f() { a; }; g() { b; }; f", {"f", "g"}),
        ("a; f() { b; }; f", set()),
        ("(f() { a; }); f", set()),
        ("false && f() { a; }; f", set()),
    ],
)
def test_only_a_function_defined_before_everything_else_is_counted_on(line, functions):
    assert read_script(line).functions == functions


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("echo $((x))", "calculates with variables"),
        ("((x++))", "calculates with variables"),
        ("for ((i=0;i<3;i++)); do a; done", "calculates with variables"),
        ("echo ${!x}", "may run what a variable holds"),
        ("echo ${x@P}", "may run what a variable holds"),
        ("echo ${a[x]}", "may run what a variable holds"),
        ("a[x]=1", "its value could run a command"),
        ("a=(b [x]=1)", "its value could run a command"),
        ("declare -A a=([$x]=1)", "its value could run a command"),
        ("[[ $x -eq 1 ]]", "evaluates its operands"),
        ("[ -v 'a[$(b)]' ]", "evaluates its operands"),
        ("{ a; } > f b; c", "words follow a redirection|no complete"),
        ("coproc X { a; }", "stands where a command is expected"),
        ("a;" * 301, "more than 300 commands"),
        ("a " * 3001, "3000 words"),
    ],
)
def test_what_may_run_a_hidden_command_is_unclear(line, why):
    with pytest.raises(UnclearError, match=why):
        read_script(line)
