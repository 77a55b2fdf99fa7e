"""A run of ripgrep is closed to the outside and always ends."""

import os
import subprocess
import threading
import time

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.tools.ripgrep import MAX_RECORD, Ended, program, ripgrep, unread_notes


def run(folder, *arguments, env=None):
    records = []
    ended = ripgrep(
        list(arguments), folder, env or Env(cwd=folder), lambda block: records.extend(block.split(b"\n")), b"\n"
    )
    return sorted(records), ended


def test_records_come_whole_whatever_the_size(tmp_path):
    (tmp_path / "t").write_text("x" * 300_000 + "\nx\n")
    records, ended = run(tmp_path, "--no-filename", "x", "--", ".")
    assert [len(record) for record in records] == [1, 300_000]
    assert ended == Ended((), (), True)


def test_a_configuration_from_outside_changes_nothing(tmp_path, monkeypatch):
    (tmp_path / "config").write_text("--invert-match\n")
    (tmp_path / "t").write_text("x\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(tmp_path / "config"))
    assert run(tmp_path, "--no-filename", "^x", "--", "t")[0] == [b"x"]


@pytest.mark.parametrize("with_git", [True, False])
def test_ignore_files_count_with_and_without_a_repository(tmp_path, with_git):
    if with_git:
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / ".gitignore").write_text("a\n.gitignore\n")
    for name in ("a", "b", ".c"):
        (tmp_path / name).touch()
    assert run(tmp_path, "--files", "--", ".")[0] == [b"./.c", b"./b"]


def test_a_glob_given_can_not_bring_back_what_is_always_skipped(tmp_path):
    for name in (".git", ".ssh"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config").touch()
    assert run(tmp_path, "--files", "--glob", "**/config", "--", ".")[0] == []


def test_a_refusal_is_told(tmp_path):
    assert "error: unclosed group" in run(tmp_path, "(", "--", ".")[1].complaints


def test_a_file_is_searched_as_it_was_opened_and_has_no_name(tmp_path):
    (tmp_path / "t").write_text("one\ntwo\n")
    assert run(tmp_path / "t", "--with-filename", "o$", "--", "-")[0] == [b"<stdin>:two"]


@pytest.mark.parametrize(("place", "target"), [("docs", "."), ("docs/t", "-"), ("link", "-")])
def test_a_link_in_the_place_of_what_is_searched_is_not_followed(tmp_path, place, target):
    (tmp_path / "docs").symlink_to("outside")
    (tmp_path / "link").symlink_to("outside/t")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "t").write_text("x\n")
    with pytest.raises(ToolError, match="is a link now"):
        run(tmp_path / place, "x", "--", target)


def test_a_run_stops_when_the_tool_is_asked_to(tmp_path):
    os.mkfifo(tmp_path / "p")
    env = Env(cwd=tmp_path.resolve())
    threading.Timer(0.2, env.stopping.set).start()
    started = time.monotonic()
    _, ended = run(tmp_path, "x", "--", "p", env=env)
    assert time.monotonic() - started < 5
    assert ended.complete is False


def test_a_record_that_would_fill_the_memory_ends_the_run_and_is_told(tmp_path):
    (tmp_path / "t").write_bytes(b"x" * (MAX_RECORD + 200_000))
    records, ended = run(tmp_path, "--no-filename", "x", "--", ".")
    assert (records, ended.complete) == ([], False)
    assert ended.complaints[0].startswith("a matching line has more than 64,000,000 bytes")
    assert unread_notes(ended) == []


def test_ripgrep_is_found_beside_python_or_by_the_system():
    assert subprocess.run([program(), "--version"], capture_output=True, check=True).stdout.startswith(b"ripgrep")


def test_what_could_not_be_read_is_told_within_bounds():
    notes = unread_notes(Ended(tuple(f"f{n} (Permission denied)" for n in range(25)), (), False))
    assert notes[0] == "not read: f0 (Permission denied)"
    assert notes[-2:] == [
        "15 more could not be read",
        "stopped after 30 seconds, so there may be more; narrow it with path",
    ]
