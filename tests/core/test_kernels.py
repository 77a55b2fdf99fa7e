"""The kernels of a run."""

import asyncio
from pathlib import Path

import psutil

from cellwright.kernels import AT_ONCE, Kernels


def children():
    return [child for child in psutil.Process().children() if "ipykernel_launcher" in " ".join(child.cmdline())]


def test_a_kernel_is_made_once_for_its_name_and_started_only_when_code_runs():
    kernels = Kernels()
    session = kernels.session("python3", "python3", Path.cwd())
    assert kernels.session("python3", "python3", Path.cwd()) is session is kernels.find("python3")
    assert (kernels.find("other"), kernels.names(), children()) == (None, ("python3",), [])


def test_what_an_earlier_run_had_is_told_once():
    kernels = Kernels(("python3",))
    assert [kernels.ended_before(name) for name in ("a.ipynb", "python3", "python3")] == [False, True, False]


async def filled():
    kernels = Kernels()
    sessions = [kernels.session(str(number), "python3", Path.cwd()) for number in range(AT_ONCE)]
    await asyncio.gather(*(session.kernel.open() for session in sessions[:2]))
    alive = len(children())
    other = kernels.session("0", "python4", Path.cwd())
    after = len(children())
    await kernels.close()
    return alive, after, other is sessions[0], len(children()), [s.kernel.is_alive for s in sessions[:2]]


def test_all_are_ended_with_the_run_and_one_at_once_if_its_notebook_names_another():
    assert asyncio.run(filled()) == (2, 1, False, 0, [False, False])
