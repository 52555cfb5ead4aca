"""Every list of a library of 100,000 tracks, beside twenty others as large, through HTTP on one connection."""

import contextlib
import os
import random
import sqlite3
import string
import time
from urllib.parse import quote, urlencode

from harness.client import Connection
from harness.installation import Installation
from harness.library_copies import copy_library
from harness.music import OVERLAP, RAISED_LIMITS, MusicServices, sync
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, at_most, number
from harness.timing import percentile

SECTION = "library"
TRACKS = "/v1/library/tracks"
SORTS = ("recentlyAdded", "title", "artist", "album", "playCount")
FILTERS = ("all", "appleMusic", "spotify", "both")
# The usual page, and the largest.
LIMITS = (50, 200)
PLAYLISTS, ENTRIES, ALBUMS = 20, 200, 500
RECORDINGS = 250_000
LIST_MS, SEARCH_MS, SHORT_SEARCH_MS, SUMMARY_MS = 10, 20, 60, 5
MEGABYTES = 250
# Requests before the measured ones, which open files and prepare statements.
WARMING = 20


def lists(options: Options) -> list[Row]:
    """A synced library with copies of it for others: its size, and its lists."""
    tracks, others, count = (10_000, 3, 200) if options.quick else (100_000, 20, 2_000)
    with (
        Installation(options.folder, RAISED_LIMITS) as installation,
        MusicServices(installation, 0, RECORDINGS, has_limits=False) as services,
    ):
        path = installation.environment["BACKLINE_DATABASE_PATH"]
        installation.start_gateway()
        installation.start_workers("sync-worker")
        installation.add_user("bench")
        gateway = installation.connect()
        services.connect(gateway)
        gateway.close()
        installation.stop_programs()
        empty = size_of(path)
        # Both libraries together have as many tracks as are wanted.
        services.fill(round(tracks / (2 - OVERLAP)), playlists=PLAYLISTS, entries=ENTRIES, albums=ALBUMS)
        installation.start_gateway()
        installation.start_workers("sync-worker")
        gateway = installation.connect()
        sync(gateway, path)
        gateway.close()
        installation.stop_programs()
        rows = [size_row(path, size_of(path) - empty)]
        copy_library(path, "bench", others)
        installation.start_gateway()
        gateway = installation.connect()
        plan = Plan(gateway)
        for name, limit, paths in plan.groups(count):
            rows.append(measured(gateway, name, limit, paths))
        gateway.close()
    described = f"{plan.totals['all']:,} tracks, beside {others} other libraries of as many"
    return [rows[0], Row(SECTION, "tracks of the library whose lists follow", plan.totals["all"], "tracks",
                         note=described), *rows[1:]]


