"""The fixtures of the page tests: real processes, and Debian's Chromium."""

import os
import signal
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from support.installation import Installation
from support.visitor import Visitor

# Only failing tests wait this long: a wait ends as soon as its condition holds.
PATIENCE_MS = 180_000
expect.set_options(timeout=PATIENCE_MS)


def pytest_configure() -> None:
    # As after Ctrl+C, the fixtures end their processes and remove their folders.
    signal.signal(signal.SIGTERM, signal.default_int_handler)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # Chromium's sandbox needs a user namespace, which root in a container does not have.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        path = os.environ.get("BACKLINE_TEST_CHROMIUM", "/usr/bin/chromium-headless-shell")
        chromium = playwright.chromium.launch(executable_path=path, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def shared_backline() -> Iterator[Installation]:
    """For tests that change only their own person's data."""
    with Installation() as installation:
        yield installation


@pytest.fixture(scope="session")
def setup_backline() -> Iterator[Installation]:
    """With all workers, for tests that connect services for their own person."""
    with Installation(with_setup=True) as installation:
        yield installation


@pytest.fixture
def own_backline() -> Iterator[Callable[..., Installation]]:
    """Starts installations for tests that kill processes or change settings."""
    started: list[Installation] = []

    def start(**options) -> Installation:
        started.append(Installation(**options))
        return started[-1]

    yield start
    for installation in started:
        installation.__exit__()


@pytest.fixture
def waiting_search(visit, own_backline) -> Callable[..., tuple[Installation, Visitor, list[str]]]:
    """Starts searches that wait because no worker runs. Returns Backline, the visitor and the artists' names."""

    def begin(artists: int = 2) -> tuple[Installation, Visitor, list[str]]:
        backline = own_backline()
        names = backline.simulator.artists("popular", artists)
        backline.stop_worker()
        ada = visit(backline).at_artists(names)
        ada.find_concerts()
        return backline, ada, names

    return begin


@pytest.fixture
def visit(browser: Browser, shared_backline: Installation) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors, each with an account and a browser profile. Script errors in a page fail the test."""
    visitors: list[Visitor] = []

    def make(backline: Installation = shared_backline, options: tuple[str, ...] = (), **context) -> Visitor:
        settings = {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB", **context}
        made = browser.new_context(**settings)
        made.set_default_timeout(PATIENCE_MS)
        visitors.append(Visitor(backline, made, backline.add_person(*options)))
        return visitors[-1]

    yield make
    errors = [error for visitor in visitors for error in visitor.errors]
    for visitor in visitors:
        # A handler of routes may still be waiting for the gateway.
        for page in visitor.context.pages:
            page.unroute_all(behavior="ignoreErrors")
        visitor.context.close()
    assert not errors, errors
