"""How tests are collected, and dealt out to processes side by side: by file, all that need a browser to one of them."""

import gc
from collections.abc import Generator
from typing import Any

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected, a million objects, stays to the end: neither this nor a test pays for a look at them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(optionalhook=True)  # without pytest-xdist all tests run in one process
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """One browser at a time: several together keep each other waiting until tests give up."""
    from xdist.scheduler import LoadFileScheduling

    class OneBrowser(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "tests/browser" if nodeid.startswith("tests/browser/") else super()._split_scope(nodeid)

    return OneBrowser(config, log)
