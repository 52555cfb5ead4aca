"""The rows of a synced library, written by SQL alone into a database of their own: the lower bound of a first sync.

The schema, the indexes and the settings are Backline's. Each page is one durable transaction with the rows that the
sync wrote with it: source tracks, tracks, changes, notes of what was seen, and texts to search.
"""

import bisect
import contextlib
import itertools
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

# By the number of the source: Apple Music, Spotify.
PAGE_TRACKS = {1: 100, 2: 50}
# The tables, each with the column of its key. Keys rise in the order of the writes.
KEYS = {
    "library_source_tracks": "id", "library_tracks": "id", "library_changes": "id",
    "library_search_blocks": "first_id"}
SIGHTINGS = "library_sightings"


def source_tracks_per_second(synced: str, folder: Path) -> tuple[float, int]:
    """The rate for the library of `synced`, the only one there, and the number of its pages."""
    with contextlib.closing(sqlite3.connect(f"file:{synced}?mode=ro", uri=True)) as original:
        schema = [text for table in (*KEYS, SIGHTINGS) for text in schema_of(original, table)]
        rows = {table: original.execute(f"SELECT * FROM {table} ORDER BY {key}").fetchall()
                for table, key in KEYS.items()}
        places = {table: column_index(original, table, key) for table, key in KEYS.items()}
        seen = original.execute("SELECT library_id, source, 'track', id FROM library_source_tracks ORDER BY id")
        pages = list(pages_of(rows, places, seen.fetchall()))
    path = folder / "bare-library.sqlite"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA secure_delete = ON")
        database.execute("PRAGMA cache_size = -16384")
        for text in schema:
            database.execute(text)
        began = time.perf_counter()
        for page in pages:
            database.execute("BEGIN IMMEDIATE")
            for table, part in page.items():
                if part:
                    database.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(part[0]))})", part)
            database.execute("COMMIT")
        seconds = time.perf_counter() - began
    for part in folder.glob("bare-library.sqlite*"):
        part.unlink()
    return len(rows["library_source_tracks"]) / seconds, len(pages)


def schema_of(database: sqlite3.Connection, table: str) -> list[str]:
    """The statements that make a table and its indexes."""
    return [text for (text,) in database.execute(
        "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC", (table,))]


def column_index(database: sqlite3.Connection, table: str, column: str) -> int:
    return [row[1] for row in database.execute(f"PRAGMA table_info({table})")].index(column)


def pages_of(rows: dict[str, list[tuple]], places: dict[str, int], seen: list[tuple]) -> Iterator[dict]:
    """The rows of each page, by their tables: those with keys before the next page's first source track."""
    ends = list(itertools.accumulate(page_sizes(seen)))
    source_keys = [row[3] for row in seen]
    keys = {table: [row[places[table]] for row in found] for table, found in rows.items()}
    starts = dict.fromkeys(rows, 0)
    first = 0
    for end in ends:
        page = {SIGHTINGS: seen[first:end]}
        for table, found in rows.items():
            last = bisect.bisect_left(keys[table], source_keys[end]) if end < len(seen) else len(found)
            page[table] = found[starts[table]:last]
            starts[table] = last
        first = end
        yield page


def page_sizes(seen: list[tuple]) -> Iterator[int]:
    """So many source tracks for each page; a page is of one source."""
    for source, group in itertools.groupby(seen, key=lambda row: row[1]):
        count, size = sum(1 for _ in group), PAGE_TRACKS[source]
        yield from (min(size, count - begun) for begun in range(0, count, size))
