"""`search_code`: matches, no match and not searched never look alike."""

import os
import time

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.tools.search_code import search_code


def search(folder, pattern, **more):
    args = {"pattern": pattern, **more}
    assert search_code.input_schema.problems(args) == ()
    return search_code.execute(args, Env(cwd=folder.resolve()))


def lines(folder, pattern, **more):
    return [f"{m['path']}:{m['line']}" for m in search(folder, pattern, **more).value["matches"]]


def refusal(folder, pattern, **more):
    with pytest.raises(ToolError) as caught:
        search(folder, pattern, **more)
    return caught.value


def make(folder, **texts):
    for path, text in texts.items():
        place = folder / path.replace("__", "/").replace("_", ".")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)


def test_a_match_is_told_with_path_line_and_text(tmp_path):
    make(tmp_path, src__a_py="import os\n\ndef run():\n    pass\n", b_txt="run\n")
    output = search(tmp_path, r"def \w+")
    assert output.content == "src/a.py:3: def run():"
    assert output.value["matches"] == [{"path": "src/a.py", "line": 3, "text": "def run():"}]


def test_no_match_says_how_many_files_were_searched(tmp_path):
    make(tmp_path, a_txt="a\n", b_txt="b\n")
    assert search(tmp_path, "zzz").content == "no match for 'zzz': 2 files searched in ."


@pytest.mark.parametrize(
    ("pattern", "place"),
    [
        ("foo(", 4),
        ("[a-", 3),
        ("*x", 0),
        ("(?P<n>a)(?P<n>b)", 14),
        ("\\", 0),
        ("a{2,1}", 5),
        ("(?<=a+)b", 0),
        ("a)", 1),
    ],
)
def test_an_invalid_pattern_is_an_error_with_the_place_and_a_way_out(tmp_path, pattern, place):
    make(tmp_path, a_txt="a\n")
    error = refusal(tmp_path, pattern)
    assert error.code == "invalid_pattern"
    assert f"at character {place}." in error.message
    assert "as literal text, send " in error.message


@pytest.mark.parametrize("text", ["foo(", "[a-", "*x", "\\", "a{2,1}", "(?<=a+)b", "a.b$c^|d", "a-b#c d&e~"])
def test_the_literal_form_that_an_error_offers_finds_the_text(tmp_path, text):
    make(tmp_path, a_txt=f"other\n<{text}>\n")
    make(tmp_path, b_txt="axb\n")
    try:
        search(tmp_path, text)
    except ToolError as error:
        text = error.message.rpartition("send ")[2]
        assert lines(tmp_path, text) == ["a.txt:2"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [("x*", [1, 2, 3]), ("^", [1, 2, 3]), (r"\b", [1, 3]), ("(?=a)", [1]), ("$", [1, 2, 3]), ("", None), ("c$", [3])],
)
def test_a_match_of_nothing_gives_each_line_once(tmp_path, pattern, found):
    make(tmp_path, t="ab\r\n\r\nc\r\n")
    if found is None:
        assert refusal(tmp_path, pattern).code == "invalid_pattern"
    else:
        assert lines(tmp_path, pattern) == [f"t:{line}" for line in found]


@pytest.mark.parametrize("pattern", ["a\nb", r"a\nb", r"a\\\nb"])
def test_a_pattern_across_lines_is_refused_rather_than_never_found(tmp_path, pattern):
    assert "line by line" in refusal(tmp_path, pattern).message


def test_an_escaped_backslash_before_n_is_no_line_break(tmp_path):
    make(tmp_path, t="C:\\new\n")
    assert lines(tmp_path, r"C:\\new") == ["t:1"]


def test_ignored_files_are_left_out_unless_they_are_asked_for(tmp_path):
    make(tmp_path, build__out_js="x\n", src__a_js="x\n", _git__config="x\n", _hidden_js="x\n", _gitignore="build/\n")
    assert lines(tmp_path, "x") == [".hidden.js:1", "src/a.js:1"]
    assert lines(tmp_path, "x", path="build") == ["build/out.js:1"]
    assert lines(tmp_path, "x", path="build/out.js") == ["build/out.js:1"]


