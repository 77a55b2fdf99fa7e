import json
import os
import re
import subprocess

import pytest

from cellwright.calls.limits import HARD_CAP, TURN_LIMIT
from cellwright.calls.spill import MOST, ROW, Spill, broken
from cellwright.messages import Call
from cellwright.result import Result

LINES = "".join(f"line {n}\n" for n in range(1, 100_001)) + "test result: FAILED. 1 passed; 1 failed"
NOTE = re.compile(r"\n\[… ([\d,]+) characters in [\d,]+ lines left out(.*) …\]\n")


def result(content, call_id="call_1", name="give"):
    return Result(Call(call_id, name, "{}"), True, content)


def kept_text(spill, call_id="call_1"):
    return spill.kept[call_id].path.read_bytes().decode()


def test_what_fits_is_left_as_it_is_and_makes_no_folder(tmp_path):
    given = result("x" * 50_000)
    assert Spill(tmp_path, "run-1").fitted(given, 50_000) is given
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("limit", [1_000, 4_000, 50_000])
def test_a_cut_result_has_head_and_tail_and_says_what_is_missing_and_where_it_is(tmp_path, limit):
    spill = Spill(tmp_path, "run-1")
    fitted = spill.fitted(result(LINES), limit)
    head, left_out, more, tail = NOTE.split(fitted.content)
    assert len(fitted.content) <= limit
    assert LINES.startswith(head) and tail.endswith("test result: FAILED. 1 passed; 1 failed") and LINES.endswith(tail)
    assert len(head) + len(tail) + int(left_out.replace(",", "")) == len(LINES)
    assert more.endswith("; the whole text is in .cellwright/runs/run-1/call_1.txt")
    assert fitted.metadata == {
        "characters_left_out": int(left_out.replace(",", "")),
        "spilled": {"call_id": "call_1", "path": ".cellwright/runs/run-1/call_1.txt", "lines": 100_001},
    }
    assert kept_text(spill) == LINES
    assert spill.kept["call_1"].path.stat().st_mode & 0o777 == 0o600


def test_the_note_says_with_which_call_to_go_on_and_it_begins_where_the_head_ends(tmp_path):
    content = Spill(tmp_path, "run-1").fitted(result(LINES), 4_000).content
    head, _, more, _ = NOTE.split(content)
    args = json.loads(re.search(r"go on with read_result (\{.*?\})", more)[1])
    assert args == {"call_id": "call_1", "offset": head.count("\n") + 2}
    assert head.splitlines()[-1] == f"line {args['offset'] - 1}"


def test_a_model_without_the_tool_that_reads_on_is_not_told_of_it(tmp_path):
    content = Spill(tmp_path, "run-1").fitted(result(LINES), 4_000, reader=False).content
    assert "read_result" not in content and "; the whole text is in .cellwright/" in content


def test_the_room_that_a_turn_has_left_is_a_limit_too(tmp_path):
    fitted = Spill(tmp_path, "run-1").fitted(result("x" * 40_000), 50_000, room=10_000)
    assert len(fitted.content) <= 10_000
    assert f"; the results of one turn share {TURN_LIMIT:,} characters, and this one came late" in fitted.content
    nothing_left = Spill(tmp_path, "run-2")
    assert nothing_left.fitted(result("short"), 50_000, room=0).content == "short"
    assert len(nothing_left.fitted(result("x" * 40_000), 50_000, room=0).content) < 600


def test_no_limit_exceeds_the_hard_cap(tmp_path):
    assert len(Spill(tmp_path, "run-1").fitted(result("x" * 500_000), 10**9, 10**9).content) <= HARD_CAP


def test_git_is_told_to_leave_it_alone_but_for_the_rules_that_a_project_shares(tmp_path):
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    Spill(tmp_path, "run-1").fitted(result(LINES), 4_000)
    (tmp_path / ".cellwright" / "permissions.toml").write_text("")
    (tmp_path / ".cellwright" / "permissions.local.toml").write_text("")
    status = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert status.stdout == "?? .cellwright/permissions.toml\n"


