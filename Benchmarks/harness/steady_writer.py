"""Consecutive durable writes of another process, queued on the lock file as Backline's programs do."""

import fcntl
import sqlite3
import sys

from harness.steady_process import SteadyProcess, repeat_until_told

# Between two writes, so that it looks often and does little.
PAUSE_SECONDS = 0.002


class SteadyWriter(SteadyProcess):
    def __init__(self, path: str):
        super().__init__("steady_writer", path)


def write_until_told(path: str) -> None:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA synchronous = FULL")
    # Only the gateway moves the log into the database.
    database.execute("PRAGMA wal_autocheckpoint = 0")
    with open(f"{path}.lock", "rb+") as lock:

        def write() -> None:
            fcntl.flock(lock, fcntl.LOCK_EX)
            database.execute("BEGIN IMMEDIATE")
            database.execute("UPDATE change_sequence SET value = value + 1")
            database.execute("COMMIT")
            fcntl.flock(lock, fcntl.LOCK_UN)

        repeat_until_told(write, PAUSE_SECONDS)


if __name__ == "__main__":
    write_until_told(sys.argv[1])
