"""The person's desk: the notebook that is open in their browser, read and edited there.

A page that has it open is asked; where none answers, the file counts, and the server is asked whether it is safe to
write it. Whoever asks waits in a thread, for the page's answer comes in on the kernel's own loop. The rule that must
never break: once a change was sent to a page, it is never made in the file as well; if its answer is lost it is asked
for again, by the change's own name, and what stays unknown is told as unknown.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path

from cellwright.errors import ToolError
from cellwright.messages import JsonObject
from cellwright.runs.desk import Sheet, Step, moved_on, step_json
from cellwright_widgets.live.kernel_facts import clicks_reach_awaiting_cells, front_end
from cellwright_widgets.open_notebook.bridge import Bridge
from cellwright_widgets.open_notebook.election import PATIENCE, Election, Patience
from cellwright_widgets.open_notebook.server import Server, place_beside

PLACE = "in the open notebook, where the person can undo it; not saved yet"
"""What there is to say of a change."""
SHARED_PLACE = (
    "in the open notebook that pages share; the person can undo it in the page from which the run was started"
)
"""The same where `jupyter-collaboration` saves the document: a page undoes what was done in it, and nothing else."""

_bridge: Bridge | None = None
"""The bridge of this kernel; all runs share it, since a page has one document, whoever edits it."""


def bridge_of_kernel() -> Bridge:
    """The bridge of this kernel, made if there is none that works."""
    global _bridge
    if _bridge is None or not _bridge.is_open:
        _bridge = Bridge()
    return _bridge


class LiveDesk:
    """The desk of one run, which was started from one page. `reach` gives the bridge, once a notebook is asked for.
    `let_go` ends the wait of the cell that awaits the run: where a kernel hears nothing while a cell waits, a page
    can't answer before that."""

    def __init__(self, reach: Callable[[], Bridge], let_go: Callable[[], None], patience: Patience = PATIENCE) -> None:
        self._reach = reach
        self._let_go = let_go
        self._patience = patience
        self._loop = asyncio.get_running_loop()
        self._client = front_end()
        self._server = Server.of_kernel()
        self._election: Election | None = None
        self._last: dict[Path, Sheet] = {}

    def read(self, path: Path) -> Sheet | None:
        """The open document of a file as it is now; in a thread that may have to hear the answer, as it was last."""
        if _is_listening():
            return self._last.get(path)
        election = self._begun(path)
        page = election.page(lambda shown: self._place(shown) == path)
        sheet = _sheet(path, page.name, self._asked(election, page.name, "read")) if page else None
        if sheet is None:
            self._last.pop(path, None)
        else:
            self._last[path] = sheet
        return sheet

    def change(self, sheet: Sheet, steps: Sequence[Step]) -> str:
        """Makes the steps in the document. To save it is left to the person, since it may hold text of theirs."""
        election, name, sent = self._begun(sheet.path), secrets.token_hex(8), list(map(step_json, steps))
        answer = self._asked(election, sheet.holder, "change", sent, name)
        if not answer:
            page = election.page(lambda shown: self._place(shown) == sheet.path)  # loaded again, perhaps
            answer = self._asked(election, page.name, "change", sent, name) if page else {}
        if not answer:
            raise ToolError(
                "unanswered",
                f"the page in which {sheet.path.name} is open does not answer any more, so it is not known whether the "
                "edit was made there; the file was not touched. Read the notebook again before you go on.",
            )
        if "refused" in answer:
            raise moved_on(sheet.path.name)
        if "failed" in answer:
            raise ToolError("page_failed", f"the page could not make the edit: {str(answer['failed'])[:500]}")
        page = election.bridge.pages.get(sheet.holder)
        return SHARED_PLACE if page and page.is_shared else PLACE

    def before_writing(self, path: Path) -> str:
        """Whether a page that can't be reached has the file open, as far as the server knows."""
        connected = self._server.pages(path) if self._server else None
        if connected == 0:
            return ""
        pages = self._election.bridge.pages.values() if self._election else ()
        is_known = any(self._place(page.path) == path for page in pages)
        if connected and any(page.is_shared for page in pages):
            return "in the file; the page in which it is open takes it over"
        if connected:
            why = "does not answer" if is_known else "can't be reached from this kernel"
            raise ToolError(
                "open_elsewhere",
                f"{path.name} is open in a page that {why}. Were the file changed, the page would ask the person which "
                "of the two to throw away; nothing was changed. Ask them to save it and close its tab, then try again.",
            )
        return "in the file; its page did not answer, and may ask the person which of the two counts" * is_known

    def _begun(self, path: Path) -> Election:
        """The election, begun if it is not. A widget is made on the kernel's own loop, whichever thread wants it."""
        if not clicks_reach_awaiting_cells() and str(path) == os.environ.get("JPY_SESSION_NAME"):
            self._loop.call_soon_threadsafe(self._let_go)

        async def reached() -> Bridge:
            return self._reach()

        if self._election is None or not self._election.bridge.is_open:
            bridge = asyncio.run_coroutine_threadsafe(reached(), self._loop).result()
            self._election = Election(bridge, self._client, self._patience)
        return self._election

    def _asked(
        self, election: Election, page: str, op: str, steps: Sequence[JsonObject] = (), name: str = ""
    ) -> JsonObject:
        """What one page answers; empty if nothing."""
        return election.bridge.ask(op, self._patience.answer, page, steps=steps, name=name).get(page, {})

    def _place(self, shown: str) -> Path | None:
        """The file of a document, by the path that its page has for it."""
        if self._server is not None:
            return self._server.place(shown)
        return place_beside(os.environ.get("JPY_SESSION_NAME", ""), shown)


def _is_listening() -> bool:
    """Whether this thread runs an event loop: that of the kernel, or one in which clicks arrive."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _sheet(path: Path, holder: str, said: JsonObject) -> Sheet | None:
    """The document that a page gave; None if it gave none."""
    notebook, keys = said.get("notebook"), said.get("keys")
    if not isinstance(notebook, dict) or not isinstance(keys, list) or len(keys) != len(notebook.get("cells", ())):
        return None
    return Sheet(path, json.dumps(notebook).encode(), tuple(map(str, keys)), holder)
