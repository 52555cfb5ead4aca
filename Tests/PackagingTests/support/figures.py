"""A pytest plugin: lines that tests note for the end of the output."""

from collections.abc import Callable

import pytest

_figures: list[str] = []


@pytest.fixture
def figure() -> Callable[[str], None]:
    """Notes a line for the end of the output."""
    return _figures.append


def pytest_terminal_summary(terminalreporter):
    if _figures:
        terminalreporter.section("measured")
        for line in _figures:
            terminalreporter.write_line(line)
