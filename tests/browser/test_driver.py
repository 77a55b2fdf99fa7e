"""The browser driver itself, with plain ipywidgets: what it does is what a person at the screen would do and see."""

import struct

from .driver import LabPage, LabServer
from .sink import Sink

COUNTER = """
import ipywidgets
button, label = ipywidgets.Button(description="Count"), ipywidgets.Label("0 clicks")
clicks = []
def count(_):
    clicks.append(1)
    label.value = f"{len(clicks)} clicks"
button.on_click(count)
ipywidgets.VBox([button, label])
"""


def test_a_click_in_lab_changes_the_output(lab: LabPage, lab_server: LabServer):
    lab.open(lab_server.write_notebook("click.ipynb", [("markdown", "# A heading"), COUNTER]))
    lab.run_cell(1)
    lab.wait_output(1, "0 clicks")
    lab.click_button("Count")
    lab.wait_output(1, "1 clicks")
    assert lab.page_errors == []
    assert lab.outside_requests == []


def test_the_stop_button_ends_a_cell_and_a_restart_forgets_variables(lab: LabPage, lab_server: LabServer):
    lab.open(lab_server.write_notebook("stop.ipynb", ["from time import sleep\nprint('asleep')\nsleep(60)", "sleep"]))
    lab.run_cell(0)
    lab.wait_output(0, "asleep")
    lab.interrupt()
    lab.wait_output(0, "KeyboardInterrupt")
    lab.restart()
    lab.run_cell(1)
    lab.wait_output(1, "NameError")


def test_what_was_saved_is_there_after_a_reload(lab: LabPage, lab_server: LabServer):
    path = lab_server.write_notebook("saved.ipynb", ["6 * 7", "print('last', _)"])
    lab.open(path)
    lab.run_all()
    lab.wait_done(1)
    lab.save()
    assert lab_server.read_notebook(path).cells[1].outputs[0].text == "last 42\n"
    lab.reload()
    lab.wait_output(1, "last 42")


def test_the_text_of_a_cell_below_the_screen_can_be_read(lab: LabPage, lab_server: LabServer):
    cells = ["print('line\\n' * 60)"] * 3 + ["print('far', 'below')"]
    lab.open(lab_server.write_notebook("long.ipynb", cells))
    lab.run_all()
    lab.wait_output(3, "far below")


def test_a_request_to_another_host_is_recorded_and_fails(lab: LabPage, lab_server: LabServer):
    code = 'from IPython.display import HTML\nHTML(\'<img src="http://elsewhere.test/x.png" alt="not loaded">\')'
    lab.open(lab_server.write_notebook("outside.ipynb", [code]))
    lab.run_cell(0)
    lab.wait_done(0)
    lab.cell(0).locator("img").wait_for()
    assert set(lab.outside_requests) == {"http://elsewhere.test/x.png"}


def test_a_request_to_the_evil_host_arrives_at_the_sink(lab: LabPage, lab_server: LabServer, sink: Sink):
    code = 'from IPython.display import HTML\nHTML(\'<img src="http://evil.test/seen" alt="not loaded">\')'
    lab.open(lab_server.write_notebook("sink.ipynb", [code]))
    lab.run_cell(0)
    lab.wait_until(lambda: sink.heard, "the request")
    assert set(sink.heard) == {"/seen"}


def test_a_dark_page_and_one_of_its_cells_are_saved_as_screenshots(chromium, dark_server):
    with LabPage(dark_server, chromium) as lab:
        lab.open(dark_server.write_notebook("dark.ipynb", ["1 + 1"]))
        lab.page.locator("body[data-jp-theme-light='false']").wait_for(state="attached")
        pictures = lab.screenshot("driver-dark"), lab.screenshot("driver-dark-cell", lab.cell(0))
    width, cell_width = (struct.unpack(">I", path.read_bytes()[16:20])[0] for path in pictures)
    assert width == 1400
    assert 0 < cell_width < width
