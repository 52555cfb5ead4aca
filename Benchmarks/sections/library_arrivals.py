"""A few new songs that come into a large library: what it takes to write them, and to find which songs they are."""

import statistics
import time

from harness.client import Connection
from harness.installation import Installation
from harness.music import RAISED_LIMITS, MusicServices, sync
from harness.options import Options
from harness.processes import BenchmarkError
from harness.prometheus import REPORT_SECONDS, Metrics
from harness.prefill import database_of
from harness.report import Row, at_most, number

SECTION = "library"
NEW = 50
ROUNDS = 7
# More of the catalog than the library has, for what comes.
SPARE_RECORDINGS = 50_000
MOST_MS = 50
WORKER = "sync-worker"
WRITE_SECONDS = "backline_database_write_seconds_sum"


def arrivals(options: Options) -> list[Row]:
    """Syncs with new tracks at the top of Spotify's list, and syncs with none: the difference is what new ones take.

    With or without new tracks, a sync writes that it began and ended, and what it saw.
    """
    size = 10_000 if options.quick else 100_000
    with (
        Installation(options.folder, RAISED_LIMITS) as installation,
        MusicServices(installation, 0, size + SPARE_RECORDINGS, has_limits=False) as services,
    ):
        path = installation.environment["BACKLINE_DATABASE_PATH"]
        installation.start_gateway()
        installation.start_workers("concert-worker", WORKER)
        installation.add_user("bench")
        gateway = installation.connect()
        services.connect(gateway)
        services.fill(size // 2)
        sync(gateway, path)
        # The first sync after the whole reading.
        sync(gateway, path, "spotify")
        unchanged, changed = [], []
        for _ in range(ROUNDS):
            unchanged.append(writing_ms(gateway, path))
            before = source_tracks(path)
            services.control.post("/_sim/spotify/library/changes", {"add": NEW})
            changed.append(writing_ms(gateway, path))
            if source_tracks(path) != before + NEW:
                raise BenchmarkError(
                    f"a sync of {NEW} new tracks has written {source_tracks(path) - before} source tracks")
        gateway.close()
    quiet, busy = statistics.median(unchanged), statistics.median(changed)
    return [Row(
        SECTION, f"{NEW} new source tracks among {size:,}: writing and deduplicating them", busy - quiet, "ms",
        **at_most(busy - quiet, MOST_MS, "ms"),
        note=f"the sync-worker's transactions, from the request to the end of the commit: in all {number(busy)} ms in "
        f"a sync with them, {number(quiet)} ms in one without (medians of {ROUNDS} each, from its metrics)")]


def writing_ms(gateway: Connection, path: str) -> float:
    """What all transactions of the sync-worker take in a sync of Spotify's library."""
    time.sleep(2 * REPORT_SECONDS)
    before = Metrics.of(gateway)
    sync(gateway, path, "spotify")
    time.sleep(2 * REPORT_SECONDS)
    counted = Metrics.of(gateway).since(before)
    names = [name for name in counted.processes(WRITE_SECONDS) if name.startswith(WORKER)]
    return sum(counted.sum(WRITE_SECONDS, process=name) for name in names) * 1_000


def source_tracks(path: str) -> int:
    with database_of(path) as database:
        return database.execute("SELECT count(*) FROM library_source_tracks").fetchone()[0]
