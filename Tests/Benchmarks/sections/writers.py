"""Four concert-workers and the gateway write to one database at once, all as fast as they can."""

import time

from harness.installation import Installation
from harness.load import BATCH, EchoLoad
from harness.options import Options
from harness.prometheus import REPORT_SECONDS, Metrics
from harness.report import Row, at_most, rounds

WORKERS = 4
WRITE = "backline_database_write_seconds"
COMMITS = "backline_database_commits_total"


def run(options: Options) -> list[Row]:
    jobs, count = (20_000, 1) if options.quick else (150_000, 3)
    measured = [one_round(jobs, options) for _ in range(count)]
    slowest = rounds(max(p99(metrics, process) for process in processes(metrics)) for metrics in measured)
    workers = rounds(spread(metrics, [name for name in processes(metrics) if name != "api-gateway"]) for metrics in measured)
    everybody = rounds(spread(metrics, processes(metrics)) for metrics in measured)
    typical = measured[-1]
    shares = ", ".join(
        f"{name}: {typical.sum(COMMITS, process=name):,.0f} transactions of "
        f"{typical.sum('backline_database_writes_total', process=name):,.0f} writes, p99 {p99(typical, name):.1f} ms, "
        f"waited {typical.sum('backline_database_lock_wait_seconds_sum', process=name):.1f} s for the lock"
        for name in processes(typical))
    return [
        Row("writers", "a write, p99 of the slowest process", unit="ms", **slowest, **at_most(slowest["value"], 10, "ms"),
            note=f"from the asking to the durable end, of the write that waited longest in each transaction; {shares}"),
        Row("writers", "transactions of the workers, most to least", unit="×", **workers,
            **at_most(workers["value"], 1.2, "×")),
        Row("writers", "the same with the gateway", unit="×", **everybody),
    ]


def processes(metrics: Metrics) -> list[str]:
    return [name for name in metrics.processes(COMMITS) if metrics.sum(COMMITS, process=name) > 0]


def p99(metrics: Metrics, process: str) -> float:
    """Milliseconds."""
    return metrics.quantile(0.99, WRITE, process=process) * 1_000


def spread(metrics: Metrics, names: list[str]) -> float:
    counts = [metrics.sum(COMMITS, process=name) for name in names]
    return max(counts) / min(counts)


def one_round(jobs: int, options: Options) -> Metrics:
    with Installation(options.folder) as installation:
        installation.start_gateway()
        installation.start_workers(*["concert-worker"] * WORKERS)
        installation.add_user("bench")
        EchoLoad(4 * BATCH).run(installation)
        gateway = installation.connect()
        time.sleep(2 * REPORT_SECONDS)
        before = Metrics.of(gateway)
        EchoLoad(jobs).run(installation)
        time.sleep(2 * REPORT_SECONDS)
        counted = Metrics.of(gateway).since(before)
        gateway.close()
        return counted
