import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from functools import partial
from importlib.metadata import version

import pytest

from cellwright import Agent, ScriptedModel
from cellwright.catalogue import PRESETS
from cellwright.console.command_line import command_parser, main
from cellwright.models.access import VARIABLES
from cellwright.permission.bypass import FIRST, SECOND

from ..models.shapes import CHAT, Said
from ..models.wire_server import refusing, serving
from ..scene import calling, strict


def process(*arguments, typed="", **variables):
    """The command in a process of its own."""
    command = [sys.executable, "-m", "cellwright.console.command_line", *map(str, arguments)]
    environment = {**os.environ, **variables}
    return subprocess.run(command, capture_output=True, input=typed.encode(), timeout=60, check=False, env=environment)


def script(folder, *turns):
    path = folder / "script.json"
    path.write_text(json.dumps(turns), encoding="utf-8")
    return f"scripted:{path}"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.txt").write_text("héllo\n", encoding="utf-8")
    return tmp_path


class Watching(ScriptedModel):
    """A scripted model that keeps the list it was shown."""

    def stream(self, request):
        self.shown = request.definitions_json
        return super().stream(request)


def test_the_version_is_printed(cellwright):
    done = cellwright("--version")
    assert (done.returncode, done.stdout.decode()) == (0, f"cellwright {version('cellwright')}\n")


def test_each_command_says_in_its_help_what_it_does_and_gives_an_example_that_it_understands(cellwright):
    listed = re.findall(r"^    (\w+)", cellwright("--help").stdout.decode(), re.M)
    assert {"lab", "call", "run", "undo", "explain", "replay"} <= set(listed)
    for name in listed:
        text = cellwright(name, "--help").stdout.decode()
        (example,) = re.findall(r"^example: cellwright (.*)$", text, re.M)
        command_parser().parse_args(shlex.split(example))
        options = re.split(r"^(?:options|positional arguments):\n", text, flags=re.M)[1:]
        bare = re.findall(r"^  (\S.*)\n(?! {10})", "".join(options), re.M)
        assert [line for line in bare if "  " not in line] == [], name


def test_the_tools_are_the_exact_bytes_that_a_model_gets():
    done = process("tools", "--json", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    model = Watching(["done"])
    Agent(model).run_sync("go")
    assert done.stdout == model.shown + b"\n"
    assert all(set(shown) == {"name", "description", "input_schema"} for shown in strict(done.stdout))


def test_the_tools_are_listed_for_people_with_their_traits(cellwright):
    lines = cellwright("tools").stdout.decode().splitlines()
    assert "read_file  [read_only, concurrency_safe]" in lines
    assert any(line.startswith("write_file  [") and "read_only" not in line for line in lines)


def test_where_there_are_many_tools_the_list_says_which_wait_to_be_found(cellwright, tmp_path, monkeypatch):
    names = [f"crowd_{n}" for n in range(45)]
    made = "tool(name='{0}', description='One.', read_only=True)(lambda: 1)"
    (tmp_path / "crowd.py").write_text(
        "\n".join(["from cellwright import tool", *(f"{name} = {made.format(name)}" for name in names)])
    )
    info = tmp_path / "crowd-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: crowd\nVersion: 1.0\n")
    entries = "".join(f"{name} = crowd:{name}\n" for name in names)
    (info / "entry_points.txt").write_text(f"[cellwright.tools]\n{entries}")
    monkeypatch.syspath_prepend(tmp_path)
    lines = cellwright("tools", "minimal", *names).stdout.decode().splitlines()
    assert [line for line in lines if line.endswith("[found by tool_search]")] == [
        f"{name}  [found by tool_search]" for name in sorted(names)
    ]
    assert "tool_search  [read_only, concurrency_safe]" in lines
    shown = strict(cellwright("tools", "--json", "minimal", *names).stdout)
    minimal = [name for name in PRESETS["minimal"] if name != "exit_plan"]
    assert [tool["name"] for tool in shown] == [*minimal, "tool_search"]


def test_a_call_prints_its_result_as_json(cellwright, folder):
    done = cellwright("call", "read_file", '{"path": "a.txt"}', "--cwd", folder)
    result = strict(done.stdout)
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(result) == ["ok", "error_type", "content", "value", "metadata"]
    assert (result["ok"], result["error_type"], "héllo" in result["content"]) == (True, None, True)


