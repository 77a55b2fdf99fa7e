import pytest

from cellwright import Env
from cellwright.permission.line_folders import line_folders, start_of
from cellwright.permission.shell.parts import read_parts


@pytest.mark.parametrize(
    ("line", "folders"),
    [
        ("make", (".",)),
        ("cd docs && make", (".", "./docs")),
        ("cd docs; cd api; make", (".", "./docs", "./api", "./docs/api")),
        ("cd /tmp && ls", (".", "/tmp")),
        ("pushd -P docs", (".", "./docs")),
        ("cd a/link/.. && ls", (".", "./a/link/..", "a")),
        ("for x in 1 2; do cd a; done; ls", None),
        ("for x in 1 2; do eval 'cd a'; done; ls", None),
        ("while true; do ls; done; cd a", (".", "./a")),
        ("f() { cd a; }; f; f; ls", None),
        ("trap 'cd a' DEBUG; ls", None),
        ("cd", None),
        ("cd -", None),
        ("cd ~ && ls", None),
        ("cd $HOME && ls", None),
        ("cd a b", None),
        ("cd a; cd b; cd c; cd d", None),
    ],
)
def test_each_cd_adds_the_folders_in_which_what_follows_may_run(line, folders):
    assert line_folders(read_parts(line), ".") == folders


def test_a_line_begins_where_commands_have_moved_to(tmp_path):
    root = tmp_path.resolve()
    (root / "sub").mkdir()
    assert (start_of(Env(root)), start_of(Env(root, moved_to=lambda: "sub"))) == (".", "sub")
