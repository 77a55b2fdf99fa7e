"""The box in a real kernel, as a page speaks to it."""

import pytest

from cellwright_widgets.chat.prompt_box import PromptBox

from ...kernel.driver import KernelDriver

BOX = """
from cellwright_widgets.chat.prompt_box import PromptBox
said = []
def take(text, name):
    said.append(text)
    box.refuse(name) if text == "no" else box.take(name, text)
box = PromptBox(take)
"""


@pytest.fixture
def box(kernel: KernelDriver):
    assert kernel.run(BOX).status == "ok"
    return kernel.widget_models()[kernel.wait_widget(None, "AnyModel")]


def test_a_text_is_taken_once_and_answered_each_time(kernel: KernelDriver, box):
    for _ in range(2):
        kernel.send_custom(box.comm_id, {"say": "hello", "id": "a"})
    kernel.wait_until(lambda: len(box.custom) == 2, "two answers")
    assert [content for content, _ in box.custom] == [{"taken": "a", "text": "hello"}] * 2
    assert kernel.run("print(said)").stdout == "['hello']\n"


def test_a_text_that_was_refused_can_come_again(kernel: KernelDriver, box):
    for _ in range(2):
        kernel.send_custom(box.comm_id, {"say": "no", "id": "a"})
    kernel.wait_until(lambda: len(box.custom) == 2, "two answers")
    assert kernel.run("print(said, box.was_seen)").stdout == "['no', 'no'] False\n"


def test_nonsense_of_a_page_is_passed_over(kernel: KernelDriver, box):
    for nonsense in (None, 1, [], {"say": 1, "id": "a"}, {"say": "x"}, {"say": " ", "id": "a"}, {"shown": True}):
        kernel.send_custom(box.comm_id, nonsense)
    kernel.send_custom(box.comm_id, {"say": "hello", "id": "b"})
    kernel.wait_until(lambda: box.custom, "an answer")
    assert kernel.run("print(said, box.was_seen, box.n)").stdout == "['hello'] True 1\n"


def test_a_text_that_is_given_back_stands_before_what_is_written():
    box = PromptBox(lambda text, name: None)
    box.give_back("first")
    box.give_back("earlier")
    assert box.draft == "earlier\n\nfirst"
    box.take("a", box.draft)
    assert box.draft == ""
