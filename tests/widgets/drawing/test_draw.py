import pytest

from cellwright.views.file_diff import Diff
from cellwright.views.inquiry import Inquiry
from cellwright.views.notebook_diff import CellDiff, NotebookDiff
from cellwright.views.table import Table
from cellwright.views.todo_list import Todo
from cellwright.views.tree import tree_view
from cellwright.views.view import KINDS, Code, Failure, Group, Markdown, Picture, Terminal, Text
from cellwright_widgets.drawing.draw import draw
from cellwright_widgets.drawing.node import to_html, to_text

from ..page import Page, assert_harmless

VIEWS = [
    Text("a"),
    Markdown("**a**"),
    NotebookDiff("a", (CellDiff("b", "code", ("added",), new=0),), 1),
    Code("a", "python"),
    Diff("a", "", 0, 0),
    Table(("a",), ((1,),), 1),
    tree_view({"a": 1}),
    Terminal("a"),
    Picture("image/png", "AAAA"),
    Failure("a", "b", "c"),
    Todo((("a", "completed"),)),
    Inquiry("a", (("b", "c"),)),
    Group("a", (Text("b"),)),
]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.kind)
def test_every_kind_is_drawn(view):
    assert_harmless(Page(to_html(draw(view))))


def test_the_kinds_above_are_all_there_are():
    assert {view.kind for view in VIEWS} == set(KINDS)


def test_a_group_draws_its_parts_under_its_title():
    assert to_text(draw(Group("Both", (Text("one"), Group("", (Text("two"),)))))).split() == ["Bothone", "two"]
