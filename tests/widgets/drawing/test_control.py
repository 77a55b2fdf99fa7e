import json

import pytest

from cellwright_widgets.drawing.control import MAX_PRESS, button, copy_button, field, part, tick
from cellwright_widgets.drawing.node import element, to_html, to_text

PRESS = {"to": "table", "from": 50}


def test_a_control_carries_what_its_answerer_needs():
    for control in (button("Next", "next", PRESS), field("filter", "f", PRESS), tick("accept", "a", PRESS)):
        assert json.loads(control[1]["data-press"]) == PRESS


def test_a_record_has_the_drawing_without_its_controls():
    controls = [
        button("Next", "next", PRESS),
        field("f", "f", PRESS, "x"),
        tick("t", "t", PRESS),
        copy_button("C", "x"),
    ]
    node = part("rows", "cw-x", "12 rows", *controls, element("p", "", "end"))
    assert to_html(node) == '<div class="cw-x">12 rows<p>end</p></div>'
    assert to_text(node) == "12 rowsend"


def test_a_button_with_few_words_has_a_name_for_those_who_do_not_see_it():
    attrs = button("›", "next", PRESS, hint="next page", is_off=True)[1]
    assert (attrs["aria-label"], attrs["title"], attrs["disabled"]) == ("next page", "next page", "")


@pytest.mark.parametrize("press", [{}, {"to": 1}, {"to": "x", "path": "a" * MAX_PRESS}])
def test_a_control_that_could_not_be_answered_is_refused(press):
    with pytest.raises(ValueError, match="a control sends who answers it"):
        button("x", "x", press)
