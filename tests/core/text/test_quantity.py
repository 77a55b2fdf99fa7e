import pytest

from cellwright.text.quantity import quantity


@pytest.mark.parametrize(
    ("number", "told"), [(0, "0 cells"), (1, "1 cell"), (2, "2 cells"), (12_345, "12,345 cells"), (1.5, "1.5 cells")]
)
def test_one_of_a_thing_is_no_several(number, told):
    assert quantity(number, "cell") == told
    assert quantity(number, "reply", "replies") == told.replace("cells", "replies").replace("cell", "reply")
