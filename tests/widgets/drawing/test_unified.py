from cellwright.text.text_diff import unified_diff
from cellwright_widgets.drawing.unified import aligned, read_unified


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


def test_steps_keep_partners_together_and_both_sides_in_order():
    lines = read_unified(unified_diff("a\nvalue = 1\nb\nsize = 1\n", "value = 2\nc\nd\nsize = 2\ne", "p"))
    steps = [tuple(" ".join(line.sign + line.text for line in side) for side in step) for step in aligned(lines[1:])]
    assert steps == [
        *(("-a", ""), ("-value = 1", "+value = 2"), ("-b", "+c"), ("", "+d")),
        *(("-size = 1", "+size = 2"), ("", "+e \\No newline at end of file")),
    ]


def test_steps_hold_every_line_of_any_run():
    lines = read_unified("@@ -1,3 +1,3 @@\n-aa bb\n+aa cc\n-dd ee\n+dd ff\n-aa bb\n+gg\n")[1:]
    assert sorted(map(id, lines)) == sorted(id(line) for step in aligned(lines) for side in step for line in side)
