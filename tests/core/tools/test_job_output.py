"""`job_output`: what a command in the background has written."""

import os

from cellwright import Policy
from cellwright.catalogue import load
from cellwright.person.approval import AllowAll

from ..scene import calling, plain, play

TOOLS = [load(name) for name in ("run_command", "job_output", "wait", "kill_job")]
LOOK = calling(("job_output", {"job": "job-1"}))


def start(command, **more):
    return calling(("run_command", {"command": command, "background": True, **more}))


def test_it_gives_what_is_new_and_whether_the_job_still_runs(tmp_path):
    os.mkfifo(tmp_path / "go")

    def go(args, env):
        (tmp_path / "go").write_text("on\n")
        return "went"

    turns = [start("echo one; read x < go; echo two; exit 4"), calling(("go", {})), calling(("wait", {})), LOOK, "done"]
    run = play(turns, [*TOOLS, plain(go)], approver=AllowAll(), cwd=tmp_path)
    started, _, waited, looked = run.results
    assert started.value["job"] == "job-1"
    assert waited.content.endswith("one\ntwo\n[exit code 4]")
    assert (looked.content, looked.value["exit_code"], looked.value["output"]) == ("(no output)\n[exit code 4]", 4, "")


def test_a_running_job_is_said_to_run_and_ends_with_the_run(tmp_path):
    run = play([start("sleep 60"), LOOK, "done"], TOOLS, cwd=tmp_path)
    assert run.results[1].content == "(no output)\n[running]"
    assert run.results[1].value["state"] == "running"


def test_an_unknown_name_is_answered_with_those_there_are(tmp_path):
    (result,) = play([LOOK, "done"], TOOLS, cwd=tmp_path, policy=Policy("plan")).results
    assert (result.metadata["code"], "there are: none" in result.content) == ("not_found", True)
