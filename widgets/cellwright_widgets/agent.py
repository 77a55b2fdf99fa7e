"""The core's agent in a notebook: its runs are shown live in the cell, and questions are asked by cards with buttons.

The class is the core's; only the company of a run is another. Outside of a kernel it is the core's company too.
"""

from __future__ import annotations

import cellwright
from cellwright.runs.company import Company
from cellwright.runs.desk import ScriptedDesk
from cellwright.runs.run import Run
from cellwright_widgets.live.kernel_facts import kernel
from cellwright_widgets.live.live_view import LiveView
from cellwright_widgets.open_notebook.live_notebook import LiveDesk, bridge_of_kernel


class Agent(cellwright.Agent):
    """An agent whose runs are shown in the cell that starts them.

    `await agent.run("...")` keeps the cell waiting until the run ends; where a kernel can't deliver clicks to a waiting
    cell, it ends at the first question and the run goes on in the background. `agent.start("...")` never waits.
    """

    def company(self, run: Run) -> Company:
        """The live view of the cell that runs now: it watches, asks, and knows how the cell may wait. And the desk: the
        notebook that is open in the page."""
        if kernel() is None:
            return super().company(run)
        view = LiveView(run, "Cellwright")
        view.show()
        desk = LiveDesk(bridge_of_kernel, view.let_go) if view.cell else ScriptedDesk()  # nothing lies open elsewhere
        return Company(view.approver, (view,), lambda _: view.wait(run), view.shelf, desk)
