import json

import nbformat
import pytest

from cellwright.export import export_markdown, export_notebook, fenced, words

from .scene import calling, echo, plain, play

TURNS = [
    calling(("echo", {"text": "```\n<script>"}), ("run_code", {"code": "print(1)"}), text="Look:"),
    calling("gone", text="![x](http://evil.example/p.png)"),
    "done",
]


@pytest.fixture(scope="module")
def events():
    return play(TURNS, [echo, plain(lambda args, env: "1", "run_code")]).events


def test_a_notebook_is_valid_and_has_code_with_what_it_printed(events):
    nb = nbformat.reads(export_notebook(events), as_version=4)
    nbformat.validate(nb)
    (code,) = [cell for cell in nb.cells if cell.cell_type == "code"]
    assert (code.source, code.outputs[0].text) == ("print(1)", "1")
    assert [cell.source[:9] for cell in nb.cells][:2] == ["**You:** ", "Look:"]
    assert json.loads(export_notebook(events))["nbformat_minor"] == 5


def test_markup_of_others_stands_in_a_fence(events):
    text = export_markdown(events)
    assert "````\n```\n<script>\n````" in text
    assert "```\n![x](http://evil.example/p.png)\n```" in text
    assert "**gone** (unknown_tool)" in text


@pytest.mark.parametrize("text", ["<b>", "[a](b)", "see http://x", "# big", "a\n| b", "&amp;"])
def test_what_could_be_more_than_words_is_shown_as_it_was_written(text):
    assert words(text) == f"\n\n{fenced(text)}"
    assert words("just *words*, two") == "just *words*, two"
