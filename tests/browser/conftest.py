"""Fixtures for browser tests: `lab_server`, `chromium` and `lab`. Without a Chromium these tests are skipped."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from . import driver
from .sink import Sink


@pytest.fixture(scope="session")
def lab_server() -> Iterator[driver.LabServer]:
    _need_chromium()
    with driver.LabServer() as server:
        yield server


@pytest.fixture(scope="session")
def sink() -> Iterator[Sink]:
    """Hears what pages load from evil.test: nothing, unless a test says so."""
    with Sink() as listening:
        yield listening


# Per module, not per session: Playwright's sync API keeps an event loop running in this thread as long as it is open,
# and tests elsewhere that call `asyncio.run` would fail.
@pytest.fixture(scope="module")
def chromium(sink: Sink) -> Iterator[Browser]:
    _need_chromium()
    with driver.chromium(sink.port) as browser:
        yield browser


@pytest.fixture
def lab(lab_server: driver.LabServer, chromium: Browser) -> Iterator[driver.LabPage]:
    """A fresh page; open a notebook on it."""
    with driver.LabPage(lab_server, chromium) as page:
        yield page


@pytest.fixture(scope="session")
def dark_server() -> Iterator[driver.LabServer]:
    _need_chromium()
    with driver.LabServer("JupyterLab Dark") as server:
        yield server


@pytest.fixture(scope="session")
def notebook_server() -> Iterator[driver.LabServer]:
    """A server whose front end is Notebook 7."""
    _need_chromium()
    with driver.LabServer(app="notebook") as server:
        yield server


@pytest.fixture(params=["light", "dark"])
def themed(request, chromium: Browser) -> Iterator[tuple[driver.LabPage, str]]:
    """A wide page in each of the two themes, and the theme's name."""
    server = request.getfixturevalue("lab_server" if request.param == "light" else "dark_server")
    with driver.LabPage(server, chromium, (1280, 1000)) as page:
        yield page, request.param


def _need_chromium() -> None:
    if driver.find_chromium() is None:
        pytest.skip(driver.NO_CHROMIUM)
