"""Virtual environments with other versions of ipykernel, made when first asked for and kept for the next time.

Clicks, interrupts and the place where an output lands differ between kernel versions, so tests of them run on an old
one, an early one of the 7 series, and the newest. An environment lies over the one that the tests run in: all that is
not another ipykernel, or needed by one, is the same. It takes seconds and a package index to build; where that fails,
the tests that asked are skipped and say so; set CELLWRIGHT_MATRIX_REQUIRED to make it a failure (for CI).
The environments are in CELLWRIGHT_MATRIX_DIR, else in the user's cache folder; delete that folder to start anew.
"""

import hashlib
import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

try:
    import fcntl
except ImportError:  # Windows: there two may build the same, and one is kept
    fcntl = None

NEWEST = "newest"
"""What a fresh set-up installs: the ipykernel of the environment in which the tests run."""
VERSIONS = ("6.30.1", "7.1.0", NEWEST)


class EnvironmentUnavailableError(RuntimeError):
    """That environment is not there and could not be built."""


def environment(version: str) -> Path:
    """The Python of an environment with that ipykernel and all that the tests' own environment has.

    Raises EnvironmentUnavailableError where there is no package index (or not this version in it).
    """
    if version == NEWEST:
        return Path(sys.executable)
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
    """A file ending in `.pth` in its packages folder is read by Python's `site`: it brings in the environment below."""
    pip = (sys.executable, "-m", "pip", "--python", _python(draft), "install", "--quiet", "--disable-pip-version-check")
    try:
        _run(sys.executable, "-m", "venv", "--without-pip", draft)
        packages = sysconfig.get_path("purelib", "venv", {"base": str(draft)})
        below = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
        (Path(packages) / "below.pth").write_text(below, "utf-8")
        _run(*pip, f"ipykernel=={version}")
    except RuntimeError as problem:
        raise EnvironmentUnavailableError(f"No environment with ipykernel {version}: {problem}") from problem


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        errors = [line for line in (done.stderr + done.stdout).splitlines() if "error" in line.lower()]
        raise RuntimeError(" / ".join(errors[-3:]) or f"exit code {done.returncode}")


def _folder() -> Path:
    chosen = os.environ.get("CELLWRIGHT_MATRIX_DIR")
    return Path(chosen) if chosen else platformdirs.user_cache_path("cellwright") / "matrix"


def _fingerprint() -> str:
    """Changes with this Python and its environment, on which each of the others lies."""
    return hashlib.sha256(repr((sys.version, sysconfig.get_path("purelib"))).encode()).hexdigest()[:10]


def _python(home: Path) -> Path:
    return home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
