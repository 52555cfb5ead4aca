"""Enqueues echo jobs for Huey and waits until all results are stored. Runs in Huey's own environment.

Usage: huey_load.py JOBS PRODUCERS; prints one line of JSON.
"""

import json
import multiprocessing
import sqlite3
import sys
import time

import huey
import huey_tasks

WARM_UP = 200


def produce(first: int, count: int) -> None:
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
    storage = huey_tasks.huey.storage
    database = sqlite3.connect(storage.filename, isolation_level=None)
    produce(0, WARM_UP)
    wait_for_results(database, WARM_UP, patience=60)
    share = jobs // producers
    processes = [multiprocessing.Process(target=produce, args=(n * share, share)) for n in range(producers)]
    began = time.perf_counter()
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    wait_for_results(database, WARM_UP + share * producers, patience=300)
    seconds = time.perf_counter() - began
    synchronous = storage.conn.execute("PRAGMA synchronous").fetchone()[0]
    print(json.dumps({
        "jobs": share * producers, "seconds": seconds, "jobsPerSecond": share * producers / seconds,
        "version": huey.__version__, "synchronous": synchronous, "sqlite": sqlite3.sqlite_version}))


if __name__ == "__main__":
    main()
