"""Consecutive durable writes of another process, queued on the lock file as Backline's programs do."""

import fcntl
import json
import os
import sqlite3
import subprocess
import sys
import time

# Between two writes, so that it looks often and does little.
PAUSE_SECONDS = 0.002


class SteadyWriter:
    """Writes while its `with` block runs; afterwards `milliseconds` has the time of every write."""

    def __init__(self, path: str):
        self._path = path
        self.milliseconds: list[float] = []

    def __enter__(self) -> "SteadyWriter":
        self._process = subprocess.Popen(
            [sys.executable, "-B", os.path.abspath(__file__), self._path],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._process.stdout.readline()
        return self

    def __exit__(self, *_) -> None:
        answer, _ = self._process.communicate("")
        self.milliseconds = json.loads(answer)


def write_until_told(path: str) -> list[float]:
    import select

    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA synchronous = FULL")
    # Only the gateway moves the log into the database.
    database.execute("PRAGMA wal_autocheckpoint = 0")
    values = []
    with open(f"{path}.lock", "rb+") as lock:
        while not select.select([sys.stdin], [], [], PAUSE_SECONDS)[0]:
            began = time.perf_counter()
            fcntl.flock(lock, fcntl.LOCK_EX)
            database.execute("BEGIN IMMEDIATE")
            database.execute("UPDATE change_sequence SET value = value + 1")
            database.execute("COMMIT")
            fcntl.flock(lock, fcntl.LOCK_UN)
            values.append((time.perf_counter() - began) * 1_000)
    return values


if __name__ == "__main__":
    print("writing", flush=True)
    print(json.dumps(write_until_told(sys.argv[1])))
