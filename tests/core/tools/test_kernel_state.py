"""What the kernel of a notebook has run of it."""

import asyncio

from msgspec.structs import replace

from cellwright.notebook.stored import StoredNotebook
from cellwright.tools.kernel_state import cell_keys, code_cells, kernel_state, state_line
from cellwright.tools.notebook_outline import notebook_outline

from .notebooks import code, env, markdown, write

CELLS = [code("a", "x = 1"), markdown("m", "text"), code("n", "no()"), code("b", "x"), code("e", " ")]
CELLS[2]["metadata"] = {"tags": ["never-run"]}


def read(run):
    return StoredNotebook.read("a.ipynb", run)


async def told(folder):
    write(folder, CELLS)
    run = env(folder)
    seen = [kernel_state(read(run), run)]
    session = run.kernels.session("a.ipynb", "python3", folder)
    try:
        await session.kernel.open()
        for cell in (CELLS[0], CELLS[3]):
            seen.append(state_line(kernel_state(read(run), run)))
            session.ledger.note(*next(key for key in cell_keys(code_cells(read(run))) if key[0] == cell["id"]))
        seen.append(notebook_outline.execute({"path": "a.ipynb"}, run).content.split("\n")[1])
        write(folder, [{**CELLS[0], "source": "x = 2"}, *CELLS[1:]])
        seen.append(notebook_outline.execute({"path": "a.ipynb"}, replace(run, call_id="2")).value["kernel"])
        session.kernel.kill()
        return [*seen, state_line(kernel_state(read(run), run))]
    finally:
        await run.kernels.close()


def test_what_is_out_of_date_and_edited_is_told_and_of_a_kernel_that_is_gone_nothing_else(tmp_path):
    assert asyncio.run(told(tmp_path)) == [
        None,
        "its kernel in this run is idle; out of date: a, b",
        "its kernel in this run is idle; out of date: b",
        "its kernel in this run is idle; all cells have run as they are now",
        {"state": "idle", "stale": ["a", "b"], "edited": ["a"], "other_code": 0},
        "its kernel in this run is gone, with all variables",
    ]
