"""Where there is no shell; real ones are in the tests of what uses them."""

import asyncio
import threading
from dataclasses import dataclass

from cellwright.kernels.own_shell import is_executing, is_on_main_thread, own_shell, until_free


@dataclass
class Trap:
    is_active: bool


@dataclass
class Shell:
    display_trap: Trap


def test_outside_of_a_kernel_there_is_no_shell():
    assert own_shell() is None


def test_only_the_main_thread_is_the_one_of_cells():
    said = []
    thread = threading.Thread(target=lambda: said.append(is_on_main_thread()))
    thread.start()
    thread.join()
    assert (is_on_main_thread(), said) == (True, [False])


def test_a_cell_is_waited_for_until_it_ends_or_time_is_over():
    async def play():
        shell = Shell(Trap(True))
        never = await until_free(shell, 0.01, lambda: False)
        asyncio.get_running_loop().call_soon(setattr, shell.display_trap, "is_active", False)
        return never, await until_free(shell, 20, lambda: False), is_executing(shell)

    assert asyncio.run(play()) == (False, True, False)


def test_a_cell_that_awaits_the_run_is_not_waited_for():
    assert asyncio.run(until_free(Shell(Trap(True)), 20, lambda: True))
