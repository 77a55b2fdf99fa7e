"""One line of a diff as a row."""

import pytest

from cellwright_widgets.drawing.brush import TRANSCRIPT
from cellwright_widgets.drawing.diff_row import blanks, diff_row
from cellwright_widgets.drawing.node import element, to_html, to_text
from cellwright_widgets.drawing.unified import Line, read_unified


def row(line: Line) -> str:
    return to_text(diff_row(line, 3, TRANSCRIPT))


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (Line("-", "gone", old=12), " 12     - gone\n"),
        (Line("+", "new", new=7), "      7 + new\n"),
        (Line(" ", "same", 12, 7), " 12   7   same\n"),
        (Line("@", "@@ -1 +1 @@", 1, 1), "@@ -1 +1 @@\n"),
        (Line("\\", "No newline", after="+"), "        \\ No newline at end of file\n"),
    ],
)
def test_number_sign_and_text_are_one_line_of_text(line, text):
    assert row(line) == text


def test_a_note_on_the_end_of_a_line_stands_in_the_column_of_that_line():
    lines = read_unified("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n")
    assert 'class="cw-row cw-eof cw-del"' in to_html(diff_row(lines[2], 1, TRANSCRIPT))


def test_blanks_are_told_apart():
    assert to_text(element("p", "", *blanks(" \t\r\u00a0"))) == "· →\t␍⟨U+00A0⟩"
    assert blanks("") == []
