"""Code that is broken off."""

from cellwright.catalogue import load
from cellwright.permission.policy import Policy

from ..scene import calling, play_long

TOOLS = [load(name) for name in ("run_code", "interrupt_kernel", "restart_kernel", "wait", "run_command")]
SLEEPING = "import time; x = 1; open('on', 'w').close(); time.sleep(60)"
STUBBORN = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); {SLEEPING}"
BEGUN = calling(("run_command", {"command": "until test -f on; do sleep 0.05; done; rm on"}))


def begin(code):
    return calling(("run_code", {"code": code, "background": True}))


def test_code_in_the_background_is_broken_off_and_what_ignores_that_goes_on(tmp_path):
    stop, wait = calling("interrupt_kernel"), calling(("wait", {"timeout": 0}))
    busy, after = (calling(("run_code", {"code": code})) for code in ("x", "x"))
    stubborn = [begin(STUBBORN), BEGUN, stop, calling("restart_kernel"), wait]
    turns = [stop, begin(SLEEPING), BEGUN, busy, stop, wait, after, stop, *stubborn, "done"]
    results = play_long(turns, TOOLS, policy=Policy(allow={"run_code", "run_command"}), cwd=tmp_path).results
    assert [results[n].metadata["code"] for n in (0, 3)] == ["not_started", "kernel_busy"]
    assert (results[4].value["state"], results[6].content) == ("idle", "1")
    assert results[5].value[0]["state"] == "code_failed" and "KeyboardInterrupt" in results[5].content
    assert results[7].content == "nothing is running in the kernel python3"
    assert results[10].value["state"] == "busy" and "restart_kernel ends it" in results[10].content
    assert results[12].value[1]["state"] == "kernel_died" and "it was restarted" in results[12].content
