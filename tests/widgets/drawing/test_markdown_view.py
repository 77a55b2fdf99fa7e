import time
from collections import Counter

import pytest

from cellwright.views.view import Markdown
from cellwright_widgets.drawing.brush import APPROVAL, TRANSCRIPT
from cellwright_widgets.drawing.markdown_view import draw_markdown
from cellwright_widgets.drawing.node import to_html, to_text

from ..page import HOSTILE, Page, assert_harmless


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**bold** and *em*", "<strong>bold</strong> and <em>em</em>"),
        ("`a<b`", "<code>a&lt;b</code>"),
        ("# Title", "<h3>Title</h3>"),
        ("```python\nreturn 1\n```", '<span class="cw-k-keyword">return</span>'),
        ("2 * 3 * 4 and snake_case_name", "<p>2 * 3 * 4 and snake_case_name</p>"),
        ("3. three\n4. four", '<span class="cw-bullet">3.</span> <span class="cw-item">three</span>'),
        ("| a | b |\n|--:|---|\n| 1 | 2 |", '<td class="cw-number">1</td>'),
        ("> said", "<blockquote"),
        ("- a\n  - b", "<ul"),
    ],
)
def test_the_common_forms_are_drawn(text, html):
    assert html in to_html(draw_markdown(Markdown(text), TRANSCRIPT))


@pytest.mark.parametrize("text", HOSTILE)
def test_all_else_is_shown_to_the_letter(text):
    page = Page(to_html(draw_markdown(Markdown(text), TRANSCRIPT)))
    assert_harmless(page)
    assert "img" not in page.tags
    assert text.startswith("\x1b") or text in page.text


@pytest.mark.parametrize(
    "text",
    [
        "*" * 50_000,
        "`" * 50_000,
        "**a" * 20_000,
        "```" * 10_000,
        "- " * 40_000,
        "#" * 90_000,
        "> " * 40_000,
        "|a" * 40_000,
        "[" * 90_000,
        "_a " * 30_000,
        "**a " * 9_000 + "b** " * 9_000,
        "a\n\n" * 30_000,
        "|a|b|\n|-|-|\n" + "|" * 90_000,
    ],
)
def test_no_text_takes_long(text):
    start = time.thread_time()
    words = [to_text(draw_markdown(Markdown(long), TRANSCRIPT)) for long in (text, text[:30_000])]
    assert time.thread_time() - start < 2
    assert len(words[0]) > 20_000 or len(text) <= 30_000


def test_an_unclosed_fence_is_code_to_the_end():
    assert to_text(draw_markdown(Markdown("```\na\n**b**"), TRANSCRIPT)) == "a\n**b**\n"


@pytest.mark.parametrize(
    "text",
    [
        "| a |\n|---|\n| 1 | rm -rf / |",
        "[a]: http://evil.test/x (title)",
        "```sh rm -rf /\nls\n```",
        "[text](http://evil.test/x 'title') ![alt](http://evil.test/y)",
        "&lt;b&gt; <!-- hidden --> <b>shown</b>",
        "007. seven",
    ],
)
def test_nothing_that_is_written_is_left_out(text):
    words = to_text(draw_markdown(Markdown(text), APPROVAL))
    assert not Counter(filter(str.isalnum, text)) - Counter(filter(str.isalnum, words))


def test_hidden_characters_are_named_in_every_form():
    text = "# a\u202eb\n\n- *c\u200bd*\n\n```\ne\u2066f\n```\n\n`g\u2069h`"
    words = to_text(draw_markdown(Markdown(text), APPROVAL))
    assert [f"U+{mark}" in words for mark in ("202E", "200B", "2066", "2069")] == [True] * 4
