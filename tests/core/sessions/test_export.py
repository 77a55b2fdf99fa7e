import json

import nbformat
import pytest
from markdown_it import MarkdownIt

from cellwright.sessions.export import export_markdown, export_notebook, fenced, words

from ..in_time import in_time
from ..scene import calling, echo, plain, play

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


LEADS = "![x](http://evil.example/p.png)"


@pytest.mark.parametrize("name", [LEADS, "a**\n\n" + LEADS, "```\n" + LEADS, "<img src=x>", "\u202egone"])
def test_a_call_of_any_name_opens_nothing_in_what_comes_after_it(name):
    """A fence that the name left open would turn the next one round."""
    run = play([calling(name, ("echo", {"text": LEADS}), text=LEADS), LEADS], [echo])
    notebook = json.loads(export_notebook(run.events))
    texts = [export_markdown(run.events), *("".join(cell["source"]) for cell in notebook["cells"])]
    parse = MarkdownIt("commonmark", {"html": True}).parse
    kinds = {token.type for text in texts for block in parse(text) for token in [block, *(block.children or ())]}
    assert kinds & {"image", "link_open", "html_block", "html_inline", "heading_open"} == set()
    assert "\u202e" not in texts[0]


def test_an_outcome_of_any_name_opens_nothing_either():
    """A log is a text that came from somewhere; its names need not be ours."""
    events = play([calling(("echo", {"text": "x"})), "done"], [echo]).events
    odd = {"result": {"ok": False, "error_type": LEADS}, "run_ended": {"stop_reason": LEADS}}
    text = export_markdown([event._replace(data=event.data | odd.get(event.kind, {})) for event in events])
    assert "evil" not in text
    assert "**echo** (what is no name)" in text


def test_code_that_looks_like_other_code_is_no_cell_that_can_be_run():
    code = "access = 'user\u202e \u2066# admin\u2069 \u2066'"
    events = play([calling(("run_code", {"code": code})), "done"], [plain(lambda args, env: "1", "run_code")]).events
    cells = json.loads(export_notebook(events))["cells"]
    assert [cell["cell_type"] for cell in cells] == ["markdown"] * 3
    assert "⟨U+202E⟩" in cells[1]["source"]


ODD = [
    "<b>",
    "[a](b)",
    "see http://x",
    "# big",
    "a\n| b",
    "&amp;",
    r"$\href{javascript:x}{y}$",
    "www.x.y",
    "a\n---",
    "a\n  * * *\nb",
    "a\n===\n\n\nb",
    "\n\n\n  # big",
    "> a",
]


@pytest.mark.parametrize("text", ODD)
def test_what_could_be_more_than_words_is_shown_as_it_was_written(text):
    assert words(text) == f"\n\n{fenced(text)}"
    assert words("just *words*, two") == "just *words*, two"


@pytest.mark.parametrize("text", ["one\n\ntwo", "one\n\n\ntwo", "one\n   \n\t\ntwo\n\n\n", "\n\n\none"])
def test_empty_lines_between_words_are_no_markup(text):
    assert words(text) == text


@pytest.mark.parametrize("piece", [" ", "\n", "\n ", "\t\n", "- "])
def test_very_many_blanks_are_read_in_bounded_time(piece):
    text = piece * 200_000 + "x"
    in_time(2, lambda _: words(text))
