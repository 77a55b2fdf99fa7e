import pytest

from cellwright.views.file_diff import Diff, diff_view
from cellwright.views.view import as_text
from cellwright_widgets.drawing.brush import APPROVAL, TRANSCRIPT
from cellwright_widgets.drawing.diff_view import draw_diff
from cellwright_widgets.drawing.node import to_html, to_text

from ..page import HOSTILE, Page, assert_harmless


def drawn(old: str | None, new: str, brush=TRANSCRIPT) -> str:
    return to_text(draw_diff(diff_view(old, new, "a.py"), brush))


INVISIBLE = [
    ("        a\n        b\n", "    a\n    b\n", "·"),
    ("\ta\n", "        a\n", "→"),
    ("a  \n", "a\n", "··"),
    ("a\r\nb\r\n", "a\nb\n", "␍"),
    ("a", "a\n", "No newline at end of file"),
    ("\u00e9\n", "e\u0301\n", "Unicode normalisation"),
    ("a b\n", "a\u00a0b\n", "⟨U+00A0⟩"),
]


@pytest.mark.parametrize(("old", "new", "mark"), INVISIBLE)
def test_a_change_that_no_eye_sees_is_marked(old, new, mark):
    assert mark in drawn(old, new)
    assert "no change" not in drawn(old, new)
    assert len(as_text(diff_view(old, new, "a.py"))) > 20


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (None, "x\n", "a.py new file +1 −0"),
        (None, "", "a.py new file +0 −0empty file"),
        ("", "x\n", "a.py +1 −0"),
        ("", "", "a.py +0 −0no change"),
    ],
)
def test_a_file_that_is_made_is_told_from_one_that_is_empty(old, new, said):
    assert said in drawn(old, new)


PAIRS = [("a\nb", "a\nc"), ("a", "a\n"), ("", "x"), ("x", ""), ("a\nb", "a\nb\nc"), ("a\r\nb", "a\nb")]


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_lines_are_never_glued(old, new):
    body = drawn(old, new).split("@@\n")[1]
    for line in body.rstrip("\n").split("\n"):
        assert line.strip(" 0123456789")[:1] in ("+", "-", "\\") or "-" not in line


def test_only_the_changed_word_is_marked():
    html = to_html(draw_diff(diff_view("total = 0\n", "total = 1\n", "a.py"), TRANSCRIPT))
    assert '<del class="cw-word">0</del>' in html
    assert '<ins class="cw-word">1</ins>' in html


def test_a_change_far_to_the_right_is_shown_with_its_column():
    text = "x = 1; " * 300
    shown = drawn(text + "a\n", text + "b\n")
    assert "the change is at column 2,101" in shown


def test_a_diff_of_many_lines_is_folded_and_counted():
    new = "".join(f"line {number}\n" for number in range(500))
    html = to_html(draw_diff(diff_view("", new, "a.py"), TRANSCRIPT))
    before, _, after = html.partition('<details class="cw-fold" data-fold="diff">')
    shown = before.count("cw-row ") + after.split("</details>")[-1].count("cw-row ")
    assert f"{501 - shown} more lines of this diff" in html
    text = Page(html).text
    assert all(f"line {number}\n" in text for number in range(500))
    assert "line 499" in html.split("</details>")[-1]


def node_count(node) -> int:
    return 1 if isinstance(node, str) else 1 + sum(map(node_count, node[2]))


@pytest.mark.parametrize("step", [1, 4])
def test_ten_thousand_changed_lines_are_all_there_in_few_elements(step):
    old = [f"value_{number} = compute(alpha, {number})\n" for number in range(10_000 * step)]
    new = [line.replace("alpha", "beta") if not place % step else line for place, line in enumerate(old)]
    node = draw_diff(diff_view("".join(old), "".join(new), "a"), APPROVAL)
    text = to_text(node)
    assert node_count(node) < 100_000
    assert all(f"- {line}" in text for line in old[:: 997 * step])
    assert all(f"+ {line}" in text for line in new[:: 997 * step])
    assert text.count("\n") >= 20_000


