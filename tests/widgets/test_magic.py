"""The cell magic, in a real kernel."""

from ..kernel.driver import KernelDriver
from .scene import outcome


def test_the_magic_starts_a_run_with_the_text_of_the_cell(ready: KernelDriver):
    ready.run("agent = writer()\n%load_ext cellwright_widgets")
    cell = ready.run("%%agent\nWrite a note.")
    ready.click("Allow once")
    ready.run("run = agent.last_run")
    assert outcome(ready)[0] == "answered"
    assert "Write a note." in cell.text
