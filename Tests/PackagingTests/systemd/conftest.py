"""The fixtures of tests with systemd. scripts/test-systemd builds what they need and starts pytest."""

from collections.abc import Callable, Iterator

import pytest

from support.machine import Machine

_machines: list[Machine] = []


@pytest.fixture(scope="module")
def make_machine() -> Iterator[Callable[..., Machine]]:
    """Makes machines that are removed after the tests of the file."""
    made: list[Machine] = []

    def make(**options) -> Machine:
        made.append(Machine(**options))
        _machines.append(made[-1])
        return made[-1].__enter__()

    yield make
    for machine in made:
        _machines.remove(machine)
        machine.__exit__()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        for machine in _machines:
            report.sections.append((f"The machine {machine.name}", machine.report()))
    return report
