import asyncio
import json
import threading
import time

import pytest

from cellwright_widgets.cards.story import HEAD
from cellwright_widgets.drawing.node import to_html
from cellwright_widgets.live.transcript import Transcript

from ..page import HOSTILE, Page, assert_harmless
from ..run_events import call_events, events, whole_run
from ..wire import opened


class Wire(Transcript):
    """A transcript whose messages are kept instead of sent."""

    def send(self, content, buffers=None):
        self.__dict__.setdefault("sent", []).append(opened(content, buffers))
        self.__dict__["size"] = self.__dict__.get("size", 0) + len(json.dumps(content)) + sum(map(len, buffers or ()))

    def ask(self, **content):
        """What a page says."""
        self._handle_custom_msg(content, [])


class Mirror:
    """What a page would show that got these messages; the rules of `static/transcript.js`."""

    def __init__(self):
        self.items, self.last = {}, 0

    def take(self, messages):
        for message in messages:
            if message["from"] <= self.last < message["to"]:
                for place, node, *extra in message["items"]:
                    self.items[place] = self.items[place] + extra[0] if node is None else Page(to_html(node)).text
                self.last = message["to"]
        return self


def streamed(count: int) -> list:
    words = [("text", {"text": f"w{number} "}) for number in range(count)]
    return events(("run_started", {"prompt": "p"}), ("turn_started", {"turn": 1}), *words)


def filled(facts) -> Wire:
    wire = Wire()
    for event in facts:
        wire.on_event(event)
    wire.flush()
    return wire


def test_a_call_that_begins_before_the_last_word_is_shown_live_as_it_is_recorded():
    call, *rest = call_events()
    facts = [("run_started", {"prompt": "p"}), ("turn_started", {}), call, ("text", {"text": "Look"}), *rest]
    facts[4:4] = [("text", {"text": "ing."})]
    wire, mirror = Wire(), Mirror()
    for event in events(*facts, ("message", {"text": "Looking."}), ("run_ended", {"stop_reason": "cancelled"})):
        wire.on_event(event)
        wire.flush()
        mirror.take(wire.sent)
    shown = [mirror.items[place] for place in sorted(mirror.items) if place >= 0]
    assert [[word in text for word in ("p", "Looking.", "read_file")].index(True) for text in shown[:1]] == [0]
    assert [("Looking." in text, "read_file" in text) for text in shown[1:3]] == [(True, False), (False, True)]
    kept = Wire()
    for event in wire.events:
        kept.on_event(event)
    assert repr(kept) == repr(wire)
    assert repr(wire).index("Looking.") < repr(wire).index("read_file")


def test_a_page_that_comes_late_sees_everything():
    wire = filled(whole_run(*call_events()))
    wire.sent.clear()
    wire.ask(since=0)
    shown = Mirror().take(wire.sent).items
    assert len(wire.sent) == 1
    assert "Look at a.py" in shown[0]
    assert "All good." in " ".join(shown.values())


def test_whoever_lost_a_batch_asks_and_has_it_all():
    async def story():
        wire = Wire()
        for event in streamed(200):
            wire.on_event(event)
            await asyncio.sleep(0.001)
        wire.flush()
        return wire

    wire = asyncio.run(story())
    whole = Mirror().take(wire.sent)
    torn = Mirror().take(message for number, message in enumerate(wire.sent) if number % 3)
    wire.sent.clear()
    wire.ask(since=torn.last)
    assert torn.take(wire.sent).items == whole.items


def test_a_stream_of_letters_is_few_small_messages():
    async def story():
        wire = Wire()
        start = time.perf_counter()
        for event in streamed(2_000):
            wire.on_event(event)
            if event.number % 20 == 0:
                await asyncio.sleep(0.005)
        wire.flush()
        return wire, time.perf_counter() - start

    wire, seconds = asyncio.run(story())
    assert len(wire.sent) <= seconds * 20 + 3
    assert sum(len(str(message)) for message in wire.sent) < 60_000
    assert Mirror().take(wire.sent).items[1].count("w") == 2_000


