"""What the prelude changes, in a real kernel."""

import asyncio
import subprocess
import sys

import pytest

from cellwright.kernels.child_kernel import ChildKernel
from cellwright.kernels.kernel_prelude import PRELUDE

CELLS = {
    "names": "[name for name in globals() if 'cellwright' in name]",
    "shell": "!cat; echo over",
    "captured": "found = !cat\nfound",
    "script": "%%bash\nread x; echo got $x",
    "variable": "colour = 'blue'\n!echo {colour} $colour",
    "status": "!false\n_exit_code",
    "child": "import os\nif os.fork() == 0: os._exit(5)\nos.waitstatus_to_exitcode(os.wait()[1])",
    "pool": "from concurrent import futures\npool = futures.ThreadPoolExecutor(1)\npool.submit(int).result()",
    "reused": "pool.submit(print, 'from the pool').result()",
    "printed": r"print('a' * 10_000_000 + 'end\n', end='')",  # in one piece, between whose parts nothing is sent
    "valued": "'v' * 10_000_000",
    "pictured": "display({'image/png': 'A' * 31_000_000}, raw=True)",
    "halved": r"print('so \ud800 far'); display({'text/plain': '\udfff'}, raw=True)",
    "redirected": "import sys\nsys.stdout = open('/dev/null', 'w')\nsys.stdout.close()",
    "none": "print('to the page')\nsys.stdout = None",
    "closed": "print('and again')\nsys.stdout.close()",
    "after": "print('still')",
    "displayed": "import threading\nt = threading.Thread(target=display, args=('shown',)); t.start(); t.join()",
}


async def run_all():
    async with ChildKernel.start() as kernel:
        return {name: await kernel.run(source, 10) for name, source in CELLS.items()}


@pytest.fixture(scope="module")
def ran():
    executions = asyncio.run(run_all())
    assert {name: execution.status for name, execution in executions.items()} == dict.fromkeys(CELLS, "ok")
    return {
        name: "".join(o.get("text") or o["data"]["text/plain"] for o in execution.outputs).replace("\r\n", "\n")
        for name, execution in executions.items()
    }


def test_nothing_of_it_is_seen_by_the_cells(ran):
    assert ran["names"] == "[]"


def test_what_waits_for_input_reads_the_end_of_a_file(ran):
    assert (ran["shell"], ran["captured"], ran["script"]) == ("over\n", "[]", "got\n")


def test_shell_lines_work_as_before(ran):
    assert (ran["variable"], ran["status"]) == ("blue blue\n", "1")


def test_a_forked_child_ends_as_before(ran):
    assert ran["child"].splitlines()[-1] == "5"  # newer Pythons warn of forks before it


def test_a_worker_of_a_pool_prints_into_the_cell_that_uses_it(ran):
    assert ran["reused"] == "from the pool\n"


def test_cells_after_one_that_spoils_its_streams_print_as_before(ran):
    assert [ran[name] for name in ("none", "closed", "after")] == ["to the page\n", "and again\n", "still\n"]


def test_a_thread_can_display(ran):
    assert ran["displayed"] == "'shown'"


def test_a_python_that_is_no_ipython_is_not_harmed():
    ending = subprocess.run([sys.executable, "-c", PRELUDE + "print('fine')"], capture_output=True, text=True)
    assert (ending.stdout, ending.stderr) == ("fine\n", "")


def test_a_message_of_many_megabytes_is_cut_before_it_is_sent_and_says_so(ran):
    cut = "left out here …]"
    assert len(ran["printed"]) < 1_000_000 > len(ran["valued"])
    assert f"[… 9,100,004 of 10,000,004 characters {cut}" in ran["printed"] and ran["printed"].endswith("aend\n")
    assert f"[… 9,100,002 of 10,000,002 characters {cut}" in ran["valued"]
    assert ran["pictured"] == "[image/png, 31,000,000 characters, too large to be sent]"


def test_text_that_can_not_be_sent_is_sent_with_what_is_wrong_as_an_escape(ran):
    assert ran["halved"] == "so \\ud800 far\n\\udfff"
