from cellwright.views.view import Group, Terminal, Text
from cellwright_widgets.drawing.brush import APPROVAL, TRANSCRIPT
from cellwright_widgets.drawing.draw import draw
from cellwright_widgets.drawing.group_view import draw_group
from cellwright_widgets.drawing.node import to_html, to_text


def test_of_many_parts_the_first_are_shown_and_the_rest_is_folded_with_its_kinds():
    view = Group("Many", (*(Text(f"part {number}.") for number in range(30)), Terminal("end")))
    html = to_html(draw_group(view, TRANSCRIPT, draw))
    before, _, after = html.partition('<details class="cw-fold" data-fold="group">')
    assert ("part 9." in before, "part 10." in before) == (True, False)
    assert "21 more parts: 20 text, 1 terminal" in after
    assert all(f"part {number}." in html for number in range(30))
    assert "<details" not in to_html(draw_group(view, APPROVAL, draw))


def test_a_few_more_than_are_shown_are_not_worth_a_fold():
    assert "<details" not in to_html(draw_group(Group("", (Text("x"),) * 13), TRANSCRIPT, draw))


def test_parts_that_are_not_drawn_are_counted():
    text = to_text(draw_group(Group("Many", (Text("x"),) * 260), TRANSCRIPT, draw))
    assert text.count("x\n") == 200
    assert "60 more parts are not drawn" in text
