"""What is shown in a real JupyterLab: a run that is over is alive once more, and a record without its kernel."""

from playwright.sync_api import Locator

from .driver import LabPage
from .scene import shot
from .test_tables import LARGE
from .test_views import acting_parts

RUN = LARGE.replace(', ("write_file", {"path": "x.txt", "content": "x"})', "")
SHOW = "from cellwright_widgets import show\nshow(run)\nshow(SALES)\nshow({bad: {bad: [bad, n]} for n in range(3)})"


def paged(view: Locator, words: str) -> None:
    """Presses for the next page of the first table, and waits for it."""
    view.get_by_role("button", name="next page").first.click()
    view.locator(".cw-table-where", has_text=words).first.wait_for()


def test_a_run_that_is_over_pages_and_unfolds_again_and_stays_as_a_record(lab: LabPage):
    lab.open(lab.server.write_notebook("shown/shown.ipynb", [RUN, SHOW]))
    lab.run_all()
    run, table = lab.cell(1).locator(".cw-live"), lab.cell(1).locator(".cw-shown").first
    paged(run, "51–100 of 1,000,000 rows")
    paged(table, "51–100 of 1,000,000 rows")
    assert lab.cell(0).locator(".cw-record button").count() == 0
    assert set(acting_parts(lab, ".cw-place")) <= {"style"}
    shot(lab, "shown", 1)
    lab.save()
    lab.reload()
    paged(run, "51–100 of 1,000,000 rows")
    lab.restart()
    lab.reload()
    lab.cell(1).locator(".cw-place > .cw-record").wait_for()
    assert lab.cell(1).locator("button, input").count() == 0
    assert "999,950 more rows" in lab.output_text(1)
    assert (lab.page_errors, lab.outside_requests) == ([], [])