def test_long_unchanged_runs_are_folded():
    lines = "".join(f" same {number}\n" for number in range(60))
    view = Diff("a.py", f"--- a/a.py\n+++ b/a.py\n@@ -1,61 +1,61 @@\n-old\n+new\n{lines}", 1, 1)
    assert "54 unchanged lines" in to_text(draw_diff(view, TRANSCRIPT))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_path_or_line_stays_text(text):
    page = Page(to_html(draw_diff(diff_view("a\n", text + "\n", text), APPROVAL)))
    assert_harmless(page)
    assert "<" not in text or "<" in page.text


def test_hidden_characters_are_named():
    assert "⟨U+202E⟩" in drawn("a\n", "a\u202e\n")


@pytest.mark.parametrize("unified", ["no diff at all", "@@ -1 +1 @@\n", "--- a\n+++ b\n@@ -x @@\n+\n", "\\"])
def test_what_is_no_diff_is_drawn_all_the_same(unified):
    assert to_html(draw_diff(Diff("a", unified, 0, 0), TRANSCRIPT))


def grids(node) -> list[list[tuple[str, str]]]:
    """What stands in each grid of changed rows: the column, and the text or nothing for a gap."""
    if isinstance(node, str):
        return []
    if node[1].get("class") == "cw-change":
        return [[(row[1]["class"].split()[-1], to_text(row).strip()) for row in node[2]]]
    return [grid for child in node[2] for grid in grids(child)]


def test_in_two_columns_a_line_stands_beside_the_one_it_replaces():
    view = diff_view("gone\ntotal = 0\n", "total = 1\nnew line\n", "a")
    left = [("cw-del", "1   - gone"), ("cw-del", "2   - total = 0")]
    right = [("cw-ins", ""), ("cw-ins", "1 + total = 1"), ("cw-ins", "2 + new line")]
    assert grids(draw_diff(view, TRANSCRIPT)) == [left + right]


def test_the_switch_stands_before_what_it_lays_out_and_an_unchanged_line_has_both_its_numbers():
    page = Page(to_html(draw_diff(diff_view("a\nb\n", "x\na\nc\n", "p"), TRANSCRIPT)))
    assert [attrs.get("class") for tag, attrs in page.elements if tag == "details"] == ["cw-columns"]
    assert page.text.index("side by side") < page.text.index("p +2 −1")
    assert "1 2   a\n" in page.text
    assert [attrs["data-twin"] for _, attrs in page.elements if "data-twin" in attrs] == ["a"]


@pytest.mark.parametrize("text", HOSTILE)
def test_the_twin_of_an_unchanged_line_stays_an_attribute(text):
    page = Page(to_html(draw_diff(diff_view(f"{text}\na\n", f"{text}\nb\n", "p"), APPROVAL)))
    assert_harmless(page)
    assert len([attrs for _, attrs in page.elements if "data-twin" in attrs]) == 1


def test_unchanged_lines_around_a_hunk_unfold_with_their_numbers():
    lines = [f"line {number}\n" for number in range(1, 301)]
    changed = [*lines[:149], "other\n", *lines[150:]]
    text = drawn("".join(lines), "".join(changed))
    assert "@@ -147,7 +147,7 @@ · 146 unchanged lines above, 40 of them kept here" in text
    assert "40 unchanged lines below" in text
    assert all(f"{number} {number}\n" in text or number == 146 for number in range(107, 147))
    assert all(f"line {number}" in text for number in (*range(107, 150), *range(151, 190)))


def test_white_space_is_marked_for_the_eye_and_copied_as_it_is():
    html = to_html(draw_diff(diff_view("a\n", "a \t\n", "p"), TRANSCRIPT))
    assert '<span class="cw-ws">·</span><span class="cw-real"> </span><span class="cw-ws">→</span>\t' in html


def test_line_ends_do_not_hide_what_else_changed_in_a_line():
    html = to_html(draw_diff(diff_view("a b c\r\n", "a x c\n", "p"), TRANSCRIPT))
    assert '<del class="cw-word">b</del>' in html
    assert '<span class="cw-ws">␍</span>' in html
