import pytest

from cellwright import Env
from cellwright.permission.places import MAX_STEPS, Place, Places


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("src", [("src", True)]),
        ("a/../src/b", [("src/b", False)]),
        ("ln/b", [("src/b", False), ("ln/b", False)]),
        ("", [("", True)]),
        ("a\0b", []),
        ("a" * 5000, []),
    ],
)
def test_a_path_leads_where_links_lead_and_is_known_as_it_is_written(tmp_path, text, paths):
    (tmp_path / "src").mkdir()
    (tmp_path / "ln").symlink_to("src")
    here = tmp_path.resolve()
    assert Places(Env(here), (".",)).of(text) == tuple(Place(str(here / path), known) for path, known in paths)


def test_a_path_is_seen_from_each_folder(tmp_path):
    found = Places(Env(tmp_path.resolve()), (".", "b", "/x")).of("a")
    assert [place.path for place in found] == [f"{tmp_path.resolve()}/a", f"{tmp_path.resolve()}/b/a", "/x/a"]


def test_where_there_are_too_many_it_is_said_and_those_found_stay(tmp_path):
    places = Places(Env(tmp_path.resolve()), (".",))
    found = [places.of(str(number)) for number in range(MAX_STEPS + 1)]
    assert (found[-1], places.of("0")) == (None, found[0])
