import pytest

from cellwright import Env
from cellwright.env import contained_path
from cellwright.errors import ToolError

from .scene import BYPASS, calling, plain, play
from .swapping import only_posix, swap, swapped_all_the_time


@pytest.fixture
def box(tmp_path):
    """A folder with a neighbour whose name begins like its own."""
    root = tmp_path.resolve()
    for name in ("box/sub", "box2", "other"):
        (root / name).mkdir(parents=True)
    (root / "box2" / "secret").write_text("s")
    (root / "box" / "in").symlink_to("sub")
    (root / "box" / "out").symlink_to(root / "other")
    (root / "box" / "loop").symlink_to("loop")
    return root / "box"


@pytest.mark.parametrize(
    ("given", "real"),
    [
        ("a.txt", "a.txt"),
        ("./a.txt", "a.txt"),
        ("sub/../a.txt", "a.txt"),
        (".//a.txt", "a.txt"),
        ("sub/", "sub"),
        (".", "."),
        ("in/a.txt", "sub/a.txt"),
        ("../box/a.txt", "a.txt"),
        ("./~/a.txt", "~/a.txt"),
        ("new/b.txt", "new/b.txt"),
        ("new/deep/../b.txt", "new/b.txt"),
        ("new/deep/..", "new"),
        ("new/..", "."),
        ("new/../in/b.txt", "sub/b.txt"),
    ],
)
def test_a_path_inside_comes_back_as_its_real_one(box, given, real):
    assert Env(box).path(given) == box / real
    assert contained_path(str(box / given), box) == box / real


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("..", "outside"),
        ("../box2/secret", "outside"),
        ("../box2", "outside"),
        ("/etc/passwd", "outside"),
        ("out/a.txt", "outside"),
        ("sub/../../other", "outside"),
        ("in/../../other", "outside"),
        ("", "invalid_path"),
        ("  ", "invalid_path"),
        ("a\0b", "invalid_path"),
    ],
)
def test_a_path_outside_is_refused_with_what_would_do(box, given, code):
    with pytest.raises(ToolError) as caught:
        Env(box).path(given)
    assert caught.value.code == code
    assert repr(given)[:50] in caught.value.message
    if code == "outside":
        assert caught.value.message.endswith(f"outside the working folder {box}; use a path inside it")


def test_a_link_that_leads_to_itself_is_no_path(box):
    with pytest.raises(ToolError) as caught:
        Env(box).path("loop")
    assert caught.value.code in ("invalid_path", "link_cycle")


AFTER_A_LOOP = ["loop/../out", "nonexist/../loop/../out", "nonexist/../loop/../outdir/new", "loop/../twice/new"]


@pytest.mark.parametrize("given", AFTER_A_LOOP)
def test_a_link_after_one_that_leads_to_itself_leads_no_tool_outside(box, given):
    (box / "outdir").symlink_to("../other")
    (box / "twice").symlink_to("nonexist/../loop/../outdir")

    def opened(args, env):
        return env.path(args["path"]).name

    with pytest.raises(ToolError) as caught:
        contained_path(given, box)
    assert caught.value.code in ("outside", "link_cycle")
    (result,) = play([calling(("touch", {"path": given})), "ok"], [plain(opened, "touch")], cwd=box).results
    assert (result.error_type, result.metadata.get("code")) == ("tool_error", caught.value.code), result


def test_a_path_is_shown_relative_to_the_working_folder(box):
    env = Env(box)
    assert (env.shown(box / "sub" / "a"), env.shown(box), env.shown(box.parent)) == ("sub/a", ".", str(box.parent))


def test_a_path_that_was_judged_is_not_followed_again(box):
    env = Env(box, judged={"in/a.txt": contained_path("in/a.txt", box)})
    (box / "in").unlink()
    (box / "in").symlink_to("..")
    assert env.path("in/a.txt") == box / "sub" / "a.txt"
    with pytest.raises(ToolError, match="outside the working folder"):
        env.path("in/b.txt")


