"""Code that goes on in the background."""

import asyncio
from pathlib import Path

import pytest

from cellwright.errors import ToolError
from cellwright.kernels.kernels import Kernels
from cellwright.notebook.outputs import outputs_text


async def begun():
    kernels = Kernels()
    session = kernels.session("python3", "python3", Path.cwd())
    try:
        piece = kernels.begin(session, "import time; print('first', flush=True); time.sleep(60)", None)
        seen = [await piece.wait(0)]
        while "first" not in outputs_text(piece.execution().outputs, 100):
            await asyncio.sleep(0.02)
        seen += [piece.is_over, piece.is_told, piece.execution().message]
        with pytest.raises(ToolError, match="which does one thing at a time"):
            kernels.begin(session, "2", None)
        await session.kernel.interrupt()
        seen += [await piece.wait(20), piece.execution().status, piece.is_told]
        last = kernels.begin(session, "time.sleep(60)", 30)
        seen.append(
            [piece.name for piece in kernels.pieces()] == ["code-1", "code-2"] and kernels.piece("code-2") is last
        )
    finally:
        await kernels.close()
    return [*seen, last.is_over, session.kernel.is_alive]


def test_it_can_be_asked_about_while_it_runs_is_told_and_ends_with_its_run():
    running, ended = [False, False, False, "It is still running."], [True, "error", True]
    assert asyncio.run(begun()) == [*running, *ended, True, True, False]


def test_a_name_that_there_is_not_is_an_error_with_those_there_are():
    with pytest.raises(ToolError, match="there are: none") as caught:
        Kernels().piece("code-1")
    assert caught.value.code == "not_found"
