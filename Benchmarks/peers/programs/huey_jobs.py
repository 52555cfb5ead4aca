"""The echo job for Huey; its consumer imports this module by its name, and so does `load.py`."""

import os
import sqlite3

import huey as library
from huey import SqliteHuey

# `fsync=True` is `PRAGMA synchronous = FULL`, the durability that Backline has.
huey = SqliteHuey("bench", filename=os.environ["HUEY_DATABASE"], fsync=True, results=True)


@huey.task()
def echo(message):
    return {"message": message}


def enqueue(numbers: range) -> None:
    for number in numbers:
        echo(f"echo {number}")


def finished() -> int:
    """How many results are stored."""
    return huey.storage.conn.execute("SELECT count(*) FROM kv").fetchone()[0]


def once(number: int) -> None:
    # It polls often: the pause between two looks does not count against it.
    result = echo(f"echo {number}")(blocking=True, timeout=30, backoff=1, max_delay=0.0005, revoke_on_timeout=False)
    assert result == {"message": f"echo {number}"}


def facts() -> dict[str, str]:
    synchronous = huey.storage.conn.execute("PRAGMA synchronous").fetchone()[0]
    return {
        "version": f"Huey {library.__version__}, SQLite {sqlite3.sqlite_version}",
        "durability": f"SQLite WAL, synchronous={ {1: 'NORMAL', 2: 'FULL'}.get(synchronous, synchronous) }"}
