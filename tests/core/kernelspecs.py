"""Kernels installed for one test: more names for the Python kernel, and a small one of another language."""

import json
import sys
from pathlib import Path

ODD = Path(__file__).with_name("odd_kernel.py")


def install(folder: Path, monkeypatch, name: str, language: str = "python", argv=None, **more) -> None:
    """Puts a kernelspec where Jupyter finds it for the rest of the test."""
    monkeypatch.setenv("JUPYTER_PATH", str(folder))
    place = folder / "kernels" / name
    place.mkdir(parents=True)
    argv = argv or [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": argv, "display_name": name, "language": language, **more}
    (place / "kernel.json").write_text(json.dumps(spec))


def install_odd(folder: Path, monkeypatch, name: str = "odd", **more) -> None:
    """Puts the small kernel of another language there."""
    install(folder, monkeypatch, name, "odd", [sys.executable, str(ODD), "-f", "{connection_file}"], **more)
