import pytest

from cellwright.permission.shell.script import read_script
from cellwright.permission.shell.writing import written_words


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("cp -r a b c", ["c"]),
        ("cp -t c a b", ["b", "c"]),
        ("mv --target-directory=c a", ["a", "c"]),
        ("mv --target-directory c a", ["a", "c"]),
        ("cp -rtc a", ["a", "c"]),
        ("install a b -m 755", ["755", "b"]),
        ("rsync -t a b --exclude=c", ["b"]),
        ("curl -sSLo a https://example.org", ["a"]),
        ("wget -qO- https://example.org", ["-"]),
        ("sort a -ob", ["b"]),
        ("tee -a b c", ["b", "c"]),
        ("sed -i.bak s/a/b/ c d", ["c", "d"]),
        ("sed -ni p c", ["c"]),
        ("sed -Ei s/.git/b/ c", ["c"]),
        ("sed -i -e s/a/b/ -e p c", ["p", "c"]),
        ("sed -i -es/a/b/ c", ["c"]),
        ("sed --expression=p --in-place c", ["c"]),
        ("perl -pi -e s/a/b/ c", ["c"]),
        ("perl -i -pEs/a/b/ c", ["c"]),
        ("sed s/a/b/ c", []),
        ("dd if=a of=b", ["b"]),
        ("cat a", []),
    ],
)
def test_the_words_are_found_that_name_what_a_common_command_writes(line, words):
    (command,) = read_script(line).commands
    assert [word.text for word in written_words(command)] == words
