"""A real JupyterLab in a real Chromium, used as a person uses it: run a cell, press a button, look at the page.

In tests/browser the fixtures are all one needs: `lab_server` (one server for the whole test run), `lab` (a fresh page
on it) and `chromium` (the browser, for pages on a server of one's own). The classes come by a relative import, also
from other test folders (pytest's importlib mode makes `tests` a namespace package, no `__init__.py` is needed):

    from .driver import LabPage, LabServer
    from ..browser.driver import LabPage, LabServer, chromium

    def test_a_click_changes_the_output(lab, lab_server):
        lab.open(lab_server.write_notebook("click.ipynb", ["...", "..."]))
        lab.run_cell(0)
        lab.click_button("Approve")
        lab.wait_output(0, "approved")

The one rule: no host but this machine is ever reached; every attempt is recorded in `LabPage.outside_requests`.
"""

import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, Response, WebSocket, expect, sync_playwright

from .lab_server import LabServer

__all__ = ["LabPage", "LabServer", "NotebookPage", "artefacts", "chromium", "find_chromium"]

WAIT = 60.0
"""Seconds that any wait may take before it fails: long, because a machine that runs tests may be slow."""
expect.set_options(timeout=WAIT * 1000)
NO_CHROMIUM = "no Chromium found: install Debian's `chromium` or set CHROMIUM"
ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    # Not `page.route`: its handler runs in the test's process, and would stop the page while the test waits.
    "--host-resolver-rules={}MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
LOCAL = ("http://127.0.0.1", "http://localhost", "ws://127.0.0.1", "ws://localhost", "data:", "blob:", "about:")

OPEN_ALONE = """async (path) => {
  if (!window.jupyterapp) return false;
  const { shell, commands, restored } = window.jupyterapp;
  await restored;
  const shown = [...shell.widgets("main")];
  shown.filter((one) => one.context?.path === path).forEach((one) => one.dispose());
  const opened = await commands.execute("docmanager:open", { path, factory: "Notebook" });
  await opened.context.ready;
  for (const one of [...shell.widgets("main")]) if (one !== opened) one.dispose();
  shell.activateById(opened.id);
  return true;
}"""
"""Whether JupyterLab was there to do it."""


