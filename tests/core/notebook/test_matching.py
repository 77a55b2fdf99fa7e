"""Which cell is which, before and after a change."""

import random

import pytest

from cellwright.notebook.matching import NEAR, matched

from .test_document import code, parsed, without_ids


def pairs_of(before, after):
    return [(old.source if old else None, new.source if new else None) for old, new in matched(before, after)[0]]


def without(*sources):
    return parsed(without_ids([code("", [source]) for source in sources]), minor=4).cells


def named(*cells):
    return parsed([code(name, [source]) for name, source in cells]).cells


def test_an_id_says_it_however_much_the_cell_changed():
    before, after = named(("a", "one"), ("b", "two")), named(("b", "new"), ("a", "other"))
    assert pairs_of(before, after) == [("two", "new"), ("one", "other")]


def test_a_new_id_is_a_new_cell_though_it_reads_the_same():
    assert pairs_of(named(("a", "x")), named(("b", "x"))) == [("x", None), (None, "x")]


def test_without_ids_a_changed_cell_is_found_between_its_neighbours():
    before, after = without("import a", "x = a.load(1)", "end"), without("import a", "x = a.load(2)", "end")
    assert pairs_of(before, after) == [("import a", "import a"), ("x = a.load(1)", "x = a.load(2)"), ("end", "end")]


def test_without_ids_an_insert_beside_a_change_takes_no_others_place():
    before, after = without("import a", "x = a.load(1)"), without("import a", "# unlike", "x = a.load(2)")
    assert pairs_of(before, after) == [("import a", "import a"), (None, "# unlike"), ("x = a.load(1)", "x = a.load(2)")]


def test_equal_cells_are_paired_in_order():
    before, after = without("x", "x", "y"), without("x", "y")
    assert pairs_of(before, after) == [("x", "x"), ("x", None), ("y", "y")]


def test_an_id_that_two_cells_have_says_nothing():
    before, after = (
        named(("a", "one"), ("a", "two")),
        named(
            ("a", "two"),
        ),
    )
    assert pairs_of(before, after) == [("one", None), ("two", "two")]


def test_a_deleted_cell_stands_where_it_was():
    before, after = named(("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")), named(("a", "1"), ("d", "4"))
    assert pairs_of(before, after) == [("1", "1"), ("2", None), ("3", None), ("4", "4")]
    assert pairs_of(before[:1], ()) == [("1", None)]


def test_of_two_cells_that_change_places_the_one_that_was_asked_to_moves():
    before, after = named(("a", "1"), ("b", "2")), named(("b", "2"), ("a", "1"))
    assert [matched(before, after, [asked])[1] for asked in (0, 1)] == [{0}, {1}]
    assert len(matched(before, after)[1]) == 1


def test_what_only_shifts_does_not_move():
    before = named(("a", "1"), ("b", "2"), ("c", "3"))
    assert matched(before, named(("n", "0"), ("a", "1"), ("c", "3")), [0, 1, 2])[1] == set()


def test_a_deleted_cell_does_not_go_with_a_neighbour_that_moves():
    before, after = named(("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")), named(("c", "3"), ("a", "1"), ("b", "2"))
    assert pairs_of(before, after) == [("3", "3"), ("1", "1"), ("2", "2"), ("4", None)]


@pytest.mark.parametrize("seed", range(20))
def test_each_cell_is_in_one_pair(seed):
    chosen = random.Random(seed)
    before = without(*chosen.choices("abcdef", k=8))
    after = without(*chosen.choices("abcdef", k=chosen.randint(0, 9)))
    pairs, _ = matched(before, after)
    assert [new for _, new in pairs if new] == list(after)
    assert sorted(old.index for old, _ in pairs if old) == list(range(8))


@pytest.mark.parametrize(("between", "is_found"), [(NEAR - 1, True), (NEAR, False)])
def test_a_cell_is_compared_with_a_few_only_so_that_a_rewritten_notebook_is_no_wait(between, is_found):
    before = without(*(f"{n} {'#' * 40}" for n in range(between)), "x = a.load(1)")
    pair = ("x = a.load(1)", "x = a.load(2)")
    assert (pair in pairs_of(before, without("x = a.load(2)"))) is is_found