FAILING = [
    (["nope", "{}"], "unknown_tool"),
    (["read_file", "{"], "invalid_arguments"),
    (["read_file", '{"path": "none.txt"}'], "tool_error"),
    (["read_file", '{"path": "../x"}'], "guard_denied"),
    (["write_file", '{"path": "b.txt", "content": "x"}'], "approval_unavailable"),
    (["write_file", '{"path": "b.txt", "content": "x"}', "--mode", "plan"], "guard_denied"),
    (
        ["write_file", '{"path": "b.txt", "content": "x"}', "--mode", "dont_ask", "--approve", "all"],
        "permission_denied",
    ),
]


@pytest.mark.parametrize(("arguments", "error"), FAILING, ids=range(len(FAILING)))
def test_a_call_that_fails_is_printed_and_has_exit_code_one(cellwright, folder, arguments, error):
    done = cellwright("call", *arguments, "--cwd", folder)
    assert (done.returncode, strict(done.stdout)["error_type"]) == (1, error)
    assert not (folder / "b.txt").exists()
    assert (b"--approve all answers yes" in done.stderr) == (error == "approval_unavailable")


def test_a_tool_that_is_not_shown_here_is_named_as_such(cellwright):
    done = cellwright("tools", "exit_plan", "read_file")
    assert done.stderr == b"cellwright: exit_plan is installed, but not shown to a model here\n"
    assert done.stdout.startswith(b"read_file  [")


@pytest.mark.parametrize("how", [["--approve", "all"], ["--mode", "accept_edits"]])
def test_a_call_that_is_approved_or_allowed_runs(cellwright, folder, how):
    done = cellwright("call", "write_file", '{"path": "b.txt", "content": "x"}', "--cwd", folder, *how)
    assert (done.returncode, (folder / "b.txt").read_text()) == (0, "x")


@pytest.mark.parametrize(
    ("typed", "code", "error"),
    [("what?\na\n", 0, None), ("r\nnot now\n", 1, "approval_denied")],
)
def test_a_person_at_the_terminal_is_asked_and_standard_output_stays_json(folder, typed, code, error):
    arguments = ["write_file", '{"path": "b.txt", "content": "x"}', "--cwd", folder, "--approve", "ask"]
    done = process("call", *arguments, typed=typed)
    assert (done.returncode, strict(done.stdout)["error_type"]) == (code, error)
    assert b"May this file be written? (write_file)" in done.stderr
    assert b"[a]llow once" in done.stderr


