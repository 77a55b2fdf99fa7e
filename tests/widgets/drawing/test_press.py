import asyncio
import threading

import pytest

from cellwright_widgets.drawing.control import MAX_PRESS
from cellwright_widgets.drawing.node import element
from cellwright_widgets.drawing.press import KEPT, MAX_ANSWER, PENDING, Clip, Presses


class Desk(Presses):
    """Presses whose answers are kept instead of sent."""

    def __init__(self, loop=None, **answerers):
        self.sent, self.came = [], threading.Condition()
        super().__init__(self.put, lambda: loop)
        self.answerers |= answerers

    def put(self, message):
        with self.came:
            self.sent.append(message)
            self.came.notify_all()

    def press(self, number="p1", to="x", **facts):
        self.take({"id": number, "to": to, **facts})

    def wait(self, count=1):
        with self.came:
            assert self.came.wait_for(lambda: len(self.sent) >= count, 10), self.sent
        return self.sent


def test_what_was_pressed_is_answered_by_the_one_it_names():
    desk = Desk(x=lambda press: element("p", "", f"{press.facts['page']} {press.value}"), y=lambda press: "no")
    desk.press(page=3, value="north")
    assert desk.wait() == [{"answer": "p1", "node": ("p", {}, ["3 north"])}]


def test_a_text_can_be_the_answer_for_the_clipboard():
    desk = Desk(x=lambda press: Clip("a\tb", "1 row copied"))
    desk.press()
    assert desk.wait() == [{"answer": "p1", "copy": "a\tb", "said": "1 row copied"}]


def test_a_press_said_again_is_answered_again_but_acted_on_once():
    done = []
    desk = Desk(x=lambda press: done.append(1) or "done")
    for count in (1, 2, 3):
        desk.press()
        desk.wait(count)
    assert (desk.sent, done) == ([{"answer": "p1", "node": "done"}] * 3, [1])


def test_what_takes_its_time_holds_up_nobody_and_few_are_worked_on_at_once():
    go = threading.Event()
    desk = Desk(x=lambda press: "late" if go.wait(10) else "never", y=lambda press: "soon")
    for number in range(PENDING + 3):
        desk.press(f"p{number}")
        desk.press(f"p{number}")
    assert desk.sent == []
    go.set()
    assert {message["answer"] for message in desk.wait(PENDING)} == {f"p{number}" for number in range(PENDING)}
    desk.press("again", "y")
    assert desk.wait(PENDING + 1)[-1] == {"answer": "again", "node": "soon"}


def test_an_async_answerer_runs_on_the_loop_of_the_run():
    async def story():
        loop = asyncio.get_running_loop()

        async def answer(press):
            await asyncio.sleep(0)
            return f"on the loop: {asyncio.get_running_loop() is loop}"

        desk = Desk(loop, x=answer)
        await asyncio.to_thread(desk.press)
        return await asyncio.to_thread(desk.wait)

    assert asyncio.run(story()) == [{"answer": "p1", "node": "on the loop: True"}]


def test_an_answerer_whose_loop_is_gone_is_not_waited_for():
    async def answer(press):
        return "never"

    loop = asyncio.new_event_loop()
    loop.close()
    desk = Desk(loop, x=answer)
    desk.press()
    assert desk.sent == [{"answer": "p1", "failed": "the run's event loop is gone"}]


def test_what_goes_wrong_is_said():
    desk = Desk(x=lambda press: 1 / 0, y=lambda press: "y" * MAX_ANSWER)
    for number, to in (("a", "x"), ("b", "y"), ("c", "z")):
        desk.press(number, to)
    failed = {message["answer"]: message["failed"] for message in desk.wait(3)}
    assert "division by zero" in failed["a"]
    assert "1,000,000 are sent at most" in failed["b"]
    assert failed["c"] == "nobody answers 'z' here any more"


DEEP = [[]]
for _ in range(100_000):
    DEEP = [DEEP]
LONG = "y" * 2 * MAX_PRESS
ODD = [
    *(None, 1, [], {}, {"id": "a"}, {"id": 1, "to": "x"}, {"id": "", "to": "x"}, {"id": "a" * 41, "to": "x"}),
    *({"id": "a", "to": ["x"]}, {"id": "a", "to": "x", "value": 1.5}),
    *({"id": "a", "to": "x", "more": LONG}, {"id": "a", "to": "x", "more": DEEP}),
]


@pytest.mark.parametrize("said", ODD, ids=range(len(ODD)))
def test_a_page_can_say_anything(said):
    desk = Desk(x=lambda press: "no")
    desk.take(said)
    assert desk.sent == []


def test_only_the_last_answers_are_kept():
    done = []
    desk = Desk(x=lambda press: done.append(1) or "done")
    for number in range(KEPT + 2):
        desk.press(f"p{number}")
        desk.wait(number + 1)
    desk.press("p0")
    desk.wait(KEPT + 3)
    assert len(done) == KEPT + 3
