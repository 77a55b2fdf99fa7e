"""Whether a command takes away what can't be brought back."""

import pytest

from cellwright.permission.shell.destroying import destroys
from cellwright.permission.shell.parts import read_parts


def any_destroys(line):
    return any(destroys(part.command) for part in read_parts(line))


@pytest.mark.parametrize(
    "line",
    [
        "rm a",
        "/bin/rm -rf build",
        "ls && rm a",
        "find . -name '*.pyc' -delete",
        "find . -exec rm {} +",
        "sudo rm a",
        "sh -c 'rm a'",
        "ls | xargs rm",
        "echo $(rm a)",
        "git reset --hard HEAD~1",
        "git clean -fd",
        "git push --force origin main",
        "git checkout -- a.txt",
        "git branch -D old",
        "git stash drop",
        "dd if=/dev/zero of=disk",
        "kill 1",
    ],
)
def test_what_takes_away_is_known_wherever_it_hides(line):
    assert any_destroys(line)


@pytest.mark.parametrize(
    "line",
    ["ls", "echo rm", "git status", "git reset a.txt", "git push", "git checkout main", "git branch new", "rmate a"],
)
def test_what_does_not_is_not_marked(line):
    assert not any_destroys(line)