def test_where_all_files_are_ignored_they_are_searched_and_that_is_said(tmp_path):
    make(tmp_path, logs__a_log="x\n", _gitignore="*.log\n.gitignore\n")
    assert search(tmp_path, "x").content == (
        "logs/a.log:1: x\nnote: these files are excluded by .gitignore; no other file is there"
    )


@pytest.mark.parametrize(
    ("glob", "found"),
    [
        ("*.js", ["a.js:1", "src/b.js:1"]),
        ("**/*.js", ["a.js:1", "src/b.js:1"]),
        ("src/*.js", ["src/b.js:1"]),
        ("src/", ["src/b.js:1", "src/c.py:1"]),
        ("!*.js", ["src/c.py:1"]),
        ("*.{py,js}", ["a.js:1", "src/b.js:1", "src/c.py:1"]),
        ("*.zig", []),
        ("", ["a.js:1", "src/b.js:1", "src/c.py:1"]),
    ],
)
def test_a_glob_chooses_files_and_brings_no_ignored_one_back(tmp_path, glob, found):
    make(tmp_path, a_js="x\n", src__b_js="x\n", src__c_py="x\n", a_min_js="x\n", _gitignore="*.min.js\n")
    assert lines(tmp_path, "x", glob=glob) == found


@pytest.mark.parametrize("glob", ["[a-", "src/[a-", "{a"])
def test_an_invalid_glob_is_an_error(tmp_path, glob):
    make(tmp_path, a_js="x\n")
    error = refusal(tmp_path, "x", glob=glob)
    assert (error.code, "glob is invalid" in error.message) == ("invalid_pattern", True)


@pytest.mark.parametrize(
    ("path", "code"), [("no/such", "not_found"), ("..", "outside"), ("p", "not_regular"), ("b", "binary")]
)
def test_a_place_that_can_not_be_searched_is_an_error(tmp_path, path, code):
    os.mkfifo(tmp_path / "p")
    (tmp_path / "b").write_bytes(b"x\0")
    assert refusal(tmp_path, "x", path=path).code == code


def test_a_pattern_that_gives_up_on_a_file_is_told(tmp_path):
    make(tmp_path, t="a" * 2_000 + "\n")
    content = search(tmp_path, "(?:a+a+)+(?=b)").content
    assert "match limit exceeded" in content


def test_an_ignore_rule_that_is_no_glob_is_told(tmp_path):
    make(tmp_path, a_txt="x\n", _gitignore="{a\n")
    assert "error parsing glob" in search(tmp_path, "x", glob="*.txt").content


def test_pipes_and_link_cycles_are_passed_over(tmp_path):
    make(tmp_path, a__f_txt="x\n")
    os.mkfifo(tmp_path / "p")
    for name, target in [("loop", "../a"), ("self", "self"), ("up", "..")]:
        (tmp_path / "a" / name).symlink_to(target)
    started = time.monotonic()
    assert lines(tmp_path, "x") == ["a/f.txt:1"]
    assert time.monotonic() - started < 2


@pytest.mark.parametrize("output", ["lines", "files"])
def test_a_name_that_is_not_utf8_is_told_to_be_none_that_can_be_passed_on(tmp_path, output):
    make(tmp_path, a_txt="x\n")
    (tmp_path / os.fsdecode(b"l\xe9.txt")).write_text("x\n")
    content = search(tmp_path, "x", output=output).content
    assert "note: 1 file name is not UTF-8, shown with \ufffd, and can't be passed on" in content


def test_a_binary_file_that_matches_is_named_not_shown(tmp_path):
    make(tmp_path, a_bin=b"needle\n\0\n", b_txt="needle\n")
    output = search(tmp_path, "needle")
    assert output.content == "b.txt:1: needle\nnote: binary files that match are not shown: 1 (a.bin)"
    assert output.value["total"] == 1


