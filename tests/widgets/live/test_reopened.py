import asyncio

import polars
import pytest

from cellwright import Agent, ScriptedModel, Session, Turn, UsageError, tool
from cellwright.views.shelf import ROOM, Shelf
from cellwright_widgets.drawing.node import to_text
from cellwright_widgets.live.reopened import Reopened

from ..page import HOSTILE, Page, assert_harmless
from ..wire import WiredReopened, pressed

ROWS = [{"name": f"r{n}", "n": n} for n in range(120)]


@tool(read_only=True)
def rows() -> list[dict[str, object]]:
    """Rows."""
    return ROWS


@tool(read_only=True)
def document() -> dict[str, object]:
    """A document with many parts."""
    return {"parts": {f"key {n}": [n, HOSTILE[0]] for n in range(200)}, "end": None}


@tool(read_only=True)
def frame() -> object:
    """A data frame."""
    return polars.DataFrame({"n": range(5_000)})


def reopened(subject):
    """A run with a table, a tree and a large frame, looked at when it is over, or its log."""
    return WiredReopened(subject, Shelf(ROOM))


def a_run(**options):
    calls = [("rows", {}), ("document", {}), ("frame", {})]
    model = ScriptedModel([Turn("I look.", calls), "Done."])
    return Agent(model, [rows, document, frame], **options).run_sync("Look.")


def test_a_page_that_asks_gets_the_whole_run_with_its_controls():
    batch = reopened(a_run()).hear({"since": 0})
    text = "".join(to_text(node) for _, node, *_ in batch["items"])
    assert "Look." in text
    assert "1–50 of 120 rows" in text
    assert batch["from"] == 0


def test_tables_page_and_trees_unfold_from_what_the_log_holds(tmp_path):
    a_run(log=tmp_path / "run.jsonl")
    for subject in (tmp_path / "run.jsonl", Session.load(tmp_path / "run.jsonl")):
        wire = reopened(subject)
        controls = pressed(wire.hear({"since": 0}))
        assert "101–120 of 120 rows" in wire.answer(controls["end"])
        assert "key 199" in wire.answer({**controls["more"], "from": 150})


def test_rows_that_nobody_has_any_more_are_missing_and_that_is_said():
    batch = reopened(a_run()).hear({"since": 0})
    text = "".join(to_text(node) for _, node, *_ in batch["items"])
    assert "4,950 more rows" in text
    assert "no longer in the kernel" in text


def test_the_record_that_stays_has_no_controls_and_is_harmless():
    bundle = reopened(a_run()).record()
    page = Page(bundle["text/html"])
    assert "cw-place" in bundle["text/html"]
    assert not {"button", "input"} & page.tags
    assert_harmless(page)
    assert "You: Look." in bundle["text/plain"]


def test_what_is_still_going_on_is_refused_with_a_way_out():
    agent = Agent(ScriptedModel(["Hello."], pace=0.01), [])

    async def begin():
        run = agent.start("Go.")
        with pytest.raises(UsageError, match=r"still going on; await it first"):
            Reopened(run, Shelf(ROOM))
        await run

    asyncio.run(begin())
