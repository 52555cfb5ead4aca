"""The gateway's page of metrics, as numbers that can be subtracted."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

from .client import Connection

LINE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
# Workers report theirs with every heartbeat.
REPORT_SECONDS = 2.0


@dataclass(frozen=True)
class Sample:
    name: str
    labels: tuple[tuple[str, str], ...]

    def label(self, name: str) -> str:
        return dict(self.labels).get(name, "")


class Metrics:
    """One page."""

    def __init__(self, values: dict[Sample, float], taken_at: float = 0):
        self._values = values
        # Of the clock that `time.monotonic` reads.
        self.taken_at = taken_at

    @classmethod
    def of(cls, gateway: Connection) -> "Metrics":
        text = gateway.send("GET", "/metrics").decode()
        values = {}
        for line in text.splitlines():
            if match := LINE.match(line):
                labels = tuple(sorted(LABEL.findall(match[2] or "")))
                values[Sample(match[1], labels)] = float(match[3])
        return cls(values, time.monotonic())

    def since(self, earlier: "Metrics") -> "Metrics":
        return Metrics({sample: value - earlier._values.get(sample, 0) for sample, value in self._values.items()})

    def has(self, name: str) -> bool:
        return any(self._matching(name, {}))

    def sum(self, name: str, **labels: str) -> float:
        return sum(value for sample, value in self._matching(name, labels))

    def reported_at(self, process: str) -> float:
        """The time of a process's values; the gateway's own are of the time of the page."""
        return self.taken_at - self.sum("backline_worker_report_age_seconds", process=process)

    def processes(self, name: str) -> list[str]:
        return sorted({sample.label("process") for sample, _ in self._matching(name, {})})

    def quantile(self, share: float, name: str, **labels: str) -> float:
        """The value below which this share of a histogram's observations lie, interpolated within a bucket."""
        counts: dict[float, float] = {}
        for sample, value in self._matching(f"{name}_bucket", labels):
            bound = float(sample.label("le"))
            counts[bound] = counts.get(bound, 0) + value
        bounds = sorted(counts)
        total = counts[bounds[-1]] if bounds else 0
        low, below = 0.0, 0.0
        for bound in bounds:
            if total and counts[bound] >= share * total:
                # Observations above the last bound have no upper limit.
                return low if bound == float("inf") else low + (bound - low) * (share * total - below) / max(
                    counts[bound] - below, 1e-9)
            low, below = bound, counts[bound]
        return 0.0

    def _matching(self, name: str, labels: dict[str, str]) -> Iterator[tuple[Sample, float]]:
        for sample, value in self._values.items():
            if sample.name == name and all(sample.label(key) == wanted for key, wanted in labels.items()):
                yield sample, value
