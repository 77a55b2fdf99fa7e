"""The person's desk: which page is asked, what is sent to it, and what happens if it does not answer."""

import asyncio
import json
from pathlib import Path

import pytest

from cellwright import ToolError
from cellwright.runs.desk import Rewrite
from cellwright_widgets.open_notebook.election import Patience
from cellwright_widgets.open_notebook.live_notebook import LiveDesk

from ..open_page import OpenPage, Wire

SHORT = Patience(first=0.1, present=0.3, glimpse=0.1, answer=0.4)
CHANGE = [Rewrite("b", "y = 2", "y = 3")]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path.resolve() / "a.ipynb"
    file.write_text("{}")
    monkeypatch.setenv("JPY_SESSION_NAME", str(file))
    monkeypatch.delenv("JPY_PARENT_PID", raising=False)
    return file


def at_desk(act, *pages):
    """What `act` gives in a thread, at a desk with these pages."""

    async def main():
        wire = Wire(*pages)
        desk = LiveDesk(lambda: wire, lambda: None, SHORT)
        return await asyncio.to_thread(act, desk, wire)

    return asyncio.run(main())


def opened(path: Path, name: str = "one", **facts) -> OpenPage:
    return OpenPage(name, path, path.name, **facts)


def changed(path: Path):
    return lambda desk, wire: desk.change(desk.read(path), CHANGE)


def test_the_open_document_is_read_with_what_was_typed(path: Path):
    sheet = at_desk(lambda desk, wire: desk.read(path), opened(path))
    cells = json.loads(sheet.data)["cells"]
    assert ([cell["source"] for cell in cells], sheet.keys) == (["x = 1  # typed", "y = 2"], ("a", "b"))


def test_a_notebook_that_no_page_has_open_is_nobodys(path: Path):
    other = path.with_name("other.ipynb")
    assert at_desk(lambda desk, wire: (desk.read(other), wire.sent[1:]), opened(path)) == (None, [])
    assert at_desk(lambda desk, wire: (desk.read(path), desk.before_writing(path))) == (None, "")


def test_a_change_is_made_in_one_of_two_pages(path: Path):
    pages = opened(path, "one"), opened(path, "two")
    assert "open notebook" in at_desk(changed(path), *pages)
    assert sorted(page.sources[1] for page in pages) == ["y = 2", "y = 3"]


@pytest.mark.parametrize(("shared", "said"), [(False, "not saved yet"), (True, "that pages share")])
def test_the_model_hears_where_a_change_can_be_undone_and_whether_it_is_saved(path: Path, shared, said):
    assert said in at_desk(changed(path), opened(path, shared=shared))


def test_a_change_that_rests_on_an_older_text_is_refused(path: Path):
    page = opened(path)

    def act(desk, wire):
        sheet = desk.read(path)
        page.desk.documents[path]["cells"][1]["source"] = "typed over it"
        desk.change(sheet, CHANGE)

    with pytest.raises(ToolError) as caught:
        at_desk(act, page)
    assert (caught.value.code, page.sources[1]) == ("stale", "typed over it")


def test_a_change_whose_answer_is_lost_for_good_is_told_as_unknown_and_the_file_stays(path: Path):
    page = opened(path)
    page.deaf = {"change"}
    with pytest.raises(ToolError, match="not known whether the edit was made") as caught:
        at_desk(changed(path), page)
    assert (caught.value.code, path.read_text()) == ("unanswered", "{}")


def test_a_change_that_a_page_loaded_again_has_already_is_not_made_again(path: Path):
    first, again = opened(path), opened(path, "again")

    def act(desk, wire):
        sheet = desk.read(path)
        desk.change(sheet, CHANGE)
        again.desk.documents = first.desk.documents  # as one shared document, or saved before the page was loaded again
        wire.open = [again]
        return desk.change(sheet, CHANGE)

    assert "open notebook" in at_desk(act, first)
    assert again.sources[1] == "y = 3"


def test_a_file_whose_page_is_silent_is_written_with_a_word_of_warning(path: Path):
    page = opened(path)
    page.deaf = {"who"}
    said = at_desk(lambda desk, wire: (desk.read(path), desk.before_writing(path)), page)
    assert said[0] is None
    assert "may ask the person" in said[1]


@pytest.mark.parametrize("answer", [{}, {"notebook": []}, {"notebook": {"cells": []}, "keys": ["a"]}, {"failed": "no"}])
def test_what_is_no_document_is_not_read(path: Path, answer):
    page = opened(path)
    page.on_read = lambda message: answer
    assert at_desk(lambda desk, wire: desk.read(path), page) is None


def test_on_the_thread_that_hears_the_pages_nothing_is_waited_for(path: Path):
    async def main():
        wire = Wire(opened(path))
        desk = LiveDesk(lambda: wire, lambda: None, SHORT)
        first = desk.read(path)
        known = await asyncio.to_thread(desk.read, path)
        return first, desk.read(path) is known

    assert asyncio.run(main()) == (None, True)
