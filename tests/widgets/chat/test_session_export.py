import nbformat
import pytest

from cellwright import Agent, ScriptedModel, Session, UsageError
from cellwright_widgets.chat.session_export import export_html, export_notebook

from ..page import HOSTILE, Page, assert_harmless


@pytest.fixture
def session(tmp_path):
    agent = Agent(ScriptedModel(["1", *HOSTILE]), [], cwd=tmp_path, log=tmp_path / "day.jsonl")
    run = agent.run_sync("One.")
    for text in HOSTILE:
        run = agent.run_sync(text, after=run)
    return Session.load(tmp_path / "day.jsonl")


def test_a_notebook_has_a_cell_for_each_run_with_its_record(session, tmp_path):
    document = nbformat.read(export_notebook(session, tmp_path), as_version=4)
    nbformat.validate(document)
    cells = document.cells[1:]
    assert cells[0].source == "%%agent\nOne."
    assert [cell.source.split("\n", 1)[1] for cell in cells] == ["One.", *(run.prompt for run in session.runs[1:])]
    for cell in cells:
        assert_harmless(Page(cell.outputs[0].data["text/html"]))


def test_a_page_loads_and_runs_nothing(session, tmp_path):
    text = export_html(session, tmp_path).read_text("utf-8")
    assert "default-src 'none'" in text
    assert_harmless(Page(text.partition("</head>")[2]))


def test_a_file_that_is_there_is_not_written_over(session, tmp_path):
    names = [export(session, tmp_path).name for export in (export_html, export_html, export_notebook)]
    assert names == ["session-day.html", "session-day-2.html", "session-day.ipynb"]


def test_a_folder_that_is_not_there_is_said(session, tmp_path):
    with pytest.raises(UsageError, match="can't be written"):
        export_html(session, tmp_path / "none")
