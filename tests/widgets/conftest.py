"""Kernels in which an agent waits to be run: `ready` (this Python's), `ready_anywhere` (each of the matrix)."""

import pytest

from ..kernel.conftest import kernel, matrix_kernel, matrix_python
from ..kernel.driver import KernelDriver
from .scene import SET_UP

__all__ = ["kernel", "matrix_kernel", "matrix_python"]


@pytest.fixture
def ready(kernel: KernelDriver) -> KernelDriver:
    assert kernel.run(SET_UP).status == "ok"
    return kernel


@pytest.fixture
def ready_anywhere(matrix_kernel: KernelDriver) -> KernelDriver:
    assert matrix_kernel.run(SET_UP).status == "ok"
    return matrix_kernel