def test_an_ignore_file_that_is_there_stays(tmp_path):
    (tmp_path / ".cellwright").mkdir()
    (tmp_path / ".cellwright" / ".gitignore").write_text("mine\n")
    Spill(tmp_path, "run-1").fitted(result(LINES), 4_000)
    assert (tmp_path / ".cellwright" / ".gitignore").read_text() == "mine\n"


def test_the_folder_of_an_earlier_run_of_the_same_id_is_not_touched(tmp_path):
    for text in ("a" * 9_000, "b" * 9_000):
        Spill(tmp_path, "run-1").fitted(result(text), 4_000)
    files = sorted((tmp_path / ".cellwright" / "runs").rglob("*.txt"))
    assert [path.parent.name for path in files] == ["run-1", "run-1-2"]
    assert [path.read_text()[0] for path in files] == ["a", "b"]


@pytest.mark.parametrize("call_id", ["../../x", "/etc/passwd", "a\0b", "", "x" * 500, "ü\n"])
def test_an_id_that_is_no_name_for_a_file_stays_in_the_folder(tmp_path, call_id):
    spill = Spill(tmp_path, "../run")
    spill.fitted(result(LINES, call_id), 4_000)
    spill.fitted(result(LINES, call_id + "?"), 4_000)
    paths = [kept.path for kept in spill.kept.values()]
    assert len(set(paths)) == 2
    assert {path.parent.parent for path in paths} == {tmp_path / ".cellwright" / "runs"}


def test_where_nothing_can_be_written_the_cut_is_said_all_the_same(tmp_path):
    (tmp_path / ".cellwright").write_text("in the way")
    fitted = Spill(tmp_path, "run-1").fitted(result(LINES), 4_000)
    assert fitted.ok and len(fitted.content) <= 4_000
    assert "lines left out; not kept: its folder can't be written: " in fitted.content
    assert fitted.metadata["not_spilled"].startswith("its folder can't be written: ")
    assert "; not kept: there is no folder for it …]" in Spill().fitted(result(LINES), 4_000).content


@pytest.mark.parametrize("link", [".cellwright", ".cellwright/runs"])
def test_a_link_that_leads_out_of_the_working_folder_is_not_followed(tmp_path, link):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "cwd" / link).parent.mkdir(parents=True)
    (tmp_path / "cwd" / link).symlink_to(tmp_path / "elsewhere")
    fitted = Spill(tmp_path / "cwd", "run-1").fitted(result(LINES), 4_000)
    assert "not kept: its folder can't be written: a link may lead out" in fitted.content
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_run_keeps_a_bounded_amount(tmp_path):
    spill = Spill(tmp_path, "run-1")
    half = "x" * (MOST // 2)
    shown = [spill.fitted(result(half, f"call_{n}"), 4_000).content for n in range(3)]
    assert ["not kept: a run keeps 50,000,000 characters" in content for content in shown] == [False, False, True]
    assert sum(os.path.getsize(kept.path) for kept in spill.kept.values()) < MOST * 1.01


def test_a_run_that_goes_on_knows_what_the_run_before_has_kept(tmp_path):
    first = Spill(tmp_path, "run-1")
    first.fitted(result(LINES), 4_000)
    second = Spill(tmp_path, "run-2", first.kept.values())
    second.fitted(result(LINES, "call_2"), 4_000)
    assert list(second.kept) == ["call_1", "call_2"]
    assert list(first.kept) == ["call_1"]


def test_long_lines_are_broken_between_letters():
    letter = "👩\u200d👩\u200d👧"
    rows = broken("short\n" + letter * 2_000 + "\nend").split("\n")
    assert (rows[0], rows[-1], max(map(len, rows)) <= ROW) == ("short", "end", True)
    assert {row.replace(letter, "") for row in rows[1:-1]} == {""}
    assert "".join(rows[1:-1]) == letter * 2_000


def test_a_zero_byte_and_a_carriage_return_are_kept_readable(tmp_path):
    spill = Spill(tmp_path, "run-1")
    spill.fitted(result("a\0b\r\n" * 2_000), 4_000)
    assert kept_text(spill) == "a␀b\r\n" * 2_000
