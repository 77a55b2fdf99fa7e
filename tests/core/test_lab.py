"""Where `cellwright lab` finds the tour."""

import subprocess
import sys
from pathlib import Path

from cellwright.lab import TOUR, notebooks_folder


def test_in_a_checkout_the_tour_is_opened_where_it_lies():
    assert notebooks_folder() == Path(__file__).parents[2] / "notebooks"
    assert (notebooks_folder() / TOUR).is_file()


def test_without_jupyterlab_the_command_says_what_to_install():
    hide = "import sys; sys.modules['jupyterlab'] = None"
    code = f"{hide}; from cellwright.command_line import main; sys.exit(main(['lab']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'cellwright[lab]'" in done.stderr