def size_of(path: str) -> int:
    """Bytes of the database without a log; no process may run."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return os.path.getsize(path)


def size_row(path: str, grown: int) -> Row:
    with contextlib.closing(sqlite3.connect(path)) as database:
        tracks, = database.execute("SELECT count(*) FROM library_tracks").fetchone()
        source_tracks, = database.execute("SELECT count(*) FROM library_source_tracks").fetchone()
        free = database.execute("PRAGMA freelist_count").fetchone()[0]
        page = database.execute("PRAGMA page_size").fetchone()[0]
    megabytes = grown / 1e6 / tracks * 100_000
    return Row(
        SECTION, "on disk, 100,000 tracks", megabytes, "MB", **at_most(megabytes, MEGABYTES, "MB"),
        note=f"what the file grew by with {tracks:,} tracks of {source_tracks:,} source tracks, with all indexes, the "
        f"change log, playlists and albums; {free * page / 1e6:.1f} MB of the file are free again")


def measured(gateway: Connection, name: str, limit: float, paths: list[str]) -> Row:
    for path in paths[:WARMING]:
        gateway.send("GET", path)
    timed = []
    for path in paths:
        began = time.perf_counter()
        gateway.send("GET", path)
        timed.append(((time.perf_counter() - began) * 1_000, path))
    values = [milliseconds for milliseconds, _ in timed]
    worst, slowest = percentile(values, 99), max(timed)
    return Row(
        SECTION, f"{name}, p99", worst, "ms", **at_most(worst, limit, "ms"),
        note=f"{len(values):,} requests, p50 {number(percentile(values, 50))} ms; the slowest "
        f"{number(slowest[0])} ms: {slowest[1][:120]}")


class Plan:
    """The requests to measure. Choices are random, and the same in each run for the same library."""

    def __init__(self, gateway: Connection):
        self._gateway = gateway
        self._random = random.Random(15)
        self.totals = {name: gateway.get(f"{TRACKS}?source={name}&limit=1")["total"] for name in FILTERS}
        self._texts = self._sample()

    def groups(self, count: int) -> list[tuple[str, float, list[str]]]:
        """So many requests of each sort, with the name and the limit in milliseconds."""
        return [
            ("GET /v1/library/summary", SUMMARY_MS, ["/v1/library/summary"] * count),
            ("a page of tracks after a cursor", LIST_MS, self._after_cursors(count)),
            ("a page of tracks at a position", LIST_MS, self._at_positions(count)),
            ("a page of playlists or albums", LIST_MS, self._names(count)),
            ("a page of a playlist's entries or an album's tracks", LIST_MS, self._contents(count)),
            ("a page of changes", LIST_MS, self._changes(count)),
            ("a search of three characters or more", SEARCH_MS, self._searches(count, 3, 12)),
            ("a search of one or two characters", SHORT_SEARCH_MS, self._searches(count, 1, 2)),
        ]

    # Tracks

    def _after_cursors(self, count: int) -> list[str]:
        """First pages and pages after cursors anywhere, of each order and filter."""
        heads = [(sort, source) for sort in SORTS for source in FILTERS]
        cursors: dict[tuple[str, str], list[str]] = {}
        for sort, source in heads:
            found = []
            for _ in range(max(4, count // len(heads) // 4)):
                page = self._gateway.get(
                    f"{TRACKS}?sort={sort}&source={source}&limit=1&position={self._place(source)}")
                found += [f"&cursor={quote(page['nextCursor'], safe='')}"] if page["nextCursor"] else []
            cursors[sort, source] = ["", *found]
        return [
            f"{TRACKS}?sort={sort}&source={source}&limit={self._random.choice(LIMITS)}"
            f"{self._random.choice(cursors[sort, source])}"
            for sort, source in (heads[number % len(heads)] for number in range(count))]

    def _at_positions(self, count: int) -> list[str]:
        """Positions anywhere, of each order and filter, the middle and the end among them."""
        paths = []
        for number in range(count):
            sort, source = SORTS[number % len(SORTS)], self._random.choice(FILTERS)
            total = self.totals[source]
            place = self._random.choice((self._place(source), total // 2, max(0, total - LIMITS[0])))
            paths.append(
                f"{TRACKS}?sort={sort}&source={source}&limit={self._random.choice(LIMITS)}&position={place}")
        return paths

    def _place(self, source: str) -> int:
        return self._random.randrange(max(1, self.totals[source]))

    # Other lists

    def _names(self, count: int) -> list[str]:
        paths = []
        for kind in ("playlists", "albums"):
            for source in ("all", "appleMusic", "spotify"):
                base = f"/v1/library/{kind}?source={source}"
                total = self._gateway.get(f"{base}&limit=1")["total"]
                for position in {0, total // 2, max(0, total - 10)}:
                    paths += [f"{base}&limit={limit}&position={position}" for limit in LIMITS]
                paths.append(f"{base}&limit=50&q={quote(self._part(1, 4))}")
        return self._cycled(paths, count)

    def _contents(self, count: int) -> list[str]:
        paths = []
        for kind, shown in (("playlists", "trackCount"), ("albums", None)):
            for item in self._gateway.get(f"/v1/library/{kind}?limit=50")["items"]:
                base = f"/v1/library/{kind}/{item['id']}"
                paths += [f"{base}?limit={limit}" for limit in LIMITS]
                if shown and item[shown]:
                    paths.append(f"{base}?limit=50&position={self._random.randrange(item[shown])}")
        return self._cycled(paths, count)

    def _changes(self, count: int) -> list[str]:
        """The log from its beginning, and from moments of it on."""
        total = self._gateway.get("/v1/library/changes?limit=1")["total"]
        paths = ["/v1/library/changes?limit=200"]
        for _ in range(20):
            page = self._gateway.get(f"/v1/library/changes?limit=1&position={self._random.randrange(max(1, total))}")
            paths += [f"/v1/library/changes?limit={limit}&since={quote(item['at'])}"
                      for item in page["items"] for limit in LIMITS]
            if page["nextCursor"]:
                paths.append(f"/v1/library/changes?limit=50&cursor={quote(page['nextCursor'], safe='')}")
        return self._cycled(paths, count)

    def _cycled(self, paths: list[str], count: int) -> list[str]:
        self._random.shuffle(paths)
        return [paths[number % len(paths)] for number in range(count)]

    # Searches

    def _sample(self) -> list[str]:
        """Titles, artists and albums from all over the library."""
        texts: list[str] = []
        for _ in range(20):
            page = self._gateway.get(f"{TRACKS}?sort=title&limit=50&position={self._place('all')}")
            texts += [track[name] for track in page["items"] for name in ("title", "artist", "album") if track[name]]
        if not texts:
            raise BenchmarkError("the library has no tracks to search")
        return texts

    def _part(self, least: int, most: int) -> str:
        """A part of a random text of the library, of so many characters."""
        while True:
            text = self._random.choice(self._texts)
            length = self._random.randint(least, most)
            start = self._random.randrange(max(1, len(text) - length + 1))
            # Space at the ends would not count.
            part = text[start:start + length].strip()
            if least <= len(part) <= most:
                return part

    def _searches(self, count: int, least: int, most: int) -> list[str]:
        """Parts of texts in all orders and filters, first pages and others; one in twenty finds nothing."""
        paths = []
        for number in range(count):
            text = self._part(least, most)
            if number % 20 == 0 and least > 2:
                text = "".join(self._random.choices(string.ascii_lowercase, k=most))
            query = {
                "q": text, "sort": SORTS[number % len(SORTS)], "source": self._random.choice(FILTERS),
                "limit": self._random.choice(LIMITS)}
            if number % 3 == 0:
                query["position"] = self._random.randrange(2_000)
            paths.append(f"{TRACKS}?{urlencode(query)}")
        return paths
