"""A language is known by a suffix, and by the many names that notebooks have for it."""

from pathlib import PurePath

import pytest

from cellwright.outline.language import LANGUAGES, SUFFIXES, language_named, language_of


@pytest.mark.parametrize(
    ("file", "name"),
    [("a.py", "python"), ("A.R", "r"), ("b.jl", "julia"), ("c.SQL", "sql"), ("d.mjs", "javascript"), ("e.tsx", "tsx")],
)
def test_a_file_is_of_the_language_that_its_suffix_says(file, name):
    assert language_of(PurePath(file)).name == name


@pytest.mark.parametrize("file", ["a.txt", "py", ".py.bak", "n.ipynb"])
def test_any_other_file_is_of_no_language(file):
    assert language_of(PurePath(file)) is None


@pytest.mark.parametrize(
    ("said", "name"),
    [("python3", "python"), ("Python 3.12", "python"), ("IPython", "python"), ("R", "r"), ("ir", "r"),
     ("ts", "typescript"), ("julia-1.10", "julia"), ("JavaScript", "javascript"), ("DuckDB", "sql")],
)  # fmt: skip
def test_a_notebook_may_call_its_language_in_many_ways(said, name):
    assert language_named(said).name == name


@pytest.mark.parametrize("said", ["", "bash", "pythonic", "3"])
def test_a_name_of_another_language_is_not_guessed_at(said):
    assert language_named(said) is None


def test_no_suffix_belongs_to_two_languages():
    assert len(set(SUFFIXES)) == len(SUFFIXES)
    assert len({language.name for language in LANGUAGES}) == len(LANGUAGES)
