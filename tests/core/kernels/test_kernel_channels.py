"""The conversation with a real kernel."""

import asyncio
from pathlib import Path

from cellwright.kernels.kernel_channels import KernelChannels
from cellwright.kernels.kernel_outputs import KernelOutputs
from cellwright.kernels.kernel_process import KernelProcess


async def spoken():
    """A cell that takes its time, one that was sent behind it, and one in whose midst the kernel dies."""
    process = KernelProcess("python3", Path.cwd(), {})
    try:
        await process.start()
        channels = KernelChannels(process, KernelOutputs())
        slow = channels.send("import time; time.sleep(0.7); print('slow')")
        quick = channels.send("6 * 7", silent=False)
        endings = [await channels.end_of(slow, 0.1), await channels.end_of(slow, 0.1, lambda: 20.0)]
        endings.append(await channels.end_of(quick, 20))
        endings.append(await channels.end_of(channels.send("import os; os._exit(1)"), 20))
        channels.close()
        return endings, slow.cell.outputs, quick.cell.outputs
    finally:
        process.close()


def test_each_cell_has_its_own_outputs_and_its_own_end():
    endings, slow, quick = asyncio.run(spoken())
    assert endings == ["late", "done", "done", "died"]
    assert (slow[0]["text"], quick[0]["data"]["text/plain"]) == ("slow\n", "42")
