"""`run_command` through the real loop."""

import asyncio
import json
import os
from pathlib import Path

import pytest

from cellwright import Env, Policy
from cellwright.catalogue import load
from cellwright.permission.grant import Grant
from cellwright.person.approval import AllowAll
from cellwright.tools.run_command import run_command
from cellwright.views.view import as_text

from ..scene import act, agent_of, calling, encodes, plain, play

TOOLS = [load(name) for name in ("run_command", "job_output", "wait", "kill_job")]


def line(command, **more):
    return ("run_command", {"command": command, **more})


def results(folder, *commands, **conditions):
    """The results of these calls, one in a turn; what is asked is allowed."""
    turns = [calling(line(command) if isinstance(command, str) else command) for command in commands]
    conditions.setdefault("approver", AllowAll())
    run = play([*turns, "done"], conditions.pop("tools", TOOLS), cwd=folder, **conditions)
    assert run.stop_reason == "answered"
    return run.results


def contents(folder, *commands, **conditions):
    return [result.content for result in results(folder, *commands, **conditions)]


def test_it_gives_output_and_exit_code_to_the_model_and_a_terminal_to_the_person(tmp_path):
    (result,) = results(tmp_path, "printf '\\033[31mred\\033[0m\\n'")
    assert result.content == "red\n[exit code 0]"
    assert (result.value["exit_code"], result.value["output"], result.value["bytes"]) == (0, "red\n", 13)
    (terminal,) = result.view.views
    assert terminal.text == "\033[31mred\033[0m\n"


def test_a_failing_command_is_an_error_with_what_it_said(tmp_path):
    result, killed = results(tmp_path, "echo before; ls missing; exit 3", "kill -9 $$")
    assert (result.ok, result.error_type, result.metadata["code"]) == (False, "tool_error", "command_failed")
    assert result.content.startswith("exit code 3\nbefore\n")
    assert "No such file" in result.content
    assert "before" in as_text(result.view)
    assert killed.content == "it was ended by the signal SIGKILL\n(no output)"


@pytest.mark.parametrize("background", ["sleep 30 &", "nohup sleep 30 >/dev/null &", "(sleep 30; echo late) &"])
def test_what_a_command_leaves_behind_is_not_waited_for_and_said(background, tmp_path):
    (result,) = results(tmp_path, line(f"{background} echo started", timeout=20))
    assert result.content.startswith("started\n[exit code 0]\n[it left ")
    assert "(pid " in result.content


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("cat", 0, "(no output)"),
        ("read x; echo got:$x", 0, "got:"),
        ("python3 -c 'input()'", 1, "EOFError"),
        ("echo 'A <a@b.c>' > note.txt; cat", 0, "(no output)"),
        ("git --no-pager log 2>/dev/null; git var GIT_PAGER; git var GIT_EDITOR", 0, "cat\nfalse"),
    ],
)
def test_nothing_waits_for_a_keyboard_a_pager_or_an_editor(command, code, said, tmp_path):
    (result,) = results(tmp_path, line(command, timeout=20))
    assert (said in result.content, f"exit code {code}" in result.content) == (True, True), result.content


def test_a_text_with_signs_of_the_shell_is_only_a_text(tmp_path):
    results(tmp_path, "echo 'A <a@b.c>' > note.txt; cat")
    assert (tmp_path / "note.txt").read_text() == "A <a@b.c>\n"


def test_a_command_that_ignores_the_request_to_end_is_ended_in_time_and_shows_what_it_said(tmp_path):
    (result,) = results(tmp_path, line("trap '' TERM INT; echo on; while :; do sleep 1; done", timeout=0.3))
    assert (result.error_type, result.metadata["code"]) == ("timeout", "timeout")
    assert result.content.startswith("it did not end within 0.3 s and was ended with all that it started")
    assert result.content.endswith("\non")


@pytest.mark.parametrize(
    ("printed", "seen"),
    [
        ("\\360\\050ok\\377", "\ufffd(ok\ufffd"),
        ("a\\000b", "ab"),
        ("\\355\\240\\200", "\ufffd"),
        ("caf\\351", "caf\ufffd"),
    ],
)
def test_bytes_that_are_no_text_are_shown_as_such(printed, seen, tmp_path):
    (result,) = results(tmp_path, f"printf '{printed}\\n'; exit 3")
    assert seen in result.content
    assert "exit code 3" in result.content
    encodes(result.as_json())


