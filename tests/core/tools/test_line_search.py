"""One search, in order however it went."""

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.tools.line_search import MOST_RECORDS, Counts, Search, counted_files, counted_lines, found_lines


def search(folder, pattern, *options, place="."):
    folder = folder.resolve()
    return Search(pattern, (folder / place).resolve(), options, Env(cwd=folder))


def found(folder, pattern, *options, limit=10, place="."):
    findings, _ = found_lines(search(folder, pattern, *options, place=place), limit)
    return [f"{hit.path}:{hit.line}" for hit in findings.hits], findings


def make(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def test_lines_come_by_the_parts_of_their_paths(tmp_path):
    make(tmp_path, dict.fromkeys(("b", "a/c", "a.b", "a/b/z", "a-b"), "x\n"))
    assert found(tmp_path, "x")[0] == ["a/b/z:1", "a/c:1", "a-b:1", "a.b:1", "b:1"]


def test_a_flood_gives_the_same_first_lines_and_all_are_counted(tmp_path):
    make(tmp_path, {f"d{n % 3}/f{n}": "x\n" * 1000 for n in range(90)})
    wanted = [f"d0/f0:{n}" for n in range(1, 1001)] + [f"d0/f12:{n}" for n in range(1, 101)]
    lines, findings = found(tmp_path, "x", limit=1_100)
    assert (lines, findings.total) == (wanted, 90_000)
    assert findings.total > MOST_RECORDS
    assert (findings.files, findings.searched, findings.finished, findings.left_out) == (90, 90, True, 88_900)


def test_a_flood_in_one_file_is_read_from_its_beginning(tmp_path):
    make(tmp_path, {"t": "x\n" * 90_000})
    lines, findings = found(tmp_path, "x", limit=2, place="t")
    assert (lines, findings.total, findings.files) == (["t:1", "t:2"], 90_000, 1)


def test_lines_around_a_match_come_with_a_flood_as_well(tmp_path):
    make(tmp_path, {"a": "0\nx\n2\n", "b": "x\n" * 90_000})
    assert found(tmp_path, "x", "--context=1", limit=2)[0] == ["a:1", "a:2", "a:3", "b:1"]


def test_names_that_are_long_or_odd_are_read_in_groups(tmp_path):
    names = [f"{'n' * 240}{n:03}" for n in range(400)] + ["-e", "a:b", "a\nb", " x "]
    make(tmp_path, dict.fromkeys(names, "x\n" * 200))
    lines, findings = found(tmp_path, "x", limit=2000)
    assert findings.total == 404 * 200
    assert lines[:1000:200] == [" x :1", "-e:1", "a\nb:1", "a:b:1", f"{names[0]}:1"]


def test_matching_lines_are_counted_by_file(tmp_path):
    make(tmp_path, {"b": "x\nx\n", "a/c": "x\n", "n": "y\n"})
    one = search(tmp_path, "x")
    counts, ended = counted_lines(one)
    assert (counts.total, counts.searched, ended.complete) == (3, 3, True)
    assert counted_files(counts, one, 9) == [("a/c", 1), ("b", 2)]
    assert counted_files(counts, one, 1) == [("a/c", 1)]
    alone = search(tmp_path, "x", place="b")
    assert counted_files(counted_lines(alone)[0], alone, 9) == [("b", 2)]


def test_the_statistics_are_told_from_the_files():
    told = b"./1 files searched\0003\n./a/b\nc\0000\n"
    assert Counts.of(told + b"\n12 matches\n5 files searched\n") == Counts({b"1 files searched": 3}, 5, True)
    assert Counts.of(told) == Counts({b"1 files searched": 3}, 2, False)


@pytest.mark.parametrize("run", [lambda one: found_lines(one, 1), counted_lines])
def test_an_invalid_pattern_is_an_error_however_it_is_searched(tmp_path, run):
    with pytest.raises(ToolError, match="closing parenthesis"):
        run(search(tmp_path, "("))


def test_files_that_rules_exclude_can_be_asked_for(tmp_path):
    make(tmp_path, {"a": "x\n", ".gitignore": "*\n"})
    one = search(tmp_path, "x")
    assert (counted_lines(one)[0].searched, counted_lines(one.without_rules())[0].total) == (0, 1)
