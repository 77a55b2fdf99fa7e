"""The magics, in a real kernel."""

from ...kernel.driver import KernelDriver
from ..scene import outcome


def test_the_magic_starts_a_run_with_the_text_of_the_cell(ready: KernelDriver):
    ready.run("agent = writer()\n%load_ext cellwright_widgets")
    cell = ready.run("%%agent\nWrite a note.")
    ready.click("Allow once")
    ready.run("run = agent.last_run")
    assert outcome(ready)[0] == "answered"
    assert "Write a note." in cell.text


def test_the_mode_of_the_agent_is_shown_and_set(ready: KernelDriver):
    ready.run("agent = helper = writer()\n%load_ext cellwright_widgets")
    assert ready.run("%agent_mode").stdout == "agent: mode default\n"
    assert ready.run("%agent_mode plan --agent helper").stdout == "helper: mode plan\n"
    assert "there is no mode 'fast'" in ready.run("%agent_mode fast").text
    assert ready.run("%agent_mode bypass").status == "error"
    assert ready.run("print(agent.policy.mode)").stdout == "plan\n"


def test_a_cell_speaks_in_the_panel_of_its_agent(ready: KernelDriver):
    ready.run("agent = writer()\n%load_ext cellwright_widgets")
    assert "has no chat panel" in ready.run("%%agent --panel\nWrite.").text
    ready.run("from cellwright_widgets.chat.chat_panel import ChatPanel\npanel = ChatPanel(agent)\npanel")
    cell = ready.run("%%agent --panel\nWrite a note.")
    ready.click("Allow once")
    ready.run("run = agent.last_run")
    assert outcome(ready)[0] == "answered"
    assert "Write a note." not in cell.text
    assert ready.run("print(panel.chat.run is run)\n%agent_mode plan\nprint(panel.mode.mode)").stdout.splitlines() == [
        "True",
        "agent: mode plan",
        "plan",
    ]
