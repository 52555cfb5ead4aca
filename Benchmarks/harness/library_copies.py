"""Copies of a synced library for other people, with keys of their own, as rows of the database."""

import contextlib
import os
import sqlite3
import struct

from .music import library_tables
from .prefill import copy_users, insert, uuid_v7
from .processes import BenchmarkError

# The rows of a library in each table. Those with a key as their row's number are read in its order.
CHOSEN = {
    "libraries": "id = :library",
    "library_accounts": "library_id = :library",
    "library_readings": "library_id = :library",
    "library_sources": "library_id = :library",
    "library_tracks": "id BETWEEN :library AND :newest AND +library_id = :library ORDER BY id",
    "library_source_tracks": "id BETWEEN :library AND :newest AND +library_id = :library ORDER BY id",
    "library_playlists": "id BETWEEN :library AND :newest AND +library_id = :library ORDER BY id",
    "library_playlist_entries":
        "playlist_id IN (SELECT id FROM library_playlists WHERE library_id = :library) "
        "ORDER BY playlist_id, version, position",
    "library_albums": "id BETWEEN :library AND :newest AND +library_id = :library ORDER BY id",
    "library_changes": "library_id = :library ORDER BY id",
    "library_sightings": "library_id = :library",
    "library_search_blocks": "library_id = :library ORDER BY first_id",
    "library_identity_keys": "library_id = :library ORDER BY identity_key, source_track_id",
    "library_former_tracks": "id BETWEEN :library AND :newest AND +library_id = :library ORDER BY id",
    "library_decisions": "id BETWEEN :library AND :newest AND +library_id = :library ORDER BY id",
    "library_decision_tracks": "library_id = :library",
    "library_duplicates": "library_id = :library",
}
# Not of one library by its key, or empty between syncs: copied on their own, or not at all.
OTHERS = {"library_keys", "library_syncs", "library_sync_sources", "library_fetched_pages"}
# A song's key and the end of its text, as SearchBlock.swift writes them.
ENTRY = struct.Struct("<qI")


def copy_library(path: str, user: str, count: int) -> None:
    """Gives so many new people copies of the only library, which is that of the user with this name.

    No process may run. Afterwards everything is in the file of the database, and its log is empty.
    """
    owners = list(copy_users(path, user, count).values())
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA cache_size = -262144")
        database.create_function("shifted", 2, shifted, deterministic=True)
        unknown = [
            table for table in sorted(set(library_tables(database)) - set(CHOSEN) - OTHERS)
            if database.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()]
        if unknown:
            raise BenchmarkError(f"the copies of libraries do not know the tables {', '.join(unknown)}")
        library, owner = database.execute("SELECT id, user_id FROM libraries").fetchone()
        newest = database.execute("SELECT value FROM library_keys").fetchone()[0]
        # All keys of the library are from its own on.
        span = newest - library + 1
        statements = [statement(database, table) for table in CHOSEN]
        for number, copied in enumerate(owners, start=1):
            values = {"library": library, "newest": newest, "offset": number * span, "owner": copied}
            database.execute("BEGIN IMMEDIATE")
            for text in statements:
                database.execute(text, values)
            copy_syncs(database, owner, copied)
            database.execute("COMMIT")
        database.execute("UPDATE library_keys SET value = ?", (newest + count * span,))
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    # Otherwise the kernel would write the copies to the disk during the measurement.
    os.sync()


def statement(database: sqlite3.Connection, table: str) -> str:
    """Inserts a library's rows of a table once more: keys moved by `:offset`, and the owner replaced."""
    names, values = [], []
    for _, name, kind, *_ in database.execute(f"PRAGMA table_info({table})"):
        is_key = kind in ("BIGINT", "INTEGER") and (name == "id" or name.endswith("_id"))
        names.append(name)
        if name == "user_id":
            values.append(":owner")
        elif (table, name) == ("library_search_blocks", "entries"):
            values.append("shifted(entries, :offset)")
        else:
            values.append(f"{name} + :offset" if is_key else name)
    return f"INSERT INTO {table} ({', '.join(names)}) SELECT {', '.join(values)} FROM {table} WHERE {CHOSEN[table]}"


def copy_syncs(database: sqlite3.Connection, owner: str, copied: str) -> None:
    """The syncs of a person, with ids of their own."""
    for sync in rows(database, "SELECT * FROM library_syncs WHERE user_id = ?", owner):
        identifier = uuid_v7(sync["asked_at"] // 1_000)
        insert(database, "library_syncs", sync | {"id": identifier, "user_id": copied})
        for source in rows(database, "SELECT * FROM library_sync_sources WHERE sync_id = ?", sync["id"]):
            insert(database, "library_sync_sources", source | {"sync_id": identifier})


def rows(database: sqlite3.Connection, query: str, value: str) -> list[dict]:
    cursor = database.execute(query, (value,))
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row)) for row in cursor]


def shifted(entries: bytes, offset: int) -> bytes:
    """The entries of a block of texts, with moved keys."""
    return b"".join(ENTRY.pack(key + offset, end) for key, end in ENTRY.iter_unpack(entries))
