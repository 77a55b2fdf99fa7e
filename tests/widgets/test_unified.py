from cellwright.text_diff import unified_diff
from cellwright_widgets.unified import read_unified


def test_every_line_has_its_number_on_both_sides():
    lines = read_unified(unified_diff("a\nb\nc\n", "a\nx\nc\n", "p"))
    found = [(line.sign, line.text, line.old, line.new) for line in lines[1:]]
    assert found == [(" ", "a", 1, 1), ("-", "b", 2, None), ("+", "x", None, 2), (" ", "c", 3, 3)]


def test_a_line_finds_the_one_it_replaces():
    lines = read_unified(unified_diff("old\nvalue = 1\n", "value = 2\n", "p"))
    removed = next(line for line in lines if line.text == "value = 1")
    assert removed.partner is not None
    assert removed.partner.text == "value = 2"


def test_a_line_of_dashes_in_a_hunk_is_no_header():
    lines = read_unified(unified_diff("-- a\n", "++ b\n", "p"))
    assert [(line.sign, line.text) for line in lines[1:]] == [("-", "-- a"), ("+", "++ b")]
