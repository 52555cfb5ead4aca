"""Four concert-workers and the gateway write to one database at once.

The target's load keeps all five writing: the workers end jobs of ten milliseconds, of which more wait than they take,
and the gateway takes single ones over 32 connections. The same with batches of a thousand short jobs is shown beside
it: there a transaction holds up to five milliseconds of writes, and the others wait for as long.
"""

import threading
import time

from harness.client import Connection
from harness.installation import Installation
from harness.load import BATCH, EchoLoad, batch_body
from harness.options import Options
from harness.prometheus import REPORT_SECONDS, Metrics
from harness.report import Row, at_most, rounds

from .submit import wrk

WORKERS = 4
JOB_MS = 10
# With the single ones more than four workers end in a second, so that all of them have work to the end.
JOBS_A_SECOND = 5_000
GATEWAY = "api-gateway"
WRITE = "backline_database_write_seconds"
COMMITS = "backline_database_commits_total"
WRITES = "backline_database_writes_total"
LOCK_WAIT = "backline_database_lock_wait_seconds"


def run(options: Options) -> list[Row]:
    jobs, seconds, count = (20_000, 4, 1) if options.quick else (150_000, 10, 3)
    single = [one_round(0, seconds, options) for _ in range(count)]
    batches = one_round(jobs, 0, options)
    slowest = rounds(window.slowest() for window in single)
    workers = rounds(window.spread([name for name in window.processes if name != GATEWAY]) for window in single)
    waits = rounds(window.spread_of_waits() for window in single)
    everybody = rounds(window.spread(window.processes) for window in single)
    return [
        Row("writers", "a write, p99 of the slowest process", unit="ms", **slowest,
            **at_most(slowest["value"], 10, "ms"),
            note="from the asking to the durable end, the wait for the other processes included, of the write that "
            f"waited longest in each transaction; {single[-1].describe()}"),
        Row("writers", "a commit alone, p99 of the slowest process", unit="ms", **rounds(
            window.slowest("backline_database_commit_seconds") for window in single)),
        Row("writers", "transactions of the workers, most to least", unit="×", **workers,
            **at_most(workers["value"], 1.2, "×")),
        Row("writers", "the same with the gateway", unit="×", **everybody, **at_most(everybody["value"], 1.2, "×")),
        Row("writers", "a transaction's wait for the lock, the workers' most to least", unit="×", **waits,
            note="whose turn it is shows here; how many transactions a process makes is also a matter of its work"),
        Row("writers", "in batches: a write, p99 of the slowest process", batches.slowest(), "ms",
            note=batches.describe()),
    ]


class Window:
    """What the processes counted between two moments; a worker's numbers are of its last report before each."""

    def __init__(self, before: Metrics, after: Metrics):
        self._before, self._after, self.counted = before, after, after.since(before)

    @property
    def processes(self) -> list[str]:
        return [name for name in self.counted.processes(COMMITS) if self.counted.sum(COMMITS, process=name) > 0]

    def p99(self, process: str, name: str = WRITE) -> float:
        """Milliseconds."""
        return self.counted.quantile(0.99, name, process=process) * 1_000

    def slowest(self, name: str = WRITE) -> float:
        return max(self.p99(process, name) for process in self.processes)

    def rate(self, process: str) -> float:
        """Transactions a second."""
        seconds = self._after.reported_at(process) - self._before.reported_at(process)
        return self.counted.sum(COMMITS, process=process) / seconds

    def spread(self, processes: list[str]) -> float:
        rates = [self.rate(name) for name in processes]
        return max(rates) / min(rates)

    def spread_of_waits(self) -> float:
        waits = [self.lock_wait(name) for name in self.processes if name != GATEWAY]
        return max(waits) / min(waits)

    def describe(self) -> str:
        return ", ".join(
            f"{name}: {self.rate(name):,.0f} transactions/s of {self.per_transaction(name):.1f} writes, p99 "
            f"{self.p99(name):.1f} ms, of which {self.lock_wait(name):.1f} ms on average for the lock"
            for name in self.processes)

    def per_transaction(self, process: str) -> float:
        return self.counted.sum(WRITES, process=process) / self.counted.sum(COMMITS, process=process)

    def lock_wait(self, process: str) -> float:
        """Milliseconds of a transaction."""
        waited = self.counted.sum(f"{LOCK_WAIT}_sum", process=process)
        return waited / self.counted.sum(COMMITS, process=process) * 1_000


def one_round(jobs: int, seconds: int, options: Options) -> Window:
    """What the processes counted while so many jobs came in batches, or single ones for so long."""
    with Installation(options.folder) as installation:
        installation.start_gateway()
        installation.start_workers(*["concert-worker"] * WORKERS)
        installation.add_user("bench")
        gateway = installation.connect()
        EchoLoad(4 * BATCH).run(installation)
        time.sleep(2 * REPORT_SECONDS)
        if jobs:
            before = Metrics.of(gateway)
            EchoLoad(jobs).run(installation)
            time.sleep(2 * REPORT_SECONDS)
            window = Window(before, Metrics.of(gateway))
        else:
            window = while_all_write(installation, gateway, seconds)
        gateway.close()
        return window


def while_all_write(installation: Installation, gateway: Connection, seconds: int) -> Window:
    warm_up = 2 * REPORT_SECONDS
    for first in range(0, JOBS_A_SECOND * int(seconds + warm_up), BATCH):
        gateway.send("POST", "/v1/jobs/batch", batch_body(first, sleepMs=JOB_MS), expected=(202,))
    load = threading.Thread(
        target=wrk, args=(installation, "/v1/jobs", int(seconds + warm_up)), kwargs={"argument": JOB_MS})
    load.start()
    # Every worker has reported from within the load before it is looked at first.
    time.sleep(warm_up - 0.5)
    before = Metrics.of(gateway)
    time.sleep(seconds)
    after = Metrics.of(gateway)
    load.join()
    return Window(before, after)