def test_events_from_threads_arrive_once_and_in_order():
    wire = Wire()
    lock = threading.Lock()

    def work():
        for _ in range(50):
            with lock:
                wire.on_event(events(("note", {"text": f"n{len(wire.events)}"}))[0])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wire.flush()
    assert [text for place, text in sorted(Mirror().take(wire.sent).items.items()) if place >= 0] == [
        f"Note: n{number}" for number in range(400)
    ]


def test_a_thousand_calls_are_drawn_in_a_moment_and_little_is_sent_of_each():
    facts = [fact for number in range(1_000) for fact in call_events(call=f"c{number}")]
    start = time.thread_time()
    wire = filled(whole_run(*facts))
    assert wire.size < 1_000 * 500
    wire.sent.clear()
    wire.ask(since=0)
    assert time.thread_time() - start < 5
    assert len(Mirror().take(wire.sent).items) == 1_004


def test_stop_and_the_first_look_are_told_on_the_loop():
    async def story():
        wire, told = Wire(), []
        wire.on_stop.append(lambda: told.append(("stop", threading.current_thread() is threading.main_thread())))
        wire.on_seen.append(lambda: told.append("seen"))
        wire.on_event(whole_run()[0])
        thread = threading.Thread(target=lambda: (wire.ask(since=0), wire.ask(since=0), wire.ask(stop=True)))
        thread.start()
        thread.join()
        await asyncio.sleep(0.01)
        return told, wire.was_seen

    assert asyncio.run(story()) == (["seen", ("stop", True)], True)


@pytest.mark.parametrize(
    "content", [{"since": "x"}, {"stop": 1}, {"since": -5}, {"since": 10**9}, {}, {"x": None}, {"press": 1}]
)
def test_a_page_can_say_anything(content):
    wire, told = filled(whole_run()), []
    wire.on_stop.append(lambda: told.append(1))
    wire.ask(**content)
    assert told == []


def test_hostile_events_are_sent_as_text():
    wire = filled(whole_run(*(fact for text in HOSTILE for fact in call_events(name=text, content=text))))
    for message in wire.sent:
        for _, node, *_extra in message["items"]:
            assert_harmless(Page(to_html(node)))


def test_it_reads_without_widgets():
    wire = filled(whole_run(*call_events()))
    assert "You: Look at a.py" in repr(wire)
    bundle = wire._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "This was a live view" in data["text/html"]
    assert "read_file" in data["text/plain"]


def test_a_page_gets_the_record_once_the_run_has_ended():
    wire = filled(whole_run())
    wire.sent.clear()
    wire.ask(record=True)
    wire.ask(kept=True)
    assert (wire.sent, wire.was_kept) == ([], False)
    wire.end({"text/plain": "the record"})
    wire.ask(record=True)
    wire.ask(kept=True)
    assert (wire.sent, wire.was_kept) == ([{"record": {"text/plain": "the record"}}], True)


def test_the_head_says_that_the_person_is_asked_though_no_event_of_the_run_says_so():
    wire, mirror = filled(events(("run_started", {"prompt": "p"}), ("executing", {"id": "c1"}))), Mirror()
    heads = []
    for waits in (True, False):
        wire.wait_for_person(waits)
        wire.flush()
        heads.append(mirror.take(wire.sent).items[HEAD])
    assert ["needs your answer" in head for head in heads] == [True, False]
    wire.wait_for_person(True)
    wire.on_event(events(("run_ended", {"stop_reason": "answered", "answer": "x"}))[0])
    assert "needs your answer" not in mirror.take(wire.sent).items[HEAD]


def test_what_is_pressed_on_a_page_is_answered():
    wire = filled(whole_run())
    wire.presses.answerers["x"] = lambda press: press.value
    wire.sent.clear()
    wire.ask(press={"id": "p1", "to": "x", "value": "typed"})
    for thread in threading.enumerate():
        if thread.name == "cellwright-press":
            thread.join(10)
    assert wire.sent == [{"answer": "p1", "node": "typed"}]
