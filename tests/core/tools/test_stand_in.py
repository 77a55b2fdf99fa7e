"""The stand-in answers as ripgrep does."""

import json
import os
import subprocess

import pytest

from cellwright.tools.ripgrep import command, program
from cellwright.tools.stand_in import main

TEXTS = {
    "a.py": b"import x\ndef needle():\n    return 1\n", "crlf.txt": b"a\r\nneedle\r\nb", "bin": b"needle\n\0\n",
    "wide.txt": "\ufeffnaïve needle\n".encode("utf-16-le"), "bom.txt": b"\xef\xbb\xbfneedle\n", "empty": b"",
    "m.txt": b"1\nneedle\n3\n4\nNeedle needle\n6\n", "d/e f.txt": b"needle\n", "x.log": b"needle\n", "-e": b"needle\n",
    ".gitignore": b"*.log\n", "a\nb": b"needle", "latin.txt": b"caf\xe9 needle\n",
}  # fmt: skip


@pytest.fixture
def tree(tmp_path, monkeypatch):
    for name, data in TEXTS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answers(output: bytes):
    """The records of JSON output, without what only ripgrep tells."""
    for line in output.splitlines():
        record = json.loads(line)
        data = record["data"]
        spans = [span["start"] for span in data.get("submatches", [])[:1]]
        place = json.dumps(data.get("path")), data.get("line_number"), json.dumps(data.get("lines")), spans
        searched = data["stats"]["searches"] if record["type"] == "summary" else 0
        yield record["type"], *place, data.get("binary_offset") is not None, searched


def both(capfdbinary, *arguments):
    """What ripgrep and the stand-in say to the same arguments, and their exit codes."""
    fixed = ["--no-config", "--hidden", "--no-require-git", "--no-ignore-global", "--no-ignore-dot", "--color=never"]
    given = [*fixed, *arguments, "--", "."]
    wanted = subprocess.run([program(), *given], capture_output=True, check=False)
    capfdbinary.readouterr()
    code = main(given)
    return (wanted.stdout, wanted.returncode), (capfdbinary.readouterr().out, code)


@pytest.mark.parametrize(
    "pattern",
    ["needle", "^", "e$", "x*", "(?=n)", r"\bneedle\b", "na.ve", "absent", "--", r"\<need", r"\\<x", r"[\<\w]e"],
)
@pytest.mark.parametrize("more", [["--binary"], [], ["--context=1"], ["--ignore-case"], ["--max-count=1"]])
def test_the_same_lines_are_found(tree, capfdbinary, pattern, more):
    arguments = ["--json", "--crlf", "--engine=auto", *more, f"--regexp={pattern}"]
    (wanted, code), (told, own) = both(capfdbinary, *arguments)
    assert (sorted(map(repr, answers(told))), own) == (sorted(map(repr, answers(wanted))), code)


@pytest.mark.parametrize("pattern", ["^needle$", r"a\r\nneedle", r"needle\n3", r"(?<word>le)\>\n"])
def test_the_same_lines_are_found_across_line_ends(tree, capfdbinary, pattern):
    (wanted, _), (told, _) = both(
        capfdbinary, "--json", "--crlf", "--engine=auto", "--multiline", f"--regexp={pattern}"
    )
    found = [{record[1:3] for record in answers(output) if record[0] == "match"} for output in (wanted, told)]
    assert found[0] == found[1] != set()


@pytest.mark.parametrize("option", ["--files", "--files-with-matches"])
@pytest.mark.parametrize("more", [[], ["--no-ignore"], ["--glob=*.txt"], ["--type=py"], ["--glob=!d", "--glob=!*.py"]])
def test_the_same_files_are_listed(tree, capfdbinary, option, more):
    pattern = [] if option == "--files" else ["--regexp=needle"]
    (wanted, code), (told, own) = both(capfdbinary, option, "--null", *more, *pattern)
    assert (sorted(told.split(b"\0")), own) == (sorted(wanted.split(b"\0")), code)


@pytest.mark.parametrize("more", ["--stats", "--include-zero"])
def test_lines_are_counted_alike(tree, capfdbinary, more):
    (wanted, _), (told, _) = both(capfdbinary, "--count", "--null", "--with-filename", more, "--regexp=needle")
    known = [line for line in wanted.split(b"\n") if line in told.split(b"\n")]
    assert sorted(known) == sorted(told.split(b"\n"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--regexp=("], b"PCRE2: error compiling pattern at offset 3: missing"),
        (["--type=klingon", "--regexp=x"], b"unrecognized file type: klingon"),
        (["--regexp=[[:alpha:]]"], b"need ripgrep"),
        (["--glob={a", "--files"], b"error parsing glob '{a'"),
    ],
)
def test_what_it_can_not_do_is_refused_as_ripgrep_would(tree, capfdbinary, arguments, said):
    assert main([*arguments, "--", "."]) == 2
    assert said in capfdbinary.readouterr().err


def test_it_is_started_where_ripgrep_is_missing(tree):
    assert command("/bin/rg") == ["/bin/rg"]
    arguments = ["--json", "--multiline", "--regexp=3\n4", "--", "."]
    done = subprocess.run([*command(None), *arguments], capture_output=True, check=True, env={"PATH": os.defpath})
    assert [record[3] for record in answers(done.stdout) if record[0] == "match"] == ['{"text": "3\\n4\\n"}']
