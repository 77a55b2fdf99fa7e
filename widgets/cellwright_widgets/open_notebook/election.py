"""Which of the pages is asked.

Two pages may show one notebook; an edit must be made in one of them, and a person expects it in the one before them.
So one is elected: the one that was asked last, as long as it answers; else the one that ran the cell; else one that
the person looks at. Pages are asked whether they are there each time, since one that was loaded again is another, and
one that is gone says nothing. The rule that must never break: a page that is elected has just answered.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from cellwright_widgets.open_notebook.bridge import Bridge, Page


class Patience(Struct, frozen=True):
    """Seconds that a page is waited for."""

    first: float = 4.0
    """From the making of the bridge on, until the page that ran the cell speaks: its script takes a moment."""
    present: float = 2.0
    """Until a page says that it is there."""
    glimpse: float = 0.5
    """The same for one that was silent the last time."""
    answer: float = 8.0
    """Until it begins to answer what takes longer."""


PATIENCE = Patience()


class Election:
    """The elections of one run, which a page known to the kernel as `client` has started."""

    def __init__(self, bridge: Bridge, client: str, patience: Patience = PATIENCE) -> None:
        self.bridge = bridge
        self._client = client
        self._patience = patience
        self._elected = ""

    def page(self, is_meant: Callable[[str], bool]) -> Page | None:
        """The page that is to be asked for a document, which is known by its path; None if none that has it answers."""
        bridge = self.bridge
        bridge.await_pages(self._client, self._patience.first)
        meant = {page.name for page in bridge.pages.values() if is_meant(page.path)}
        if not meant:
            return None
        lively = set(bridge.pages) - bridge.silent
        patience = self._patience.present if meant & lively else self._patience.glimpse
        answers = bridge.ask("who", patience, enough=lambda got: self._favourite() in got or lively <= set(got))
        for name, said in answers.items():
            bridge.note(name, said)
        bridge.silent |= lively - set(answers)
        there = [page for name, page in bridge.pages.items() if name in answers and is_meant(page.path)]
        page = max(there, key=self._rank, default=None)
        self._elected = page.name if page else ""
        return page

    def _favourite(self) -> str:
        """The page whose answer is enough; empty if that is not known."""
        pages = self.bridge.pages
        if self._elected in pages:
            return self._elected
        return next((page.name for page in pages.values() if page.client == self._client != ""), "")

    def _rank(self, page: Page) -> tuple[bool, bool, bool]:
        return page.name == self._elected, page.client == self._client, page.is_seen
