"""How long another process's writes take while an account with many rows is deleted from a large database."""

import json
import os
import time

from harness.client import Connection
from harness.installation import Installation
from harness.options import Options
from harness.prefill import Copies, bytes_on_disk, copy_jobs, copy_users, database_of
from harness.processes import BenchmarkError
from harness.prometheus import Metrics
from harness.report import Row, at_most, number
from harness.steady_process import Span
from harness.steady_syncs import SteadySyncs
from harness.steady_writer import SteadyWriter
from harness.timing import percentile

WORST_MS = 250
# A sync of one page that takes as long as this is a stall of the disk: an ordinary one takes about a millisecond.
STALL_MS = 50
# Bytes of a job of another person: its payload, and about what it takes on the disk with its entries in indexes.
OTHERS_PAYLOAD = 10_000
OTHERS_BYTES = 12_000
USERS = 50
# Jobs of the person who leaves: many with a small payload, and some with one that fills hundreds of pages.
SMALL_PAYLOAD, LARGE_PAYLOAD, LARGE_JOBS = 600, 900_000, 40
LIMIT_SECONDS = 1_800


def run(options: Options) -> list[Row]:
    size = (200 if options.quick else options.database_mb) * 1_000_000
    small = 5_000 if options.quick else 100_000
    with Installation(options.folder) as installation:
        path = installation.environment["BACKLINE_DATABASE_PATH"]
        fill(installation, size, small)
        on_disk = bytes_on_disk(path)
        with SteadyWriter(path) as through:
            began = time.monotonic()
            installation.start_gateway()
            installation.start_workers("sync-worker")
            gateway = installation.connect()
            wait_for_zero(gateway, "backline_database_cleaning_page")
            seconds_through = time.monotonic() - began
        time.sleep(1)
        with SteadyWriter(path) as alone, SteadySyncs(path) as quiet_disk:
            time.sleep(5)
        with SteadyWriter(path) as beside, SteadySyncs(path) as disk:
            began = time.monotonic()
            gateway.send(
                "DELETE", "/v1/me", json.dumps({"username": "bench", "token": installation.token}).encode(),
                expected=(204,))
            answered = time.monotonic() - began
            gateway.close()
            visitor = Connection(installation.address)
            wait_for_zero(visitor, "backline_erasures_unfinished")
            erased = time.monotonic() - began
            wait_for_zero(visitor, "backline_database_cleaning_due_seconds")
            cleaned = time.monotonic() - began
            visitor.close()
    section = "erasure"
    worst, quiet = max(beside.milliseconds), max(alone.milliseconds)
    stalled, quiet_stall = max(disk.milliseconds), max(quiet_disk.milliseconds)
    target, rule = judged(beside.spans, disk.spans)
    described = (
        f"{on_disk / 1e9:.1f} GB; the account has {small:,} jobs of {SMALL_PAYLOAD} bytes and {LARGE_JOBS} of 0.9 MB")
    return [
        Row(section, "another process's slowest write meanwhile", worst, "ms", worst / quiet, "without",
            **target, note=f"{described}; {len(beside.spans):,} writes; the disk's own slowest sync meanwhile took "
            f"{number(stalled)} ms; {rule}"),
        Row(section, "the disk's own slowest sync meanwhile", stalled, "ms", stalled / quiet_stall, "without",
            note=f"another file in the same folder, which grows page by page; {len(disk.spans):,} syncs; p99 "
            f"{number(percentile(disk.milliseconds, 99))} ms, without "
            f"{number(percentile(quiet_disk.milliseconds, 99))} ms"),
        Row(section, "another process's write meanwhile, p99", percentile(beside.milliseconds, 99), "ms"),
        Row(section, "until DELETE /v1/me is answered", answered, "s"),
        Row(section, "until the last row is gone", erased, "s"),
        Row(section, "until file and log hold no copy", cleaned, "s"),
        Row(section, "until a file that another program wrote is cleaned", seconds_through, "s"),
        Row(section, "the slowest write meanwhile", max(through.milliseconds), "ms"),
    ]


def judged(spans: list[Span], syncs: list[Span], limit: float = WORST_MS, one: str = "a write") -> tuple[dict, str]:
    """The target's members of the row of the slowest span, and the rule that held in words.

    Each span, such as another process's write, may take `limit` milliseconds. One during which the disk itself stalled
    may take longer by the part of the stall that lies within it: no program can write faster than that. A stall at
    another time excuses nothing.
    """
    stalls = [sync for sync in syncs if sync.milliseconds >= STALL_MS]
    late = [span for span in spans if span.milliseconds > limit]
    worst = max(span.milliseconds for span in spans)
    if not late:
        return at_most(worst, limit, "ms"), f"the plain bound of {limit} ms holds"
    waits = [(span, sum(stall.milliseconds_during(span) for stall in stalls)) for span in late]
    # The one that took longest beyond the disk decides.
    span, stalled = max(waits, key=lambda pair: pair[0].milliseconds - pair[1])
    beyond = span.milliseconds - stalled
    if stalled == 0:
        return at_most(worst, limit, "ms"), (
            f"{one} of {span.milliseconds:,.0f} ms met no stall of the disk, so the plain bound applies")
    target = {"target": f"≤ {limit} ms beyond the disk's stalls", "met": beyond <= limit}
    verb = "holds" if beyond <= limit else "does not hold"
    return target, (
        f"the plain bound does not hold; the disk stalled for {stalled:,.0f} ms of {one} of "
        f"{span.milliseconds:,.0f} ms, and the bound of {limit} ms beyond that {verb}")


def fill(installation: Installation, size: int, small: int) -> None:
    """Inserts finished jobs of the person who leaves and of those who stay. No process runs afterwards."""
    installation.start_gateway()
    installation.start_workers("sync-worker")
    installation.add_user("bench")
    gateway = installation.connect()
    identifier = gateway.get("/v1/me")["id"]
    done = gateway.post(
        "/v1/jobs", {"kind": "diagnostics.echo", "payload": {"message": "echo"}}, {"Prefer": "wait=10"})
    gateway.close()
    installation.stop_programs()
    path = installation.environment["BACKLINE_DATABASE_PATH"]
    others = list(copy_users(path, "bench", USERS).values())

    def copy(count: int, users: list[str], payload: int) -> None:
        text = json.dumps({"message": "x" * payload})
        copy_jobs(path, Copies(done["id"], count, users, {"payload": text}))

    # In turns, so that the pages of one person lie between those of others.
    part = max(1, (size - small * 2 * SMALL_PAYLOAD - LARGE_JOBS * LARGE_PAYLOAD) // OTHERS_BYTES // 4)
    for _ in range(4):
        copy(part, others, OTHERS_PAYLOAD)
        copy(small // 4, [identifier], SMALL_PAYLOAD)
        copy(LARGE_JOBS // 4, [identifier], LARGE_PAYLOAD)
    # Python's SQLite has left erased bytes in the gaps of pages.
    with database_of(path) as database:
        database.execute("UPDATE cleaning SET next_page = 1")
    # Otherwise the kernel would write the copies to the disk during the measurement.
    os.sync()


def wait_for_zero(gateway, name: str) -> None:
    deadline = time.monotonic() + LIMIT_SECONDS
    while True:
        metrics = Metrics.of(gateway)
        # Without the metric nothing was measured.
        if not metrics.has(name):
            raise BenchmarkError(f"the gateway has no metric {name}")
        if metrics.sum(name) == 0:
            return
        if time.monotonic() > deadline:
            raise BenchmarkError(f"{name} is not 0 after {LIMIT_SECONDS} s")
        time.sleep(0.25)
