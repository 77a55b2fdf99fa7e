"""The cards that ask and the panels: axe-core finds no serious fault in any of their states, light or dark.

What is shown of a run is judged where every kind of view is drawn (test_views.py).
"""

from .axe import grave_faults
from .driver import LabPage
from .scene import SET_UP
from .test_questions import ASKS, TWO_WRITES
from .test_undo import END, RUN

PANELS = """
from cellwright_widgets.chat.chat_panel import ChatPanel
from cellwright_widgets.cards.comparison_view import SideBySide
from cellwright_widgets.travel.time_travel import TimeTravel
display(UndoPanel(run), TimeTravel(run, agent), SideBySide(run, run), ChatPanel(agent))
"""
ASKED, CHOSEN, UNDONE, ENDED, PANEL = range(5)
CELLS = [SET_UP + TWO_WRITES + "run = await agent.run('Write.')", ASKS, RUN, END, PANELS]


def open_cells(page: LabPage, theme: str) -> None:
    page.open(page.server.write_notebook(f"axe-{theme}/axe-{theme}.ipynb", CELLS))


def asking(page: LabPage) -> list[str]:
    """An approval with a form, with what can be allowed for longer, with a reason, and for several calls."""
    page.run_cell(ASKED)
    found = []
    for opener, sign in (
        ("Edit arguments", ".cw-form textarea"),
        ("Allow…", ".cw-grant"),
        ("Deny with reason", "textarea"),
        ("Allow all 2 of these…", ".cw-waiting"),
    ):
        page.click_button(opener)
        opened = page.cell(ASKED).locator(f".cw-ask {sign}:visible").first
        opened.wait_for()
        found += grave_faults(page, ".cw-ask")
        page.page.keyboard.press("Escape")
        opened.wait_for(state="hidden")  # the buttons move as it goes
    page.interrupt()
    page.wait_done(ASKED)
    return found


def choosing(page: LabPage) -> list[str]:
    """A question with choices, then one with ticks, whose answer is read back."""
    page.run_cell(CHOSEN)
    page.button("Parquet").wait_for()
    found = grave_faults(page, ".cw-ask")
    page.click_button("Parquet")
    page.wait_output(CHOSEN, "Which regions belong in the report?")
    page.cell(CHOSEN).locator(".cw-choice-row input[type=checkbox]").first.check()
    page.click_button("Answer")
    page.wait_output(CHOSEN, "The model will read:")
    found += grave_faults(page, ".cw-ask")
    page.click_button("Send this answer")
    page.wait_done(CHOSEN)
    return found


def undoing(page: LabPage) -> list[str]:
    """What would be undone, on a card; then all that stands by itself."""
    page.run_cell(UNDONE)
    page.cell(UNDONE).get_by_role("button", name="Undo to here").nth(1).wait_for()
    page.cell(UNDONE).get_by_role("button", name="Undo to here").first.click()
    page.wait_output(UNDONE, "To be undone, the last first")
    found = grave_faults(page, ".cw-live")
    page.run_cell(ENDED)
    page.wait_done(ENDED)
    page.run_cell(PANEL)
    page.button("Undo to here…", PANEL).last.click()
    page.wait_output(PANEL, "To be undone, the last first")
    page.cell(PANEL).locator(".cw-prompt-text").wait_for()
    return found + grave_faults(page, ".cw-panel, .cw-compared")


def test_cards_that_ask_have_no_serious_fault(themed: tuple[LabPage, str]):
    page, theme = themed
    open_cells(page, theme)
    assert asking(page) + choosing(page) + undoing(page) == []
