"""The kernel driver itself, with plain ipywidgets: what it says about a kernel is what a front end would see."""

import pytest

from .driver import KernelDriver

WAITING = """
import asyncio, ipywidgets
loop, pressed = asyncio.get_running_loop(), asyncio.Event()
button, name = ipywidgets.Button(description="Go on"), ipywidgets.Text(placeholder="your name")
button.on_click(lambda _: loop.call_soon_threadsafe(pressed.set))
display(ipywidgets.VBox([name, button]))
"""


def test_a_click_ends_the_cell_that_awaits_it(kernel: KernelDriver):
    run = kernel.start(WAITING + "await pressed.wait()\nprint('went on with', name.value)")
    button = kernel.wait_widget("Go on")
    kernel.set_value("your name", "Ada")
    kernel.wait_until(lambda: kernel.is_shown(button), "the button on the screen")
    assert run.status == "running"
    kernel.click("Go on")
    assert kernel.wait_idle(run).status == "ok"
    assert run.stdout == "went on with Ada\n"


def test_a_click_after_the_cell_returned_reaches_its_handler(matrix_kernel: KernelDriver):
    kernel = matrix_kernel
    run = kernel.run(WAITING + "button.on_click(lambda b: setattr(b, 'description', 'Gone on'))")
    assert run.status == "ok"
    kernel.click("Go on")
    comm_id = kernel.wait_widget("Gone on")
    assert kernel.widget_models()[comm_id].state["disabled"] is False


def test_a_click_reaches_an_awaiting_cell_on_every_kernel_that_is_waited_in(matrix_kernel: KernelDriver):
    if matrix_kernel.run("import ipykernel\nprint(ipykernel.version_info >= (7, 4))").stdout != "True\n":
        pytest.skip("an older kernel reads no message while a cell awaits, or loses one now and then")
    run = matrix_kernel.start(WAITING + "await pressed.wait()")
    matrix_kernel.wait_widget("Go on")
    matrix_kernel.click("Go on")
    assert matrix_kernel.wait_idle(run).status == "ok"


def test_an_interrupt_ends_a_cell(matrix_kernel: KernelDriver):
    run = matrix_kernel.start("import time\nprint('asleep', flush=True)\ntime.sleep(60)")
    matrix_kernel.wait_output(run, "asleep")
    matrix_kernel.interrupt()
    matrix_kernel.wait_idle(run)
    assert run.error["ename"] == "KeyboardInterrupt"


def test_a_disabled_button_cannot_be_pressed(kernel: KernelDriver):
    kernel.run("import ipywidgets; b = ipywidgets.Button(description='Never', disabled=True)")
    with pytest.raises(TimeoutError, match="the button 'Never' to be enabled"):
        kernel.click("Never", timeout=0.2)


def test_a_missing_widget_is_reported_with_those_there_are(kernel: KernelDriver):
    kernel.run("import ipywidgets; b = ipywidgets.Button(description='Allow')")
    with pytest.raises(TimeoutError, match=r"(?s)in vain for a widget 'Alow'.*ButtonModel\('Allow'\)"):
        kernel.click("Alow", timeout=0.2)
    with pytest.raises(TimeoutError, match=r"(?s)in vain for a ButtonModel with.*ButtonModel\('Allow'\)"):
        kernel.wait_widget("Alow", timeout=0.2)


def test_a_closed_widget_is_not_live(kernel: KernelDriver):
    kernel.run("import ipywidgets; b = ipywidgets.Button(description='Allow'); display(b)")
    comm_id = kernel.wait_widget("Allow")
    kernel.run("b.close()")
    assert comm_id not in kernel.widget_models()
    assert not kernel.is_shown(comm_id)


def test_a_custom_message_and_its_buffers_go_both_ways(kernel: KernelDriver):
    kernel.run(
        "import anywidget\nclass Echo(anywidget.AnyWidget): _esm = 'export default {}'\n"
        "echo = Echo()\necho.on_msg(lambda w, content, buffers: w.send({'back': content}, buffers))"
    )
    comm_id = kernel.wait_widget(model_name="AnyModel")
    kernel.send_custom(comm_id, {"n": 1}, [b"\x00\xff"])
    model = kernel.widget_models()[comm_id]
    kernel.wait_until(lambda: model.custom, "the echo")
    assert model.custom == [({"back": {"n": 1}}, [b"\x00\xff"])]


def test_outputs_are_what_is_left_after_updates_and_clears(kernel: KernelDriver):
    first = kernel.run("handle = display('old', display_id='shown')")
    second = kernel.run(
        "from IPython.display import clear_output\nhandle.update('new')\n"
        "print('gone'); clear_output(wait=True); print('a'); print('b')"
    )
    assert first.text == "'new'"
    assert [output["text"] for output in second.outputs] == ["a\nb\n"]


def test_what_a_click_handler_prints_belongs_to_no_cell(kernel: KernelDriver):
    run = kernel.run(WAITING + "button.on_click(lambda _: print('unseen', flush=True))")
    kernel.click("Go on")
    kernel.wait_until(lambda: kernel.log_console, "the handler's output")
    assert kernel.log_console[0]["text"].startswith("unseen")
    assert "unseen" not in run.text


def test_the_kernel_is_told_which_cell_runs(tmp_path):
    asked = "get_ipython().kernel.get_parent('shell')['metadata'].get('cellId')"
    with KernelDriver(folder=tmp_path) as kernel:
        assert kernel.wait_idle(kernel.start(asked, cell_id="load-data")).text == "'load-data'"
        kernel.cell_ids = False
        assert kernel.run(asked).text == ""


def test_a_restart_forgets_variables_and_widgets(kernel: KernelDriver):
    kernel.run("import ipywidgets; b = ipywidgets.Button(description='Old')")
    kernel.restart()
    assert kernel.run("b").error["ename"] == "NameError"
    assert not kernel.widget_models()


def test_a_dead_kernel_is_reported_at_once(kernel: KernelDriver):
    run = kernel.start("import os; os._exit(3)")
    with pytest.raises(RuntimeError, match="The kernel died"):
        kernel.wait_idle(run)
