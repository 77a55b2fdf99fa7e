"""The script of the tour: the words of a model that repairs a data analysis, reacting to what really happens.

Only the words are prepared. What the tools return, what the person answers and what the notebook then computes is
real, and the script reads it: a denied edit, a failed run or a check that still differs each lead to another end.
Where its notebook is not there, nothing that it could say would be true, and the run fails with what to do instead.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from cellwright.errors import ModelError
from cellwright.messages import Conversation, ToolMessage
from cellwright.models.model import Part, Request
from cellwright.models.scripted_model import ScriptedModel, Turn

NOTEBOOK = "coffee_sales.ipynb"
DATA = "coffee_sales.csv"
TABLE, CHECK = "monthly-revenue", "check-total"
REPORT = "monthly_report"
"""The tool that the tour's notebook defines; in a terminal there is none."""
PACE = 0.02
"""Seconds between words: about as fast as a quick model."""

REPAIRED = """\
month = sales["date"].dt.to_period("M")
monthly = sales.pivot_table(index=month, columns="shop", values="revenue", aggfunc="sum")
monthly.index.name = "month"
monthly.round(0).astype(int)"""


class Tour(ScriptedModel):
    """The model of the tour. Make a new one for each run."""

    def __init__(self) -> None:
        super().__init__([_look, _read, _propose, _run, _check, self._report, _conclude], "scripted:tour", PACE)
        self._has_report = False

    def stream(self, request: Request) -> AsyncIterator[Part]:
        """The next turn; the report is asked for only where there is such a tool."""
        self._has_report = any(definition.name == REPORT for definition in request.definitions)
        return super().stream(request)

    def _report(self, conversation: Conversation) -> Turn:
        difference = _difference(_last(conversation, "notebook_read").content)
        if difference != "0.00":
            return Turn(
                f"The check still shows a difference of {difference} euro: my repair was wrong. Please look yourself."
            )
        if not self._has_report:
            return _conclude(conversation)
        return Turn(
            "The difference is 0.00 euro. Last, the figures as the owners will see them.", [(REPORT, {"path": DATA})]
        )


def _look(conversation: Conversation) -> Turn:
    return Turn(
        "I will look at the notebook before I touch anything: its cells first, and a few rows of the data.",
        [("notebook_outline", {"path": NOTEBOOK}), ("read_file", {"path": DATA, "limit": 6})],
        thinking="The check at the end fails. I need the cell that makes the table, and the cell that checks it.",
    )


def _read(conversation: Conversation) -> Turn:
    outline = _last(conversation, "notebook_outline")
    if not outline.ok:
        raise ModelError(
            f"the turns of scripted:tour are prepared for the notebook {NOTEBOOK}, which can't be read here "
            f"({outline.content.rstrip('.')}); see the tour by `cellwright lab`, or name a model that reads what you "
            "say, such as anthropic:NAME"
        )
    return Turn(
        f"Two cells matter: `{TABLE}` makes the table, `{CHECK}` holds it against the file. I read both with outputs.",
        [("notebook_read", {"path": NOTEBOOK, "cells": [TABLE, CHECK]})],
    )


def _propose(conversation: Conversation) -> Turn:
    seen = _last(conversation, "notebook_read")
    difference = _difference(seen.content)
    if difference is None or difference == "0.00":
        return Turn("The check shows no difference: there is nothing to repair.")
    return Turn(
        f"Found it. The check is off by {difference} euro, and the table has only twelve rows for two years: "
        f"`dt.month` throws the year away, so December 2024 and December 2025 are added up in one row. "
        'Grouping by `dt.to_period("M")` keeps the years apart. One line changes; I propose this edit:',
        [("notebook_edit", {"path": NOTEBOOK, "cell_id": TABLE, "new_source": REPAIRED})],
        thinking="dt.month gives 1 to 12. The file covers 24 months, so each row holds two of them.",
    )


def _run(conversation: Conversation) -> Turn:
    edit = _last(conversation, "notebook_edit")
    if not edit.ok:
        return Turn(
            f'The edit was not made. I was told: "{edit.content}" The notebook is as it was, and its check still '
            "fails: don't send the table to the owners."
        )
    return Turn(
        "The cell is changed, and its old outputs are gone, because they were results of the old source. "
        "Only a run shows whether the repair holds. I ask to run the whole notebook in a kernel of its own.",
        [("notebook_run", {"path": NOTEBOOK})],
    )


def _check(conversation: Conversation) -> Turn:
    ran = _last(conversation, "notebook_run")
    if not ran.ok:
        return Turn(
            f'The repair is in the file, but it was not proved by a run. I was told: "{ran.content}" '
            "Run the notebook before you use its table."
        )
    return Turn(
        "It ran to the end. I read the check once more, from the file.",
        [("notebook_read", {"path": NOTEBOOK, "cells": [CHECK]})],
    )


def _conclude(conversation: Conversation) -> Turn:
    report = _last(conversation, REPORT)
    shown = "The table and the plot above show them. " if report.ok else ""
    return Turn(
        f"Done. The monthly table mixed two years, because `dt.month` has no year. I changed one line of the cell "
        f'`{TABLE}` to group by `to_period("M")`, ran the notebook, and its own check now agrees with the file to the '
        f"cent: 24 months instead of 12. {shown}One thing to look at: the conclusion was written "
        "from the old table. It still holds, but read it once more."
    )


def _last(conversation: Conversation, name: str) -> ToolMessage:
    """What the last call of a tool gave."""
    for message in reversed(conversation):
        if isinstance(message, ToolMessage) and message.name == name:
            return message
    return ToolMessage("", name, f"{name} was never called", ok=False)


def _difference(text: str) -> str | None:
    """The amount that the check cell printed, such as `11,821.80`."""
    found = re.search(r"Difference:\s+(-?[\d,]+\.\d\d)", text)
    return found.group(1) if found else None
