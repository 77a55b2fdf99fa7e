import pytest

from cellwright.permission.shell.script import read_script
from cellwright.permission.shell.steering import steering_places
from cellwright.permission.shell.wrappers import program


def places(line):
    (command,) = read_script(line).commands[:1]
    return set(steering_places(program(command), command.words))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("find . -delete", {2}),
        ("fdfind . --exec-batch=rm", {2}),
        ("find . -name x -fprintf f y", {4}),
        ("find . -name x", set()),
        ("git -c a=b log", {1}),
        ("git log --output=f", {2}),
        ("git log --outp=f", {2}),
        ("git log --oneline", set()),
        ("git grep -O./x y", {2}),
        ("git log -O./x", set()),
        ("git rebase -x ./a b", {2}),
        ("git push -u origin main", set()),
        ("sort -uo f a", {1}),
        ("sed -ni p a", {1}),
        ("sed -n p a", set()),
        ("tar -xf a --to-command ./x", {3}),
        ("find . $x", {2}),
        ('find . "$x"', {2}),
        ("find . *.py", set()),
        ("find . -$x", {2}),
        ("git log a$x", set()),
        ("make $x", {1}),
        ("ls $x", set()),
        ("ls -delete", set()),
    ],
)
def test_words_that_steer_a_program_are_found(line, found):
    assert places(line) == found
