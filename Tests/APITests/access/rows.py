"""The rows of an installation's database: what a request has changed, and putting it back.

A matrix asks thousands of things that change something. Each has to meet the same rows, whatever was asked before.
"""

import fcntl
import sqlite3
import time
from pathlib import Path

# What the gateway writes on its own, or what must never go back.
_LEFT_OUT = {
    "change_sequence", "newest_moment", "cleaning", "permit_boots", "permit_grants", "permit_keys", "permit_quotas",
    "permit_slots", "permit_turns", "permit_waiting", "vault_readers", "schedules",
}
# The columns that say whose row it is, by a person's id or key.
_OWNERS = ("user_id", "sender", "person", "actor", "author")
# When somebody was last here, or a program read their calendar, which is written a while later.
_UNSTEADY = {
    ("tokens", "last_used_at"), ("sessions", "last_used_at"), ("users", "last_seen_at"),
    ("concert_calendars", "read_at")}

Row = tuple
# The rows that a table has lost, and those that it has more.
Difference = dict[str, tuple[set[Row], set[Row]]]


class Rows:
    """A connection beside the gateway's."""

    def __init__(self, path: Path):
        self._lock_path = Path(f"{path}.lock")
        self.connection = sqlite3.connect(path, isolation_level=None, timeout=60)
        # The gateway makes checkpoints. What a test writes need not survive the machine.
        self.connection.execute("PRAGMA wal_autocheckpoint = 0")
        self.connection.execute("PRAGMA synchronous = OFF")
        names = self.connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        self._columns: dict[str, list[str]] = {}
        self._unsteady: dict[str, set[int]] = {}
        for (name,) in names.fetchall():
            if name in _LEFT_OUT:
                continue
            columns = [row[1] for row in self.connection.execute(f"PRAGMA table_info({name})")]
            self._columns[name] = columns
            # The columns that are put back, and not compared.
            self._unsteady[name] = {index for index, column in enumerate(columns) if (name, column) in _UNSTEADY}
        self._version = self._data_version()

    def close(self) -> None:
        self.connection.close()

    def write(self, body) -> None:
        """Runs `body` in a transaction. No other process writes meanwhile."""
        with open(self._lock_path, "rb+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.connection.execute("BEGIN IMMEDIATE")
            body(self.connection)
            self.connection.execute("COMMIT")

    def _data_version(self) -> int:
        return self.connection.execute("PRAGMA data_version").fetchone()[0]

    def _wait_for_erasures(self) -> None:
        """An erasure may go on after its answer."""
        while self.connection.execute("SELECT 1 FROM erasures").fetchone() is not None:
            time.sleep(0.01)

    def snapshot(self) -> dict[str, set[Row]]:
        self._wait_for_erasures()
        self.connection.execute("BEGIN")
        self._version = self._data_version()
        rows = self._read()
        self.connection.execute("COMMIT")
        return rows

    def _read(self) -> dict[str, set[Row]]:
        return {
            table: set(self.connection.execute(f"SELECT {', '.join(columns)} FROM {table}"))
            for table, columns in self._columns.items()}

    def _differing(self, table: str, lost: set[Row], further: set[Row]) -> tuple[set[Row], set[Row]]:
        """Leaves out the rows that differ only in unsteady columns."""
        unsteady = self._unsteady[table]
        if not unsteady:
            return lost, further

        def steady(row: Row) -> Row:
            return tuple(None if index in unsteady else value for index, value in enumerate(row))

        both = {steady(row) for row in lost} & {steady(row) for row in further}
        return (
            {row for row in lost if steady(row) not in both}, {row for row in further if steady(row) not in both})

    def owner(self, table: str, row: Row) -> str | int | None:
        """The id or the key of the person whose row it is; `None` in a table whose rows do not have it."""
        columns = self._columns[table]
        return next((row[columns.index(owner)] for owner in _OWNERS if owner in columns), None)

    def put_back(self, wanted: dict[str, set[Row]]) -> Difference:
        """Makes the rows what they were at a snapshot.

        - Returns: what other processes had changed since; nothing, without reading, if they have not written since the
          last call.
        """
        if self._data_version() == self._version:
            return {}
        self._wait_for_erasures()
        changed: Difference = {}

        def body(connection: sqlite3.Connection) -> None:
            present = self._read()
            for table, rows in wanted.items():
                lost, further = self._differing(table, rows - present[table], present[table] - rows)
                if not lost and not further:
                    continue
                changed[table] = (lost, further)
                columns = self._columns[table]
                condition = " AND ".join(f"{column} IS ?" for column in columns)
                names, values = ", ".join(columns), ", ".join("?" * len(columns))
                connection.executemany(f"DELETE FROM {table} WHERE {condition}", further)
                connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({values})", lost)

        self.write(body)
        self._version = self._data_version()
        return changed