def test_a_cut_answer_is_stable_sorted_and_counts_the_rest(tmp_path):
    make(tmp_path, **{f"d{n % 7}__f{n}_txt": "hit\n" for n in range(300)})
    answers = {search(tmp_path, "hit", limit=20).content for _ in range(10)}
    assert len(answers) == 1
    *found, rest = answers.pop().split("\n")
    assert rest.startswith("280 more matching lines")
    assert found == sorted(found)
    assert len(found) == 20


def test_a_huge_line_is_cut_around_the_match(tmp_path):
    make(tmp_path, min_js="a" * 1_000_000 + "needle" + "b" * 1_000_000)
    content = search(tmp_path, "needle").content
    assert len(content) < 500
    assert "aneedleb" in content
    assert "the line has 2,000,006 characters" in content


def test_an_answer_of_many_long_lines_stays_bounded(tmp_path):
    make(tmp_path, t=("word " * 100 + "\n") * 3_000)
    output = search(tmp_path, "word", limit=2_000)
    assert len(output.content) <= 50_000
    assert output.value["total"] == 3_000


def test_context_is_marked_and_belongs_to_shown_matches_only(tmp_path):
    make(tmp_path, t="1\n2\nhit\n4\n5\n6\n7\n8\nhit\n10\n")
    content = search(tmp_path, "hit", context=1, limit=1).content
    assert content.split("\n")[:3] == ["t:2- 2", "t:3: hit", "t:4- 4"]
    assert "1 more matching lines" in content
    assert "t:10" not in content


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16"])
def test_text_in_other_encodings_is_shown_readably(tmp_path, encoding):
    make(tmp_path, t="needle é\n".encode(encoding))
    assert search(tmp_path, "needle").content == "t:1: needle é"


def test_case_is_ignored_on_request(tmp_path):
    make(tmp_path, t="Needle\n")
    assert lines(tmp_path, "nEEDLE") == []
    assert lines(tmp_path, "nEEDLE", ignore_case=True) == ["t:1"]


def test_a_notebook_points_to_its_own_search(tmp_path):
    make(tmp_path, n_ipynb='{"cells": ["needle"]}')
    assert "notebook_search" in search(tmp_path, "needle").content


def test_places_for_credentials_are_not_searched(tmp_path):
    make(tmp_path, _ssh__id="key\n", sub___aws__config="key\n", _AWS__config="key\n", a_txt="key\n")
    assert lines(tmp_path, "key") == lines(tmp_path, "key", glob="*") == ["a.txt:1"]
    assert lines(tmp_path, "key", glob="**/config") == []


