"""How a tool is asked to stop: a flag that it looks at now and then, or waits for.

Each call gets one, and nearly none is ever waited for. `threading.Event` takes longer to make than all that many calls
need otherwise, so it is made once somebody waits. The rule that must never break: who waits is woken, whether the
asking came before, meanwhile or after.
"""

from __future__ import annotations

import threading

_making = threading.Lock()


class Stopping:
    """Whether a tool is asked to stop. Like `threading.Event`, which is made only once somebody waits."""

    __slots__ = ("_event", "_is_set")

    def __init__(self) -> None:
        self._is_set = False
        self._event: threading.Event | None = None

    def is_set(self) -> bool:
        """Whether it is asked."""
        return self._is_set

    def set(self) -> None:
        """Asks it, from any thread; this can't be taken back."""
        self._is_set = True  # first: who begins to wait from now on sees it, who waits already is woken
        if self._event is not None:
            self._event.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Blocks the thread until it is asked, or so many seconds; whether it is asked."""
        with _making:
            self._event = self._event or threading.Event()
        return self._is_set or self._event.wait(timeout)