def test_bytes_that_are_no_text_on_the_command_line_do_no_harm(folder):
    command = [
        sys.executable.encode(),
        b"-m",
        b"cellwright.console.command_line",
        b"call",
        b"read_file",
        b'{"path": "\xff"}',
    ]
    done = subprocess.run(command, capture_output=True, cwd=folder, timeout=60, check=False)
    assert (done.returncode, strict(done.stdout)["ok"], done.stderr) == (1, False, b"")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["call", "read_file", "{}", "--cwd", "none"], "none is not there; give another with --cwd"),
        (["run", "go", "--model", "gpt"], "cellwright: no model 'gpt'; there are scripted:tour"),
        (["run", "go", "--cwd", "none"], "is not there; make it, or give another as cwd="),
        (["run", "go", "--model", "scripted:tour", "--base-url", "http://x"], "scripted:tour has no server"),
        (["run", "go", "--log", "../none/log"], "none, or choose another path"),
        (["call", "read_file", "{}", "--mode", "fast"], "invalid choice: 'fast'"),
        ([], "take one call through all stages and print its result"),
    ],
    ids=range(7),
)
def test_what_is_used_wrongly_is_told_on_standard_error(cellwright, folder, monkeypatch, arguments, words):
    monkeypatch.chdir(folder)
    done = cellwright(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert words in done.stderr.decode()


def test_a_run_prints_its_answer_and_tells_the_rest_on_standard_error(cellwright, folder):
    call = {"name": "read_file", "arguments": {"path": "a.txt"}}
    model = script(folder, {"calls": [call]}, "it says héllo")
    done = cellwright("run", "go", "--model", model, "--cwd", folder, "--log", folder / "log")
    assert (done.returncode, done.stdout.decode()) == (0, "it says héllo\n")
    told = [line for line in done.stderr.decode().splitlines() if not line.startswith("note: ")]
    assert told[:2] == ["> read_file", '  call_1 {"path": "a.txt"}']
    kinds = [strict(line)["kind"] for line in (folder / "log").read_text(encoding="utf-8").splitlines()]
    assert (kinds[0], kinds[1], kinds[-1], "result" in kinds) == ("log", "run_started", "run_ended", True)


def test_a_run_asks_whom_it_is_told_to(cellwright, folder):
    call = {"name": "write_file", "arguments": {"path": "b.txt", "content": "x"}}
    model = script(folder, {"calls": [call]}, "done")
    assert cellwright("run", "go", "--model", model, "--cwd", folder, "--approve", "none").returncode == 0
    assert not (folder / "b.txt").exists()
    cellwright("run", "go", "--model", model, "--cwd", folder, "--approve", "all")
    assert (folder / "b.txt").read_text() == "x"


def test_a_run_that_fails_says_why_and_has_exit_code_one(cellwright, folder):
    done = cellwright("run", "go", "--model", script(folder), "--cwd", folder)
    assert (done.returncode, done.stdout) == (1, b"\n")
    assert "cellwright: the run ended: model_error. the script has 0 turns" in done.stderr.decode()


def test_a_run_without_a_model_says_which_one_it_has(cellwright, folder, monkeypatch):
    for variable in VARIABLES.values():
        monkeypatch.delenv(variable, raising=False)
    done = cellwright("run", "What is 6 * 7?", "--cwd", folder, "--approve", "none")
    assert b"no model is named, so scripted:tour is used: no key of a provider and no server" in done.stderr
    assert b"notebook_outline" in done.stderr
    assert b"is used" not in cellwright("run", "go", "--model", script(folder, "done"), "--cwd", folder).stderr


def test_a_run_talks_to_the_server_that_is_named(cellwright, folder):
    call = Said(calls=(("id_a", "read_file", ('{"path":', ' "a.txt"}')),))
    with serving(CHAT.answer(call), CHAT.answer(Said("It says héllo."))) as server:
        named = ("--model", "openai:qwen", "--base-url", f"{server.url}/v1")
        done = cellwright("run", "What does it say?", *named, "--cwd", folder)
    assert (done.returncode, done.stdout.decode()) == (0, "It says héllo.\n")
    assert server.asked[0].json["model"] == "qwen"
    assert "1\théllo" in server.asked[1].json["messages"][-1]["content"]


def test_a_run_with_a_server_that_refuses_says_what_to_do(cellwright, folder):
    with serving(refusing(404, "no model qwen")) as server:
        named = ("--model", "openai:qwen", "--base-url", f"{server.url}/v1")
        done = cellwright("run", "go", *named, "--cwd", folder)
    assert done.returncode == 1
    assert "no model qwen; check the model's name, 'qwen', and the address" in done.stderr.decode()


def test_what_models_write_does_not_steer_the_terminal(cellwright, folder):
    calls = [{"name": "x\x1b[2J", "arguments": "{}"}, {"name": "read_file", "arguments": {"path": "\x1b]0;title\x07"}}]
    done = cellwright("run", "go", "--model", script(folder, {"calls": calls}, "done"), "--cwd", folder)
    assert b"\x1b" not in done.stderr
    assert "> x⟨U+001B⟩[2J" in done.stderr.decode()


def wait_for(words, stream):
    shown = b""
    while words not in shown:
        shown += stream.read(1)


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_a_result_does_not_steer_the_terminal_it_is_printed_on(folder):
    (folder / "odd.txt").write_text("x\x9b2J\u202e\x7fy\n", encoding="utf-8")
    leader, follower = os.openpty()
    command = [sys.executable, "-m", "cellwright.console.command_line", "call", "read_file", '{"path": "odd.txt"}']
    subprocess.run([*command, "--cwd", folder], stdout=follower, timeout=60, check=True)
    os.close(follower)
    printed = os.read(leader, 65_536).decode()
    os.close(leader)
    assert "\\u009b2J\\u202e" in printed and printed.isascii()


def test_an_interrupt_at_a_question_ends_the_run_with_its_log_closed(folder):
    call, log = {"name": "write_file", "arguments": {"path": "b.txt", "content": "x"}}, folder / "log"
    command = [
        sys.executable,
        "-m",
        "cellwright.console.command_line",
        "run",
        "go",
        "--model",
        script(folder, {"calls": [call]}),
    ]
    with started([*command, "--cwd", str(folder), "--log", str(log)]) as running:
        wait_for(b"[a]llow once", running.stderr)
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 130  # while its standard input is still open
    lines = [strict(line) for line in log.read_text().splitlines()]
    assert [line["kind"] for line in lines[-3:]] == ["result", "seen", "run_ended"]
    assert lines[-1]["data"]["stop_reason"] == "cancelled"


def test_a_call_that_is_interrupted_prints_its_result_and_says_by_its_code_that_it_was_stopped(folder):
    line = json.dumps({"command": "touch begun; sleep 60"})
    command = [
        sys.executable,
        "-m",
        "cellwright",
        "call",
        "run_command",
        line,
        "--approve",
        "all",
        "--cwd",
        str(folder),
    ]
    with started(command) as running:
        while not (folder / "begun").exists():
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        said = running.communicate(timeout=20)
    assert (running.returncode, strict(said[0])["error_type"], said[1]) == (130, "cancelled", b"")


def started(command):
    """The program, with pipes. A shell's background jobs ignore interrupts and pass that on, so it is undone here."""
    heeding = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, preexec_fn=heeding)


