import asyncio
import json
import os
import sys
import time

import psutil
import pytest

from cellwright import Allow, UsageError, tool
from cellwright.hooks.command_hook import command_hook
from cellwright.hooks.hook import Block, Hook

from ..scene import act, agent_of, calling, kinds_of, play

EVENTS = ["before_call", "after_call", "run_start", "run_end", "user_prompt"]


@tool
def write(text: str) -> str:
    """Would change something, so it is asked about."""
    return f"wrote {text}"


def python(code):
    return [sys.executable, "-c", f"import json, os, sys, time\n{code}"]


def saying(**answer):
    return python(f"print(json.dumps({answer!r}))")


def played(*hooks, answers=(), **conditions):
    return play([calling(("write", {"text": "x"})), "done"], [write], answers, hooks=hooks, **conditions)


def result_of(command, answers=(), event="before_call", **conditions):
    (result,) = played(command_hook(event, command, timeout=5), answers=answers, **conditions).results
    return result


ANSWERED = [
    ({}, [], "approval_unavailable", "the script has 0 answers"),
    ({"decision": "block", "reason": "Friday"}, [], "hook_blocked", "blocked this call: Friday. Nothing was run"),
    ({"decision": "block"}, [], "hook_blocked", "blocked this call. Nothing was run"),
    ({"decision": "allow"}, [], None, "wrote x"),
    ({"decision": "ask", "reason": "sure?"}, [Allow()], None, "wrote x"),
    ({"decision": "change", "args": {"text": "y"}}, [Allow()], None, "wrote y"),
    ({"decision": "change", "args": {"text": 3}}, [Allow()], "invalid_arguments", "text must be a string"),
    ({"decision": "add_context", "text": "note"}, [Allow()], None, "wrote x"),
]


@pytest.mark.parametrize(("answer", "answers", "error_type", "words"), ANSWERED, ids=range(len(ANSWERED)))
def test_the_answers_are_json_on_standard_output(answer, answers, error_type, words):
    result = result_of(saying(**answer) if answer else python("pass"), answers)
    assert (result.error_type, words in result.content) == (error_type, True), result.content


def not_executable(folder):
    path = folder / "guard.sh"
    path.write_text("#!/bin/sh\n")
    return [str(path)]


NOT_RUN = [
    (lambda folder: ["no-such-interpreter", "guard.py"], "no-such-interpreter can't be started: [Errno 2]"),
    (lambda folder: [sys.executable, "missing_guard.py"], "ended with exit code 2: "),
    (not_executable, "can't be started: [Errno 13] Permission denied"),
    (lambda folder: python("sys.exit('bad\\n rules')"), "ended with exit code 1: bad rules"),
    (lambda folder: python("os.kill(os.getpid(), 9)"), "ended with the signal SIGKILL"),
    (lambda folder: python('print(\'{"decision": "allow"}\'); sys.exit(3)'), "ended with exit code 3"),
    (lambda folder: python('print(\'{"decision": "block"}\'); sys.exit(2)'), "ended with exit code 2"),
    (lambda folder: python("1 / 0"), "ZeroDivisionError: division by zero"),
    (lambda folder: [f"{sys.executable} -c pass"], "can't be started: [Errno 2]"),
    (lambda folder: ["a\0b"], "can't be started: embedded null byte"),
]


@pytest.mark.parametrize(("command", "words"), NOT_RUN, ids=range(len(NOT_RUN)))
def test_a_program_that_could_not_judge_denies_and_is_told_from_one_that_blocks(command, words, tmp_path):
    hook = command_hook("before_call", command(tmp_path))
    (result,) = played(hook, answers=[Allow()], cwd=tmp_path).results
    assert (result.error_type, result.metadata["code"]) == ("hook_blocked", "hook_failed")
    assert result.content.startswith(f"the hook {hook.name.strip()} could not judge this call, so nothing was run: ")
    assert words in result.content
    assert "blocked this call" not in result.content


NONSENSE = [
    ("ok", "it wrote 'ok', which is no JSON object; at before_call its decision is one of block, allow, ask, change,"),
    ("[]", "which is no JSON object"),
    ("null", "which is no JSON object"),
    ('{"decision": "allow"} trailing', "which is no JSON object"),
    ('{"decision": "block", "decision": "allow"}', "which is no JSON object"),
    ("{}", "it wrote '{}'; at before_call its decision is one of"),
    ('{"decision": "approve"}', "its decision is one of block"),
    ('{"decision": ["allow"]}', "its decision is one of block"),
    ('{"decision": "replace", "content": "x"}', "its decision is one of block"),
    ('{"decision": "allow", "args": {}}', "the fields of this answer are decision, reason"),
    ('{"decision": "change"}', "the fields of this answer are decision, args"),
    ('{"decision": "change", "args": []}', "it changed the arguments to what is no object"),
    ('{"decision": "block", "reason": 3}', "it answered Block with a reason that is no text"),
    ('{"decision": "allow", "word": "block"}', "the fields of this answer are decision, reason"),
]


@pytest.mark.parametrize(("output", "words"), NONSENSE, ids=range(len(NONSENSE)))
def test_output_that_is_no_answer_denies(output, words):
    result = result_of(python(f"print({output!r})"), [Allow()])
    assert (result.metadata["code"], words in result.content) == ("hook_failed", True), result.content


