import asyncio
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

from cellwright import Agent, Output, ScriptedApprover, ScriptedModel
from cellwright.calls.presentation import HEAD
from cellwright.log.events import Recorder
from cellwright.runs.company import Company
from cellwright.views.shelf import Shelf
from cellwright.views.table import Table

from ..scene import calling, encodes, play, returning

LARGE = pd.DataFrame({"region": ["North", "South"] * 500_000, "n": np.arange(1_000_000)})


class Watched(Agent):
    """An agent with a front end that has a shelf."""

    shelf = Shelf(10_000_000)

    def company(self, run):
        return Company(ScriptedApprover(), (Recorder(),), shelf=self.shelf)


def watched(value):
    agent = Watched(ScriptedModel([calling("give"), "done"]), [returning(value)])
    return asyncio.run(agent.run("go")).results[0]


def test_a_frame_of_a_million_rows_is_little_in_the_log_and_for_the_model():
    run = play([calling("give"), "done"], [returning(LARGE)])
    result = run.results[0]
    assert len(encodes([event.data for event in run.events])) < 200_000
    assert result.content.splitlines()[0] == ("data frame of 1,000,000 rows × 2 columns: region (String), n (Int64)")
    assert len(result.content.splitlines()) == HEAD + 3
    assert result.content.endswith("999,990 more rows")
    assert (result.value["total"], result.value["note"]) == (1_000_000, "the first 1,000 of 1,000,000 rows")
    assert (result.view.total, len(result.view.rows), result.view.source) == (1_000_000, 50, "")


@pytest.mark.parametrize(
    "value",
    [LARGE, Output(LARGE), pl.from_pandas(LARGE), [{"region": "North", "n": n} for n in range(80)]],
    ids=["pandas", "output", "polars", "dicts"],
)
def test_a_front_end_can_have_all_rows(value):
    view = watched(value).view
    assert isinstance(view, Table)
    page = Watched.shelf.page(view.source, 60)
    assert (page.table.rows[0][1], page.table.total) == (60, view.total)
    assert len(json.dumps(page.table.rows)) < 5_000


def test_what_the_view_shows_whole_is_not_kept():
    assert watched([{"a": 1, "b": 2}]).view.source == ""
    assert watched({"a": 1}).view.kind != "table"


def test_the_rows_that_a_front_end_gets_are_masked(monkeypatch):
    monkeypatch.setenv("DEMO_TOKEN", "not-a-real-one-93cf")
    view = watched(pd.DataFrame({"t": ["x not-a-real-one-93cf"] * 60})).view
    assert Watched.shelf.page(view.source, 55).table.rows[0] == ("x ⟨masked: DEMO_TOKEN⟩",)
