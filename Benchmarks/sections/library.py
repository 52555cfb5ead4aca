"""First syncs of libraries, merging, the pace at the services' limits, kills; lists and searches of large libraries."""

import contextlib
import json
import os
import sqlite3
import time

from harness.bare_library import source_tracks_per_second
from harness.client import Connection
from harness.installation import Installation
from harness.music import RAISED_LIMITS, MusicServices, Sync, sync
from harness.options import Options
from harness.prefill import database_of
from harness.processes import BenchmarkError
from harness.report import Row, at_least, at_most, number
from harness.steady_requests import SteadyRequests
from harness.timing import percentile

from .library_arrivals import arrivals
from .library_kills import kills
from .library_lists import lists

SECTION = "library"
JOB = json.dumps({"kind": "diagnostics.echo", "payload": {"message": "mine"}})
# The goals of a first sync.
LEAST_PER_SECOND, WORKER_MB, OTHERS_MS = 4_000, 120, 50
MERGING_SECONDS = 5
LONGEST_REGROUPING_SECONDS = 600
# `RegroupStage` in `libraries.identity_stage`.
STAGE_DROP_KEYS, STAGE_GROUP, STAGE_DONE = 0, 2, 3
# What a source track may take in a library of more of them, beside the usual one.
LINEAR_FACTOR = 1.3
# A service's limit as it is configured by default, and the simulator's latency.
LATENCY_SECONDS = 0.08
LIMITS = {"spotify": (90, 30.0), "appleMusic": (20, 1.0)}
CONTROL_NAMES = {"spotify": "spotify", "appleMusic": "apple-music"}
PAGE_TRACKS = {"spotify": 50, "appleMusic": 100}
LIMIT_FACTOR = 1.1
# More of the catalog than the libraries have, for playlists.
SPARE_RECORDINGS = 50_000


def run(options: Options) -> list[Row]:
    return [
        *first_sync(options), *at_limits(options), *merging(options), *arrivals(options), *kills(options),
        *lists(options)]


def first_sync(options: Options) -> list[Row]:
    """Both libraries of a new person, while another one works."""
    tracks = 5_000 if options.quick else 50_000
    with (
        Installation(options.folder, RAISED_LIMITS) as installation,
        MusicServices(installation, 0, 2 * tracks + SPARE_RECORDINGS, has_limits=False) as services,
    ):
        path = installation.environment["BACKLINE_DATABASE_PATH"]
        gateway, worker = start(installation, services)
        other = installation.add_user("other")
        services.fill(tracks)
        before = {name: services.calls(name) for name in CONTROL_NAMES.values()}
        folder, address = installation.folder, installation.address
        with (
            SteadyRequests(folder, address, other, "GET", "/v1/jobs/summary") as reads,
            SteadyRequests(
                folder, address, other, "POST", "/v1/jobs", JOB, {"Prefer": "wait=20"}) as writes,
        ):
            done = sync(gateway, path)
        calls = {name: services.calls(name) - count for name, count in before.items()}
        peak = worker.peak_bytes() / 1e6
        log = os.path.getsize(f"{path}-wal") / 1e6
        gateway.close()
        installation.stop_programs()
        count = source_tracks(path)
        bare, pages = source_tracks_per_second(path, installation.folder)
    rate = count / done.reading_seconds
    read, write = percentile(reads.milliseconds, 99), percentile(writes.milliseconds, 99)
    return [
        Row(SECTION, f"first sync of {count:,} source tracks", rate, "source tracks/s", rate / bare, "bare SQL",
            **at_least(rate, LEAST_PER_SECOND), note=first_sync_note(done, calls)),
        Row(SECTION, "bare SQL of the same rows", bare, "source tracks/s",
            note=f"{pages:,} transactions of a page each, synchronous=FULL, with its checkpoints, through Python's "
            "sqlite3; nothing is read, compared or fetched"),
        Row(SECTION, "sync-worker: most memory resident", peak, "MB", **at_most(peak, WORKER_MB, "MB")),
        Row(SECTION, "the database's log afterwards", log, "MB"),
        Row(SECTION, "another person's GET /v1/jobs/summary meanwhile, p99", read, "ms",
            **at_most(read, OTHERS_MS, "ms"),
            note=f"{len(reads.spans):,} requests, the slowest {number(max(reads.milliseconds))} ms"),
        Row(SECTION, "another person's Prefer: wait meanwhile, p99", write, "ms", **at_most(write, OTHERS_MS, "ms"),
            note=f"{len(writes.spans):,} jobs, the slowest {number(max(writes.milliseconds))} ms"),
    ]


