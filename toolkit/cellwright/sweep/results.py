"""The rows of a sweep, kept in a file as they come, and what they tell when they are put together.

A sweep of a thousand runs takes an hour and is stopped now and then. So each row is written down when its run has
ended, with its log beside it; a sweep that is begun again in the same folder makes only the runs that have no row yet.
The rule that must never break: a row that was written is never lost, and a run that has one is not made twice.
"""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cellwright.errors import UsageError
from cellwright.sweep.errand import Returned
from cellwright.sweep.report import Report, report_of_json

if TYPE_CHECKING:
    import pandas as pd

ROWS = "results.jsonl"
COLUMNS = ("model", "runs", "answered", "score", "steps", "tokens", "cost", "seconds")


class Results(Sequence[Report]):
    """The rows of a sweep in a folder, those of an earlier one there included.

    Raises:
        UsageError: if the folder can't be made, or holds rows that can't be read.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder).resolve()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"the folder {self.folder} can't be made: {error.strerror}; name another") from None
        self._rows = list(_kept(self.folder / ROWS))

    def __getitem__(self, place: int) -> Report:  # type: ignore[override]  # rows are taken one by one
        return self._rows[place]

    def __len__(self) -> int:
        return len(self._rows)

    def keep(self, number: int, returned: Returned) -> Report:
        """Writes down a row and its log, under the number of its run."""
        report = returned.report
        if returned.log:
            name = re.sub(r"[^A-Za-z0-9.-]+", "_", f"{number:04}-{report.model}-{report.task}")[:100]
            path = self.folder / f"{name}.jsonl"
            path.write_bytes(returned.log)
            report = report_of_json({**report.as_json(), "log": str(path)})
        with (self.folder / ROWS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(report.as_json()) + "\n")
        self._rows.append(report)
        return report

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


def _kept(path: Path) -> Iterator[Report]:
    """The rows of an earlier sweep. A last line that was cut off by a crash is passed over: its run is made again."""
    if not path.is_file():
        return
    lines = path.read_bytes().split(b"\n")
    if lines[-1]:
        path.write_bytes(b"\n".join([*lines[:-1], b""]))
    for number, line in enumerate(lines[:-1], 1):
        try:
            yield report_of_json(json.loads(line))
        except (ValueError, TypeError, AttributeError) as error:
            where = f"line {number} of {path}"
            raise UsageError(f"{where} is no row of a sweep ({error}); take it out, or name another folder") from None


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
