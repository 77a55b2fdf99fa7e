import random
import re
import subprocess

import pytest

from cellwright.text.text_diff import NO_NEWLINE, change_notes, changed_lines, split_lines, unified_diff

from ..in_time import in_time
from ..properties import for_any


def patched(tmp_path, old, diff):
    """What the standard tool makes of the old text."""
    file = tmp_path / "f.txt"
    file.write_bytes(old.encode())
    command = ["patch", "--binary", "--silent", "--force", "--posix", str(file)]
    subprocess.run(command, input=diff.encode(), capture_output=True, check=True, timeout=20)
    return file.read_bytes().decode() if file.exists() else ""


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a\n"]),
        ("a\n\nb", ["a\n", "\n", "b"]),
        ("a\u2028b\x0cc\x85d\re", ["a\u2028b\x0cc\x85d\re"]),
    ],
)
def test_lines_end_at_newlines_only(text, lines):
    assert split_lines(text) == lines


PAIRS = [
    ("a\nb", "a\nc"),
    ("a", "a\n"),
    ("a\n", "a"),
    ("", "x"),
    ("", "x\n"),
    ("x", ""),
    ("a\nb", "a\nb\nc"),
    ("a\r\nb", "a\nb"),
    ("a\u2028b\n", "a\u2028c\n"),
    ("a\x0cb\rc\n", "a\x0cb\rd\n"),
    ("-- a\n++ b\n", "-- a\n++ c\n"),
    ("\n\n\n", "\n\n"),
    ("".join(f"{i}\n" for i in range(50)), "".join(f"{i}\n" for i in range(50) if i not in (3, 40))),
]


@pytest.mark.parametrize(("old", "new"), PAIRS, ids=range(len(PAIRS)))
def test_the_standard_patch_tool_makes_the_new_text_byte_for_byte(tmp_path, old, new):
    assert patched(tmp_path, old, unified_diff(old, new, "f.txt")) == new
    assert patched(tmp_path, new, unified_diff(new, old, "f.txt")) == old


@pytest.mark.parametrize("seed", range(25))
def test_random_changes_apply_as_well(tmp_path, seed):
    dice = random.Random(seed)
    lines = [dice.choice(["", "a", "b", "\tc", "d\r", f"{i}"]) for i in range(dice.randrange(60))]
    other = [line for line in lines if dice.random() > 0.2]
    for _ in range(dice.randrange(6)):
        other.insert(dice.randrange(len(other) + 1), dice.choice(["new", "", "a"]))
    old, new = ("\n".join(text) + dice.choice(["", "\n"]) for text in (lines, other))
    diff = unified_diff(old, new, "f.txt")
    assert patched(tmp_path, old, diff) == new if old != new else diff == ""


def test_a_missing_final_newline_is_marked_and_no_lines_are_glued():
    assert unified_diff("a\nb", "a\nc", "f") == (
        f"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n{NO_NEWLINE}\n+c\n{NO_NEWLINE}\n"
    )
    assert unified_diff("a", "a\n", "f") == f"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n{NO_NEWLINE}\n+a\n"


def test_equal_texts_have_an_empty_diff():
    assert (unified_diff("a\n", "a\n", "f"), change_notes("a\n", "a\n")) == ("", ())


def test_a_path_can_not_add_lines_to_the_diff():
    assert unified_diff("a", "b", "x\n+++ b/y\tz").startswith("--- a/x +++ b/y z\n+++ b/x +++ b/y z\n@@")


CODE = "def f():\n        if x:\n            y\n        return\n"
INVISIBLE = [
    (CODE, "def f():\n    if x:\n            y\n    return\n", ["only white space changed", "indentation changed"]),
    ("\ta\n", "        a\n", ["only white space changed", "tabs changed from 1 to 0", "indentation changed"]),
    ("a  \nb\n", "a\nb\n", ["only white space changed", "trailing blanks changed"]),
    ("a\r\nb\r\n", "a\nb\n", ["line ends changed from CRLF to LF"]),
    ("a\r\nb\n", "a\r\nb\r\n", ["line ends changed from mixed to CRLF"]),
    ("a\nb", "a\nb\n", ["newline at the end of the file added"]),
    ("a\nb\n", "a\nb", ["newline at the end of the file removed"]),
    ("\u00e9\n", "e\u0301\n", ["only the encoding of accented letters changed"]),
    ("a b\n", "a\u00a0b\n", ["blanks of another kind appear: U+00A0"]),
    ("admin\n", "\u0430dmin\n", ["letters that pass for others appear: \u0430 (U+0430)"]),
    ("\u0430dmin х\n", "admin х\n", ["letters that pass for others go: \u0430 (U+0430)"]),
    ("\u263a\n", "\u263a\ufe0f\n", ["only variation selectors changed (such as U+FE0F), which are not seen"]),
]


