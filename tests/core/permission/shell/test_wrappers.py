import pytest

from cellwright.permission.shell.grammar import UnclearError
from cellwright.permission.shell.script import read_script
from cellwright.permission.shell.wrappers import program, unwrapped


def inside(line):
    (command,) = read_script(line).commands
    found = unwrapped(command, read_script)
    return None if found is None else ([inner.source for inner in found.script.commands], found.adds)


@pytest.mark.parametrize(
    ("line", "commands", "adds"),
    [
        ("timeout 5 a b", ["a b"], False),
        ("timeout -s KILL -k 1 5 a", ["a"], False),
        ("nice a", ["a"], False),
        ("nice -n 5 a", ["a"], False),
        ("nice -5 a", ["a"], False),
        ("env A=1 a", ["A=1 a"], False),
        ("env -i -u B A=1 a b", ["A=1 a b"], False),
        ("env", [], True),
        ("command -p a", ["a"], False),
        ("exec a", ["a"], False),
        ("exec", [], False),
        ("nohup a", ["a"], False),
        ("stdbuf -oL -e 0 a", ["a"], False),
        ("time -p a", ["a"], False),
        ("sudo -u x A=1 a", ["A=1 a"], True),
        ("ssh -p 22 h a b", ["a b"], True),
        ("ssh h 'a; b'", ["a", "b"], True),
        ("watch -n 1 'a | b'", ["a", "b"], False),
        ("xargs a", ["a …"], False),
        ("xargs", ["echo …"], False),
        ("xargs -n 1 -P4 a b", ["a b …"], False),
        ("xargs -I% a % b", ["a % b"], False),
        ("xargs --replace a b {}", ["a b {}"], False),
        ("xargs --replace=% -n1 a %", ["a % …"], False),
        ("xargs --max-lines a b", ["a b …"], False),
        ("xargs -a b a", ["a …"], True),
        ("env - a", ["a"], False),
        ("fd x -x a ';' -X b", ["a …", "b …"], True),
        ("fdfind -Htx -x a", ["a …"], True),
        ("fd -tx -e x --exclude x --exec a", ["a …"], True),
        ("bash -c 'a; b' x", ["a", "b"], False),
        ("sh -ec a", ["a"], False),
        ("bash -c -x a b", ["a"], False),
        ("eval 'a;' b", ["a", "b"], False),
        ("trap 'a; b' EXIT", ["a", "b"], False),
        ("find . -exec a {} \\; -execdir b {} +", ["a {}", "b {}"], True),
        ("find . -exec a + {} b \\; -ok c {} + \\;", ["a + {} b", "c {} +"], True),
        ("/usr/bin/env a", ["a"], False),
        ("./env a", ["a"], True),
    ],
)
def test_what_a_wrapper_runs_is_found_and_whether_it_needs_a_rule_itself(line, commands, adds):
    assert inside(line) == (commands, adds)


@pytest.mark.parametrize(
    "line", ["ls", "command -v ls", "bash a.sh", "find . -name $x", "fd -tx -- $x", "trap - EXIT", "timeouts 5 a"]
)
def test_other_commands_are_no_wrappers(line):
    assert inside(line) is None


@pytest.mark.parametrize(
    "line",
    [
        "env -S 'a b'",
        "env -C / a",
        "timeout",
        "timeout $x a",
        "timeout --new-option 5 a",
        'bash -c "$x"',
        "bash +x -c a",
        "bash -c",
        "bash --rcfile x -c a",
        "bash -c 'if'",
        "eval $x",
        'trap "$x" EXIT',
        "find . -exec a",
        "find . -exec \\;",
        "find . -ex$x a \\;",
        "fd --exec=a",
        "fd --exec-batch=a",
        "fd --exe a",
        "fd -Hx a",
        "fd -Xa",
        "fdfind -x{} a",
        "fd -$x a",
        "fd --$x a",
        "sudo -s",
        "xargs --arg-files x a",
        "parallel a",
        "flock x a",
        "ssh $h a",
        "ssh h $x",
    ],
)
def test_where_the_inner_command_can_not_be_told_it_is_unclear(line):
    with pytest.raises(UnclearError):
        inside(line)


def test_a_trap_runs_its_first_word_and_no_other():
    (command,) = read_script("trap -- 'git stash' list EXIT").commands
    (inner,) = unwrapped(command, read_script).script.commands
    assert inner.source == "git stash"


def test_words_from_elsewhere_are_not_known():
    (command,) = read_script("xargs -I{} a b{} c").commands
    (inner,) = unwrapped(command, read_script).script.commands
    assert [word.is_literal for word in inner.words] == [True, False, True]


def test_a_program_is_named_without_its_folder():
    (command,) = read_script("/usr/bin/git log").commands
    assert program(command) == "git"
    (command,) = read_script("$x log").commands
    assert program(command) == ""
