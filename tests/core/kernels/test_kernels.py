"""The kernels of a run."""

import asyncio
from pathlib import Path

import psutil
import pytest

from cellwright.errors import ToolError
from cellwright.kernels.kernels import AT_ONCE, Kernels


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


async def crowded():
    kernels = Kernels()
    try:
        begun = [kernels.begin(kernels.session(str(n), "python3", Path.cwd()), "1", None) for n in range(AT_ONCE)]
        await begun[0].wait(0)
        with pytest.raises(ToolError, match=r"8 kernels are running \(0, 1, 2, 3, 4, 5, 6, 7\)") as refused:
            kernels.session("one more", "python3", Path.cwd())
        return refused.value.code, kernels.session("0", "python3", Path.cwd()) is begun[0].session
    finally:
        await kernels.close()


def test_kernels_that_are_being_started_count_as_well():
    assert asyncio.run(crowded()) == ("too_many_kernels", True)


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