@pytest.mark.parametrize(("old", "new", "words"), INVISIBLE, ids=range(len(INVISIBLE)))
def test_a_change_that_the_eye_misses_is_named(old, new, words):
    notes = change_notes(old, new)
    assert unified_diff(old, new, "f") != ""
    assert all(any(note.startswith(word) for note in notes) for word in words), notes


def test_a_visible_change_needs_no_note():
    assert change_notes("a\nb\n", "a\nc\n") == ()
    assert change_notes("привет, Welt größe\n", "пока, Welt größer \u263a\n") == ()


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [("a\nb\n", "a\nc\nd\n", (2, 1)), ("a", "a\n", (1, 1)), ("++a\n", "--b\n", (1, 1)), ("", "x\n", (1, 0))],
)
def test_added_and_removed_lines_are_counted(old, new, counts):
    assert changed_lines(unified_diff(old, new, "f")) == counts


def many(kind, seed):
    dice = random.Random(seed)
    kinds = {
        "every other line": ["x" if i % 2 else f"{seed}{i}" for i in range(1900)],
        "two words": [dice.choice("ab") for _ in range(1990)],
        "few words": [str(dice.randrange(160)) for _ in range(1990)],
        "no line alike": [f"{seed}-{i}" for i in range(20_000)],
        "shuffled": sorted(map(str, range(1990)), key=lambda _: dice.random()),
    }
    return "\n".join(kinds[kind])


@pytest.mark.parametrize("kind", ["every other line", "two words", "few words", "no line alike", "shuffled"])
def test_large_texts_that_share_little_are_compared_in_time(tmp_path, kind):
    old, new = many(kind, 1), many(kind, 2)
    diff = in_time(4, lambda _: unified_diff(old, new, "f"))
    assert patched(tmp_path, old, diff) == new


def spread(lines, kind):
    """The lines with a change in many places."""
    if kind == "replaced":
        return [f"new {i}" if i % 100 == 50 else line for i, line in enumerate(lines)]
    if kind == "inserted":
        return [one for i, line in enumerate(lines) for one in ([line, ""] if i % 100 == 50 else [line])]
    if kind == "deleted":
        return [line for i, line in enumerate(lines) if i % 100 != 50]
    return [*lines[5_000:], *lines[:5_000]]


@pytest.mark.parametrize(
    ("kind", "counts"),
    [("replaced", (100, 100)), ("inserted", (100, 0)), ("deleted", (0, 100)), ("moved", (5_000, 5_000))],
)
@pytest.mark.parametrize("blanks", [1, 7])
def test_of_a_long_text_only_what_changed_is_shown(kind, counts, blanks):
    old = [f"line {i}" if i % blanks == 0 else "" for i in range(10_000)]
    diff = unified_diff("\n".join([*old, ""]), "\n".join([*spread(old, kind), ""]), "f")
    added, removed = changed_lines(diff)
    assert (added, removed) == counts or (blanks == 7 and added + removed <= sum(counts) + 100)


def kept(text):
    """The lines of a text, each with its end."""
    *lines, last = text.split("\n")
    return [f"{line}\n" for line in lines] + [last] * (last != "")


def applied(old, diff):
    """The text that a unified diff makes of the old one, by what its hunks say alone."""
    rows, lines, made, at = [], kept(old), [], 0
    for row in kept(diff)[2:]:
        rows[-1:] = [rows[-1][:-1]] if row.startswith("\\") else [*rows[-1:], row]
    for row in rows:
        if hunk := re.fullmatch(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@\n", row):
            start = int(hunk[1]) - (hunk[2] != "0")
            made, at = [*made, *lines[at:start]], start
            continue
        if row[0] in " -":
            assert lines[at] == row[1:]
            at += 1
        made += [row[1:]] * (row[0] in " +")
    return "".join([*made, *lines[at:]])


@for_any(old="lines", new="lines", examples=150)
def test_whatever_changed_the_diff_makes_the_new_text_of_the_old(old, new):
    diff = unified_diff(old, new, "f.txt")
    assert applied(old, diff) == new
    assert (diff == "") == (old == new)
