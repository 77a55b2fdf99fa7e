"""What the command line tells and takes back of runs that are over."""

import json
import subprocess

import pytest

from cellwright import Agent, Allow, ScriptedApprover, ScriptedModel, Session, Turn
from cellwright.sessions.session_folder import SESSIONS

WRITES = Turn(
    calls=[("write_file", {"path": "a/plan.txt", "content": "one"}), ("run_command", {"command": "pwd > here"})]
)
MORE = Turn(calls=[("write_file", {"path": "more.txt", "content": "two"})])


@pytest.fixture
def cellwright(cellwright):
    """The same command; what it said is text."""

    def run(*arguments):
        done = cellwright(*arguments)
        return subprocess.CompletedProcess(arguments, done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder, which is the current one, with a session in which files were written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / SESSIONS).mkdir(parents=True)
    agent = Agent(
        ScriptedModel([WRITES, MORE, "Done."]),
        policy="accept_edits",
        approver=ScriptedApprover([Allow()]),
        log=tmp_path / SESSIONS / "monday.jsonl",
    )
    agent.run_sync("Plan\x1b[2J it.")
    return tmp_path


def test_sessions_are_listed_by_their_names_and_prompts_and_steer_no_terminal(cellwright, folder):
    done = cellwright("sessions")
    assert (done.returncode, "monday.jsonl" in done.stdout, "Plan⟨U+001B⟩[2J it." in done.stdout) == (0, True, True)
    (line,) = cellwright("sessions", "--json").stdout.splitlines()
    assert json.loads(line)["path"] == str(folder / SESSIONS / "monday.jsonl")
    assert cellwright("sessions", folder).stdout == f"{folder} holds no session\n"


def test_what_a_run_changed_is_told_with_what_stays(cellwright, folder):
    told = cellwright("effects", "monday").stdout.splitlines()
    assert [line.split()[0] for line in told] == ["call_1", "call_2", "stays:", "call_3"]
    assert told[0] == "call_1  step 1  write_file  a/plan.txt"
    facts = json.loads(cellwright("effects", "monday.jsonl", "--json").stdout)
    assert [(fact["id"], fact["files"], fact["can_change"]) for fact in facts] == [
        ("call_1", ["a/plan.txt"], True), ("call_2", [], False), ("call_3", ["more.txt"], True),
    ]  # fmt: skip


def test_a_call_is_undone_and_done_again_from_the_log(cellwright, folder):
    done = cellwright("undo", f"{SESSIONS}/monday.jsonl", "call_1")
    assert (done.returncode, done.stdout) == (0, "undone: call_1 (write_file): a/plan.txt\n")
    assert not (folder / "a").exists()
    assert "call_1  step 1  write_file [undone]" in cellwright("effects", "monday").stdout
    assert cellwright("redo", "monday", "call_1").stdout == "redone: call_1 (write_file): a/plan.txt\n"
    assert (folder / "a" / "plan.txt").read_text() == "one"


def test_all_from_a_step_on_is_undone_and_what_stays_is_said(cellwright, folder):
    told = cellwright("undo", "monday", "--to", "1").stdout.splitlines()
    assert told[:2] == ["undone: call_3 (write_file): more.txt", "undone: call_1 (write_file): a/plan.txt"]
    assert told[2].startswith("stays: call_2 (run_command): it ran a command")
    assert sorted(path.name for path in folder.iterdir()) == [".cellwright", "here"]
    assert (
        cellwright("undo", "monday", "--to", "call_3").stdout == f"nothing of {last(folder).id} is left to undo there\n"
    )


def last(folder):
    return Session.load(folder / SESSIONS / "monday.jsonl").last


def test_a_session_is_gone_on_from_by_its_name_and_written_behind(cellwright, folder):
    (folder / "script.json").write_text(json.dumps(["Yes, I planned."]), encoding="utf-8")
    arguments = ("run", "Did you?", "--model", f"scripted:{folder}/script.json", "--after", "monday")
    assert cellwright(*arguments).stdout == "Yes, I planned.\n"
    runs = Session.load(folder / SESSIONS / "monday.jsonl").runs
    assert [run.prompt for run in runs][1:] == ["Did you?"]
    assert runs[1].conversation[: len(runs[0].conversation)] == runs[0].conversation
    assert cellwright("effects", "monday").stdout == f"{runs[1].id} has changed nothing\n"
    assert cellwright("undo", "monday", "call_1", "--run", "1").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["effects", "mondy"],
            "there is no session 'mondy'; 'monday' is near it; `cellwright sessions` lists those of",
        ),
        (["run", "go", "--model", "scripted:tour", "--after", "x\0"], "there is no session 'x\\x00'; `cellwright"),
        (["replay", "none"], "there is no session 'none'"),
        (["undo", "monday"], "name a call, or --to PLACE for all from there on; see `cellwright effects monday`"),
        (["undo", "monday", "call_1", "--to", "1"], "name a call, or --to PLACE"),
        (["undo", "monday", "call_9"], "no call 'call_9' has changed a file; those that did: call_1 (write_file)"),
        (["undo", "monday", "--to", "9"], "there is no call or step 9 in this run"),
        (["redo", "monday", "call_1"], "call_1 (write_file) is not undone, so there is nothing to redo"),
        (["effects", "monday", "--run", "2"], "--run 2 is not there: monday holds 1 run, from 1"),
        (["sessions", "nowhere"], "nowhere is not there; give one that holds logs (*.jsonl)"),
        (["effects", "own.txt"], "line 1 of the log"),
    ],
    ids=range(11),
)
def test_what_can_not_be_is_told_and_changes_nothing(cellwright, folder, arguments, words):
    (folder / "own.txt").write_text("mine\n")
    done = cellwright(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert (folder / "a" / "plan.txt").read_text() == "one"


def test_a_run_is_written_down_as_what_the_ending_of_the_file_says_and_never_over_another(cellwright, folder):
    assert cellwright("export", "monday", "run.ipynb").stdout == "written: run.ipynb\n"
    assert json.loads((folder / "run.ipynb").read_text(encoding="utf-8"))["nbformat"] == 4
    assert cellwright("export", "monday", "--run", "1", "run.md").returncode == 0
    assert "Done." in (folder / "run.md").read_text(encoding="utf-8")
    for target, words in (("run.md", "File exists; give another file"), ("run.html", "neither .ipynb nor .md")):
        done = cellwright("export", "monday", target)
        assert (done.returncode, done.stdout, words in done.stderr) == (2, "", True)


def test_a_run_is_forked_from_its_log_and_the_fork_is_written_behind_it(cellwright, folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    (folder / "other.json").write_text(json.dumps(["It went another way."]))
    asked = ["--at", "2", "--result", "It was there.", "--model", f"scripted:{folder / 'other.json'}"]
    asked += ["--cwd", folder]
    done = cellwright("fork", "monday", *asked)
    assert (done.returncode, done.stdout) == (0, "It went another way.\n")
    assert f"the fork is written to {folder / SESSIONS / 'monday.jsonl'}" in done.stderr
    assert done.stderr.count("run_here is left out") <= 1
    first, fork = Session.load(folder / SESSIONS / "monday.jsonl").runs
    assert (first.answer, fork.answer, fork.results[-1].content) == ("Done.", "It went another way.", "It was there.")
    assert [result.call.id for result in fork.results] == ["call_1", "call_2", "call_3"]
    done = cellwright("fork", "monday", "--run", "1", "--at", "9", *asked[2:])
    assert (done.returncode, "has no step 9; its steps are 1 to 3" in done.stderr) == (2, True)
