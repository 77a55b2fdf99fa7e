import asyncio
import json
import os
import tempfile
from pathlib import Path

import pytest

from cellwright import Run, ScriptedModel, UsageError
from cellwright.errors import UndoError
from cellwright.log.events import Log
from cellwright.runs.desk import ScriptedDesk
from cellwright.undo.snapshots import Snapshots
from cellwright.undo.undoing import Undoing

from ..changing import change, changed, changing, tree
from ..properties import for_any
from ..scene import BYPASS, agent_of, calling, plain
from ..swapping import only_posix, swap

NOTEBOOK = {
    "cells": [{"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "source": "1", "execution_count": None}],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.py").write_text("def f():\n    return 1\n\n\ndef g():\n    return 2\n")
    (tmp_path / "b.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    (tmp_path / "n.ipynb").write_text(json.dumps(NOTEBOOK, indent=3))
    (tmp_path / "b.txt").chmod(0o640)
    return tmp_path


def refusal(act, *args):
    with pytest.raises(UndoError) as caught:
        act(*args)
    return str(caught.value)


def ids(run):
    return [effect.call_id for effect in run.effects]


WRITES = {
    "write_file": {"path": "b.txt", "content": "new"},
    "edit_file": {"path": "b.txt", "old_string": "one", "new_string": "1"},
    "multi_edit": {"path": "b.txt", "edits": [{"old_string": "two", "new_string": "2"}]},
    "delete_range": {"path": "b.txt", "start_line": 1, "end_line": 1},
    "delete_symbol": {"path": "a.py", "symbol": "f"},
    "move_file": {"source": "b.txt", "destination": "x/y/c.txt"},
    "notebook_edit": {"path": "n.ipynb", "cell_id": "a", "new_source": "2"},
    "notebook_patch": {"path": "n.ipynb", "edits": [{"cell_id": "a", "new_source": "2"}]},
}


@pytest.mark.parametrize("name", WRITES)
def test_each_tool_that_writes_is_undone_to_the_byte_and_redone(folder, name):
    path = WRITES[name].get("path", "b.txt")
    look = ("notebook_read", {"path": path}) if path.endswith("ipynb") else ("read_file", {"path": path})
    before = tree(folder)
    turns = [calling(look), calling((name, WRITES[name])), "done"]
    run = agent_of(turns, "all", cwd=folder, policy=BYPASS).run_sync("go")
    assert [result.ok for result in run.results] == [True, True], run.results[-1].content
    after = tree(folder)
    assert after != before
    (call_id,) = ids(run)
    assert (run.undo(call_id).is_undone, tree(folder)) == (True, before)
    assert (run.redo(call_id).is_undone, tree(folder)) == (False, after)


@for_any(examples=25, order="order")
def test_whatever_was_done_is_undone_to_the_byte_and_redone(order):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "a").write_bytes(b"first")
        (folder / "d").mkdir()
        (folder / "d" / "b").write_bytes(b"")
        before = tree(folder)
        run = changed(folder, *(some_change(order) for _ in range(order.randint(1, 9))))
        after, changes = tree(folder), [effect for effect in run.effects if effect.changes]
        for effect in reversed(changes):
            run.undo(effect.call_id)
        assert tree(folder) == before
        for effect in changes:
            run.redo(effect.call_id)
        assert tree(folder) == after
        run.undo_to(1)
        assert tree(folder) == before


def some_change(order):
    paths = ["a", "d/b", "d/e/c", "new/x", "new/y/z"]
    acts = ["write", "write", "delete", "move", "mode", "link", "fail"]
    path, other = order.sample(paths, 2)
    return changing(order.choice(acts), path, other, "".join(map(chr, order.sample(range(256), order.randint(0, 3)))))


def test_the_last_change_of_a_file_is_undone_first(folder):
    run = changed(folder, *(changing("write", "b.txt", data=text) for text in "123"), changing("write", "z", data="z"))
    first, second, third, other = ids(run)
    assert third in refusal(run.undo, first) and "undo that first" in refusal(run.undo, first)
    run.undo(third)
    run.undo(second)
    assert (folder / "b.txt").read_bytes() == b"1" and (folder / "z").exists()
    assert second in refusal(run.redo, third) and "redo that first" in refusal(run.redo, third)
    run.redo(second)
    assert (folder / "b.txt").read_bytes() == b"2"
    run.undo(other)
    assert not (folder / "z").exists()


def test_a_file_that_somebody_else_has_changed_stays_and_the_difference_is_shown(folder):
    run = changed(folder, changing("write", "b.txt", data="one\ntwo\n"), changing("write", "z", data="z"))
    (folder / "b.txt").write_text("one\n2\n")
    words = refusal(run.undo, ids(run)[0])
    assert "b.txt was changed by somebody else" in words and "-two\n+2" in words
    assert "changed by somebody else" in refusal(run.undo_to, 1)
    assert ((folder / "b.txt").read_text(), (folder / "z").exists()) == ("one\n2\n", True)
    (folder / "b.txt").write_text("one\ntwo\n")
    run.undo_to(1)
    assert not (folder / "z").exists()


def test_a_change_between_two_calls_stops_the_way_back_before_it_begins(folder):
    def meddle(args, env):
        (folder / "b.txt").write_text("by another program")
        return 1

    calls = [changing("write", "b.txt", data="1"), "meddle", changing("write", "b.txt", data="2")]
    run = changed(folder, *calls, more=[plain(meddle, "meddle", read_only=False)])
    assert "changed by somebody else" in refusal(run.undo_to, 1)
    assert (folder / "b.txt").read_bytes() == b"2"
    run.undo_to(3)
    assert (folder / "b.txt").read_text() == "by another program"


def test_the_way_back_begins_at_a_call_or_at_a_step_and_says_what_stays(folder):
    calls = [changing("write", "1"), changing("write", "2"), ("run_command", {"command": "touch t"})]
    run = agent_of([*map(calling, calls), "done"], [change, "run_command"], cwd=folder, policy=BYPASS).run_sync("go")
    plan = run.undoing().plan(ids(run)[1])
    assert [effect.paths for effect in plan.undone] == [("2",)]
    assert [effect.tool for effect in plan.lasting] == ["run_command"]
    assert run.undo_to(ids(run)[1]) == plan
    assert [effect.paths for effect in run.undo_to(1).undone] == [("1",)]
    assert run.undo_to(1).undone == ()
    assert "no call or step 9" in refusal(run.undo_to, 9)


def test_what_can_not_be_undone_is_refused_with_the_reason(folder):
    run = changed(folder, changing("write", "1"))
    assert "those that did" in refusal(run.undo, "call_9")
    assert "not undone" in refusal(run.redo, ids(run)[0])
    run.undo(ids(run)[0])
    assert "undone already" in refusal(run.undo, ids(run)[0])
    for copy in (folder / ".cellwright" / "snapshots" / run.id).iterdir():
        copy.unlink()
    assert "copy of 1 is not there any more" in refusal(run.redo, ids(run)[0])
    assert "copy of 1" in run.undoing().problem(run.effects[0])


def test_an_undo_is_in_the_log_and_the_next_run_hears_of_it(folder):
    agent = agent_of([calling(changing("write", "1")), "done", "again"], [change], cwd=folder, policy=BYPASS)
    run = agent.run_sync("go")
    run.undo(ids(run)[0])
    event = run.events[-1]
    assert (event.kind, event.data["id"], event.data["files"]) == ("undone", ids(run)[0], ["1"])
    assert run.conversation[-1].text == event.data["text"]
    assert "The person has undone your call" in event.data["text"]
    assert run.conversation == agent.run_sync("more", after=run).conversation[: len(run.conversation)]


def test_after_an_undo_the_model_has_to_read_the_file_again(folder):
    edits = [("edit_file", {"path": "b.txt", "old_string": old, "new_string": old * 2}) for old in ("one", "two")]
    turns = [calling(("read_file", {"path": "b.txt"})), calling(edits[0]), "done", calling(edits[1]), "done"]
    agent = agent_of(turns, "all", cwd=folder, policy=BYPASS)
    run = agent.run_sync("go")
    run.undo(ids(run)[0])
    again = agent.run_sync("go on", after=run)
    assert again.results[0].metadata["code"] == "stale"


def test_nothing_is_undone_while_a_call_runs(folder):
    refused = []

    def meanwhile(args, env):
        refused.append(refusal(runs[0].undo, "call_1"))
        return 1

    runs = []
    calls = [changing("write", "1"), "meanwhile"]
    agent = agent_of([*map(calling, calls), "done"], [change, plain(meanwhile)], cwd=folder, policy=BYPASS)

    async def go():
        runs.append(agent.start("go"))
        await runs[0].wait()

    asyncio.run(go())
    assert "is running; wait for it" in refused[0]


def test_a_loaded_log_is_undone_in_another_kernel(folder):
    before = tree(folder)
    run = changed(folder, changing("write", "b.txt", data="x"))
    after, told = tree(folder), []
    loaded = Undoing(copy_of(run), folder, Snapshots(), told.append)
    loaded.undo(ids(run)[0])
    assert (tree(folder), len(told), loaded.effects[0].is_undone) == (before, 1, True)
    loaded.redo(ids(run)[0])
    assert tree(folder) == after


def copy_of(run, change=str):
    """The log of a run as it comes from a file, whatever somebody did to that."""
    log = Log()
    log.events += [event._replace(data=json.loads(change(json.dumps(event.data)))) for event in run.events]
    return log


def test_what_is_undone_after_the_end_is_written_into_the_file_of_the_log(folder):
    path = folder / "log.jsonl"
    run = changed(folder, changing("write", "b.txt", data="x"), log=path)
    run.undo(ids(run)[0])
    assert json.loads(path.read_text().splitlines()[-1])["kind"] == "undone"


HOSTILE = ["../out", "/etc/passwd", ".git/hooks/post-commit", ".ssh/id", ".cellwright/permissions.toml", "."]


@pytest.mark.parametrize("path", HOSTILE)
def test_a_log_that_somebody_has_edited_writes_nowhere_else(folder, path):
    run = changed(folder, changing("write", "1", data="evil"), changing("delete", "1"))
    log = copy_of(run, lambda text: text.replace('"path": "1"', f'"path": "{path}"'))
    assert "no undo writes" in refusal(Undoing(log, folder, Snapshots(), print).undo, ids(run)[1])
    assert not os.path.lexists(folder.parent / "out") and not (folder / ".git").exists()


@only_posix
def test_a_folder_that_became_a_link_is_not_gone_through(folder):
    run = changed(folder, changing("write", "docs/x", data="1"))
    outside = folder.parent / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "x").write_bytes(b"1")
    swap(folder / "docs", outside)
    assert "is a link now" in refusal(run.undo, ids(run)[0])
    assert os.listdir(outside) == ["x"]


def test_a_run_that_has_not_begun_has_nothing_to_undo():
    with pytest.raises(UsageError, match="has not begun"):
        Run("go", ScriptedModel([]), "").undo("call_1")


@pytest.mark.parametrize("reached", [True, False])
def test_the_file_of_a_notebook_that_is_open_in_a_page_is_not_changed_under_it(folder, reached):
    calls = ("notebook_outline", {"path": "n.ipynb"}), ("notebook_edit", WRITES["notebook_edit"])
    run = changed(folder, *calls, more=["notebook_outline", "notebook_edit"])
    opened = folder.resolve() / "n.ipynb"
    desk = ScriptedDesk({opened: NOTEBOOK}) if reached else ScriptedDesk(elsewhere=[opened])
    undoing = Undoing(copy_of(run), folder.resolve(), Snapshots(), print, desk)
    before = tree(folder)
    assert "n.ipynb is open in a page" in refusal(undoing.undo, ids(run)[0])
    assert tree(folder) == before
