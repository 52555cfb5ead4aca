"""A peer: a job queue that starts in a folder, gets one load, and ends."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.options import Options
from harness.processes import BenchmarkError, Program

PROGRAMS = Path(__file__).resolve().parent / "programs"
WORKERS = 2
LOAD_TIMEOUT_SECONDS = 600


@dataclass(frozen=True)
class Load:
    """The load of one round."""

    # From the first one's submission to the last one's stored result.
    jobs: int
    # Submitted one after the other on an idle system, each waited for.
    requests: int


@dataclass(frozen=True)
class Outcome:
    jobs_per_second: float
    # Milliseconds from submission to result.
    times: list[float]
    version: str
    durability: str


@dataclass(frozen=True)
class Peer:
    name: str
    # The number of jobs in a full round, which takes about three seconds.
    jobs: int
    # The stored result of a job, as text for the table.
    results: str
    measure: Callable[[Load, Options], Outcome]


def run_json(command: list[str], environment: dict[str, str] | None = None) -> dict:
    """Runs a program that prints one line of JSON."""
    result = subprocess.run(
        command, env={**os.environ, **(environment or {})}, stdout=subprocess.PIPE, stderr=sys.stderr, text=True,
        timeout=LOAD_TIMEOUT_SECONDS, check=False)
    if result.returncode != 0:
        raise BenchmarkError(f"{' '.join(command)} ended with {result.returncode}")
    return json.loads(result.stdout)


def outcome(measured: dict, durability: str | None = None) -> Outcome:
    return Outcome(
        jobs_per_second=measured["jobs"] / measured["seconds"], times=measured["times"], version=measured["version"],
        durability=durability or measured["durability"])


@contextlib.contextmanager
def folder_of(name: str, options: Options) -> Iterator[Path]:
    """A folder of its own, on the disk that is measured."""
    with tempfile.TemporaryDirectory(prefix=f"backline-{name}-", dir=options.folder) as folder:
        yield Path(folder)


@contextlib.contextmanager
def running(programs: list[Program]) -> Iterator[None]:
    """Ends the programs, the last one first, in any case. After an error it prints their last output."""
    try:
        yield
    except BenchmarkError as error:
        words = "\n".join(f"{program.name}: {program.last_words()}" for program in programs)
        raise BenchmarkError(f"{error}\n{words}") from error
    finally:
        for program in reversed(programs):
            program.stop()