def first_sync_note(done: Sync, calls: dict[str, int]) -> str:
    apple = done.read["appleMusic"] - done.started
    return (
        f"Apple Music in {number(apple)} s with {calls['apple-music']:,} calls, Spotify in "
        f"{number(done.read['spotify'] - done.read['appleMusic'])} s with {calls['spotify']:,} calls, then "
        f"{done.merged:,} tracks merged in {number(done.merging_seconds)} s, which the rate leaves out; the simulator "
        "and the other person share the processors")


def start(installation: Installation, services: MusicServices):
    """A person with both services connected, and no library yet; the gateway's connection and the sync-worker."""
    installation.start_gateway()
    # The other worker takes other people's jobs, too.
    _, worker = installation.start_workers("concert-worker", "sync-worker")
    installation.add_user("bench")
    gateway = installation.connect()
    services.connect(gateway)
    return gateway, worker


def source_tracks(path: str) -> int:
    with database_of(path) as database:
        return database.execute("SELECT count(*) FROM library_source_tracks").fetchone()[0]


def at_limits(options: Options) -> list[Row]:
    """A smaller library at the limits of our configuration, which are below the services' own."""
    # Pages of tracks. Spotify's are a few more than its slots for background calls, or more than twice as many.
    pages = {"spotify": 70 if options.quick else 150, "appleMusic": 70 if options.quick else 150}
    rows = []
    with (
        Installation(options.folder) as installation,
        MusicServices(installation, round(LATENCY_SECONDS * 1_000), 100_000, has_limits=True) as services,
    ):
        gateway, _ = start(installation, services)
        for source, name in (("spotify", "Spotify"), ("appleMusic", "Apple Music")):
            limit, window = LIMITS[source]
            tracks = pages[source] * PAGE_TRACKS[source]
            services.control.post(f"/_sim/{CONTROL_NAMES[source]}/library", {"tracks": tracks})
            # The calls of before leave the window.
            time.sleep(window + 1)
            rows += at_limit(installation, services, gateway, (source, name, limit, window))
        gateway.close()
    return rows


def at_limit(
    installation: Installation, services: MusicServices, gateway: Connection, service: tuple[str, str, int, float]
) -> list[Row]:
    source, name, limit, window = service
    control = CONTROL_NAMES[source]
    calls, refused = services.calls(control), services.refusals(control)
    done = sync(gateway, installation.environment["BACKLINE_DATABASE_PATH"], source)
    calls, refused = services.calls(control) - calls, services.refusals(control) - refused
    allowed = permitted_seconds(calls, limit, window)
    label = f"{name} at {limit} in {window:g} s, {LATENCY_SECONDS * 1_000:.0f} ms"
    return [
        Row(SECTION, f"{label}: a first sync", done.seconds, "s", done.seconds / allowed, "what the permits allow",
            **at_most(done.seconds, round(LIMIT_FACTOR * allowed, 2), "s")),
        Row(SECTION, f"{label}: what the permits allow", allowed, "s",
            note=f"{calls:,} background calls, one after the other, in {background_slots(limit)} of {limit} slots "
            f"(docs/permits.md); the slots alone allow them in {number(seconds_of_slots(calls, limit, window))} s"),
        Row(SECTION, f"{label}: refused with 429", refused, "calls", **at_most(refused, 0)),
    ]


