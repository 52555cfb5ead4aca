"""Commands of podman, and waits."""

import time
from collections.abc import Callable

from backline_test.processes import TIMEOUT, run


def podman(*arguments: str, **options) -> str:
    return run("podman", *arguments, **options)


def eventually(what: str, condition: Callable[[], object], timeout: float = TIMEOUT):
    """Waits until a condition returns something true, and returns that. A condition that raises does not hold yet."""
    end = time.monotonic() + timeout
    reason: object = "it never held"
    while time.monotonic() < end:
        try:
            if result := condition():
                return result
            reason = f"it was {result!r}"
        except (AssertionError, OSError, LookupError, ValueError) as error:
            reason = error
        time.sleep(0.2)
    raise AssertionError(f"{what}: not within {timeout:.0f} s; {reason}")
