"""Enqueues echo jobs for Huey and waits until all results are stored. Runs in Huey's own environment.

Usage: huey_load.py JOBS PRODUCERS; prints one line of JSON.
"""

import json
import multiprocessing
import sqlite3
import sys
import threading
import time

import huey
import huey_tasks

WARM_UP = 200


def produce(first: int, count: int, start: threading.Barrier) -> None:
    start.wait()
    for number in range(first, first + count):
        huey_tasks.echo(f"echo {number}")


def wait_for_results(database: sqlite3.Connection, wanted: int, patience: float) -> None:
    deadline = time.monotonic() + patience
    while database.execute("SELECT count(*) FROM kv").fetchone()[0] < wanted:
        if time.monotonic() > deadline:
            sys.exit("Huey did not store all results in time")
        time.sleep(0.01)


def main() -> None:
    jobs, producers = int(sys.argv[1]), int(sys.argv[2])
    filename = huey_tasks.huey.storage.filename
    # The consumer has made the tables.
    database = sqlite3.connect(filename, isolation_level=None)
    push(WARM_UP, 1)
    wait_for_results(database, WARM_UP, patience=60)
    began = push(jobs, producers)
    wait_for_results(database, WARM_UP + jobs, patience=300)
    seconds = time.perf_counter() - began
    synchronous = huey_tasks.huey.storage.conn.execute("PRAGMA synchronous").fetchone()[0]
    print(json.dumps({
        "jobs": jobs, "seconds": seconds, "jobsPerSecond": jobs / seconds,
        "version": huey.__version__, "synchronous": synchronous, "sqlite": sqlite3.sqlite_version}))


def push(jobs: int, producers: int) -> float:
    """Enqueues from so many processes; returns when they began."""
    # Not forked: a connection to SQLite must not be used on both sides of a fork.
    spawning = multiprocessing.get_context("spawn")
    start = spawning.Barrier(producers + 1)
    shares = [range(jobs)[n::producers] for n in range(producers)]
    processes = [spawning.Process(target=produce, args=(n, len(share), start)) for n, share in enumerate(shares)]
    for process in processes:
        process.start()
    start.wait()
    began = time.perf_counter()
    for process in processes:
        process.join()
    return began


if __name__ == "__main__":
    main()
