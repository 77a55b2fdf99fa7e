"""What a kernel says of itself, held against what it really does."""

from ...kernel.driver import KernelDriver

ASK = "from cellwright_widgets.live.kernel_facts import cell_id, clicks_reach_awaiting_cells\n"


def test_a_kernel_waits_in_a_cell_only_from_version_7_4_on(matrix_kernel: KernelDriver):
    run = matrix_kernel.run(ASK + "import ipykernel\nprint(clicks_reach_awaiting_cells(), ipykernel.version_info[:2])")
    says, version = run.stdout.split(" ", 1)
    assert (says == "True") == (version.strip() >= "(7, 4)")


def test_under_voila_no_cell_waits(kernel: KernelDriver):
    setting = "import os\nos.environ['SERVER_SOFTWARE'] = 'voila/0.5.13'\n"
    assert kernel.run(ASK + setting + "print(clicks_reach_awaiting_cells())").stdout == "False\n"


def test_the_cell_that_runs_is_known_where_the_front_end_says_it(kernel: KernelDriver):
    cell = kernel.wait_idle(kernel.start(ASK + "print(cell_id())", "cell-of-the-page"))
    assert cell.stdout == "cell-of-the-page\n"


def test_without_a_front_end_there_is_no_cell():
    with KernelDriver(cell_ids=False) as kernel:
        assert kernel.run(ASK + "print(cell_id())").stdout == "None\n"
