"""Symbols are nested by their lines, and found by any of their names."""

import pytest

from cellwright.outline.symbol import Symbol, symbols


def nested(*definitions):
    return [(s.kind, s.full_name, s.depth) for s in symbols(definitions)]


def test_what_is_inside_another_knows_it_and_a_function_of_a_class_is_a_method():
    assert nested(
        ("class", "A", "class A", 1, 1, 9),
        ("function", "run", "def run", 2, 3, 6),
        ("function", "inner", "def inner", 4, 4, 5),
        ("function", "free", "def free", 11, 11, 12),
    ) == [("class", "A", 0), ("method", "A.run", 1), ("function", "A.run.inner", 2), ("function", "free", 0)]


def test_a_function_that_is_an_argument_counts_only_in_a_class():
    assert nested(("member", "FUN", "FUN = function", 1, 1, 1)) == []
    assert nested(("class", "P", "P", 1, 1, 3), ("member", "go", "go", 2, 2, 2))[1] == ("method", "P.go", 1)


def test_a_name_is_defined_where_it_is_first_given_a_value():
    twice = [("variable", "x", "x = 1", 1, 1, 1), ("variable", "x", "x = 2", 2, 2, 2)]
    assert [symbol.line for symbol in symbols(twice)] == [1]


@pytest.mark.parametrize("name", ["run", "Runner.run", "M.Runner.run", "r*", "*.Runner.*"])
def test_a_symbol_is_called_by_its_name_its_full_name_the_end_of_that_or_a_pattern(name):
    assert Symbol("method", "run", "M.Runner", "", 1, 1, 1).is_called(name)


@pytest.mark.parametrize("name", ["ru", "Run", "Other.run", ".run", "", "unner.run"])
def test_a_symbol_is_called_by_no_piece_of_its_name(name):
    assert not Symbol("method", "run", "M.Runner", "", 1, 1, 1).is_called(name)


@pytest.mark.parametrize(("own", "name"), [("app.users", "users"), ("Base.show", "show"), ("obj$go", "go")])
def test_a_name_in_parts_is_found_by_its_last_part(own, name):
    assert Symbol("table", own, "", "", 1, 1, 1).is_called(name)
