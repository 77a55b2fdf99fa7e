import time

import pytest

from cellwright_widgets.node import to_html, to_text
from cellwright_widgets.prose import draw_prose

from .page import HOSTILE, Page, assert_harmless


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**bold** and *em*", "<strong>bold</strong> and <em>em</em>"),
        ("`a<b`", "<code>a&lt;b</code>"),
        ("# Title", "<h3>Title</h3>"),
        ("```python\nreturn 1\n```", '<span class="cw-k-keyword">return</span>'),
        ("2 * 3 * 4 and snake_case_name", "<p>2 * 3 * 4 and snake_case_name</p>"),
        ("3. three\n4. four", '<span class="cw-bullet">3.</span> three'),
    ],
)
def test_the_common_forms_are_drawn(text, html):
    assert html in to_html(draw_prose(text))


@pytest.mark.parametrize("text", HOSTILE)
def test_all_else_is_shown_to_the_letter(text):
    page = Page(to_html(draw_prose(text)))
    assert_harmless(page)
    assert "img" not in page.tags
    assert text.startswith("\x1b") or text in page.text


@pytest.mark.parametrize(
    "text", ["*" * 50_000, "`" * 50_000, "**a" * 20_000, "```" * 10_000, "- " * 40_000, "#" * 90_000]
)
def test_no_text_takes_long(text):
    start = time.perf_counter()
    to_text(draw_prose(text))
    assert time.perf_counter() - start < 2


def test_an_unclosed_fence_is_code_to_the_end():
    assert to_text(draw_prose("```\na\n**b**")) == "a\n**b**\n"
