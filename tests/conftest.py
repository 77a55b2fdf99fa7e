"""How tests are dealt out to processes that run side by side: by file, and all that need a browser to one of them."""

import gc
from typing import Any

import pytest


def pytest_collection_finish() -> None:
    """What was collected, a million objects, stays to the end: no test pays for a look at them."""
    gc.freeze()


@pytest.hookimpl(optionalhook=True)  # without pytest-xdist all tests run in one process
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """One browser at a time: several together keep each other waiting until tests give up."""
    from xdist.scheduler import LoadFileScheduling

    class OneBrowser(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "tests/browser" if nodeid.startswith("tests/browser/") else super()._split_scope(nodeid)

    return OneBrowser(config, log)
