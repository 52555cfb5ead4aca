"""The rows of a database's only library as texts: with the services' ids in place of ours, and without moments.

Two libraries that were filled in the same way have the same texts.
"""

import collections
import contextlib
import re
import sqlite3

from .music import library_tables

# Not the library itself: the last key that was given, and pages that a run has kept for the next one.
LEFT_OUT = {"library_keys", "library_fetched_pages"}
# Columns that differ between two installations: ids of people and syncs, the account of a token that each simulator
# makes anew, and our own numbers.
NOT_COMPARED = {
    "user_id", "sync_id", "account", "account_id", "credential", "library_id", "change", "removal_key", "first_id"}

# Columns with addresses of the simulator, whose port is another one in each installation.
COLUMNS_WITH_ADDRESSES = {"artwork", "preview"}


def library_rows(path: str) -> collections.Counter[str]:
    """How often each text is there. A running process may write meanwhile."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        database.execute("BEGIN")
        names = key_names(database)
        shown = {version for (version,) in database.execute("SELECT entries_version FROM library_playlists")}
        found: collections.Counter[str] = collections.Counter()
        for table in library_tables(database):
            if table == "library_search_blocks":
                found.update(search_texts(database))
            elif table not in LEFT_OUT:
                found.update(table_rows(database, table, names, shown))
    return found


def difference(first: collections.Counter[str], second: collections.Counter[str]) -> list[str]:
    """What only one of them has."""
    return [f"- {text}" for text in (first - second)] + [f"+ {text}" for text in (second - first)]


def key_names(database: sqlite3.Connection) -> dict[int, str]:
    """What each key stands for. A track is what its source tracks are."""
    names: dict[int, str] = {}
    for key, track, source, identifier in database.execute(
            "SELECT id, track_id, source, source_id FROM library_source_tracks ORDER BY source, source_id"):
        names[key] = f"{source}:{identifier}"
        names[track] = f"{names.get(track, 'track')} {source}:{identifier}"
    for table in ("library_playlists", "library_albums"):
        for key, source, identifier in database.execute(f"SELECT id, source, source_id FROM {table}"):
            names[key] = f"{table} {source}:{identifier}"
    return names


def table_rows(database: sqlite3.Connection, table: str, names: dict[int, str], shown: set[int]) -> list[str]:
    columns = [
        (index, name, kind in ("BIGINT", "INTEGER") and (name == "id" or name.endswith("_id")))
        for index, name, kind, *_ in database.execute(f"PRAGMA table_info({table})") if name not in NOT_COMPARED]
    # Syncs have the ids of their jobs.
    columns = [column for column in columns if (table, column[1]) != ("library_syncs", "id")]

    def text(name: str, is_key: bool, value) -> str:
        if name in ("version", "entries_version"):
            return "none" if value is None else "shown" if value in shown else "former"
        if name == "at" or name.endswith(("_at", "_since")):
            return "never" if value is None else "at some time"
        if name in COLUMNS_WITH_ADDRESSES and value is not None:
            return re.sub(r"127\.0\.0\.1:\d+", "simulator", value)
        return names.get(value, "nothing") if is_key and value is not None else str(value)

    return [
        " | ".join([table, *(f"{name}={text(name, is_key, row[index])}" for index, name, is_key in columns)])
        for row in database.execute(f"SELECT * FROM {table}")]


def search_texts(database: sqlite3.Connection) -> list[str]:
    """What searches read: how it is cut into blocks makes no difference to them. 0xFF ends each field of a track."""
    return [
        f"library_search_blocks | {field.decode(errors='replace')}"
        for (texts,) in database.execute("SELECT texts FROM library_search_blocks")
        for field in texts.split(b"\xff") if field]
