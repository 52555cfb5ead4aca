"""Runs commands, and says what they printed when they fail."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from .documents import REPOSITORY

# It only ends tests that fail: a wait ends as soon as its condition holds.
PATIENCE = 180


class CommandFailed(AssertionError):
    """A command ended with another status than 0."""


def run(
    *command: str | Path, stdin: str = "", environment: dict[str, str] | None = None, folder: Path = REPOSITORY,
    patience: float = PATIENCE) -> str:
    """Runs a command, which must succeed, and returns its standard output without the last line's end."""
    result = subprocess.run(
        command, env=environment, cwd=folder, input=stdin, capture_output=True, text=True, timeout=patience,
        check=False)
    if result.returncode != 0:
        raise CommandFailed(
            f"{' '.join(map(str, command))} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout.rstrip("\n")


def podman(*arguments: str, **options) -> str:
    return run("podman", *arguments, **options)


def eventually(what: str, condition: Callable[[], object], patience: float = PATIENCE):
    """Waits until a condition returns something true, and returns that. A condition that raises does not hold yet."""
    end = time.monotonic() + patience
    reason: object = "it never held"
    while time.monotonic() < end:
        try:
            if result := condition():
                return result
            reason = f"it was {result!r}"
        except (AssertionError, OSError, LookupError, ValueError) as error:
            reason = error
        time.sleep(0.2)
    raise AssertionError(f"{what}: not within {patience:.0f} s; {reason}")
