import types

import pytest

from cellwright.errors import LogError
from cellwright.views.file_diff import Diff, diff_view
from cellwright.views.inquiry import Inquiry
from cellwright.views.table import Table, table_view
from cellwright.views.todo_list import Todo
from cellwright.views.tree import tree_view
from cellwright.views.view import (
    LEVELS,
    Code,
    Failure,
    Group,
    Markdown,
    Picture,
    Terminal,
    Text,
    as_json,
    as_seen,
    as_text,
    checked_view,
    figure_view,
    from_json,
    value_view,
)

from ..scene import encodes, strict


def nested(levels):
    data = as_json(Text("x"))
    for level in range(levels):
        data = {"kind": "group", "title": str(level), "views": [data]}
    return data


VIEWS = [
    Text("a\ud83db"),
    Markdown("# A *plan*"),
    Code("x = 1", "python"),
    diff_view("a\n", "a", "f.txt"),
    table_view(["a", "b"], [[1, None], ["x", [1, 2]]]),
    tree_view({"a": [1, {"b": None}]}),
    Terminal("\x1b[31mred\x1b[0m"),
    Picture("image/png", "aGk=", "a chart"),
    Failure("not_found", "no file", "trace"),
    Todo((("look", "completed"), ("mend", "in_progress"))),
    Inquiry("Which?", (("a", "the first"), ("b", "")), True, "agent-1", "answered", ("a",), "and more"),
    Group("all", (Text("x"), Group("inner", (Code("y"),)))),
]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.kind)
def test_a_view_comes_back_from_a_log_as_it_was(view):
    data = strict(encodes(as_json(view)))
    assert data["version"] == 1
    again = from_json(data)
    assert again == (Text("a\ufffdb") if view.kind == "text" else view)
    assert type(again) is type(view)
    assert checked_view(view) is view


def test_the_deepest_group_is_read_and_told():
    view = from_json(nested(LEVELS))
    assert as_json(view) == as_json(from_json(as_json(view)))
    assert as_text(view).split("\n")[-2:] == ["0", "x"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"version": 2, "kind": "text", "text": "x"}, "open it with that one"),
        ({"version": 1, "kind": "hologram"}, "unknown view 'hologram'"),
        ({}, "unknown view None"),
        ({"kind": "text"}, "a text view is damaged"),
        ({"kind": "group", "title": "x"}, "a group view is damaged"),
        ({"kind": "group", "title": "x", "views": [3]}, "a group view is damaged"),
        (nested(LEVELS + 1), "more than 50 deep"),
        (nested(900), "read the result's content"),
    ],
)
def test_a_view_that_is_not_known_is_refused_with_what_to_do(data, words):
    with pytest.raises(LogError) as caught:
        from_json(data)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("value", "view"),
    [
        ("x", Text("x")),
        (3, Text("3")),
        (None, Text("null")),
        ({"a": 1}, tree_view({"a": 1})),
        ([1, 2], tree_view([1, 2])),
        ([], tree_view([])),
        ([{"a": 1, "b": 2}, {"b": 4, "a": 3}], Table(("a", "b"), ((1, 2), (3, 4)), 2, kinds=("integer", "integer"))),
        ({"columns": ["a"], "rows": [[1]], "total": 9}, Table(("a",), ((1,),), 9, kinds=("integer",))),
        ([{"a": 1}, {"b": 1}], tree_view([{"a": 1}, {"b": 1}])),
        ([{}], tree_view([{}])),
        (
            {"columns": ["a"], "rows": [1], "total": 1},
            tree_view({"columns": ["a"], "rows": [1], "total": 1}),
        ),
        (
            {"columns": ["a"], "rows": [[1, 2]], "total": 1},
            tree_view({"columns": ["a"], "rows": [[1, 2]], "total": 1}),
        ),
    ],
)
def test_a_value_that_says_nothing_of_itself_has_its_natural_view(value, view):
    assert value_view(value) == view


def test_a_diff_counts_its_lines_and_notes_what_is_overlooked():
    view = diff_view("a\r\nb\r\n", "a\nb\n", "f")
    assert (view.added, view.removed, view.notes) == (2, 2, ("line ends changed from CRLF to LF",))
    assert as_text(view).startswith("note: line ends changed from CRLF to LF\n--- a/f\n")


@pytest.mark.parametrize(
    ("view", "text"),
    [
        (Text("a\u202eb"), "a⟨U+202E⟩b"),
        (Code("x\x1b[2J"), "x⟨U+001B⟩[2J"),
        (Terminal("\x07"), "⟨U+0007⟩"),
        (Picture("image/png", "AAAA", "a\u200bb"), "[image/png, 3 bytes] a⟨U+200B⟩b"),
        (Picture("image/\u202egnp", "AAAA"), "[image/⟨U+202E⟩gnp, 3 bytes]"),
        (Failure("e", "m\x1b", "d"), "e: m⟨U+001B⟩\nd"),
        (Todo((("a\u202eb", "completed"),)), "1 of 1 done\n[x] a⟨U+202E⟩b"),
        (Group("t\u202e", (Text("x"), Text("y"))), "t⟨U+202E⟩\nx\ny"),
        (Table(("a", "b"), (("x\ny", None), (1, "\x1b")), 2), "a    b\nx⏎y\n1    ⟨U+001B⟩"),
        (Diff("f", "", 0, 0), "no change in f"),
        (Diff("f", "", 0, 0, is_new=True), "f is new and empty"),
        (diff_view("a\n", "\u202e\n", "f"), "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+⟨U+202E⟩\n"),
    ],
)
def test_as_text_a_view_hides_nothing(view, text):
    assert as_text(view) == text


@pytest.mark.parametrize("thing", ["text", None, {"kind": "text"}, types.SimpleNamespace(kind="text"), Text])
def test_what_is_no_view_is_not_taken_for_one(thing):
    with pytest.raises(TypeError, match="is no view; return one such as"):
        checked_view(thing)


def test_a_view_with_something_that_can_not_be_written_is_refused():
    with pytest.raises(ValueError, match="has no JSON form"):
        checked_view(Text(print))


class Figure:
    def savefig(self, file, **how):
        file.write(b"PNG:" + how["format"].encode())


def test_a_figure_becomes_a_picture():
    assert figure_view(Figure(), "sales") == Picture("image/png", "UE5HOnBuZw==", "sales")


def test_what_is_over_is_told_without_the_codes_of_its_consoles():
    bar, error = Terminal("10%\r\x1b[32m100%\x1b[0m \u202edone"), Failure("E", "no", "\x1b[31mFile\x1b[0m x")
    assert as_seen(Group("", (bar, error, Text("a")))) == "\n100% ⟨U+202E⟩done\nE: no\nFile x\na"
