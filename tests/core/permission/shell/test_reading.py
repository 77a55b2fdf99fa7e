import pytest

from cellwright import Env
from cellwright.permission.shell.reading import is_inside, only_reads
from cellwright.permission.shell.script import read_script


def reads(line, folder, *folders):
    (command,) = read_script(line).commands
    return only_reads(command, Env(folder), folders or (".",))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / ".config/gcloud/key").mkdir(parents=True)
    (tmp_path / "deep").mkdir()
    for link in ("out", "deep/out"):
        (tmp_path / link).symlink_to("/etc")
    (tmp_path / "in").symlink_to("sub")
    (tmp_path / "-R.x").write_text("x")
    return tmp_path.resolve()


WILD = ("cat ./*.x", "grep foo* a", "tr [:upper:] [:lower:]", "wc -l i*", "find s* -name a", "diff a* b")


@pytest.mark.parametrize(
    "line", ["ls", "cat a", "git log", "/bin/ls", "echo $x", "cat *.py", "cat i?/a", "export x=1", *WILD]
)
def test_a_known_command_only_reads(line, folder):
    assert reads(line, folder)


@pytest.mark.parametrize(
    "line",
    [
        *("touch a", "./ls", "cat $x", "cat out/passwd", "sort *", "cat .ssh/id", "ls " + "a " * 300, "export PATH"),
        *("cat ou?/passwd", "head -n1 */pass*", "cat *t", "wc -l deep/*/passwd", "cat .config/*/key"),
        *("grep o*", "uniq a*", "xxd a[bc]", "jq -n e*", "awk 1* a", "sed -n p* a", "head -n 1* a", "grep x *.x"),
    ],
)
def test_what_is_not_known_does_not_count_as_reading(line, folder):
    assert not reads(line, folder)


@pytest.mark.parametrize(
    ("line", "expected"),
    [("grep -r x .", False), ("rg x", False), ("grep x a", True), ("ls", True), ("rg x su?", False)],
)
def test_a_folder_like_a_home_is_not_searched_without_a_question(line, expected, folder):
    for name in (".ssh", "sub/.ssh"):
        (folder / name).mkdir()
    assert reads(line, folder) is expected


@pytest.mark.parametrize("line", ["git status", "git log -p", "git -C sub/deep diff", "git -C sub -C deep show"])
def test_git_does_not_only_read_where_a_tool_may_have_written_what_it_runs(line, folder):
    (folder / "sub/deep").mkdir()
    assert reads(line, folder)
    (folder / "sub/HEAD").write_text("ref: refs/heads/main")
    assert reads(line, folder) is ("-C" not in line)
    assert not reads(line, folder, ".", "sub/deep")
    (folder / "HEAD").symlink_to("nothing")
    assert not reads(line, folder)


def test_paths_are_seen_from_every_folder_that_the_line_may_be_in(folder):
    assert reads("cat ../a", folder, "sub")
    assert not reads("cat ../a", folder, ".", "sub")
    assert not reads("cat passwd", folder, ".", "/etc")


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("a", True),
        ("sub/../a", True),
        ("..", False),
        ("/etc", False),
        ("~", False),
        ("~root/x", False),
        ("out", False),
        ("-", True),
        ("/dev/null", True),
        ("sub/\ue000", True),
        ("\ue000/../../x", False),
        ("/\ue000", False),
        ("out/\ue000", False),
        ("a" * 5000, False),
    ],
)
def test_a_path_is_inside_if_it_lies_in_the_working_folder(path, inside, folder):
    assert is_inside(path, Env(folder)) is inside
    absolute = str(folder / "a")
    assert is_inside(absolute, Env(folder))