@pytest.mark.parametrize("path", ["-e", "a b", "naïve", "a[1]", "!x"])
def test_odd_names_are_searched_and_told_as_they_are(tmp_path, path):
    (tmp_path / path).write_text("x\n")
    assert lines(tmp_path, "x", path=path) == [f"{path}:1"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_can_not_be_read_is_named(tmp_path):
    make(tmp_path, open__a="x\n", locked__b="x\n")
    (tmp_path / "locked").chmod(0)
    content = search(tmp_path, "x").content
    (tmp_path / "locked").chmod(0o700)
    assert content == "open/a:1: x\nnote: not read: locked (Permission denied)"


def test_lines_in_an_old_encoding_are_shown_as_they_read(tmp_path):
    text = "Привет, мир! Это обычный текст на русском языке.\nкод = 1\n"
    (tmp_path / "old.txt").write_bytes(text.encode("cp1251"))
    (tmp_path / "wide.txt").write_bytes(text.encode("utf-16-le"))
    in_folder = search(tmp_path, pattern="= 1")
    assert "old.txt:2: код = 1" in in_folder.content
    for name in ("old.txt", "wide.txt"):
        named = search(tmp_path, pattern="обычный", path=name)
        assert named.content.split("\n")[0] == f"{name}:1: Привет, мир! Это обычный текст на русском языке."


def test_files_alone_are_told_with_their_counts(tmp_path):
    make(tmp_path, b_txt="x\nx\n", a__c_txt="x\n", n_txt="y\n")
    output = search(tmp_path, "x", output="files")
    assert output.content == "a/c.txt: 1\nb.txt: 2"
    assert output.value["files"] == [{"path": "a/c.txt", "lines": 1}, {"path": "b.txt", "lines": 2}]
    assert (output.value["total"], output.value["files_with_matches"]) == (3, 2)
    assert search(tmp_path, "x", output="files", limit=1).content.startswith("a/c.txt: 1\n1 more files, sorted by path")
    assert search(tmp_path, "zz", output="files").content == "no match for 'zz': 3 files searched in ."


@pytest.mark.parametrize(
    ("args", "found"),
    [
        ({"file_type": "py"}, ["a.py:1", "src/b.py:1"]),
        ({"file_type": "r"}, ["c.R:1"]),
        ({"file_type": "py", "glob": "src/**"}, ["src/b.py:1"]),
        ({"file_type": "py", "glob": "b.*"}, ["src/b.py:1"]),
        ({"file_type": "sql"}, []),
    ],
)
def test_a_file_type_chooses_files(tmp_path, args, found):
    make(tmp_path, a_py="x\n", src__b_py="x\n", c_R="x\n", b_txt="x\n")
    assert lines(tmp_path, "x", **args) == found


def test_an_unknown_file_type_is_an_error(tmp_path):
    error = refusal(tmp_path, "x", file_type="klingon")
    assert (error.code, "take glob, such as *.klingon" in error.message) == ("unknown_type", True)


def test_a_match_may_go_over_lines_if_that_is_asked_for(tmp_path):
    make(tmp_path, t="a\nfoo(\n  1,\n)\nb\n")
    output = search(tmp_path, r"foo\((?s:.*?)\)", multiline=True)
    assert output.content == "t:2: foo(\nt:3:   1,\nt:4: )"
    assert output.value["matches"] == [{"path": "t", "line": 2, "text": "foo(\n  1,\n)"}]
    assert lines(tmp_path, "a\nfoo", multiline=True) == ["t:1"]


def test_a_match_of_very_many_lines_is_cut(tmp_path):
    make(tmp_path, t="start\n" + "x\n" * 5_000 + "end\n")
    assert search(tmp_path, r"start(?s:.*)end", multiline=True).content.endswith("(cut: the match has 5,002 lines)")


def test_the_pictures_in_notebooks_are_not_searched_for_words(tmp_path):
    make(tmp_path, n_ipynb='{\n "image/png": "abcneedledef",\n "text": "a needle"\n}', t_txt=' "image/png": "needle"\n')
    output = search(tmp_path, "needle")
    assert [match["path"] for match in output.value["matches"]] == ["n.ipynb", "t.txt"]
    assert "note: matches in pictures of notebooks are not shown: 1" in output.content


@pytest.mark.parametrize("pattern", ["-e", "--files", "--", "-"])
def test_a_pattern_like_an_option_is_a_pattern(tmp_path, pattern):
    make(tmp_path, t=f"a {pattern} b\nc\n")
    assert lines(tmp_path, pattern) == ["t:1"]


def test_a_name_with_a_line_end_stays_on_one_line(tmp_path):
    (tmp_path / "a\nb").write_text("x\n")
    assert search(tmp_path, "x").content == '"a\\nb":1: x'
    assert search(tmp_path, "x", output="files").content == '"a\\nb": 1'


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ({"pattern": "a\0b"}, "invalid_pattern"),
        ({"pattern": "\ud800"}, "invalid_pattern"),
        ({"pattern": "x", "glob": "\ud800/\ud800"}, "invalid_pattern"),
        ({"pattern": "x", "glob": "a\0"}, "invalid_pattern"),
        ({"pattern": "x", "glob": "../*"}, "outside"),
        ({"pattern": "x", "file_type": "--"}, "unknown_type"),
    ],
)
def test_what_no_program_can_be_asked_is_an_error(tmp_path, args, code):
    make(tmp_path, t="x\n")
    assert refusal(tmp_path, **args).code == code
