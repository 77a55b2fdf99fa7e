"""What is told of code in the background."""

import asyncio
from pathlib import Path

import pytest

from cellwright.kernels.kernels import Kernels
from cellwright.tools.piece_report import PieceReport
from cellwright.views.view import as_text


async def reported(code, kernel="python3"):
    kernels = Kernels()
    piece = kernels.begin(kernels.session("k", kernel, Path.cwd()), code, 20)
    try:
        running = PieceReport(piece)
        await piece.wait(30)
        return running, PieceReport(piece)
    finally:
        await kernels.close()


@pytest.mark.parametrize(("code", "state", "text"), [("6 * 7", "ended", "42"), ("print(1)\n1/0", "code_failed", "1\n")])
def test_its_state_says_whether_it_runs_ended_or_failed(code, state, text):
    running, ended = asyncio.run(reported(code))
    assert running.as_json() == {"code": "code-1", "state": "running", "output": "It is still running."}
    assert (ended.state, ended.text.startswith(text), text in as_text(ended.view)) == (state, True, True)


def test_a_kernel_that_does_not_start_is_a_state_and_no_failure_of_who_asks():
    _, ended = asyncio.run(reported("1", "no-such-kernel"))
    assert (ended.state, "no-such-kernel" in ended.text) == ("kernel_failed", True)
