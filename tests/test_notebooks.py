"""Notebooks are valid, small in their cells, and say nothing of the machine that they were written on."""

import itertools
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from cellwright.calls.pipeline import STAGES

from .architecture.source import ROOT, tracked_files

NOTEBOOKS = [path for path in tracked_files() if path.suffix == ".ipynb" and path.is_relative_to(ROOT / "notebooks")]
LESSONS = [path for path in NOTEBOOKS if path.parent == ROOT / "notebooks"]
"""Those that a person is led through; the others are data that tools work on, and keep their outputs."""
CODE_LINES = 15
ABSOLUTE = re.compile(r"""(?<![\w.:/<-])/(home|root|work|tmp|Users|usr|opt|var|mnt|content)/|\b[A-Z]:\\\\""")


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=relative)
every_lesson = pytest.mark.parametrize("path", LESSONS, ids=relative)


def code_cells(path: Path):
    return [cell for cell in nbformat.read(path, as_version=nbformat.NO_CONVERT).cells if cell.cell_type == "code"]


def test_there_is_a_tour_and_lessons_have_numbers():
    assert ROOT / "notebooks" / "00_tour.ipynb" in LESSONS
    assert [path.name for path in LESSONS if not re.fullmatch(r"\d\d_\w+\.ipynb", path.name)] == []


@every_notebook
def test_a_notebook_is_valid_and_every_cell_has_an_id(path):
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    ids = [cell.get("id") for cell in notebook.cells]
    assert (notebook.nbformat, len(set(ids)) == len(ids), all(ids)) == (4, True, True)


@every_notebook
def test_a_notebook_names_no_place_on_a_machine(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [
        f"line {number}: {line.strip()[:100]}" for number, line in enumerate(lines, 1) if ABSOLUTE.search(line)
    ] == []


@every_lesson
def test_a_lesson_is_stored_without_outputs_and_counts(path):
    kept = [cell.id for cell in code_cells(path) if cell.outputs or cell.execution_count is not None]
    assert kept == []


@every_lesson
def test_a_lesson_has_code_cells_of_at_most_15_lines(path):
    long = {cell.id: len(cell.source.splitlines()) for cell in code_cells(path)}
    assert {name: lines for name, lines in long.items() if lines > CODE_LINES} == {}


@every_lesson
def test_a_lesson_opens_with_words(path):
    assert nbformat.read(path, as_version=nbformat.NO_CONVERT).cells[0].cell_type == "markdown"


@every_lesson
def test_a_lesson_leads_to_files_that_there_are(path):
    cells = nbformat.read(path, as_version=nbformat.NO_CONVERT).cells
    links = [link for cell in cells for link in re.findall(r"\]\((?!http)([^)]+)\)", cell.source)]
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_the_lesson_on_the_pipeline_lists_its_stages_in_their_order():
    cells = nbformat.read(ROOT / "notebooks" / "06_pipeline.ipynb", as_version=nbformat.NO_CONVERT).cells
    rows = [re.findall(r"^\| `(\w+)` \|", cell.source, re.MULTILINE) for cell in cells]
    assert list(itertools.chain(*rows)) == [stage.__name__ for stage in STAGES]


@pytest.mark.parametrize("path", LESSONS[1:], ids=relative)  # the tour waits for clicks, so it runs in a browser
def test_a_lesson_runs_from_top_to_bottom(path, tmp_path):
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    place = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=60, kernel_name="python3", resources=place).execute()
    assert [cell.id for cell in notebook.cells if cell.cell_type == "code" and cell.execution_count is None] == []
