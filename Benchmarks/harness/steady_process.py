"""An action that a process of its own repeats beside what is measured, with the time of each repetition."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Span:
    """One repetition: its start and end in seconds of the machine's monotonic clock, which all processes share."""

    began: float
    ended: float

    @property
    def milliseconds(self) -> float:
        return (self.ended - self.began) * 1_000

    def milliseconds_during(self, other: "Span") -> float:
        """How much of it lies within `other`."""
        return max(0, min(self.ended, other.ended) - max(self.began, other.began)) * 1_000


class SteadyProcess:
    """Repeats while its `with` block runs; afterwards `spans` has every repetition in order."""

    def __init__(self, module: str, path: str):
        """Runs `module` of this package with `path`; it calls `repeat_until_told`."""
        self._command = [sys.executable, "-B", "-m", f"harness.{module}", os.path.abspath(path)]
        self.spans: list[Span] = []

    def __enter__(self) -> "SteadyProcess":
        self._process = subprocess.Popen(
            self._command, cwd=Path(__file__).parent.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._process.stdout.readline()
        return self

    def __exit__(self, *_) -> None:
        answer, _ = self._process.communicate("")
        self.spans = [Span(*times) for times in json.loads(answer)]

    @property
    def milliseconds(self) -> list[float]:
        return [span.milliseconds for span in self.spans]


def repeat_until_told(action: Callable[[], None], pause: float) -> None:
    """Repeats `action`, with `pause` seconds between two, until the standard input ends."""
    import select

    print("ready", flush=True)
    times = []
    while not select.select([sys.stdin], [], [], pause)[0]:
        began = time.monotonic()
        action()
        times.append((began, time.monotonic()))
    print(json.dumps(times))
