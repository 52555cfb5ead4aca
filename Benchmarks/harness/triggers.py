"""Triggers in the database of a measurement, while its programs run: they count rows, or take limits away."""

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Iterator

from .prefill import database_of

ROWS = "bench_written_rows"


class WrittenRows:
    """Counts the rows that any process inserts, changes or deletes within the `with` block, by table."""

    def __init__(self, path: str):
        self._path = path
        self._read = 0

    def __enter__(self) -> "WrittenRows":
        with database_of(self._path) as database:
            # Not the tables behind a virtual one, which have no triggers of their own.
            database.execute("BEGIN")
            names = [name for (name,) in database.execute(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
                "AND name NOT LIKE 'sqlite%'")]
            database.execute(f"CREATE TABLE {ROWS} (number INTEGER PRIMARY KEY, name TEXT NOT NULL)")
            for name in names:
                for act in ("INSERT", "UPDATE", "DELETE"):
                    database.execute(
                        f"CREATE TRIGGER {ROWS}_{name}_{act} AFTER {act} ON {name} "
                        f"BEGIN INSERT INTO {ROWS} (name) VALUES ('{name}'); END")
        return self

    def __exit__(self, *_) -> None:
        with database_of(self._path) as database:
            database.execute("BEGIN")
            for (name,) in database.execute(
                    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE ?", (f"{ROWS}_%",)).fetchall():
                database.execute(f"DROP TRIGGER {name}")
            database.execute(f"DROP TABLE {ROWS}")

    def since(self) -> Counter[str]:
        """Those since the last call."""
        with contextlib.closing(sqlite3.connect(f"file:{self._path}?mode=ro", uri=True)) as database:
            found = database.execute(
                f"SELECT number, name FROM {ROWS} WHERE number > ? ORDER BY number", (self._read,)).fetchall()
        if found:
            self._read = found[-1][0]
        return Counter(name for _, name in found)


@contextlib.contextmanager
def without_act_limits(path: str) -> Iterator[None]:
    """Nothing that a person does counts against a limit: no row of it is stored."""
    with database_of(path) as database:
        database.execute("DELETE FROM act_limits")
        database.execute(
            "CREATE TRIGGER bench_without_limits BEFORE INSERT ON act_limits BEGIN SELECT RAISE(IGNORE); END")
    yield
    with database_of(path) as database:
        database.execute("DROP TRIGGER bench_without_limits")


@contextlib.contextmanager
def without_pace(path: str) -> Iterator[None]:
    """Calls to services have no pace: a slot is free as soon as its call is answered, and background calls begin at
    once. How many are under way is limited as before (docs/permits.md).
    """
    with database_of(path) as database:
        database.execute(
            "CREATE TRIGGER bench_without_windows AFTER UPDATE OF busy_until_instant ON permit_slots "
            "WHEN NEW.holder IS NULL AND NEW.busy_until_instant > 0 "
            "BEGIN UPDATE permit_slots SET busy_until_instant = 0 WHERE key = NEW.key AND slot = NEW.slot; END")
        database.execute(
            "CREATE TRIGGER bench_without_spacing AFTER UPDATE OF background_from_instant ON permit_keys "
            "WHEN NEW.background_from_instant IS NOT NULL "
            "BEGIN UPDATE permit_keys SET background_from_instant = NULL WHERE key = NEW.key; END")
    yield
    with database_of(path) as database:
        database.execute("DROP TRIGGER bench_without_windows")
        database.execute("DROP TRIGGER bench_without_spacing")
