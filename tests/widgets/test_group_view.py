from cellwright.views import Group, Text
from cellwright_widgets.brush import TRANSCRIPT
from cellwright_widgets.draw import draw
from cellwright_widgets.group_view import draw_group
from cellwright_widgets.node import to_text


def test_parts_that_are_not_drawn_are_counted():
    text = to_text(draw_group(Group("Many", (Text("x"),) * 60), TRANSCRIPT, draw))
    assert text.count("x\n") == 50
    assert "10 more parts are not drawn" in text
