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


@pytest.fixture(scope="module")
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


@pytest.fixture(scope="session")
def dark_server() -> Iterator[driver.LabServer]:
    _need_chromium()
    with driver.LabServer("JupyterLab Dark") as server:
        yield server


@pytest.fixture(scope="session")
def notebook_server() -> Iterator[driver.LabServer]:
    """A server whose front end is Notebook 7, and which shows notebooks as pages of Voila, too."""
    _need_chromium()
    with driver.LabServer(app="notebook", extensions=["voila.server_extension"]) as server:
        yield server


@pytest.fixture(scope="module")
def light_page(lab_server: driver.LabServer, chromium: Browser) -> Iterator[driver.LabPage]:
    with driver.LabPage(lab_server, chromium) as page:
        yield page


@pytest.fixture(scope="module")
def dark_page(dark_server: driver.LabServer, chromium: Browser) -> Iterator[driver.LabPage]:
    with driver.LabPage(dark_server, chromium) as page:
        yield page


@pytest.fixture
def lab(light_page: driver.LabPage) -> driver.LabPage:
    """A page on which nothing has happened yet; open a notebook on it."""
    light_page.begin_anew((1400, 900))
    return light_page


@pytest.fixture(params=["light", "dark"])
def themed(request) -> tuple[driver.LabPage, str]:
    """Such a page in each of the two themes, and the theme's name."""
    page: driver.LabPage = request.getfixturevalue(f"{request.param}_page")
    page.begin_anew((1280, 1000))
    return page, request.param


def _need_chromium() -> None:
    if driver.find_chromium() is None:
        pytest.skip(driver.NO_CHROMIUM)