@pytest.mark.parametrize("flood", ["yes 0123456789 | head -c 30000000", "head -c 30000000 /dev/zero | tr '\\0' x"])
def test_a_flood_is_cut_counted_and_keeps_its_end(flood, tmp_path):
    (result,) = results(tmp_path, f"{flood}; echo done")
    assert result.content.endswith(
        ("done\n[exit code 0]\n[30000005 bytes of output]", "done]\n[exit code 0]\n[30000005 bytes of output]")
    )
    assert (result.value["bytes"], len(result.content) < 31_000) == (30_000_005, True)


def test_what_is_cut_can_be_read_on(tmp_path):
    tools = [*TOOLS, load("read_result")]
    (result,) = results(tmp_path, "seq 20000", tools=tools)
    assert "read_result" in result.content
    assert result.content.endswith("\n20000\n[exit code 0]")


def test_a_spill_that_can_not_be_written_does_not_fail_the_call(tmp_path):
    (tmp_path / ".cellwright").write_text("in the way")
    (result,) = results(tmp_path, "seq 20000")
    assert (result.ok, "not kept" in result.content) == (True, True)


def test_a_folder_is_remembered_for_the_commands_after(tmp_path):
    root = tmp_path.resolve()
    said = contents(root, "mkdir -p a/b; cd a", "pwd; cd b", "pwd; cd ../..", "pwd")
    assert said[0] == "(no output)\n[exit code 0]\n[commands now run in a]"
    assert said[1] == f"{root}/a\n[exit code 0]\n[commands now run in a/b]"
    assert said[2] == f"{root}/a/b\n[exit code 0]\n[commands now run in the working folder]"
    assert said[3] == f"{root}\n[exit code 0]"


@pytest.mark.parametrize(
    "command", ["cd a; false", "(cd a)", "cd a | cat", "cd /", "cd ..", "cd .ssh", "cd .cellwright", "cd .git"]
)
def test_other_changes_of_folder_are_not(command, tmp_path):
    for name in ("a", ".ssh", ".cellwright", ".git"):
        (tmp_path / name).mkdir()
    said = contents(tmp_path.resolve(), command, "pwd")
    assert said[1] == f"{tmp_path.resolve()}\n[exit code 0]"


def test_a_folder_that_is_gone_is_said_and_the_working_folder_used(tmp_path):
    root = tmp_path.resolve()
    said = contents(root, "mkdir gone && cd gone && pwd", 'rm -rf "$PWD"', "echo hi", "cd . && pwd")
    assert said[2].startswith("hi\n[exit code 0]\n[the folder gone is not there any more")
    assert str(root) in said[2]
    assert said[3] == f"{root}\n[exit code 0]"


def test_without_a_working_folder_nothing_is_run(tmp_path):
    work = tmp_path / "work"
    work.mkdir()

    def remove(args, env):
        work.rmdir()
        return "removed"

    _, result = results(work, ("remove", {}), "echo hi", tools=[*TOOLS, plain(remove)])
    assert (result.metadata["code"], "not there any more" in result.content) == ("not_found", True)


def test_a_run_that_goes_on_from_another_begins_in_its_folder(tmp_path):
    agent = agent_of([calling(line("mkdir a; cd a")), "done", calling(line("pwd")), "done"], TOOLS, cwd=tmp_path)
    agent = type(agent)(agent.model, TOOLS, cwd=tmp_path, approver=AllowAll())
    first = agent.run_sync("go")

    async def go_on():
        return await agent.run("more", after=first)

    (result,) = asyncio.run(go_on()).results
    assert result.value["output"] == f"{tmp_path.resolve()}/a\n"


