"""The way to the pages and back: pieces become one answer, and nobody waits for ever."""

import asyncio
import time
from pathlib import Path

import pytest

from cellwright_widgets.open_notebook.bridge import Bridge, Clock, Page

from ..open_page import OpenPage, Wire

PATH = Path("/somewhere/a.ipynb")


def bridged(act, *pages):
    """What `act` gives in a thread, with a bridge to these pages."""

    async def main():
        return await asyncio.to_thread(act, Wire(*pages))

    return asyncio.run(main())


def page(name="one", **facts) -> OpenPage:
    return OpenPage(name, PATH, "a.ipynb", **facts)


def test_an_answer_in_pieces_is_one_answer():
    answers = bridged(lambda wire: wire.ask("read", 5, "one"), page())
    assert answers["one"]["keys"] == ["a", "b"]
    assert [cell["source"] for cell in answers["one"]["notebook"]["cells"]] == page().sources


def test_a_letter_that_was_cut_in_two_is_one_letter_again():
    def act(wire):
        halves = ['{"text": "\ud83d', '\ude00"}']
        wire.send = lambda content: [
            wire.say("one", n=content["n"], part=part, parts=2, text=half) for part, half in enumerate(halves)
        ]
        return wire.ask("read", 5, "one")

    assert bridged(act) == {"one": {"text": "\U0001f600"}}


def test_all_pages_are_asked_who_they_are():
    answers = bridged(lambda wire: wire.ask("who", 5, enough=lambda got: len(got) == 2), page("one"), page("two"))
    assert sorted(answers) == ["one", "two"]


def test_one_page_is_asked_by_its_name_and_no_other_hears_it():
    pages = page("one"), page("two")
    assert set(bridged(lambda wire: wire.ask("read", 5, "two"), *pages)) == {"two"}
    assert (pages[0].given, len(pages[1].given)) == ({}, 1)


def test_a_page_that_is_silent_is_waited_for_no_longer_than_said():
    silent = page()
    silent.deaf = {"read"}
    started = time.monotonic()
    assert bridged(lambda wire: wire.ask("read", 0.3, "one"), silent) == {}
    assert time.monotonic() - started >= 0.3


def test_a_change_whose_answer_was_lost_is_asked_for_again_and_made_once():
    forgetful = page()
    forgetful.forgets = {"change"}
    steps = [{"do": "rewrite", "key": "b", "expect": "y = 2", "source": "y = 3"}]
    answers = bridged(lambda wire: wire.ask("change", 2, "one", steps=steps), forgetful)
    assert (answers["one"], len(forgetful.desk.changes)) == ({"made": 1}, 1)


NONSENSE = [
    {"part": 0, "parts": 1, "text": "no JSON"},
    {"part": 0, "parts": 1, "text": "[1]"},
    {"part": 1, "parts": 2, "text": "{}"},
    {"part": 0, "parts": 10**9, "text": "{}"},
    {"part": 0, "parts": "2", "text": "{}"},
    {"part": 0, "parts": 1, "text": 7},
    {"part": 0, "parts": 1, "text": "[" * 100_000},
    {},
]


@pytest.mark.parametrize("content", NONSENSE)
def test_nonsense_is_no_answer(content):
    def act(wire):
        wire.send = lambda asked: wire.say("one", n=asked["n"], **content)
        return wire.ask("read", 0.3, "one")

    assert bridged(act) == {}


def test_pages_come_and_go_and_what_they_say_may_be_anything():
    def act(wire):
        wire.say("two", hello={"path": "b.ipynb", "client": 7, "focus": 1, "shared": True})
        wire.say("three", hello={"path": 3})
        wire.say("four", hello=None)
        wire.say("one", bye=True)
        wire._handle_custom_msg("nothing", [])
        return wire.pages

    assert bridged(act, page()) == {"two": Page("two", "b.ipynb", "7", False, True)}


def test_a_bridge_outlives_its_loop_only_as_a_closed_one():
    async def made() -> Bridge:
        return Wire()

    assert asyncio.run(made()).is_open is False


def test_time_in_which_the_kernel_could_not_listen_is_not_counted():
    loop = asyncio.new_event_loop()
    clock = Clock(loop, 0.1)
    for _ in range(10):
        clock.tick()  # the loop does not turn
    assert (clock.is_over, clock.spent) == (False, 0.0)
    for _ in range(3):
        loop.run_until_complete(asyncio.sleep(0))
        clock.tick()
    assert clock.is_over
    loop.close()
