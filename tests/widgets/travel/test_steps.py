import pytest

from cellwright_widgets.travel.steps import Steps


@pytest.mark.parametrize(("said", "value"), [(2, 2), (0, 1), (-7, 1), (9, 3)])
def test_whatever_a_page_says_it_stands_at_a_step_that_there_is(said, value):
    steps = Steps(max=3)
    steps.set_state({"value": said})
    assert steps.value == value
