"""`Prefer: wait` on an idle system: how long a person waits for a job that takes no time."""

import sqlite3
import time
from pathlib import Path

from harness.installation import Installation
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, at_most
from harness.timing import percentile, times

SLICES = 10
WARM_UP = 100
JOB = b'{"kind":"diagnostics.echo","payload":{"message":"hello"}}'


def run(options: Options) -> list[Row]:
    requests = (200 if options.quick else 2_000) // SLICES
    with Installation(options.folder) as installation:
        installation.start_gateway()
        installation.start_workers("concert-worker", "sync-worker")
        installation.add_user("bench")
        connection = installation.connect()
        plain = PlainCommits(installation.folder)

        def wait_for_echo() -> None:
            answer = connection.send("POST", "/v1/jobs", JOB, {"Prefer": "wait=10"}, expected=(200,))
            if b'"succeeded"' not in answer:
                raise BenchmarkError(f"The job did not succeed: {answer!r}")

        times(wait_for_echo, WARM_UP)
        times(plain.commit, WARM_UP)
        health, read, commit, accepted, waited = [], [], [], [], []
        # In turns: a disk's time for a commit changes from one second to the next.
        for _ in range(SLICES):
            health += times(lambda: connection.send("GET", "/healthz"), requests)
            read += times(lambda: connection.send("GET", "/v1/jobs/summary"), requests)
            commit += times(plain.commit, requests)
            waited += times(wait_for_echo, requests)
            accepted += times(lambda: connection.send("POST", "/v1/jobs", JOB, expected=(202,)), requests // 4)
            # Those jobs end meanwhile, and the system is idle again.
            time.sleep(0.3)
        connection.close()
        plain.close()
    section = "wait"
    floor = 2 * percentile(commit, 50) + percentile(health, 50)
    median, slowest = percentile(waited, 50), percentile(waited, 99)
    return [
        Row(section, "GET /healthz p50 (HTTP round trip)", percentile(health, 50), "ms"),
        Row(section, "one-row commit p50 (SQLite alone)", percentile(commit, 50), "ms",
            note="WAL, synchronous=FULL, through Python's sqlite3"),
        Row(section, "GET /v1/jobs/summary p50 (one read)", percentile(read, 50), "ms"),
        Row(section, "POST /v1/jobs p50 (one durable write)", percentile(accepted, 50), "ms"),
        Row(section, "Prefer: wait p50", median, "ms", median / floor, "HTTP and two commits",
            **at_most(median, 1.2, "ms")),
        Row(section, "Prefer: wait p99", slowest, "ms", **at_most(slowest, 5, "ms")),
    ]


class PlainCommits:
    """Durable one-row transactions on a database of its own, with SQLite alone."""

    def __init__(self, folder: Path):
        self._database = sqlite3.connect(folder / "commits.sqlite", isolation_level=None)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")
        self._database.execute("CREATE TABLE commits (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")

    def commit(self) -> None:
        self._database.execute("INSERT INTO commits (text) VALUES ('a small row')")

    def close(self) -> None:
        self._database.close()
