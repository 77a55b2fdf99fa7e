"""Which cells count as run in a kernel."""

import pytest

from cellwright.kernels.kernel_ledger import KernelLedger

CELLS = (("a", "1"), ("b", "1"), ("c", "1"))


def ran(*names):
    ledger = KernelLedger()
    for name in names:
        ledger.note(name, "1")
    return ledger


@pytest.mark.parametrize(
    ("order", "stale"),
    [("", "abc"), ("abc", ""), ("ab", "c"), ("bc", "abc"), ("abca", "bc"), ("abcb", "c"), ("acb", "c"), ("ac", "bc")],
)
def test_cells_count_as_run_from_the_top_down_to_the_first_that_is_missing_or_came_too_early(order, stale):
    assert "".join(ran(*order).stale(CELLS)) == stale


def test_a_cell_that_was_edited_or_put_in_counts_as_not_run_with_all_below_it():
    ledger = ran(*"abc")
    edited = (("a", "1"), ("b", "2"), ("c", "1"))
    assert (ledger.stale(edited), ledger.edited(edited)) == (("b", "c"), ("b",))
    assert ledger.stale((("a", "1"), ("new", "1"), ("b", "1"), ("c", "1"))) == ("new", "b", "c")


def test_cells_that_were_moved_count_as_run_up_to_the_first_that_is_out_of_order():
    assert ran(*"abc").stale((("a", "1"), ("c", "1"), ("b", "1"))) == ("b",)


def test_a_cell_that_failed_is_not_known_to_have_run():
    ledger = ran(*"abc")
    ledger.forget("b")
    assert ledger.stale(CELLS) == ("b", "c")
