"""Figures of pyplot and the messages of a page, in real kernels."""

from pathlib import Path

from ...kernel.driver import KernelDriver

PLOTS = """
import asyncio
import ipywidgets
import matplotlib.pyplot as plt
from cellwright import Output
from cellwright.views.view import figure_view

@tool(read_only=True)
def plot(name: str) -> Output:
    "Plots."
    figure, axes = plt.subplots()
    pathlib.Path(name).touch()
    while not pathlib.Path(name + ".go").exists():
        time.sleep(0.01)
    still_open = plt.fignum_exists(figure.number)
    return Output(f"still open: {still_open}", view=figure_view(figure))

agent = Agent(ScriptedModel([Turn(calls=[("plot", {"name": "asked"})]), said]), tools=[plot])
poke = ipywidgets.Button(description="Poke")
poke.on_click(lambda _: asyncio.get_running_loop().call_later(0.1, pathlib.Path("poked").touch))
display(poke)
"""


def test_a_message_of_a_page_does_not_draw_the_figure_of_a_tool(ready: KernelDriver, tmp_path: Path):
    assert ready.run(PLOTS).status == "ok"
    ready.run("run = agent.start('Plot.')")
    ready.wait_until((tmp_path / "asked").exists, "the tool to draw")
    ready.click("Poke")
    ready.wait_until((tmp_path / "poked").exists, "the message to be heard")
    (tmp_path / "asked.go").touch()
    told = ready.run("await run.wait()\nprint(run.results[0].content, plt.get_fignums())")
    assert told.stdout == "still open: True []\n"


def test_a_figure_that_is_open_at_the_end_of_a_cell_is_shown_by_it(ready: KernelDriver):
    assert ready.run(PLOTS).status == "ok"
    cell = ready.run("plt.subplots(); run = await Agent(ScriptedModel(['Nothing to do.'])).run('Plot.')")
    assert len([output for output in cell.outputs if "image/png" in output.get("data", {})]) == 1
