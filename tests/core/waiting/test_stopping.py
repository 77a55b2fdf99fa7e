"""The flag by which a tool is asked to stop."""

import threading

import pytest

from cellwright.waiting.stopping import Stopping


def waiting(stopping: Stopping) -> tuple[threading.Thread, list[bool]]:
    """A thread that waits for the flag, and what it was told."""
    said: list[bool] = []
    thread = threading.Thread(target=lambda: said.append(stopping.wait(20)), daemon=True)
    thread.start()
    return thread, said


def test_a_flag_is_unset_until_somebody_asks():
    stopping = Stopping()
    before = stopping.is_set()
    stopping.set()
    assert (before, stopping.is_set()) == (False, True)


def test_who_waits_after_the_asking_is_told_at_once():
    stopping = Stopping()
    stopping.set()
    assert stopping.wait() is True


def test_waiting_ends_without_an_asking_when_its_time_is_over():
    assert Stopping().wait(0.001) is False


@pytest.mark.parametrize("threads", [1, 8])
def test_all_who_wait_are_woken(threads):
    stopping = Stopping()
    waiters = [waiting(stopping) for _ in range(threads)]
    stopping.set()
    for thread, _ in waiters:
        thread.join(20)
    assert [said for _, said in waiters] == [[True]] * threads
