"""A JupyterLab server of its own for tests: own folder, settings, runtime files, port and token; nothing is shared
with the Jupyter of the person who runs the tests, and nothing is left of it afterwards.
"""

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

START = 120.0
"""Seconds a server may take to answer."""

Theme = Literal["JupyterLab Light", "JupyterLab Dark"]
App = Literal["jupyterlab", "notebook"]
"""The front end: JupyterLab, or Notebook 7."""


class LabServer:
    """A running JupyterLab; a context manager. Notebooks live in `root`."""

    def __init__(
        self,
        theme: Theme = "JupyterLab Light",
        *,
        settings: Mapping[str, Mapping[str, Any]] | None = None,
        kernels: Mapping[str, str | Path] | None = None,
        env: Mapping[str, str] | None = None,
        app: App = "jupyterlab",
        extensions: Sequence[str] = (),
    ):
        """`settings`: {plugin id: values}, as in Lab's settings editor. `kernels`: {kernelspec name: python}.

        `extensions`: modules that serve more, as Voila does.
        """
        self.settings = {
            "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
            # cells out of sight are drawn as well: a test looks at them before anybody scrolls there
            "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
            "@jupyterlab/apputils-extension:themes": {"theme": theme},
            "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
            **(settings or {}),
        }
        self.kernels, self.extra_env = dict(kernels or {}), dict(env or {})
        self.token = secrets.token_hex(16)
        self.app, self.extensions = app, tuple(extensions)

    def __enter__(self) -> "LabServer":
        self._home = tempfile.TemporaryDirectory(prefix="lab-server-", ignore_cleanup_errors=True)
        home = Path(self._home.name)
        self.root, self._log_path = home / "root", home / "server.log"
        self.root.mkdir()
        self._write_settings(home)
        self.base = f"http://127.0.0.1:{_free_port()}"
        with self._log_path.open("wb") as log:
            self._process = subprocess.Popen(
                self._command(), cwd=self.root, env=self._environment(home), stdout=log, stderr=log
            )
        try:
            self._wait_ready()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the server and its kernels."""
        self._process.terminate()  # the server ends its kernels and then itself
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._home.cleanup()

    def write_notebook(self, path: str, cells: Sequence[str | tuple[str, str]], kernel: str = "python3") -> str:
        """Make a notebook of code cells; `("markdown", text)` is a Markdown cell. Returns the path.

        JupyterLab keeps a kernel per path: give each test a name of its own.
        """
        spec = {"name": kernel, "display_name": kernel, "language": "python"}
        document = new_notebook(metadata={"kernelspec": spec})
        document.cells = [new_code_cell(c) if isinstance(c, str) else new_markdown_cell(c[1]) for c in cells]
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(document, target)
        return path

    def read_notebook(self, path: str) -> nbformat.NotebookNode:
        """The notebook as it is on disk now."""
        return nbformat.read(self.root / path, as_version=4)

    def api(self, path: str) -> Any:
        """GET an address of the server's REST API, as JSON: `api("sessions")`."""
        request = urllib.request.Request(f"{self.base}/api/{path}", headers={"Authorization": f"token {self.token}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def log(self) -> str:
        return self._log_path.read_text(errors="replace")

    def _command(self) -> list[str]:
        options = {"port": self.base.rpartition(":")[2], "port_retries": "0", "root_dir": str(self.root)}
        return [
            *(sys.executable, "-m", self.app, "--no-browser", "--allow-root"),
            f"--IdentityProvider.token={self.token}",
            *(f"--ServerApp.{name}={value}" for name, value in options.items()),
            "--LabApp.expose_app_in_browser=True",
            *(f"--ServerApp.jpserver_extensions={name}=True" for name in self.extensions),
        ]

    def _environment(self, home: Path) -> dict[str, str]:
        foreign = ("JUPYTER", "JPY_", "IPYTHON", "PYTEST_")
        places = {
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
            "IPYTHONDIR": "ipython",
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        return {**kept, **{name: str(home / place) for name, place in places.items()}, **self.extra_env}

    def _write_settings(self, home: Path) -> None:
        for plugin, values in self.settings.items():
            package, _, name = plugin.partition(":")
            _write_json(home / "settings" / package / f"{name}.jupyterlab-settings", values)
        for name, python in self.kernels.items():
            argv = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
            spec = {"argv": argv, "display_name": name, "language": "python"}
            _write_json(home / "data" / "kernels" / name / "kernel.json", spec)

    def _wait_ready(self) -> None:
        deadline = time.monotonic() + START
        while time.monotonic() < deadline:
            try:
                self.api("status")
                return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if self._process.poll() is not None:
                    break
                time.sleep(0.1)
        raise RuntimeError(f"JupyterLab did not start.\n{self.log()[-3000:]}")


def _write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
