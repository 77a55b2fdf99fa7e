import pytest

from cellwright.permission.shell.wildcard import MAX_SEEN, Match, Wildcards
from cellwright.permission.shell.word import HOLE


@pytest.fixture
def folder(tmp_path):
    for name in ("src/deep", "docs", ".hidden"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("src/a.py", "src/deep/a.py", "docs/a.md", ".hidden/a.py"):
        (tmp_path / name).write_text("x")
    (tmp_path / "etc").symlink_to("/etc")
    (tmp_path / "docs" / "link").symlink_to("../src")
    (tmp_path / "gone").symlink_to("nothing")
    return tmp_path.resolve()


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("src/*.py", ["src/a.py"]),
        ("*/a.*", ["docs/a.md", "src/a.py"]),
        ("./src//d*/./a.py", ["src/deep/a.py"]),
        (".h*/a.py", [".hidden/a.py"]),
        ("e*", ["/etc*"]),
        ("*/passwd", ["/etc/passwd*"]),
        ("g*", ["nothing*"]),
        ("docs/l*/deep/*", ["src/deep/a.py*"]),
        ("*/none", []),
        ("a\0*", []),
        ("src/a.py/*", []),
    ],
)
def test_a_wildcard_stands_for_the_names_that_are_there_with_links_followed(folder, text, paths):
    found = sorted(Wildcards().matches(text.replace("*", HOLE), folder) or (), key=lambda match: match.path)
    wanted = [Match(str(folder / path.rstrip("*")), path.endswith("*")) for path in paths]
    assert found == wanted


def test_where_there_are_too_many_names_it_is_said(tmp_path):
    for number in range(150):
        (tmp_path / f"d{number}").mkdir()
        (tmp_path / f"d{number}" / "x").mkdir()
    wildcards, once = Wildcards(), f"{HOLE}/{HOLE}"
    assert wildcards.matches(once, tmp_path) is not None
    assert wildcards.matches("/".join([HOLE] * 2 + [".."] * 2 + [HOLE] * 2), tmp_path) is None
    assert wildcards.matches(once, tmp_path) is not None
    assert wildcards.matches(f"d{HOLE}", tmp_path) is None
    assert MAX_SEEN < 150**2


def test_a_name_that_almost_fits_many_wildcards_is_compared_at_once(tmp_path):
    (tmp_path / ("a" * 200)).write_text("x")
    assert Wildcards().matches(f"{HOLE}a" * 40 + f"{HOLE}b", tmp_path) == ()


def test_what_goes_back_up_leads_where_it_leads(folder):
    assert {match.path for match in Wildcards().matches(f"s{HOLE}/../docs", folder)} == {str(folder / "docs")}
