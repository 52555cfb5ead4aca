"""Searches of one's own library and Spotify, beside a sync: from the database, and through a worker."""

import itertools
import statistics
import threading

from harness.client import Connection
from harness.installation import Installation
from harness.music import RAISED_LIMITS, MusicServices, sync
from harness.options import Options
from harness.report import Row, at_most, number
from harness.timing import percentile, times

SECTION = "catalog"
# What Spotify takes to answer, in the simulator.
LATENCY_MS = 80
RECORDINGS = 250_000
# The goals of the medians: of an answer that is known, and beyond Spotify's time of one that is not.
KNOWN_MS, BEYOND_MS = 10, 40
WORDS = ("love", "rain", "night", "river", "gold", "heart", "blue", "fire")


def run(options: Options) -> list[Row]:
    tracks, count = (10_000, 40) if options.quick else (100_000, 400)
    with (
        Installation(options.folder, RAISED_LIMITS) as installation,
        MusicServices(installation, LATENCY_MS, RECORDINGS, has_limits=False) as services,
    ):
        path = installation.environment["BACKLINE_DATABASE_PATH"]
        installation.start_gateway()
        installation.start_workers("sync-worker")
        installation.add_user("bench")
        gateway = installation.connect()
        services.connect(gateway)
        services.fill(tracks // 2, playlists=20, entries=100, albums=500)
        sync(gateway, path)
        # The first search has the simulator read all titles.
        for word in WORDS:
            gateway.get(f"/v1/search?q={word}")
        with SyncBeside(installation.connect(), path):
            places = itertools.count()
            fresh = times(lambda: gateway.get(f"/v1/search?q={choice(WORDS, next(places))}%20{next(places)}"), count)
            known = times(lambda: gateway.get(f"/v1/search?q={choice(WORDS, next(places))}"), count)
        gateway.close()
    return [row("a search whose answer is known", known, KNOWN_MS, tracks),
            row("a search that Spotify answers", fresh, LATENCY_MS + BEYOND_MS, tracks)]


def choice(words: tuple[str, ...], place: int) -> str:
    return words[place % len(words)]


def row(name: str, taken: list[float], limit: float, tracks: int) -> Row:
    median = statistics.median(taken)
    return Row(
        SECTION, f"{name}, p50", median, "ms", **at_most(median, limit, "ms"),
        note=f"{len(taken):,} requests, p99 {number(percentile(taken, 99))} ms, in a library of {tracks:,} source "
        f"tracks, while it is synced; Spotify takes {LATENCY_MS} ms")


class SyncBeside:
    """Syncs again and again while a block runs."""

    def __init__(self, gateway: Connection, path: str):
        self._gateway = gateway
        self._path = path
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "SyncBeside":
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._is_over.set()
        self._thread.join()
        self._gateway.close()

    def _run(self) -> None:
        while not self._is_over.is_set():
            sync(self._gateway, self._path)
