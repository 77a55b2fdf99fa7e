import ipywidgets
import nbformat
import pytest

from cellwright import Agent, Policy, ScriptedModel, Session, Turn, tool
from cellwright.runs.desk import ScriptedDesk
from cellwright_widgets import UndoPanel


@tool
def send(text: str) -> str:
    """Send a text."""
    return text


@pytest.fixture
def run(tmp_path):
    writes = [("write_file", {"path": name, "content": name}) for name in ("a", "b")]
    model = ScriptedModel([Turn(calls=[*writes, ("send", {"text": "x"})]), "done"])
    policy = Policy("accept_edits", allow={"send"})
    return Agent(model, [send, "write_file"], cwd=tmp_path, policy=policy).run_sync("go")


def widgets_of(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from widgets_of(child)


def press(panel, text, place=0):
    found = [one for one in widgets_of(panel) if isinstance(one, ipywidgets.Button) and one.description == text]
    found[place].click()


def shown(panel):
    return "".join(one.value for one in widgets_of(panel) if isinstance(one, ipywidgets.HTML))


def test_a_run_that_is_over_is_undone_and_redone_by_buttons(run, tmp_path):
    panel = UndoPanel(run)
    press(panel, "Undo")
    assert ((tmp_path / "a").exists(), (tmp_path / "b").exists()) == (True, False)
    press(panel, "Redo")
    assert (tmp_path / "b").read_text() == "b"


def test_what_can_not_be_undone_is_on_the_list_with_the_reason(run):
    panel = UndoPanel(run)
    assert "names no files" in shown(panel)
    buttons = [one.description for one in widgets_of(panel) if isinstance(one, ipywidgets.Button)]
    assert buttons == ["Undo", "Undo to here…"] * 2


def test_the_way_back_is_shown_before_it_is_gone(run, tmp_path):
    panel = UndoPanel(run)
    press(panel, "Undo to here…", -1)
    assert "To be undone, the last first" in shown(panel) and (tmp_path / "a").exists()
    press(panel, "Keep all")
    assert "To be undone, the last first" not in shown(panel)
    press(panel, "Undo to here…", -1)
    press(panel, "Undo all of these")
    assert not (tmp_path / "a").exists() and not (tmp_path / "b").exists()


def test_a_refusal_is_shown_and_the_panel_goes_on(run, tmp_path):
    panel = UndoPanel(run)
    (tmp_path / "b").write_text("mine")
    press(panel, "Undo")
    assert "changed by somebody else" in shown(panel)
    (tmp_path / "b").write_text("b")
    press(panel, "Undo")
    assert not (tmp_path / "b").exists()


def test_an_undo_from_a_log_leaves_an_open_notebook_alone(tmp_path):
    empty = nbformat.writes(nbformat.v4.new_notebook())
    write = Turn(calls=[("write_file", {"path": "n.ipynb", "content": empty})])
    where = {"cwd": tmp_path, "log": tmp_path.parent / f"{tmp_path.name}.jsonl"}
    Agent(ScriptedModel([write, "done"]), ["write_file"], policy=Policy("accept_edits"), **where).run_sync("go")
    loaded = Session.load(where["log"]).last
    loaded.desk = ScriptedDesk(elsewhere=[tmp_path / "n.ipynb"])
    panel = UndoPanel(loaded)
    press(panel, "Undo")
    assert "n.ipynb is open in a page" in shown(panel) and (tmp_path / "n.ipynb").exists()


def test_widgets_that_are_no_longer_shown_are_freed(run):
    panel = UndoPanel(run)
    before = list(widgets_of(panel))[1:]
    press(panel, "Undo")
    assert all(one.comm is None for one in before)


def test_without_widgets_the_list_is_text(run):
    assert repr(UndoPanel(run)).splitlines() == [
        "2 files are changed by this run",
        "call_3 send not undone: what it changed is not known: the tool names no files (paths=...)",
        "call_2 write_file b",
        "call_1 write_file a",
    ]


def test_a_run_that_changed_nothing_says_so(tmp_path):
    run = Agent(ScriptedModel(["done"]), cwd=tmp_path).run_sync("go")
    assert repr(UndoPanel(run)) == "This run has changed nothing."