def test_a_reader_that_goes_away_is_no_crash(folder):
    command = [sys.executable, "-m", "cellwright.console.command_line", "tools", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        running.stdout.close()
        said = running.stderr.read()
    assert (running.returncode, said) == (1, b"")


def test_what_is_granted_at_the_terminal_is_shown_first_and_kept_in_the_project(folder, tmp_path):
    own = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    call = ["call", "write_file", '{"path": "d/b.txt", "content": "x"}', "--cwd", folder, "--approve"]
    done = process(*call, "ask", typed="g\n2\np\n", **own)
    assert b"  2  the same folder, and all in it: write_file(d/*)\n" in done.stderr
    assert done.returncode == 0
    again = ["call", "write_file", '{"path": "d/c.txt", "content": "x"}', "--cwd", folder]
    assert process(*again, **own).returncode == 0


def at_a_terminal(folder, *typed):
    """The exit code and errors of a call in mode bypass by a person who types these lines."""
    person, terminal = pty.openpty()
    call = ["call", "write_file", '{"path": "b.txt", "content": "x"}', "--cwd", folder, "--mode", "bypass"]
    command = [sys.executable, "-m", "cellwright.console.command_line", *map(str, call)]
    try:
        os.write(person, "".join(line + "\n" for line in typed).encode())
        done = subprocess.run(command, stdin=terminal, capture_output=True, timeout=60, check=False)
    finally:
        os.close(person)
        os.close(terminal)
    return done.returncode, done.stderr.decode()


def test_mode_bypass_is_confirmed_twice_at_the_terminal(folder):
    code, said = at_a_terminal(folder, FIRST, SECOND)
    assert (code, FIRST in said, SECOND in said, (folder / "b.txt").read_text()) == (0, True, True, "x")


@pytest.mark.parametrize("typed", [("yes", "yes"), (FIRST, "yes"), (SECOND, FIRST)])
def test_another_word_does_not_enter_mode_bypass(folder, typed):
    code, said = at_a_terminal(folder, *typed)
    assert (code, "mode bypass was not entered" in said, (folder / "b.txt").exists()) == (2, True, False)


def test_mode_bypass_is_not_entered_where_no_terminal_is(folder):
    done = process("run", "go", "--cwd", folder, "--mode", "bypass", typed=f"{FIRST}\n{SECOND}\n")
    assert (done.returncode, b"confirmed twice at a terminal, and there is none" in done.stderr) == (2, True)


def test_a_log_is_replayed_without_a_model(folder, capsys):
    log = folder / "log"
    model = ScriptedModel([calling("list_dir"), "It is empty."])
    Agent(model, ["list_dir"], cwd=folder, log=log).run_sync("go")
    assert main(["replay", str(log)]) == 0
    told = capsys.readouterr()
    assert (told.out, "> list_dir" in told.err) == ("It is empty.\n", True)
    assert main(["replay", str(folder / "none")]) == 2
