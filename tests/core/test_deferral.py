"""Which tools wait to be found."""

import pytest

from cellwright.deferral import THRESHOLD, Threshold, waits

from .scene import returning


@pytest.mark.parametrize(
    ("facts", "late"),
    [
        ({"origin": "built-in"}, False),
        ({"origin": "built-in", "defer": True}, True),
        ({"origin": "built-in", "defer": True, "always_load": True}, False),
        ({"origin": "built-in", "defer": True, "system": True}, False),
        ({"origin": "mcp"}, True),
        ({"origin": "mcp", "system": True}, True),
        ({"origin": "mcp", "always_load": True}, False),
        ({"origin": "user"}, True),
        ({"origin": "user", "system": True}, False),
        ({"origin": "user", "always_load": True}, False),
    ],
)
def test_always_load_speaks_first_then_the_server_then_the_control_plane_then_the_mark(facts, late):
    assert waits(returning(1, "t", **facts)) is late


def test_the_threshold_is_passed_by_number_or_by_length():
    assert not THRESHOLD.is_passed(["x" * 100] * 40)
    assert THRESHOLD.is_passed(["x"] * 41)
    assert THRESHOLD.is_passed(["x" * 60_001])
    assert Threshold(tools=1).is_passed(["a", "b"])
    assert not Threshold(tools=100).is_passed(["x"] * 41)
