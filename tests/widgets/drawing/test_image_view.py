import pytest

from cellwright.views.view import Picture
from cellwright_widgets.drawing.brush import TRANSCRIPT
from cellwright_widgets.drawing.image_view import draw_image
from cellwright_widgets.drawing.node import to_html

from ..page import Page, assert_harmless

DOT = "iVBORw0KGgo="


def test_a_picture_is_drawn_from_its_bytes():
    page = Page(to_html(draw_image(Picture("image/png", DOT + "\n", "a dot"), TRANSCRIPT)))
    assert ("img", {"class": "cw-image", "src": f"data:image/png;base64,{DOT}", "alt": "a dot"}) in page.elements


@pytest.mark.parametrize(
    ("media_type", "data"),
    [
        ("image/svg+xml", DOT),
        ("text/html", DOT),
        ('image/png" onerror="x', DOT),
        ("image/png", '"><script>1</script>'),
        ("image/png;base64,AA,http://evil.test/", DOT),
        ("image/png", "A" * 5_000_000),
    ],
)
def test_any_other_is_named_not_drawn(media_type, data):
    page = Page(to_html(draw_image(Picture(media_type, data, "<b>alt</b>"), TRANSCRIPT)))
    assert_harmless(page)
    assert "img" not in page.tags
    assert "a picture" in page.text
