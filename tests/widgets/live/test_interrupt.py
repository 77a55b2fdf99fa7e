"""The stop button of the toolbar, in real kernels."""

import time
from pathlib import Path

from ...kernel.driver import KernelDriver
from ..scene import AWAITED, STARTED, outcome


def test_an_interrupt_ends_a_waiting_run_at_once(ready: KernelDriver, tmp_path: Path):
    cell = ready.start("run = await sleeper().run('Sleep.')")
    ready.wait_until((tmp_path / "asleep").exists, "the tool to run")
    started = time.monotonic()
    ready.interrupt()
    ready.wait_idle(cell)
    assert time.monotonic() - started < 4  # the tool sleeps for 30; in a moment, on a machine that has time
    assert cell.error["ename"] == "Interrupted"


def test_the_kernel_works_on_after_an_interrupt(ready: KernelDriver):
    cell = ready.start(AWAITED)
    ready.wait_widget("Allow once")
    ready.interrupt()
    assert ready.wait_idle(cell, 5).error["ename"] == "Interrupted"
    assert ready.run("1 + 1").text == "2"
    plain = ready.start("print('asleep', flush=True); time.sleep(30)")
    ready.wait_output(plain, "asleep")
    ready.interrupt()
    assert ready.wait_idle(plain, 5).error["ename"] == "KeyboardInterrupt"


def test_the_time_limit_of_code_that_runs_here_is_not_taken_for_the_persons_interrupt(ready: KernelDriver):
    short, late = ("run_here", {"code": "1"}), ("run_here", {"code": "import time; time.sleep(30)", "timeout": 0.4})
    script = f"ScriptedModel([Turn(calls=[{short}]), Turn(calls=[{late}]), 'done'])"
    ready.run("from cellwright.person.approval import AllowAll")
    ready.run(f"run = await Agent({script}, ['run_here'], approver=AllowAll()).run('')")
    assert outcome(ready) == ["answered", "done", True]


WATCHES = """
import signal, threading, time
def look():
    while type(getattr(signal.getsignal(signal.SIGINT), "__self__", None)).__name__ != "InterruptWatch":
        time.sleep(0.01)
    open("watched", "w").close()
threading.Thread(target=look, daemon=True).start()
"""
"""Tells when a run listens to interrupts: the kernel puts its own handler back at the end of a cell."""


def test_an_interrupt_ends_a_background_run_while_the_kernel_is_idle(ready_anywhere: KernelDriver, tmp_path: Path):
    ready_anywhere.run(WATCHES)
    ready_anywhere.run(STARTED)
    ready_anywhere.wait_widget("Allow once")
    ready_anywhere.wait_until((tmp_path / "watched").exists, "the run to listen")
    ready_anywhere.interrupt()
    assert outcome(ready_anywhere) == ["cancelled", "", True]
