"""The page is told that a change was handled, also while a cell waits; else it would hold back all later ones."""

from ...kernel.driver import KernelDriver

WAITING = """
import asyncio
from cellwright_widgets.live.inputs import TextBox, Tick
box, tick = TextBox(placeholder="reason"), Tick(description="sure")
over = asyncio.Event()
loop = asyncio.get_running_loop()
tick.observe(lambda change: change.new or loop.call_soon_threadsafe(over.set), names="value")
display(box, tick)
await over.wait()
print(box.value)
"""


def idle_answers(kernel: KernelDriver) -> int:
    """How many messages of widgets the kernel has said to be done with."""
    return sum(parent == "comm_msg" for parent in kernel.idle_parents)


def test_each_change_is_acknowledged_while_the_cell_waits(kernel: KernelDriver):
    cell = kernel.start(WAITING)
    kernel.wait_widget("sure", "CheckboxModel")
    for number, (key, value) in enumerate([("reason", "one"), ("reason", "one two"), ("sure", True)], 1):
        kernel.set_value(key, value)
        kernel.wait_until(lambda number=number: idle_answers(kernel) >= number, f"the answer to change {number}")
    kernel.set_value("sure", False)
    assert kernel.wait_idle(cell).stdout == "one two\n"


def test_a_text_box_sends_nothing_while_the_person_types(kernel: KernelDriver):
    kernel.run("from cellwright_widgets.live.inputs import TextBox\nbox = TextBox(placeholder='reason')")
    model = kernel.widget_models()[kernel.wait_widget(None, "TextareaModel")]
    assert model.state["continuous_update"] is False


def test_a_text_box_that_is_answered_as_one_types_sends_each_change(kernel: KernelDriver):
    code = "from cellwright_widgets.live.inputs import Choice, TextBox\nbox = TextBox(named='path', as_typed=True)"
    kernel.run(code + "\nchoice = Choice(['same', 'same'], 1, 'kind')")
    model = kernel.widget_models()[kernel.wait_widget(None, "TextareaModel", tooltip="path")]
    assert model.state["continuous_update"] is True
    assert kernel.run("print(choice.index, choice.tooltip)").stdout == "1 kind\n"