def find_chromium() -> str | None:
    """The browser's executable: $CHROMIUM, else the first known name on the path."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def artefacts() -> Path:
    """The folder for screenshots: $CELLWRIGHT_ARTEFACTS, else tests/artefacts; made when missing."""
    folder = Path(os.environ.get("CELLWRIGHT_ARTEFACTS") or Path(__file__).parents[1] / "artefacts")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def chromium(sink: int | None = None) -> Iterator[Browser]:
    """A headless browser that knows no host but this one; with the port of a sink, `evil.test` as well."""
    led = f"MAP evil.test 127.0.0.1:{sink}, " if sink else ""
    executable = find_chromium()
    if executable is None:
        raise FileNotFoundError(NO_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=[argument.format(led) for argument in ARGUMENTS]
        )
        try:
            yield browser
        finally:
            browser.close()


class LabPage:
    """One browser page on a LabServer, with one notebook open at a time. A context manager.

    `page` is the Playwright page, for whatever has no method here. Cells are counted from 0.
    """

    def __init__(self, server: LabServer, browser: Browser, size: tuple[int, int] = (1400, 900)):
        self.server = server
        self.console_errors: list[str] = []
        self.page_errors: list[str] = []
        """Exceptions that no script of the page caught."""
        self.outside_requests: list[str] = []
        """Every address on another host that the page asked for (and did not get)."""
        self._saved: list[Response] = []
        self._connections = 0
        self._answered = False
        self._was_reloaded = False
        self._workspace = secrets.token_hex(8)
        self._context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        self._context.set_default_timeout(WAIT * 1000)
        self.page = self._context.new_page()
        self._listen()

    def __enter__(self) -> "LabPage":
        return self

    def __exit__(self, *_: object) -> None:
        self._context.close()

    def begin_anew(self, size: tuple[int, int]) -> None:
        """Make the page fit for another test: what was heard is forgotten, and what may still come is loaded away.

        That is a dialog that waits, and a notebook that JupyterLab opens again, in its own time, once it was reloaded.
        """
        for heard in (self.console_errors, self.page_errors, self.outside_requests, self._saved):
            heard.clear()
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.mouse.move(0, 0)
        if self._was_reloaded or self.dialog_text():
            self._was_reloaded = False
            self.page.goto("about:blank")

    # The notebook

    def open(self, path: str, *, wait_kernel: bool = True) -> None:
        """Open a notebook of the server's root, alone, and wait until its kernel is idle.

        JupyterLab is loaded once: a page that shows it already closes what it shows, without asking.
        """
        self._forget_kernel()
        if not self.page.evaluate(OPEN_ALONE, path):
            self.page.goto(f"{self.server.base}/{self.address(path)}?token={self.server.token}&reset")
        self._wait_notebook(wait_kernel)

    def address(self, path: str) -> str:
        """Where a notebook is found on the server. Pages of one workspace open what the others show when they load."""
        return f"lab/workspaces/{self._workspace}/tree/{path}"

    def reload(self, *, wait_kernel: bool = True) -> None:
        """Reload the page, as F5 does: the kernel lives on, what was not saved is gone."""
        self._forget_kernel()
        self._was_reloaded = True
        self.page.reload()
        self._wait_notebook(wait_kernel)

    def save(self) -> None:
        """Press the save button and wait until the file is written."""
        before = len(self._saved)
        self._press("docmanager:save")
        self.wait_until(lambda: len(self._saved) > before or self.dialog_text(), "the notebook to be saved")
        if self.dialog_text():
            raise AssertionError(f"Saving made JupyterLab ask: {self.dialog_text()!r}")

    def interrupt(self) -> None:
        """Press the stop button of the toolbar."""
        self._press("notebook:interrupt-kernel")

    def restart(self) -> None:
        """Press the restart button, confirm, and wait until the new kernel is idle."""
        self._press("notebook:restart-kernel")
        self._forget_kernel()
        self.page.locator(".jp-Dialog .jp-mod-accept").click()
        self._wait_idle()

    def dialog_text(self) -> str:
        """What a dialog of JupyterLab asks right now; empty if there is none."""
        return "\n".join(self.page.locator(".jp-Dialog-content").all_inner_texts())

    # Cells

    def cell(self, index: int) -> Locator:
        return self.page.locator(".jp-Notebook:visible .jp-Cell").nth(index)

    def prompt(self, index: int) -> str:
        """`[ ]:` never run, `[*]:` running or queued, `[3]:` done."""
        return self.cell(index).locator(".jp-InputPrompt").first.inner_text().strip()

    def run_cell(self, index: int) -> None:
        """Select the cell and press Ctrl+Enter. Returns when JupyterLab has taken it, not when it has ended."""
        before = self.prompt(index)
        for _ in range(6):  # a key pressed before Lab listens is lost, so press until the prompt changes
            self.cell(index).locator(".jp-InputArea-prompt").first.click()
            self.page.keyboard.press("Control+Enter")
            if self._holds(lambda: self.prompt(index) not in {"", "[ ]:", before} - {"[*]:"}, 5):
                return
        raise AssertionError(f"JupyterLab did not run cell {index}; its prompt is still {before!r}.")

    def run_all(self) -> None:
        """Choose Run > Run All Cells. Returns at once."""
        self.page.locator(".lm-MenuBar-itemLabel:text-is('Run')").click()
        self.page.locator(".lm-Menu-item[data-command='runmenu:run-all']").click()

    def wait_done(self, index: int, timeout: float = WAIT) -> None:
        """Wait until that cell has run to its end."""
        self.wait_until(lambda: re.fullmatch(r"\[\d+\]:", self.prompt(index)), f"the end of cell {index}", timeout)

    def output_text(self, index: int) -> str:
        """All text below a cell as it is on the screen, widgets included."""
        return "\n".join(self.cell(index).locator(".jp-OutputArea-output").all_inner_texts())

    def wait_output(self, index: int, text: str, timeout: float = WAIT) -> None:
        """Wait until that text stands below the cell."""
        try:
            self.wait_until(lambda: text in self.output_text(index), f"{text!r} below cell {index}", timeout)
        except TimeoutError as problem:
            raise TimeoutError(f"{problem} There is: {self.output_text(index)!r}") from None

    def button(self, text: str, cell: int | None = None) -> Locator:
        """The visible buttons with exactly this text, in the whole notebook or below one cell."""
        place = self.page.locator(".jp-Notebook:visible") if cell is None else self.cell(cell)
        return place.locator("button:visible").filter(has_text=re.compile(rf"^\s*{re.escape(text)}\s*$"))

    def click_button(self, text: str, cell: int | None = None) -> None:
        """Wait for the visible, enabled button with exactly this text and press it. Two of them are an error."""
        self.button(text, cell).click()

    # Evidence

    def screenshot(self, name: str, element: Locator | None = None) -> Path:
        """Save the page (or only that element) as NAME.png in the artefacts folder."""
        path = artefacts() / f"{name}.png"
        (element or self.page).screenshot(path=path)
        return path

    # Waiting

    def _listen(self) -> None:
        self.page.on("console", lambda m: self.console_errors.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.page_errors.append(str(error)))
        self.page.on("dialog", lambda dialog: dialog.accept())  # "Leave site?" at a reload with unsaved changes
        self.page.on("request", lambda request: self._note_request(request.url))
        self.page.on("websocket", self._note_websocket)
        self.page.on("response", self._note_saved)

    def _note_request(self, url: str) -> None:
        if not url.startswith(LOCAL):
            self.outside_requests.append(url)

    def _note_websocket(self, websocket: WebSocket) -> None:
        self._note_request(websocket.url)
        if not re.search(r"/api/kernels/[^/]+/channels", websocket.url):
            return
        self._forget_kernel()
        connection = self._connections
        websocket.on("framereceived", lambda _: self._note_answer(connection))

    def _forget_kernel(self) -> None:
        """Only what comes by a connection made after this counts as a sign of life."""
        self._connections += 1
        self._answered = False

    def _note_answer(self, connection: int) -> None:
        self._answered = self._answered or connection == self._connections

    def _note_saved(self, response: Response) -> None:
        if response.request.method == "PUT" and "/api/contents/" in response.url and response.ok:
            self._saved.append(response)

    def _press(self, command: str) -> None:
        self.page.locator(f".jp-NotebookPanel-toolbar:visible [data-command='{command}']").click()

    def _wait_notebook(self, wait_kernel: bool) -> None:
        self.cell(0).wait_for()
        if wait_kernel:
            self._wait_idle()

    def _wait_idle(self) -> None:
        # Before it is connected to a kernel JupyterLab calls it idle too, and drops the cells that are run then.
        self.wait_until(lambda: self._answered, "an answer of the kernel")
        self.page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']:visible").wait_for()

    def wait_until(self, condition: Callable[[], object], what: str, timeout: float = WAIT) -> None:
        """Wait until that holds; `what` names it where it never does."""
        if not self._holds(condition, timeout):
            raise TimeoutError(f"Waited in vain for {what} ({timeout:g} s).")

    def _holds(self, condition: Callable[[], object], timeout: float) -> bool:
        deadline = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > deadline:
                return False
            self.page.wait_for_timeout(50)  # not time.sleep: Playwright handles the page's events meanwhile
        return True


class NotebookPage(LabPage):
    """The same in Notebook 7, whose pages hold one notebook each. Its server has `app="notebook"`."""

    def address(self, path: str) -> str:
        return f"notebooks/{path}"
