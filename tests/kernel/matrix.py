"""Virtual environments with other versions of ipykernel, made when first asked for and kept for the next time.

Clicks, interrupts and the place where an output lands differ between kernel versions, so tests of them run on an old
one, an early one of the 7 series, and the newest. Building an environment takes a minute and a package index. Where
that fails, the tests that asked are skipped and say so; set CELLWRIGHT_MATRIX_REQUIRED to make it a failure (for CI).
The environments are in CELLWRIGHT_MATRIX_DIR, else in the user's cache folder; delete that folder to start anew.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

try:
    import fcntl
except ImportError:  # Windows: there two may build the same, and one is kept
    fcntl = None

VERSIONS = ("6.30.1", "7.1.0", "newest")
ROOT = Path(__file__).resolve().parents[2]


class EnvironmentUnavailableError(RuntimeError):
    """That environment is not there and could not be built."""


def environment(version: str) -> Path:
    """The Python of an environment with that ipykernel, ipywidgets, anywidget and this repository (editable).

    Raises EnvironmentUnavailableError where there is no package index (or not this version in it).
    """
    home = _folder() / f"ipykernel-{version}-{_fingerprint()}"
    with _one_builder(home):
        if not home.exists():
            _build(version, home)
    return _python(home)


@contextmanager
def _one_builder(home: Path) -> Iterator[None]:
    """Of tests that run side by side one builds an environment, and the others wait for it."""
    home.parent.mkdir(parents=True, exist_ok=True)
    with (home.parent / f"{home.name}.lock").open("w") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build(version: str, home: Path) -> None:
    # Built beside its place and then renamed: no other test run ever sees half an environment.
    with tempfile.TemporaryDirectory(dir=home.parent, prefix="building-", ignore_cleanup_errors=True) as building:
        draft = Path(building) / "environment"
        _install(version, draft)
        try:
            draft.rename(home)
        except OSError:
            if not home.exists():  # else another test run was faster, and its environment is as good
                raise


def _install(version: str, draft: Path) -> None:
    """First all that needs the network, whose failure is nobody's fault; then the repository, which must install."""
    pip = (_python(draft), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    ipykernel = "ipykernel" if version == "newest" else f"ipykernel=={version}"
    try:
        _run(sys.executable, "-m", "venv", draft)
        _run(*pip, ipykernel, *_requirements(), "editables")
    except RuntimeError as problem:
        raise EnvironmentUnavailableError(f"No environment with ipykernel {version}: {problem}") from problem
    _run(*pip, "--no-index", "--no-build-isolation", "--no-deps", "--editable", ROOT)


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        errors = [line for line in (done.stderr + done.stdout).splitlines() if "error" in line.lower()]
        raise RuntimeError(" / ".join(errors[-3:]) or f"exit code {done.returncode}")


def _requirements() -> list[str]:
    """What the repository needs to be installed, to run, and to show its views."""
    facts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = facts["project"]
    return [*facts["build-system"]["requires"], *project["dependencies"], *project["optional-dependencies"]["widgets"]]


def _folder() -> Path:
    chosen = os.environ.get("CELLWRIGHT_MATRIX_DIR")
    return Path(chosen) if chosen else platformdirs.user_cache_path("cellwright") / "matrix"


def _fingerprint() -> str:
    """Changes with this Python, the repository's place and its requirements: all that an environment depends on."""
    facts = (sys.version, str(ROOT), _requirements())
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:10]


def _python(home: Path) -> Path:
    return home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
