"""Markdown that would load something from elsewhere."""

import pytest

from cellwright.notebook.remote import loads

from .test_document import code, markdown, parsed


@pytest.mark.parametrize(
    "source",
    [
        "![x](https://evil.test/a.png)",
        "<img src='//evil.test/a'>",
        "[r]: http://evil.test/a",
        "a: url(http://evil.test)",
    ],
)
def test_only_markdown_loads_from_elsewhere_when_it_is_shown(source):
    warned = [loads(cell) for cell in parsed([markdown("m", [source]), code("c", [source])]).cells]
    assert "evil.test" in warned[0]
    assert warned[1] == ""


@pytest.mark.parametrize("piece", ["<a", "![", "\n", "\n[a", "<a ", "url(  "])
def test_no_source_makes_looking_at_it_slow(piece):
    assert loads(parsed([markdown("m", [piece * 20_000])]).cells[0]) == ""


def test_what_the_notebook_holds_itself_loads_nothing():
    assert loads(parsed([markdown("m", ["![x](attachment:a.png) ![y](images/b.png)"])]).cells[0]) == ""
