"""One distribution with two packages: what is in it, and that it works where it is installed without extras."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from .architecture.source import ROOT, tracked_files

VIEW_PACKAGES = ("anywidget", "ipywidgets")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built by way of the source distribution, from what is checked in and a person's own work beside it."""
    folder = tmp_path_factory.mktemp("build")
    for path in tracked_files():
        target = folder / "tree" / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    own_work = folder / "tree" / "notebooks" / "work" / "mine.ipynb"
    own_work.parent.mkdir(exist_ok=True)
    own_work.write_text("{}")
    done = run("-m", "build", "--no-isolation", "--outdir", str(folder / "dist"), str(folder / "tree"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(list((folder / "dist").glob("*.tar.gz"))) == 1
    (built,) = (folder / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def contents(wheel) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """A folder with nothing in it but the installed wheel."""
    folder = tmp_path_factory.mktemp("site")
    done = run("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(folder), str(wheel))
    assert done.returncode == 0, done.stderr
    return folder


def run(*args: str, **named) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *args], capture_output=True, text=True, check=False, **named)


def run_installed(code: str, site: Path, *, absent=()) -> subprocess.CompletedProcess[str]:
    """Runs code that finds our packages where the wheel was installed, as if some others were not."""
    code = f"import sys; sys.modules.update(dict.fromkeys({json.dumps(absent)}))\n{code}"
    return run("-W", "error", "-c", code, cwd=site.parent, env={**os.environ, "PYTHONPATH": str(site)})


def test_both_packages_lie_at_the_root_of_the_wheel(contents):
    tops = {name.split("/")[0] for name in contents if ".dist-info/" not in name}
    assert tops == {"cellwright", "cellwright_widgets"}
    assert {"cellwright/__init__.py", "cellwright_widgets/__init__.py"} <= contents


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("toolkit/cellwright", "cellwright"),
        ("widgets/cellwright_widgets", "cellwright_widgets"),
        ("notebooks", "cellwright/notebooks"),
    ],
)
def test_every_tracked_file_of_a_folder_is_in_the_wheel(contents, source, target):
    names = [
        path.relative_to(ROOT / source).as_posix() for path in tracked_files() if path.is_relative_to(ROOT / source)
    ]
    assert names
    assert {f"{target}/{name}" for name in names} - contents == set()


@pytest.mark.parametrize(
    "name",
    [
        "cellwright/py.typed",
        "cellwright_widgets/py.typed",
        "cellwright_widgets/static/transcript.js",
        "cellwright_widgets/static/cellwright.css",
        "cellwright/notebooks/00_tour.ipynb",
        "cellwright/notebooks/analysis/coffee_sales.ipynb",
        "cellwright/notebooks/analysis/coffee_sales.csv",
    ],
)
def test_what_a_user_needs_is_in_the_wheel(contents, name):
    assert name in contents


def test_the_licence_is_in_the_wheel(wheel, contents):
    (licence,) = (name for name in contents if name.endswith("/licenses/LICENSE"))
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read(licence) == (ROOT / "LICENSE").read_bytes()


def test_tests_and_a_persons_own_work_stay_out(contents):
    never = {"tests", "benchmarks", "work", "__pycache__"}
    assert [name for name in contents if never & set(name.split("/"))] == []


def test_a_plain_install_runs_an_agent_without_the_views(installed, tmp_path):
    code = """
import cellwright
from cellwright import Agent, ScriptedModel, Turn
turns = [Turn(calls=[("find_files", {"pattern": "*.none"})]), "done"]
print(cellwright.__file__)
print(Agent(ScriptedModel(turns), "read_only").run_sync("look").results[0].ok)
"""
    done = run_installed(code, installed, absent=(*VIEW_PACKAGES, "IPython"))
    assert (done.stderr, done.stdout) == ("", f"{installed / 'cellwright' / '__init__.py'}\nTrue\n")


@pytest.mark.parametrize("missing", VIEW_PACKAGES)
def test_the_views_without_their_packages_say_what_to_install(installed, missing):
    done = run_installed("import cellwright_widgets", installed, absent=(missing,))
    assert done.returncode == 1
    assert done.stderr.rstrip().splitlines()[-1].startswith("ImportError: ")
    assert "pip install 'cellwright[widgets]'" in done.stderr.rstrip().splitlines()[-1]


def test_the_installed_views_read_their_own_files(installed):
    code = """
import cellwright_widgets
from importlib.resources import files
print(len(files("cellwright_widgets").joinpath("static/transcript.js").read_text()) > 0)
"""
    done = run_installed(code, installed)
    assert (done.stderr, done.stdout) == ("", "True\n")


def test_the_lab_copies_the_installed_notebooks_into_a_folder_of_the_persons(installed, tmp_path):
    code = f"""
import os
from cellwright.console.lab import notebooks_folder
os.chdir({str(tmp_path)!r})
print(notebooks_folder())
"""
    done = run_installed(code, installed)
    assert (done.stderr, done.stdout) == ("", f"{tmp_path / 'cellwright-notebooks'}\n")
    assert (tmp_path / "cellwright-notebooks" / "00_tour.ipynb").is_file()


def test_the_commands_of_the_wheel_point_at_a_function(wheel, installed):
    code = (
        "import importlib.metadata as m; print([e.load().__name__ for e in m.distribution('cellwright').entry_points])"
    )
    done = run_installed(code, installed)
    assert (done.stderr, done.stdout) == ("", "['main']\n")