def test_commands_that_only_read_overlap_and_move_in_the_order_of_their_calls(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    turn = calling(line("cd a && pwd"), line("pwd"), line("cd b && pwd"))
    run = play([turn, calling(line("pwd")), "done"], TOOLS, cwd=tmp_path)
    root = str(tmp_path.resolve())
    assert [result.value["output"].strip() for result in run.results] == [f"{root}/a", root, f"{root}/b", f"{root}/b"]


@pytest.mark.parametrize(
    ("command", "traits"),
    [
        ("ls && git status", (True, True, False)),
        ("echo hi > a.txt", (False, False, False)),
        ("rm a.txt", (False, False, True)),
        ("make", (False, False, False)),
        ("$x y", (False, False, True)),
    ],
)
def test_traits_come_from_what_the_line_does(command, traits):
    names = ("read_only", "concurrency_safe", "destructive")
    assert tuple(run_command.trait(name, {"command": command}) for name in names) == traits


def test_what_is_read_is_judged_from_the_folder_in_which_it_runs(tmp_path):
    inner = tmp_path / "work" / "sub"
    inner.mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (inner / "link").symlink_to(tmp_path / "secret.txt")
    (inner / "fine").write_text("fine")
    moved = Env(inner.parent.resolve(), moved_to=lambda: "sub")
    judged = [
        Policy().decide(run_command, {"command": c}, moved).decision
        for c in ("cat fine", "cat link", "cat ../../secret.txt", "cat ../sub/fine", "cat < link")
    ]
    assert judged == ["allow", "ask", "ask", "allow", "ask"]


def test_a_destructive_command_needs_a_grant_of_its_exact_words(tmp_path):
    commands = ["touch a b", "rm a", "rm b"]
    agent = agent_of([*(calling(line(c)) for c in commands), "done"], TOOLS, cwd=tmp_path, policy="dont_ask")
    agent.grants.add(Grant("session", ("run_command(touch *)", "run_command(rm *)", "run_command(rm b)")))
    assert [result.error_type for result in asyncio.run(act(agent)).results] == [None, "permission_denied", None]


def test_the_person_is_shown_the_line_the_folder_and_the_time(tmp_path):
    shown = as_text(run_command.present_call({"command": "make all"}, Env(tmp_path.resolve())))
    assert (shown.splitlines()[0], shown.splitlines()[-1]) == ("in the working folder, for 120 s at most", "make all")


def test_a_failing_command_stops_its_siblings(tmp_path):
    turn = calling(line("sleep 60"), line("grep nothing missing"))
    run = play([turn, "done"], TOOLS, cwd=tmp_path)
    assert [result.error_type for result in run.results] == ["cancelled", "tool_error"]


def test_a_run_that_is_stopped_ends_the_command_at_once(tmp_path):
    os.mkfifo(tmp_path / "held")
    held = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    agent = agent_of([calling(line("trap '' TERM; exec 9>held; echo up > up; sleep 60")), "done"], TOOLS, cwd=tmp_path)
    agent = type(agent)(agent.model, TOOLS, cwd=tmp_path, approver=AllowAll())

    async def stop(run):
        while not (tmp_path / "up").exists():
            await asyncio.sleep(0.01)
        run.cancel()

    run = asyncio.run(act(agent, stop))
    assert (run.stop_reason, run.results[0].error_type) == ("cancelled", "cancelled")
    os.set_blocking(held, True)
    assert os.read(held, 1) == b""  # once nobody is left who could write
    os.close(held)


def test_what_it_writes_is_told_while_it_runs(tmp_path):
    class Watcher:
        told = ""

        def on_event(self, event):
            if event.kind == "progress":
                self.told += event.data["text"]
                (tmp_path / "go").write_text("on\n")

    watcher = Watcher()
    os.mkfifo(tmp_path / "go")
    (result,) = results(tmp_path, "echo one; read x < go; echo two", observers=[watcher])
    assert (result.ok, watcher.told.startswith("one\n")) == (True, True)


@pytest.mark.parametrize(
    "wrong", [{"command": ""}, {"command": "a\0b"}, {"command": "ls", "timeout": 0}, {"command": "ls", "timeout": 601}]
)
def test_arguments_that_make_no_sense_are_refused(wrong, tmp_path):
    (result,) = results(tmp_path, ("run_command", wrong))
    assert result.error_type == "invalid_arguments"


def test_a_line_that_is_no_shell_says_where(tmp_path):
    (result,) = results(tmp_path, "bad (")
    assert (result.metadata["code"], "syntax error" in result.content) == ("command_failed", True)
    assert "trap" not in result.content


def test_where_there_is_no_shell_there_is_no_tool(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "no" in run_command.absence(Env(tmp_path))
    monkeypatch.undo()
    assert run_command.absence(Env(Path(tmp_path))) == ""


def test_a_secret_in_the_output_is_masked(tmp_path):
    secret = "s3cr3t-0123456789"
    (tmp_path / "key").write_text(secret)
    (result,) = results(tmp_path, "cat key", secrets={"DEPLOY_KEY": secret})
    assert secret not in json.dumps(result.as_json()) + as_text(result.view)
