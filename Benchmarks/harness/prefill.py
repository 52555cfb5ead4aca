"""Rows put straight into the database, by the hundred thousand, as the programs themselves write them.

Every row is a copy of one that the gateway and a worker have made, with an id, a user and a number of change of its
own: what a later schema adds is copied with it.
"""

import contextlib
import fcntl
import hashlib
import itertools
import os
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@contextlib.contextmanager
def database_of(path: str) -> Iterator[sqlite3.Connection]:
    """The database, under the lock that every writer takes, without a checkpoint; committed at the end."""
    with open(f"{path}.lock", "rb+") as lock, contextlib.closing(sqlite3.connect(path)) as database:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Only the gateway moves the log into the database.
        database.execute("PRAGMA wal_autocheckpoint = 0")
        database.row_factory = sqlite3.Row
        with database:
            yield database


def uuid_v7(milliseconds: int) -> str:
    """RFC 9562; ids begin with the time of creation."""
    digits = f"{milliseconds:012x}7{secrets.randbits(12):03x}{8 | secrets.randbits(2):x}{secrets.randbits(60):015x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


@dataclass(frozen=True)
class Copies:
    """A job to copy, with the number of copies and their owner."""

    template: str
    count: int
    users: list[str]
    # Columns that differ from the template's.
    changes: dict[str, object]


def copy_jobs(path: str, wanted: Copies) -> None:
    """Inserts copies of a job, and counts them as the programs do."""
    with database_of(path) as database:
        template = dict(database.execute("SELECT * FROM jobs WHERE id = ?", (wanted.template,)).fetchone())
        # Nobody submitted a copy, so that no counter of submissions has to know of it.
        template |= {"submitted_bytes": None} | wanted.changes
        first = database.execute("SELECT value FROM change_sequence").fetchone()[0] + 1
        database.execute("UPDATE change_sequence SET value = value + ?", (wanted.count,))
        names = list(template)
        sql = f"INSERT INTO jobs ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
        # The oldest first, so that the rows lie as they would after so many days.
        start = int(time.time() * 1_000) - wanted.count

        def values(number: int) -> tuple:
            row = template | {
                "id": uuid_v7(start + number), "user_id": wanted.users[number % len(wanted.users)],
                "change": first + number}
            return tuple(row[name] for name in names)

        database.executemany(sql, map(values, range(wanted.count)))
        state, kind = template["state"], template["kind"]
        for number, user in enumerate(wanted.users):
            share = len(range(number, wanted.count, len(wanted.users)))
            add(database, "job_counts", {"user_id": user, "state": state}, share)
        add(database, "job_kind_counts", {"kind": kind, "state": state}, wanted.count)


def add(database: sqlite3.Connection, table: str, key: dict[str, object], count: int) -> None:
    """Adds to a counter, which may exist already."""
    columns, marks = ", ".join(key), ", ".join("?" * len(key))
    database.execute(
        f"INSERT INTO {table} ({columns}, count) VALUES ({marks}, ?) "
        f"ON CONFLICT ({columns}) DO UPDATE SET count = count + excluded.count", (*key.values(), count))


def copy_users(path: str, template: str, count: int) -> dict[str, str]:
    """So many users like the one of that name, each with a token; ids by their tokens."""
    users: dict[str, str] = {}
    with database_of(path) as database:
        user = dict(database.execute("SELECT * FROM users WHERE name = ?", (template,)).fetchone())
        token = dict(database.execute("SELECT * FROM tokens WHERE user_id = ?", (user["id"],)).fetchone())
        now = int(time.time() * 1_000)
        for number in range(count):
            identifier, secret = uuid_v7(now), secrets.token_urlsafe(32)
            users[secret] = identifier
            name = f"{template}_{number}"
            insert(database, "users", user | {"id": identifier, "name": name, "name_key": name})
            database.execute("UPDATE person_keys SET value = value + 1")
            database.execute(
                "INSERT INTO people (key, user_id, visibility, shows_stats) SELECT value, ?, 2, 1 FROM person_keys",
                (identifier,))
            insert(database, "tokens", token | {
                "id": uuid_v7(now), "user_id": identifier, "hash": hashlib.sha256(secret.encode()).hexdigest()})
    return users


def insert(database: sqlite3.Connection, table: str, row: dict[str, object]) -> None:
    database.execute(
        f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))


def insert_all(database: sqlite3.Connection, table: str, rows: Iterable[dict[str, object]]) -> None:
    """Inserts many rows with the same columns."""
    remaining = iter(rows)
    first = next(remaining, None)
    if first is not None:
        database.executemany(
            f"INSERT INTO {table} ({', '.join(first)}) VALUES ({', '.join('?' * len(first))})",
            (tuple(row.values()) for row in itertools.chain([first], remaining)))


def bytes_on_disk(path: str) -> int:
    """The database with its log."""
    return sum(os.path.getsize(part) for part in (path, f"{path}-wal") if os.path.exists(part))


def sizes(path: str) -> dict[str, tuple[int, int]]:
    """Rows and bytes of each table, its indexes included."""
    found: dict[str, tuple[int, int]] = {}
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in tables:
            rows = database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            found[table] = (rows, database.execute(
                "SELECT sum(pages.pgsize) FROM dbstat AS pages JOIN sqlite_schema AS schema "
                "ON pages.name = schema.name WHERE schema.tbl_name = ?", (table,)).fetchone()[0])
    return found
