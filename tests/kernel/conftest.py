"""Kernels for tests: `kernel` (this Python's), `matrix_kernel` (one test run per ipykernel version)."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from .driver import KernelDriver
from .matrix import VERSIONS, EnvironmentUnavailableError, environment


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[KernelDriver]:
    with KernelDriver(folder=tmp_path) as driver:
        yield driver


@pytest.fixture(scope="session", params=VERSIONS)
def matrix_python(request: pytest.FixtureRequest) -> Path:
    """A Python that has this ipykernel, ipywidgets, anywidget and the repository itself."""
    try:
        return environment(request.param)
    except EnvironmentUnavailableError as problem:
        if os.environ.get("CELLWRIGHT_MATRIX_REQUIRED"):
            raise
        pytest.skip(str(problem))


@pytest.fixture
def matrix_kernel(matrix_python: Path, tmp_path: Path) -> Iterator[KernelDriver]:
    with KernelDriver(matrix_python, tmp_path) as driver:
        yield driver
