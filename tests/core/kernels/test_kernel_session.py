"""What is known of one kernel that a run holds."""

import asyncio
import os

from cellwright.kernels.child_kernel import ChildKernel
from cellwright.kernels.kernel_session import KernelSession
from cellwright.notebook.outputs import outputs_text

CELLS = (("a", "1"), ("b", "1"))
LATE = "import threading\nthreading.Timer(0.3, print, ['late']).start()"


async def held():
    kernel = ChildKernel()
    session = KernelSession("python3", kernel)
    seen = [session.busy_for, session.ledger.stale(CELLS)]
    try:
        await kernel.open()
        first = asyncio.create_task(session.run_cell(("a", "1"), LATE, 30, kernel.starts))
        await asyncio.sleep(0)
        seen.append(session.busy_for is not None)
        await first
        failed = await session.run_cell(("b", "1"), "1/0", 30, kernel.starts)
        seen += [failed.status, session.ledger.stale(CELLS), session.busy_for]
        pid = await session.run("import os; " + LATE + "\nos.getpid()", 30)
        await session.run("import time; time.sleep(0.6)", 30)
        seen += [outputs_text(session.news(), 100), session.news(), session.ledger.other_code]
        os.kill(int(outputs_text(pid.outputs, 100)), 9)
        while kernel.is_alive:
            await asyncio.sleep(0.01)
        return [*seen, session.ledger.stale(CELLS), session.ledger.other_code]
    finally:
        kernel.kill()


def test_what_ran_and_what_came_late_is_known_of_the_kernel_as_it_is_now():
    before, of_cells, of_code, after = (
        [None, ("a", "b")],
        [True, "error", ("b",), None],
        ["late", (), 2],
        [("a", "b"), 0],
    )
    assert asyncio.run(held()) == [*before, *of_cells, *of_code, *after]
