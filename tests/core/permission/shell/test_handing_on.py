import pytest

from cellwright.permission.shell.handing_on import handed_on
from cellwright.permission.shell.parts import read_parts


def handed(line, is_known=False):
    (part,) = read_parts(line)
    return list(dict.fromkeys(" ".join(word.text for word in words) for words in handed_on(part.command, is_known)))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("npx a b", ["a b"]),
        ("x -n 1 /bin/a b", ["-n 1 /bin/a b", "1 /bin/a b", "a b"]),
        ("x 'a b' c", ["a b", "a b c"]),
        ("docker exec -t box a b", ["-t box a b", "box a b", "a b", "b"]),
        ("docker build a", []),
        ("npm run a", []),
        ("npm exec a", ["a"]),
        ("git rebase -x 'a b'", ["a b"]),
        ("git -c alias.x='!/bin/a b' x", ["a b"]),
        ("cp a b", []),
    ],
)
def test_commands_are_looked_for_where_a_program_may_hand_its_words_on(line, found):
    assert handed(line) == found


def test_of_a_known_program_only_its_options_run_anything():
    assert handed("rg --pre='a b' c", is_known=True) == ["a b"]
    assert handed("grep a b", is_known=True) == []
