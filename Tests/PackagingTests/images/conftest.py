"""The fixtures of tests with containers. scripts/test-image builds the images and starts pytest."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.documents import REPOSITORY
from support.engine import Engine
from support.compose import ComposeProject

_installations: list[ComposeProject] = []


@pytest.fixture(scope="session")
def folder() -> Path:
    """The folder of the run, which scripts/test-image removes."""
    return Path(os.environ["BACKLINE_TEST_FOLDER"])


@pytest.fixture(scope="session")
def engine(folder) -> Iterator[Engine]:
    with Engine(folder) as engine:
        yield engine


@pytest.fixture(scope="module")
def install(engine) -> Iterator[Callable[..., ComposeProject]]:
    """Makes installations that are removed after the tests of the file."""
    started: list[ComposeProject] = []

    def make(folder: Path = REPOSITORY) -> ComposeProject:
        started.append(ComposeProject(engine, folder))
        _installations.append(started[-1])
        return started[-1]

    yield make
    for installation in started:
        _installations.remove(installation)
        installation.__exit__()


@pytest.fixture(scope="module")
def demonstration(install) -> ComposeProject:
    """The demonstration, with all of its containers healthy."""
    installation = install()
    installation.compose(
        "--profile", "demo", "up", "--no-build", "--detach", "--scale", "concert-worker=0", "--scale", "sync-worker=0",
        "--scale", "ai-worker=0")
    installation.wait_until_healthy(5)
    return installation


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        for installation in _installations:
            report.sections.append((f"Containers of {installation.project}", installation.logs()))
    return report
