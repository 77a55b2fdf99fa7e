"""How far a sweep is: a bar that a notebook draws as a widget and a terminal as text, where `tqdm` is installed."""

from __future__ import annotations

from typing import Any

from cellwright.sweep.report import Report


class Progress:
    """A bar for so many runs, some of which were made before."""

    def __init__(self, total: int, before: int) -> None:
        self._answered = self._ended = 0
        self._bar: Any = _bar(total, before)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def after(self, report: Report) -> None:
        """One more run has ended."""
        self._ended += 1
        self._answered += report.stop_reason == "answered"
        if self._bar is not None:
            self._bar.set_postfix_str(f"{self._answered} of {self._ended} answered", refresh=False)
            self._bar.update()


def _bar(total: int, before: int) -> Any:  # noqa: ANN401 (tqdm's bars have no common type)
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=total, initial=before, unit="run", desc="sweep")
