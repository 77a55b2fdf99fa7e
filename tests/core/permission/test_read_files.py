import pytest

from cellwright import Env
from cellwright.permission.line_folders import line_folders
from cellwright.permission.places import Places
from cellwright.permission.read_files import may_cover_reading
from cellwright.permission.rules import Rule
from cellwright.permission.shell.parts import read_parts


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "key").write_text("x")
    (tmp_path / "link").symlink_to(".env")
    (tmp_path / "ln").symlink_to("src")
    return tmp_path.resolve()


def covered(line, pattern, folder):
    parts = read_parts(line)
    folders = line_folders(parts, ".")
    return [may_cover_reading(Rule("read_file", pattern), part, Places(Env(folder), folders)) for part in parts][-1]


@pytest.mark.parametrize(
    "line",
    [
        "cat .env", "cat x src/../.env", "cat link", "/bin/cat -- .env", "grep x .env", "sed -n p .env", "jq . .env",
        "git diff HEAD -- .env", "git show HEAD:.env", "bash -c 'cat .env'", "diff .env x",
    ],
)  # fmt: skip
def test_a_file_that_a_known_command_names_is_read_by_it(line, folder):
    assert covered(line, ".env", folder) == "surely"


@pytest.mark.parametrize(
    ("line", "pattern", "expected"),
    [
        ("cat .e*", ".env", "maybe"),
        ("cat *", ".env", "maybe"),
        ("cat *", None, "maybe"),
        ("cat l*k", ".env", "maybe"),
        ("cat s*", ".env", "no"),
        ("cat ?n/key", "src/key", "maybe"),
        ("grep -r x ?n", "src/key", "maybe"),
        ("tool ?n/key", "src/key", "maybe"),
        ("cat */../.env", ".env", "maybe"),
        ("cat *.pem", "*.pem", "maybe"),
        ("cat *.py", "*.pem", "no"),
        ("cat s*/a", "src/*", "maybe"),
        ("cat src/a", "src/*", "surely"),
        ("cat src/a", "srcs/*", "no"),
        ("grep -r x .", ".env", "maybe"),
        ("grep -r x src", ".env", "no"),
        ("grep x a", ".env", "no"),
        ("rg x", "src/key", "maybe"),
        ("rg x src", "src/deep/key", "maybe"),
        ("cd src; cat ../.env", ".env", "maybe"),
        ("cd $x; cat .env", ".env", "maybe"),
        ("echo .env", ".env", "no"),
        ("test -f .env", ".env", "no"),
        ("ls", ".env", "no"),
        ("python3 a.py .env", ".env", "maybe"),
        ("cp src/../.env a", ".env", "maybe"),
        ("tool --file=.env", ".env", "maybe"),
        ("tool $x", ".env", "maybe"),
        ("tool src/$x", ".env", "maybe"),
        ("tool $PWD/.env a", ".env", "maybe"),
        ("tool .en{v,x}", ".env", "maybe"),
        ("tool s* a", "src/key", "maybe"),
        ("tool s* a", "docs/key", "no"),
        ("tool -r . a", ".env", "maybe"),
        ("tool -r src a", ".env", "no"),
        ("tool -r src a", "**/.env", "maybe"),
        ("tool -r .. a", ".env", "maybe"),
        ("tool / a", ".env", "maybe"),
        ("tool -d @.env", ".env", "maybe"),
        ("tool -T.env", ".env", "maybe"),
        ("tool -v .env:/x", ".env", "maybe"),
        ("tool src=.env,dst=/x", ".env", "maybe"),
        ("tool h:a /x", ".env", "no"),
        ("A=.env tool", ".env", "maybe"),
        ("A=$x tool", ".env", "no"),
        ("cd $x; tool key", "src/key", "maybe"),
        ("tool " + "a " * 2000 + "b", ".env", "no"),
        ("tool " + " ".join(map(str, range(2000))), ".env", "maybe"),
        ("cat $x", ".env", "maybe"),
        ("F=.env; cat $F", ".env", "maybe"),
        ('cat -- "$x"', ".env", "maybe"),
        ("cat .en{v,x}", ".env", "maybe"),
        ('cat "src/$x"', ".env", "maybe"),
        ("cat <(echo $x)", ".env", "no"),
        ("ls | xargs cat", ".env", "maybe"),
        ("ls | xargs echo", ".env", "no"),
        ("find . -type f -exec cat {} +", ".env", "maybe"),
        ('grep "a$x" b', ".env", "no"),
        ("sleep $x", ".env", "no"),
        ("cat ln/key", "ln", "surely"),
        ("cat /etc/passwd", "/etc/*", "surely"),
        ("cat /etc/passwd", None, "no"),
        ("tool a.env", ".env", "no"),
        ("cat a", "**/a", "surely"),
        ("cat .env", "src/../.env", "surely"),
        ("cat /etc/passwd", "*/passwd", "no"),
    ],
)
def test_where_it_cant_be_told_whether_a_file_is_read_it_may_be(line, pattern, expected, folder):
    assert covered(line, pattern, folder) == expected


def test_a_rule_for_a_file_tool_speaks_of_what_does_the_same_or_may(folder):
    for line, tool, pattern, expected in (
        ("cat .env", "write_file", ".env", "no"),
        ("cp a .env", "write_file", ".env", "maybe"),
        ("sed -i s/a/b/ .env", "edit_file", ".env", "maybe"),
        ("cp a .env", "write_file", None, "no"),
        ("cp a .env", "look", ".env", "no"),
        ("cat .env", "read_file", f"{folder}/.env", "surely"),
    ):
        (part,) = read_parts(line)
        assert may_cover_reading(Rule(tool, pattern), part, Places(Env(folder), (".",))) == expected
