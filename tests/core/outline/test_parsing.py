"""Parsing ends, whatever the text, and one text that fails takes no other with it."""

import pytest

from cellwright.errors import ToolError
from cellwright.outline.language import JULIA, PYTHON, Language
from cellwright.outline.parsing import MAX_BYTES, Parser, Source
from cellwright.waiting.stopping import Stopping

HOSTILE = Source("hostile.jl", JULIA, "def " * 100_000)
"""Takes minutes to parse."""
GOOD = Source("good.py", PYTHON, "def f(): ...\n")


def test_texts_are_read_one_after_another():
    with Parser(Stopping()) as parser:
        outlines = [parser.outline(GOOD), parser.outline(Source("b.py", PYTHON, "x = (\n"))]
    assert [[s.name for s in outline.symbols] for outline in outlines] == [["f"], []]
    assert [(outline.broken, outline.problem) for outline in outlines] == [(False, ""), (True, "")]


def test_a_text_that_takes_too_long_is_given_up_and_the_next_is_read():
    with Parser(Stopping(), seconds_each=1.5) as parser:
        assert parser.outline(HOSTILE).problem == "it took too long to parse"
        assert [symbol.name for symbol in parser.outline(GOOD).symbols] == ["f"]


def test_the_time_of_all_texts_is_bounded_together():
    with Parser(Stopping(), seconds=0.0) as parser:
        assert (parser.is_over, parser.outline(GOOD).problem) == (True, "the time was up")


def test_a_tool_that_is_asked_to_stop_parses_no_more():
    stopping = Stopping()
    with Parser(stopping) as parser:
        stopping.set()
        assert parser.outline(GOOD).problem == "the time was up"


def test_a_text_that_no_person_wrote_is_refused():
    with Parser(Stopping()) as parser:
        assert parser.outline(Source("big.py", PYTHON, "x" * (MAX_BYTES + 1))).problem.startswith("it has 4,000,001 ")


def test_text_with_half_a_character_is_read_all_the_same():
    with Parser(Stopping()) as parser:
        assert len(parser.outline(Source("a.py", PYTHON, "s = '\udcff'\ndef f(): ...\n")).symbols) == 2


def test_a_language_without_a_grammar_is_an_error_that_says_what_to_do():
    with Parser(Stopping()) as parser, pytest.raises(ToolError, match="SEMBLE_GRAMMARS_CACHE_DIR") as caught:
        parser.outline(Source("a", Language("klingon", "klingon", (), "", {}), ""))
    assert caught.value.code == "no_grammar"