def test_an_output_that_has_no_end_is_cut_off_with_its_program():
    started = time.perf_counter()
    for stream in ("stdout", "stderr"):
        result = result_of(python(f"while True: sys.{stream}.write('x' * 10_000)"))
        assert "wrote more than 1,000,000 bytes" in result.content
    assert time.perf_counter() - started < 20


def alive(path):
    """The processes that still run a second later; one that was killed takes a moment to be gone."""
    until = time.monotonic() + 1
    while (left := [pid for pid in map(int, path.read_text().split()) if is_running(pid)]) and time.monotonic() < until:
        time.sleep(0.01)
    return left


def is_running(pid):
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


FAMILY = (
    "import subprocess\nchild = subprocess.Popen(['sleep', '60'])\n"
    "open('pids', 'w').write(f'{os.getpid()} {child.pid}')\n"
)


@pytest.mark.parametrize(
    ("end", "words"),
    [("time.sleep(60)", "it did not answer within 1 s"), ('print(\'{"decision":"block"}\')', "blocked")],
)
def test_nothing_of_a_program_is_left_after_its_end_or_its_time_limit(end, words, tmp_path):
    started = time.perf_counter()
    (result,) = played(command_hook("before_call", python(FAMILY + end), timeout=1), cwd=tmp_path).results
    assert (words in result.content, time.perf_counter() - started < 3) == (True, True), result.content
    assert alive(tmp_path / "pids") == []


def test_stopping_the_run_ends_the_program(tmp_path):
    async def stop(run):
        while not (tmp_path / "pids").exists() or len((tmp_path / "pids").read_text().split()) < 2:
            await asyncio.sleep(0.01)
        run.cancel()

    agent = agent_of([calling(("write", {"text": "x"})), "never"], [write], cwd=tmp_path)
    agent.hooks = (command_hook("before_call", python(FAMILY + "time.sleep(60)")),)
    run = asyncio.run(act(agent, stop))
    assert (run.stop_reason, run.results[0].error_type) == ("cancelled", "cancelled_before_start")
    assert alive(tmp_path / "pids") == []


def test_a_program_is_told_the_occasion_in_the_working_folder_and_in_a_session_of_its_own(tmp_path):
    write_it = python(
        "said = json.load(sys.stdin); said['here'] = [os.getcwd(), os.getsid(0) == os.getpid()]\n"
        "open(said['event'], 'w').write(json.dumps(said))"
    )
    run = played(*(command_hook(event, write_it) for event in EVENTS), answers=[Allow()], cwd=tmp_path)
    told = {event: json.loads((tmp_path / event).read_text()) for event in EVENTS}
    assert (run.answer, kinds_of(run, "hook")) == ("done", [])
    assert all(said["here"] == [os.path.realpath(tmp_path), True] for said in told.values())
    assert (told["before_call"]["tool"], told["before_call"]["args"]) == ("write", {"text": "x"})
    assert told["after_call"]["result"] == {"ok": True, "error_type": None, "content": "wrote x", "value": "wrote x"}
    assert (told["user_prompt"]["prompt"], told["run_end"]["answer"]) == ("go", "done")


def test_a_program_that_does_not_read_its_input_can_answer():
    big = {"text": "x" * 1_000_000}
    hook = command_hook("before_call", saying(decision="block", reason="too long"))
    run = play([calling(("write", big)), "done"], [write], hooks=[hook])
    assert "too long" in run.results[0].content


AFTER = [
    ({"decision": "replace", "content": "gone"}, True, "gone"),
    ({"decision": "fail", "message": "no"}, False, "the tool has run, but the hook"),
    ({"decision": "block"}, True, "wrote x\n[the hook"),
]


@pytest.mark.parametrize(("answer", "ok", "words"), AFTER, ids=range(len(AFTER)))
def test_after_a_call_a_program_has_the_answers_of_that_event(answer, ok, words):
    result = result_of(saying(**answer), [Allow()], "after_call")
    assert (result.ok, result.content.startswith(words)) == (ok, True), result.content


@pytest.mark.parametrize("command", ["guard.py", "", [], [b"x"], ["x", None]])
def test_a_command_that_is_no_list_of_words_is_refused(command):
    with pytest.raises(UsageError, match="is no command; give a list of words"):
        command_hook("before_call", command)


def test_no_shell_reads_a_command_unless_it_is_asked_to():
    hook = command_hook("before_call", ["echo", '{"decision": "block", "reason": "$HOME; `id`"}'])
    assert "blocked this call: $HOME; `id`." in played(hook).results[0].content
    hook = command_hook(
        "before_call", ["sh", "-c", 'echo "{\\"decision\\": \\"block\\", \\"reason\\": \\"$((1+1))\\"}"']
    )
    assert "blocked this call: 2." in played(hook).results[0].content


def test_a_command_is_named_by_itself_and_is_a_hook_like_any_other():
    hook = command_hook("before_call", ["python3", "my guard.py"], {"write"}, timeout=3)
    assert (type(hook), hook.name, hook.tools, hook.timeout) == (Hook, "python3 'my guard.py'", {"write"}, 3)
    assert command_hook("before_call", ["x"], name="guard").name == "guard"
    seen = []
    first = command_hook("before_call", saying(decision="change", args={"text": "y"}))
    second = Hook("before_call", lambda o: seen.append(o.args["text"]) or Block())
    assert (played(first, second).results[0].error_type, seen) == ("hook_blocked", ["y"])
