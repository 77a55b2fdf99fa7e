import pytest

from cellwright.views.tree import VALUES, Tree, branch_at, path_text, tree_text, tree_view, values_in
from cellwright.views.view import as_json, from_json

DEEP: dict = {}
for _ in range(100):
    DEEP = {"in": DEEP}
LARGE = {"rows": [{"n": n, "tags": ["a", "b"]} for n in range(5_000)], "text": "x" * 9_000}


def test_small_data_is_there_whole_and_reads_as_text():
    view = tree_view({"a": 1, "b": [True, None, "x\u202e"], "c": {}})
    assert not view.has_more
    assert tree_text(view) == '{3}\n  a: 1\n  b: [3]\n    0: true\n    1: null\n    2: "x⟨U+202E⟩"\n  c: {0}'


def test_large_data_is_bounded_and_each_branch_says_how_much_it_has():
    view = tree_view(LARGE)
    assert view.has_more
    text = tree_text(view)
    assert len(text.splitlines()) <= VALUES
    assert "rows: [5,000]" in text
    assert "… 4,976 more" in text
    assert "… 7,000 more characters" in text


def test_deep_data_ends_at_a_level_and_can_be_written_down():
    view = tree_view(DEEP)
    assert view.has_more
    assert from_json(as_json(view)) == view


@pytest.mark.parametrize(
    ("path", "start", "found"),
    [
        (["rows"], 4_998, ("list", 5_000, [4_998, 4_999])),
        (["rows", 7, "tags"], 0, ("list", 2, [0, 1])),
        ([], 1, ("object", 2, ["text"])),
        (["rows"], 9_999, ("list", 5_000, [])),
    ],
)
def test_the_children_of_a_branch_can_be_had(path, start, found):
    kind, count, children = branch_at(LARGE, path, start)
    assert (kind, count, [step for step, _ in children]) == found


@pytest.mark.parametrize("path", [["x"], [0], ["rows", "n"], ["rows", 99_999], ["text"]])
def test_a_path_that_leads_nowhere_is_an_error(path):
    with pytest.raises(LookupError):
        branch_at(LARGE, path, 0)


def test_a_path_is_written_as_python_writes_it():
    assert path_text(["a b", 3, '"']) == 'value["a b"][3]["\\""]'
    assert path_text(["\u202ekey\U000e0041"]) == r'value["\u202ekey\U000e0041"]'


def test_values_are_counted_however_deep():
    assert (values_in(DEEP), values_in([1, {"a": [2]}])) == (101, 5)
    assert Tree(("value", 3, 0)).has_more is False
