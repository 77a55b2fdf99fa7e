"""Where `cellwright lab` finds the tour."""

import os
import runpy
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cellwright.console import lab
from cellwright.console.lab import COPY, TOUR, notebooks_folder
from cellwright.errors import UsageError


def installed(folder, *, notebooks):
    """What finds the folder in a copy of the package as an installation has it, outside any checkout."""
    package = folder / "site" / "cellwright"
    (package / "console").mkdir(parents=True)
    shutil.copy(lab.__file__, package / "console")
    if notebooks:
        (package / "notebooks" / "data").mkdir(parents=True)
        (package / "notebooks" / TOUR).write_text("{}")
        (package / "notebooks" / "data" / "sales.csv").write_text("a\n")
    return runpy.run_path(str(package / "console" / "lab.py"))["notebooks_folder"]


def test_in_a_checkout_the_tour_is_opened_where_it_lies():
    assert notebooks_folder() == Path(__file__).parents[3] / "notebooks"
    assert (notebooks_folder() / TOUR).is_file()


def test_without_jupyterlab_the_command_says_what_to_install():
    hide = "import sys; sys.modules['jupyterlab'] = None"
    code = f"{hide}; from cellwright.console.command_line import main; sys.exit(main(['lab']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'cellwright[lab]'" in done.stderr


def test_an_installed_tour_is_copied_with_its_data_to_the_person_and_not_again(tmp_path, monkeypatch):
    find = installed(tmp_path, notebooks=True)
    monkeypatch.chdir(tmp_path)
    assert find() == tmp_path / COPY
    assert (tmp_path / COPY / "data" / "sales.csv").read_text() == "a\n"
    (tmp_path / COPY / TOUR).write_text("my work")
    assert (find() / TOUR).read_text() == "my work"


def test_an_installation_without_notebooks_says_what_to_do(tmp_path):
    with pytest.raises(UsageError, match="this installation has no notebooks; install Cellwright again"):
        installed(tmp_path, notebooks=False)()


LAB = """
import signal, time
signal.signal(signal.SIGINT, lambda *_: (print("Shut it down?", flush=True), time.sleep(0.5), exit(3)))
print("serving", flush=True)
time.sleep(60)
"""


def test_an_interrupt_is_left_to_jupyterlab_which_asks_and_is_waited_for(tmp_path):
    (tmp_path / "jupyterlab").mkdir()
    (tmp_path / "jupyterlab" / "__main__.py").write_text(LAB)
    (tmp_path / "jupyterlab" / "__init__.py").touch()
    command, path = [sys.executable, "-m", "cellwright", "lab"], {**os.environ, "PYTHONPATH": str(tmp_path)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=path, start_new_session=True) as running:
        assert running.stdout.readline() == b"serving\n"
        os.killpg(running.pid, signal.SIGINT)
        said = running.communicate(timeout=20)
    assert (running.returncode, *said) == (3, b"Shut it down?\n", b"")