def background_slots(limit: int) -> int:
    """A quarter of the slots, rounded up, is kept for interactive calls."""
    return limit - -(-limit // 4)


def permitted_seconds(calls: int, limit: int, window: float) -> float:
    """How long so many background calls take at least, from the first one's start to the last one's answer.

    Each begins no sooner than window / slots after the one before, and a slot is free a window after its answer. One
    sync has one call under way at a time.
    """
    return max(seconds_of_slots(calls, limit, window), calls * LATENCY_SECONDS)


def seconds_of_slots(calls: int, limit: int, window: float) -> float:
    """The same for calls that do not wait for one another."""
    slots = background_slots(limit)
    rounds, rest = divmod(calls - 1, slots)
    return rounds * (window + LATENCY_SECONDS) + rest * window / slots + LATENCY_SECONDS


def changed_rule_seconds(gateway: Connection, path: str) -> float:
    """Changes whether remasters are the same song, and waits until the library is under the changed rule."""
    began = time.monotonic()
    gateway.send("PATCH", "/v1/library/settings", json.dumps({"remastersAreSame": False}).encode())
    return regrouping_seconds(path, began)


def deduplication_seconds(path: str, stage: int) -> float:
    """Has the songs of all source tracks be found again, from a stage on, and waits for the end."""
    with database_of(path) as database:
        began = time.monotonic()
        database.execute("UPDATE libraries SET identity_stage = ?, identity_after = 0", (stage,))
    return regrouping_seconds(path, began)


def regrouping_seconds(path: str, began: float) -> float:
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        while database.execute(
                "SELECT 1 FROM libraries WHERE identity_stage <> ?", (STAGE_DONE,)).fetchone():
            if time.monotonic() > began + LONGEST_REGROUPING_SECONDS:
                raise BenchmarkError(f"the rule is not applied after {LONGEST_REGROUPING_SECONDS} s")
            time.sleep(0.02)
    return time.monotonic() - began


def merging(options: Options) -> list[Row]:
    """Finding the songs of all source tracks, in libraries of several sizes.

    Pages find the songs of their tracks as they are written, so that a sync leaves nothing to do after both sources
    were read. So all is done once more: this is what rules of a later version need.
    """
    sizes = [20_000] if options.quick else sorted({200_000, options.library_tracks})
    measured: dict[int, float] = {}
    regrouped: dict[int, float] = {}
    rows = []
    for size in sizes:
        with (
            Installation(options.folder, RAISED_LIMITS) as installation,
            MusicServices(installation, 0, size + SPARE_RECORDINGS, has_limits=False) as services,
        ):
            path = installation.environment["BACKLINE_DATABASE_PATH"]
            gateway, worker = start(installation, services)
            services.fill(size // 2)
            done = sync(gateway, path)
            peak = worker.peak_bytes() / 1e6
            whole = measured[size] = deduplication_seconds(path, STAGE_GROUP)
            keys = deduplication_seconds(path, STAGE_DROP_KEYS)
            regrouping = regrouped[size] = changed_rule_seconds(gateway, path)
            gateway.close()
        target = at_most(whole, MERGING_SECONDS, "s") if size <= 200_000 else {}
        rows.append(Row(
            SECTION, f"deduplication of {size:,} source tracks", whole, "s", **target,
            note="all of them again in the background, with a rest after each step that holds the lock, and up to 1 s "
            "until the gateway looks for such libraries"))
        rows.append(Row(
            SECTION, f"deduplication of {size:,} source tracks, with their keys made anew", keys, "s",
            note="which only rules with other keys need"))
        rows.append(Row(
            SECTION, f"{size:,} source tracks, from the last page of a first sync to its end", done.merging_seconds,
            "s", note=f"{done.merged:,} tracks joined with others when their pages were written, at "
            f"{size / done.reading_seconds:,.0f} source tracks/s; sync-worker at most {peak:.0f} MB"))
        target = at_most(regrouping, MERGING_SECONDS, "s") if size <= 200_000 else {}
        rows.append(Row(
            SECTION, f"{size:,} source tracks under a changed rule", regrouping, "s", **target,
            note="from the request that remasters are other songs to the end of the work in the background"))
    if len(sizes) > 1:
        small, large = sizes[0], sizes[-1]
        for label, seconds in (
            ("deduplication", measured),
            ("a changed rule", regrouped),
        ):
            factor = seconds[large] / large / (seconds[small] / small)
            rows.append(Row(
                SECTION, f"{label}: a source track of {large:,} to one of {small:,}", factor, "×",
                **at_most(factor, LINEAR_FACTOR, "×")))
    return rows
