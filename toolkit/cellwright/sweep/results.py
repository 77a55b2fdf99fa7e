"""The rows of a sweep, and what they tell when they are put together.

A row alone tells little: what one compares are the candidates, over all their runs. The rule that must never break:
what is told is of the runs that were asked for, and of no others.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cellwright.errors import UsageError
from cellwright.sweep.report import Report
from cellwright.sweep.rows import Rows

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("model", "runs", "answered", "score", "steps", "tokens", "cost", "seconds")


class Results(Sequence[Report]):
    """The rows of a sweep; made of a folder alone, the newest of each run that was ever made there.

    Raises:
        UsageError: if the folder can't be made, or holds rows that can't be read.
    """

    def __init__(self, folder: str | Path, rows: Sequence[Report] | None = None) -> None:
        self.folder = Path(folder).resolve()
        self._rows = list(Rows(folder).newest if rows is None else rows)

    def __getitem__(self, place: int) -> Report:  # type: ignore[override]  # rows are taken one by one
        return self._rows[place]

    def __len__(self) -> int:
        return len(self._rows)

    def frame(self) -> pd.DataFrame:
        """All rows as a data frame, a column for each field.

        Raises:
            UsageError: if pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError:
            raise UsageError("a data frame needs pandas: pip install 'cellwright[sweep]'") from None
        return pd.DataFrame([row.as_json() for row in self._rows])

    def summary(self) -> list[tuple[str, ...]]:
        """A line for each candidate, as text: runs, how many answered, mean score, medians of steps and tokens, dollars
        in all, median of seconds."""
        names = dict.fromkeys(row.model for row in self._rows)
        return [_line(name, [row for row in self._rows if row.model == name]) for name in names]

    def __repr__(self) -> str:
        lines = [COLUMNS, *self.summary()]
        widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
        rows = ("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
        table = "\n".join(rows)
        return f"{table}\n{len(self)} runs in {self.folder}"


def _line(name: str, rows: list[Report]) -> tuple[str, ...]:
    scores = [row.score for row in rows if row.score is not None]
    costs = [row.cost for row in rows if row.cost is not None]
    return (
        name,
        str(len(rows)),
        str(sum(row.stop_reason == "answered" for row in rows)),
        f"{statistics.fmean(scores):.2f}" if scores else "-",
        f"{statistics.median(row.steps for row in rows):g}",
        f"{statistics.median(row.input_tokens + row.output_tokens for row in rows):,.0f}",
        f"${sum(costs):,.4f}" if len(costs) == len(rows) else "-",
        f"{statistics.median(row.seconds for row in rows):.1f}",
    )
