"""A shell command on its way."""

import asyncio
import os
import subprocess
import sys

import pytest

from cellwright.commands.command import Command, command_environment, shell
from cellwright.errors import ToolError

TRAPS = "trap '' TERM INT; echo ready; while :; do sleep 0.05; done"


def ran(line, folder, timeout=20):
    """The command at its end, which leaves no task behind."""

    async def run():
        command = Command(line, folder)
        assert await command.wait(timeout)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return command

    return asyncio.run(run())


def wrote(line, folder):
    return ran(line, folder).output.text()


def is_alive(pid):
    """Whether the process runs; one that nobody has buried yet does not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return bool(state) and not state.startswith("Z")


def test_output_of_both_streams_comes_in_the_order_in_which_it_was_written(tmp_path):
    command = ran("echo one; echo two >&2; echo three; exit 3", tmp_path)
    assert (command.output.text(), command.exit_code, command.stopped) == ("one\ntwo\nthree\n", 3, "")


@pytest.mark.parametrize("line", ["cat", "read x; echo got:$x", "echo '<'; cat", "cat /dev/tty; true"])
def test_nothing_waits_for_a_keyboard(line, tmp_path):
    assert ran(line, tmp_path).is_over


@pytest.mark.parametrize("line", ["sleep 60 & echo on", "(sleep 60; echo late) & echo on", "nohup sleep 60 & echo on"])
def test_a_child_that_holds_the_output_is_not_waited_for_and_ended(line, tmp_path):
    os.mkfifo(tmp_path / "held")
    held = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    command = ran(f"exec 9>held; {line}", tmp_path)
    assert (command.output.text(), command.exit_code) == ("on\n", 0)
    assert all("(pid " in left for left in command.left)
    assert command.left
    os.set_blocking(held, True)
    assert os.read(held, 1) == b""  # once nobody is left who could write
    os.close(held)


def test_a_daemon_is_not_waited_for_and_said_to_run(tmp_path):
    daemon = f"{sys.executable} -c 'import os, time; os.setsid(); print(os.getpid(), flush=True); time.sleep(60)'"
    command = ran(f"mkfifo up; {{ {daemon} | tee up; }} & head -n 1 up; true", tmp_path)
    pid = int(command.output.text().split()[0])
    assert command.exit_code == 0
    os.kill(pid, 9)


def test_one_that_left_its_group_and_holds_the_output_is_noticed(tmp_path):
    code = "import os, sys, time; os.fork() and os._exit(0); os.setsid(); open('pid', 'w').write(str(os.getpid()))"
    line = (
        f"{sys.executable} -c \"{code}; os.rename('pid', 'up'); time.sleep(60)\"; until [ -e up ]; do :; done; echo on"
    )
    command = ran(line, tmp_path)
    os.kill(int((tmp_path / "up").read_text()), 9)
    assert (command.output.text(), command.is_held, command.left) == ("on\n", True, ())


STRAY = "import os, time; os.fork() and os.wait(); os.setsid(); print('ready', flush=True); time.sleep(60)"


@pytest.mark.parametrize(
    "line",
    [TRAPS, "echo ready; sleep 60", "sleep 60 & echo ready; wait", f'{sys.executable} -c "{STRAY}"; true'],
    ids=["trap", "plain", "background", "a session of its own"],
)
def test_a_stopped_command_is_gone_with_all_that_it_started_whatever_it_ignores(line, tmp_path):
    async def stop():
        said = asyncio.Event()
        command = Command(f"exec 9>held; {line}", tmp_path, lambda data: said.set())
        await said.wait()
        await command.stop("enough", 0.1)
        return command

    os.mkfifo(tmp_path / "held")
    held = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    command = asyncio.run(stop())
    assert (command.is_over, command.stopped, command.exit_code < 0) == (True, "enough", True)
    os.set_blocking(held, True)
    assert os.read(held, 1) == b""  # once nobody is left who could write
    os.close(held)


def test_what_is_written_is_told_while_it_runs(tmp_path):
    async def follow():
        said, heard = asyncio.Event(), []
        command = Command("echo one; read x < go; echo $x", tmp_path, lambda data: (heard.append(data), said.set()))
        await said.wait()
        assert (heard, command.is_over) == ([b"one\n"], False)
        (tmp_path / "go").write_text("two\n")
        await command.wait(10)
        return b"".join(heard)

    os.mkfifo(tmp_path / "go")
    assert asyncio.run(follow()) == b"one\ntwo\n"


def test_a_flood_is_bounded_and_the_event_loop_goes_on_meanwhile(tmp_path):
    async def watch():
        turns = 0
        command = Command("head -c 60000000 /dev/zero; echo done", tmp_path)
        while not command.is_over:
            turns += 1
            await asyncio.sleep(0)
        return command, turns

    command, turns = asyncio.run(watch())
    assert (command.output.total, command.output.text()[-5:]) == (60_000_005, "done\n")
    assert len(command.output.text()) < 2_000_000
    assert turns > 30


def test_an_event_loop_that_ends_takes_the_command_with_it(tmp_path):
    async def leave():
        said = asyncio.Event()
        command = Command(TRAPS, tmp_path, lambda data: said.set())
        await said.wait()
        return command

    command = asyncio.run(leave())
    assert not is_alive(command.pid)


@pytest.mark.parametrize(
    ("line", "folder"),
    [
        ("cd a", "a"),
        ("cd a && cd ..", "."),
        ("pushd a >/dev/null", "a"),
        ("(cd a)", "."),
        ("cd 'with space'", "with space"),
        ("cd a; exit 3", "a"),
        ("exec true", None),
        ("trap - EXIT; cd a", None),
    ],
)
def test_the_last_folder_is_told_by_the_shell_itself(line, folder, tmp_path):
    for name in ("a", "with space"):
        (tmp_path / name).mkdir()
    told = ran(line, tmp_path.resolve()).last_folder
    assert told == (None if folder is None else (tmp_path / folder).resolve())


def test_the_environment_has_no_secrets_no_pager_no_editor_and_nothing_that_steers_the_shell():
    given = {
        "PATH": "/bin",
        "GITHUB_TOKEN": "ghp_0123456789abcdef",
        "BASH_ENV": "evil",
        "CDPATH": "/",
        "BASH_FUNC_ls%%": "() { rm x; }",
        "PAGER": "less",
    }
    passed = command_environment(given)
    assert passed["PATH"] == "/bin"
    assert (passed["PAGER"], passed["GIT_PAGER"], passed["EDITOR"], passed["TERM"]) == ("cat", "cat", "false", "dumb")
    assert not {"GITHUB_TOKEN", "BASH_ENV", "CDPATH", "BASH_FUNC_ls%%"} & set(passed)


def test_a_secret_of_the_environment_does_not_reach_a_command(tmp_path, monkeypatch):
    monkeypatch.setenv("DEPLOY_TOKEN", "s3cr3t-0123456789")
    assert wrote("echo [$DEPLOY_TOKEN]", tmp_path) == "[]\n"


def test_a_folder_that_is_gone_and_a_line_that_is_too_long_are_clear_errors(tmp_path):
    with pytest.raises(ToolError, match="can't be started in"):
        ran("true", tmp_path / "gone")
    with pytest.raises(ToolError, match="too long"):
        ran("true " + "x" * 3_000_000, tmp_path)


def test_a_missing_shell_is_a_clear_error(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shell() == ""
    with pytest.raises(ToolError, match="no shell"):
        ran("true", tmp_path)


def test_no_file_descriptors_are_left_open(tmp_path):
    ran("true", tmp_path)
    before = len(os.listdir("/dev/fd"))
    for _ in range(5):
        ran("sleep 60 & true", tmp_path)
    assert len(os.listdir("/dev/fd")) == before
