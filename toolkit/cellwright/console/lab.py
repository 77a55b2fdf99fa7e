"""JupyterLab at the tour notebook: what `cellwright lab` starts.

From a checkout the tour is opened where it lies; from an installed package it is copied, with the notebooks it works
on, into a folder of the person's, since nobody should work inside an installed package.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from cellwright.errors import UsageError

TOUR = "00_tour.ipynb"
COPY = "cellwright-notebooks"


def start_lab(*, browser: bool = True, port: int | None = None) -> int:
    """Starts JupyterLab at the tour and waits for its end; its exit code.

    Raises:
        UsageError: if JupyterLab or the notebooks are missing.
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise UsageError("JupyterLab is not installed; run: pip install 'cellwright[lab]'")
    folder = notebooks_folder()
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    command += [f"--LabApp.default_url=/lab/tree/{TOUR}"]
    if not browser:
        command.append("--no-browser")
    if port is not None:
        command.append(f"--ServerApp.port={port}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # JupyterLab refuses; in a container there is often no one else
        command.append("--allow-root")
    with subprocess.Popen(command) as lab:  # noqa: S603 (our own command)
        while True:
            with suppress(KeyboardInterrupt):  # JupyterLab hears it as well, and asks before it ends
                return lab.wait()


def notebooks_folder() -> Path:
    """The folder with the tour that the person works in.

    Raises:
        UsageError: if this installation has no notebooks.
    """
    package = Path(__file__).resolve().parents[1]
    in_checkout = package.parent.parent / "notebooks"
    if (in_checkout / TOUR).is_file():
        return in_checkout
    packaged = package / "notebooks"
    if not (packaged / TOUR).is_file():
        raise UsageError("this installation has no notebooks; install Cellwright again, or work from a checkout")
    mine = Path.cwd() / COPY
    if not mine.exists():
        shutil.copytree(packaged, mine)
    return mine
