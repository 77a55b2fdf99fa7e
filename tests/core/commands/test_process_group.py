"""A program with all that it started."""

import signal
import subprocess
import sys
import threading
import time

import pytest

from cellwright.commands.process_group import Strays, ending, kill_group, killed_once, left_in_group, signal_group


@pytest.fixture
def group():
    """A shell that says when its child runs, and waits for it."""
    line = "sleep 60 & echo ready; wait"
    process = subprocess.Popen(["sh", "-c", line], stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdout.readline() == b"ready\n"
    yield process
    kill_group(process)
    process.stdout.close()


def test_a_killed_group_leaves_nothing_even_of_children_that_hold_its_output(group):
    kill_group(group)
    assert group.returncode == -signal.SIGKILL
    assert group.stdout.read() == b""  # its end comes only when the child is gone, too


def test_a_group_can_be_asked_to_end(group):
    signal_group(group, "ask")
    assert group.wait(5) == -signal.SIGTERM


def test_a_program_is_killed_once_it_is_time_and_not_before():
    time_is_up = threading.Event()
    line = ["sh", "-c", "echo ready; exec sleep 60"]
    with (
        subprocess.Popen(line, stdout=subprocess.PIPE) as process,
        killed_once(time_is_up.is_set, process) as killed,
    ):
        assert (process.stdout.readline(), killed.is_set()) == (b"ready\n", False)
        time_is_up.set()
        assert process.stdout.read() == b""  # its end comes only when the program is gone
        assert killed.is_set()
    assert process.returncode == -signal.SIGKILL


def test_a_program_that_ends_in_time_is_left_alone():
    with subprocess.Popen(["true"]) as process, killed_once(lambda: False, process) as killed:
        process.wait()
    assert (process.returncode, killed.is_set()) == (0, False)


def test_what_an_ended_program_left_is_told_with_its_process_id(group):
    group.kill()
    group.wait()
    (left,) = left_in_group(group)
    assert left.split(" (pid ")[0] in ("sleep", "sh")
    kill_group(group)


def test_what_has_left_the_group_is_a_stray_as_long_as_its_parent_is_there():
    line = "import os, time; os.fork() and os.wait(); os.setsid(); print('ready', flush=True); time.sleep(60)"
    process = subprocess.Popen([sys.executable, "-c", line], stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdout.readline() == b"ready\n"
    strays = Strays(process)
    kill_group(process)
    strays.signal("kill")
    assert process.stdout.read() == b""  # its end comes only when the child is gone, too
    process.stdout.close()
    Strays(process).signal("ask")  # nothing is there any more


def test_to_signal_a_group_that_is_gone_is_no_error(group):
    kill_group(group)
    group.stdout.read()
    signal_group(group, "ask")
    kill_group(group)
    while left_in_group(group):  # its output ends a moment before it has
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("code", "words"), [(0, "exit code 0"), (3, "exit code 3"), (-9, "the signal SIGKILL"), (-99, "the signal 99")]
)
def test_an_ending_is_told_in_words(code, words):
    assert ending(code) == words
