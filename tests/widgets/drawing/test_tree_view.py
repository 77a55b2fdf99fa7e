import json

import pytest

from cellwright.views.shelf import Shelf
from cellwright.views.tree import tree_view
from cellwright_widgets.drawing.brush import TRANSCRIPT
from cellwright_widgets.drawing.node import to_html, to_text
from cellwright_widgets.drawing.press import Press
from cellwright_widgets.drawing.tree_view import TreeBranches, draw_tree

from ..page import HOSTILE, Page, assert_harmless

LARGE = {"rows": [{"n": n} for n in range(200)]}


def rest_of(node) -> dict | None:
    """What the first control of a drawing that asks for more sends."""
    if isinstance(node, str):
        return None
    if "data-press" in node[1]:
        return json.loads(node[1]["data-press"])
    return next(filter(None, map(rest_of, node[2])), None)


def test_keys_kinds_and_counts_are_shown():
    text = to_text(draw_tree(tree_view({"a": [1, "x", None, True], "b": {}}), TRANSCRIPT))
    assert text == '{} 2 keys a: [] 4 items 0: 1 1: "x" 2: null 3: true b: {} 0 keys '


def test_what_is_not_here_is_pulled_branch_by_branch():
    shelf = Shelf(10_000)
    name = shelf.put(LARGE, 400, lambda data: data)
    node = draw_tree(tree_view(LARGE).__class__(tree_view(LARGE).root, name), TRANSCRIPT)
    seen = to_text(node)
    while press := rest_of(node):
        node = TreeBranches(shelf).answer(Press("tree", press))
        seen += to_text(node)
    assert all(f"n: {n} " in seen for n in range(200))


def test_without_its_document_it_says_how_much_is_missing_and_asks_for_nothing():
    node = draw_tree(tree_view(LARGE), TRANSCRIPT)
    assert "more" in to_text(node)
    assert rest_of(node) is None


@pytest.mark.parametrize("facts", [{}, {"path": "x"}, {"path": [True, None]}, {"from": "x"}, {"from": -3}], ids=repr)
def test_a_page_can_say_anything(facts):
    shelf = Shelf(10_000)
    name = shelf.put(LARGE, 400, lambda data: data)
    assert "200 items" in to_text(TreeBranches(shelf).answer(Press("tree", {"source": name, **facts})))


def test_a_document_that_is_gone_is_said():
    with pytest.raises(LookupError, match="no longer kept"):
        TreeBranches(Shelf()).answer(Press("tree", {"source": "kept-1", "path": []}))


def test_a_path_can_be_copied_and_a_record_has_no_control():
    node = draw_tree(tree_view({"a": [1]}), TRANSCRIPT)
    assert "'data-copy': 'value[\"a\"][0]'" in repr(node)
    assert "⧉" not in to_html(node)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_keys_and_values_stay_text(text):
    assert_harmless(Page(to_html(draw_tree(tree_view({text: [text, {text * 200: text}]}), TRANSCRIPT))))
