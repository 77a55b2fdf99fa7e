"""Kernels installed for one test: more names for the Python kernel, and a small one of another language."""

import json
import sys
from pathlib import Path


def install(folder: Path, monkeypatch, name: str, language: str = "python", argv=None) -> None:
    """Puts a kernelspec where Jupyter finds it for the rest of the test."""
    monkeypatch.setenv("JUPYTER_PATH", str(folder))
    place = folder / "kernels" / name
    place.mkdir(parents=True)
    argv = argv or [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (place / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": name, "language": language}))
