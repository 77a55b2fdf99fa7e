"""Which page is asked, where there are several, and where they come and go."""

import asyncio
import threading
from pathlib import Path

import pytest

from cellwright_widgets.open_notebook.election import Election, Patience

from ..open_page import OpenPage, Wire

SHORT = Patience(first=0.1, present=0.4, glimpse=0.2)


def opened(name: str, path: str = "a.ipynb", **facts) -> OpenPage:
    return OpenPage(name, Path("/somewhere/a.ipynb"), path, **facts)


def elected(act, *pages, client: str = "", patience: Patience = SHORT):
    """What `act` gives in a thread, of an election among these pages."""

    async def main():
        wire = Wire(*pages)
        return await asyncio.to_thread(act, Election(wire, client, patience), wire)

    return asyncio.run(main())


def named(election: Election, path: str = "a.ipynb") -> str | None:
    page = election.page(lambda shown: shown == path)
    return page.name if page else None


def test_without_a_page_nobody_is_elected_and_nobody_asked():
    assert elected(lambda election, wire: (named(election), wire.sent)) == (None, [])


def test_a_page_that_has_another_notebook_open_is_not_asked():
    assert elected(lambda election, wire: (named(election, "b.ipynb"), wire.sent), opened("one")) == (None, [])


FIRST = [
    ({"client": "c"}, {"focus": True, "client": "d"}, "one"),
    ({"visible": False}, {}, "two"),
    ({"client": "d", "focus": True}, {"client": "c"}, "two"),
    ({}, {"path": "moved.ipynb"}, "one"),
]


@pytest.mark.parametrize(("one", "two", "name"), FIRST)
def test_the_page_that_ran_the_cell_is_elected_or_else_the_one_that_is_looked_at(one, two, name):
    pages = opened("one", **one), opened("two", **two)
    assert elected(lambda election, wire: named(election), *pages, client="c") == name


def test_the_page_that_ran_the_cell_is_waited_for_though_another_spoke_first():
    def act(election, wire):
        slow = opened("slow", client="c")
        threading.Timer(0.05, lambda: (wire.open.append(slow), wire.say("slow", hello=slow.who()))).start()
        return named(election)

    assert elected(act, opened("quick", focus=True), client="c", patience=Patience(first=20.0, present=5.0)) == "slow"


def test_who_is_elected_stays_so_while_they_answer():
    pages = opened("one", visible=False), opened("two")

    def act(election, wire):
        first = named(election)
        pages[0].facts, pages[1].facts = {"visible": True, "focus": True}, {"visible": False}
        return first, named(election)

    assert elected(act, *pages) == ("two", "two")


def test_after_a_page_was_loaded_again_the_new_one_is_elected():
    def act(election, wire):
        first = named(election)
        wire.open = [opened("again")]
        return first, named(election), named(election)

    assert elected(act, opened("one")) == ("one", "again", "again")


def test_a_page_that_fell_silent_is_heard_again_once_it_speaks():
    page = opened("one")

    def act(election, wire):
        page.deaf = {"who"}
        silent = named(election), named(election)
        page.deaf = set()
        return silent, named(election)

    assert elected(act, page) == ((None, None), "one")
