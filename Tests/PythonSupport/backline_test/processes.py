"""Starts programs, waits for their output, and stops them; runs commands to their end."""

import itertools
import os
import signal
import subprocess
import time
from pathlib import Path

from . import REPOSITORY

# Seconds. It only ends tests that fail: a wait ends as soon as its condition holds.
TIMEOUT = 180


class ProgramError(AssertionError):
    """A program failed, or did not do in time what it was waited for."""


class Program:
    """A process whose output is in two files of its folder."""

    # What is raised.
    error: type[Exception] = ProgramError
    _numbers = itertools.count(1)

    def __init__(self, name: str, command: list[str | Path], folder: Path, environment: dict[str, str], **options):
        """`environment` is the whole environment, and `options` are further ones of `subprocess.Popen`."""
        self.name = name
        # A program that is started again has files of its own.
        stem = f"{name}-{next(self._numbers)}"
        self.output_path = folder / f"{stem}.out"
        self.log_path = folder / f"{stem}.log"
        self.started_at = time.monotonic()
        with open(self.output_path, "wb") as output, open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=log, env=environment,
                **{"cwd": folder, **options})

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    # Output

    @property
    def lines(self) -> list[str]:
        """What it has printed so far: its standard output, then its log."""
        return [
            line for path in (self.output_path, self.log_path)
            for line in path.read_text(errors="replace").splitlines()]

    def last_words(self) -> str:
        return "\n".join(self.lines[-15:])

    def wait_for(self, text: str, timeout: float = TIMEOUT) -> str:
        """The first whole line of its standard output that contains `text`."""
        return self._wait_for(text, self.output_path, timeout)

    def wait_for_log(self, text: str, timeout: float = TIMEOUT) -> str:
        """The first whole line of its log, which is its standard error, that contains `text`."""
        return self._wait_for(text, self.log_path, timeout)

    def _wait_for(self, text: str, path: Path, timeout: float) -> str:
        deadline = time.monotonic() + timeout
        while True:
            # Read after this, the file has all that the program wrote before it ended.
            has_ended = not self.is_running
            for line in path.read_text(errors="replace").splitlines(keepends=True):
                if text in line and line.endswith("\n"):
                    return line.rstrip()
            if has_ended:
                raise self.error(
                    f"{self.name} ended with {self.process.returncode}, without '{text}':\n{self.last_words()}")
            if time.monotonic() > deadline:
                raise self.error(f"{self.name} did not print '{text}' within {timeout} s:\n{self.last_words()}")
            time.sleep(0.002)

    # The end

    def stop(self, timeout: float = TIMEOUT, how: signal.Signals = signal.SIGTERM) -> None:
        """Asks the process to end, and kills it if it does not."""
        if self.is_running:
            self.process.send_signal(how)
            try:
                self.process.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def isolated(environment: dict[str, str]) -> dict[str, str]:
    """An environment with nothing of this process's but the paths of programs and libraries."""
    inherited = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    return {**inherited, **environment}


def run(
    *command: str | Path, stdin: str = "", environment: dict[str, str] | None = None, folder: Path = REPOSITORY,
    timeout: float = TIMEOUT, error: type[Exception] = ProgramError, **options) -> str:
    """Runs a command, which must succeed, and returns its standard output without the last line's end.

    `environment` is the whole environment, by default this process's; `options` are further ones of `subprocess.run`.
    """
    result = subprocess.run(
        command, env=environment, input=stdin, capture_output=True, text=True, timeout=timeout, check=False,
        **{"cwd": folder, **options})
    if result.returncode != 0:
        raise error(f"{' '.join(map(str, command))} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout.rstrip("\n")
