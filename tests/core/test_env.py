import pytest

from cellwright import Env
from cellwright.env import contained_path
from cellwright.errors import ToolError


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
        ("~/a.txt", "~/a.txt"),
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


def test_a_path_is_shown_relative_to_the_working_folder(box):
    env = Env(box)
    assert (env.shown(box / "sub" / "a"), env.shown(box), env.shown(box.parent)) == ("sub/a", ".", str(box.parent))


def test_a_path_longer_than_any_is_refused_and_not_repeated(box):
    with pytest.raises(ToolError, match="it has 3,000,000 characters") as caught:
        Env(box).path("a/" * 1_500_000)
    assert (caught.value.code, len(caught.value.message) < 200) == ("invalid_path", True)
