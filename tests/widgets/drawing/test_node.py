import re

import pytest

from cellwright_widgets.drawing.node import (
    ATTRIBUTES,
    CONTROL_ATTRIBUTES,
    CONTROLS,
    INPUT_TYPES,
    TAGS,
    element,
    spaced,
    to_html,
    to_text,
)
from cellwright_widgets.drawing.style import STATIC

from ..page import HOSTILE, Page


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_never_becomes_an_element_or_an_attribute(text):
    page = Page(to_html(element("pre", text, text, attrs={"title": text})))
    assert [tag for tag, _ in page.elements] == ["pre"]
    assert set(page.elements[0][1]) == {"class", "title"}
    assert page.text == text


@pytest.mark.parametrize("node", [element("script"), element("a"), element("div", attrs={"onclick": "x"})])
def test_what_is_not_on_the_list_is_refused(node):
    with pytest.raises(ValueError, match="is not drawn"):
        to_html(node)


@pytest.mark.parametrize("source", ["http://evil.test/x.png", "data:image/svg+xml;base64,AAAA", "javascript:1", ""])
def test_an_image_comes_from_its_own_bytes_alone(source):
    with pytest.raises(ValueError, match="data:image"):
        to_html(element("img", attrs={"src": source}))


def test_a_first_line_break_of_a_block_survives_the_parser():
    assert to_html(element("pre", "", "\na")) == "<pre>\n\na</pre>"


def test_unpaired_surrogates_are_written_as_valid_text():
    assert to_html("a\ud800b").encode() == b"a\xef\xbf\xbdb"


def test_words_stay_apart_where_style_is_stripped():
    assert to_text(element("p", "", *spaced("a", "", element("em", "", "b"), "c"))) == "a b c"


def test_the_page_has_the_same_lists():
    script = (STATIC / "node.js").read_text()
    tags, attributes = re.findall(r"new Set\(\[(.*?)\]\)", script, re.DOTALL)[:2]
    assert set(re.findall(r'"([^"]+)"', tags)) == TAGS
    assert set(re.findall(r'"([^"]+)"', attributes)) == ATTRIBUTES
    types, control = re.findall(r"(?:TYPES|CONTROL_ATTRIBUTES) = new Set\(\[(.*?)\]\)", script)
    assert set(re.findall(r'"([^"]+)"', types)) == INPUT_TYPES
    assert set(re.findall(r'"([^"]+)"', control)) == CONTROL_ATTRIBUTES
    own = re.findall(r'\["(\w+)", new Set\(\[(.*?)\]\)\]', script)
    assert {tag: set(re.findall(r'"([^"]+)"', names)) for tag, names in own} == CONTROLS


def test_no_script_of_the_page_parses_html():
    for path in STATIC.glob("*.js"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|https?:", path.read_text())