def test_a_path_longer_than_any_is_refused_and_not_repeated(box):
    with pytest.raises(ToolError, match="it has 3,000,000 characters") as caught:
        Env(box).path("a/" * 1_500_000)
    assert (caught.value.code, len(caught.value.message) < 200) == ("invalid_path", True)


def home_with_keys(folder):
    for name, text in [("docs", "inside\n"), (".ssh", "the key\n")]:
        (folder / name).mkdir()
        (folder / name / "note").write_text(text)
    (folder / "docs" / "nb.ipynb").write_text(NOTEBOOK % "inside")
    (folder / ".ssh" / "nb.ipynb").write_text(NOTEBOOK % "the key")


NOTEBOOK = """{"cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": "%s"}],
 "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"""
CALLS = [
    ("read_file", {"path": "docs/note"}),
    ("search_code", {"path": "docs", "pattern": "."}),
    ("search_code", {"path": "docs/note", "pattern": "."}),
    ("find_files", {"path": "docs", "pattern": "*"}),
    ("notebook_outline", {"path": "docs/nb.ipynb"}),
    ("notebook_read", {"path": "docs/nb.ipynb"}),
    ("write_file", {"path": "docs/new", "content": "x"}),
]


@only_posix
@pytest.mark.parametrize(("name", "args"), CALLS)
def test_a_link_that_comes_up_after_the_last_check_is_not_followed(tmp_path, name, args):
    home_with_keys(tmp_path)

    async def swapping(attempt, tool, arguments):
        swap(tmp_path / "docs", tmp_path / ".ssh")
        return await attempt()

    (result,) = play([calling((name, args)), "ok"], [name], cwd=tmp_path, policy=BYPASS, around=[swapping]).results
    assert (result.error_type, result.metadata.get("code")) == ("tool_error", "moved"), result
    assert "the key" not in result.content
    assert sorted(path.name for path in (tmp_path / ".ssh").iterdir()) == ["nb.ipynb", "note"]


@only_posix
def test_no_call_reaches_a_place_for_keys_while_a_folder_is_swapped_for_it_all_the_time(tmp_path):
    home_with_keys(tmp_path)
    edit = ("edit_file", {"path": "docs/note", "old_string": "inside", "new_string": "inside"})
    turns = [calling(*CALLS, edit, ("write_file", {"path": f"docs/{n}/new", "content": "x"})) for n in range(15)]
    before = {path.name: path.read_bytes() for path in (tmp_path / ".ssh").iterdir()}
    with swapped_all_the_time(tmp_path / "docs", tmp_path / ".ssh"):
        run = play([*turns, "done"], ["all"], cwd=tmp_path, policy=BYPASS)
    assert {path.name: path.read_bytes() for path in (tmp_path / ".ssh").iterdir()} == before
    assert [event for event in run.events if "the key" in repr(event)] == []


@pytest.mark.parametrize(
    ("moved_to", "folder"),
    [("sub", "sub"), ("in", "sub"), (".", "."), ("gone", "."), ("out", "."), ("../box2", "."), ("loop", ".")],
)
def test_commands_run_where_they_moved_to_as_long_as_that_lies_in_the_working_folder(box, moved_to, folder):
    assert Env(box, moved_to=lambda: moved_to).folder == (box / folder).resolve()


def test_a_home_folder_is_not_meant_and_no_folder_of_that_name_is_made(tmp_path):
    env = Env(cwd=tmp_path.resolve())
    for given in ("~", "~/notes.txt"):
        with pytest.raises(ToolError, match="begins with ~, which is no home folder here") as caught:
            env.path(given)
        assert caught.value.code == "invalid_path"
    assert env.path("./~/notes.txt") == env.cwd / "~" / "notes.txt"
    assert env.path("~lock.odt") == env.cwd / "~lock.odt"
    (tmp_path / "~").mkdir()
    assert env.path("~/notes.txt") == env.cwd / "~" / "notes.txt"
