"""A table with a million finished and two hundred thousand waiting jobs against an empty one.

Of the waiting, half are queued, of a kind that no connected worker knows, so that they stay; half are due tomorrow.
Both keep their place in the dispatcher's memory meanwhile, and belong to two hundred users.
"""

import time

from harness.installation import Installation
from harness.load import BATCH, EchoLoad, wait_for_end
from harness.options import Options
from harness.prefill import Copies, bytes_on_disk, copy_jobs, copy_users
from harness.processes import Program
from harness.prometheus import Metrics
from harness.report import Row, at_least, rounds
from harness.timing import percentile, times

from .submit import submitted, wrk

WORKERS = ("sync-worker", "ai-worker")
# These workers do not look up concerts.
FOREIGN_KIND = "concerts.lookup"
USERS = 200
DAY_MICROSECONDS = 86_400_000_000
JOB = b'{"kind":"diagnostics.echo","payload":{"message":"hello"}}'
MEASURES = {
    "batch to completion": "jobs/s", "POST at 32 connections": "jobs/s", "Prefer: wait, p50": "ms",
    "GET /v1/jobs/summary, p50": "ms", "GET /v1/jobs?limit=50, p50": "ms",
}
# A rate may fall by a tenth; a time may grow accordingly.
SHARE = 0.9


def run(options: Options) -> list[Row]:
    finished, waiting, count = (100_000, 20_000, 1) if options.quick else (1_000_000, 200_000, 5)
    jobs, seconds = (10_000, 1) if options.quick else (30_000, 3)
    full: list[dict[str, float]] = []
    empty: list[dict[str, float]] = []
    with Installation(options.folder) as crowded:
        fill(crowded, finished, waiting)
        gateway, started = start(crowded)
        resident = gateway.usage().resident_bytes
        size = bytes_on_disk(crowded.environment["BACKLINE_DATABASE_PATH"])
        for _ in range(count):
            full.append(measure(crowded, jobs, seconds))
            with Installation(options.folder) as other:
                start(other)
                other.add_user("bench")
                empty.append(measure(other, jobs, seconds))
    rows = []
    for name, unit in MEASURES.items():
        mine, floor = [entry[name] for entry in full], [entry[name] for entry in empty]
        # Speeds and times alike: above 1 is worse.
        shares = [b / a if unit == "ms" else a / b for a, b in zip(mine, floor)]
        typical = rounds(shares)
        rows += [
            Row("table", f"{name}, full table", unit=unit, **rounds(mine)),
            Row("table", f"{name}, empty table", unit=unit, **rounds(floor)),
            Row("table", f"{name}: speed kept", unit="%", **{key: value * 100 for key, value in typical.items()},
                **at_least(typical["value"] * 100, SHARE * 100, "%")),
        ]
    described = f"{finished:,} finished, {waiting:,} waiting jobs; {size / 1e6:,.0f} MB on disk, with the log"
    return [
        *rows,
        Row("table", "gateway: start to ready, full table", started, "s", note=described),
        Row("table", "gateway: resident, full table", resident / (1 << 20), "MiB"),
    ]


def start(installation: Installation) -> tuple[Program, float]:
    began = time.monotonic()
    gateway = installation.start_gateway()
    seconds = time.monotonic() - began
    installation.start_workers(*WORKERS)
    return gateway, seconds


def fill(installation: Installation, finished: int, waiting: int) -> None:
    """Makes one job of each sort through the API, and copies them; nothing runs afterwards."""
    start(installation)
    installation.add_user("bench")
    gateway = installation.connect()
    job = {"kind": "diagnostics.echo", "payload": {"message": "echo 0"}}
    done = gateway.post("/v1/jobs", job, {"Prefer": "wait=10"})
    scheduled = gateway.post("/v1/jobs", job | {"runAt": "2100-01-01T00:00:00Z"})
    gateway.close()
    installation.stop_programs()
    path = installation.environment["BACKLINE_DATABASE_PATH"]
    users = list(copy_users(path, "bench", USERS).values())
    tomorrow = int(time.time() * 1e6) + DAY_MICROSECONDS
    copy_jobs(path, Copies(done["id"], finished, users, {}))
    copy_jobs(path, Copies(scheduled["id"], waiting // 2, users, {"run_at": tomorrow}))
    queued = {"state": "queued", "kind": FOREIGN_KIND, "run_at": int(time.time() * 1e6)}
    copy_jobs(path, Copies(scheduled["id"], waiting // 2, users, queued))


def measure(installation: Installation, jobs: int, seconds: int) -> dict[str, float]:
    connection = installation.connect()
    EchoLoad(2 * BATCH).run(installation)
    speed = EchoLoad(jobs).run(installation).jobs_per_second
    before = Metrics.of(connection).sum("backline_jobs_submitted_total")
    done = connection.get("/v1/jobs/summary")["succeeded"]
    single = wrk(installation, "/v1/jobs", seconds).per_second
    wait_for_end(connection, done + int(submitted(connection) - before))
    request = {"Prefer": "wait=10"}
    waited = times(lambda: connection.send("POST", "/v1/jobs", JOB, request, expected=(200,)), 300)
    summary = times(lambda: connection.send("GET", "/v1/jobs/summary"), 300)
    listed = times(lambda: connection.send("GET", "/v1/jobs?limit=50"), 300)
    connection.close()
    return dict(zip(MEASURES, [speed, single, *(percentile(values, 50) for values in (waited, summary, listed))]))
