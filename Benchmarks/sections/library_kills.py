"""A first sync whose programs are killed again and again at random moments, beside an undisturbed one."""

import collections
import contextlib
import random
import secrets
import sqlite3
import time
from dataclasses import dataclass

from harness.installation import Installation
from harness.library_rows import difference, library_rows
from harness.music import RAISED_LIMITS, MusicServices, wait_for_sync
from harness.options import Options
from harness.processes import BenchmarkError, Program
from harness.report import Row, at_most

SECTION = "library"
WORKER_KILLS, GATEWAY_KILLS = 20, 5
# At each service. A sync of so many lasts for all kills: each comes at most LONGEST_WAIT_SECONDS after the sync has
# written something since the one before.
TRACKS, PLAYLISTS, ENTRIES, ALBUMS = 30_000, 20, 120, 200
RECORDINGS = 100_000
LATENCY_MS = 20
LONGEST_WAIT_SECONDS = 0.4
# Requests for pages of lists, by parts of their names in the simulator's counters.
LISTS = ("me/library/", "me/tracks", "me/albums", "me/playlists", "/items")
PATIENCE_SECONDS = 120


@dataclass
class Outcome:
    """What a sync has left, and what it took."""

    rows: collections.Counter[str]
    pages: int
    worker_kills: int = 0
    gateway_kills: int = 0


def kills(options: Options) -> list[Row]:
    scale = 0.1 if options.quick else 1
    counts = (2, 1) if options.quick else (WORKER_KILLS, GATEWAY_KILLS)
    seed = secrets.randbits(32)
    undisturbed = synced(options, round(TRACKS * scale), [], random.Random(seed))
    order = ["sync-worker"] * counts[0] + ["api-gateway"] * counts[1]
    chance = random.Random(seed)
    chance.shuffle(order)
    disturbed = synced(options, round(TRACKS * scale), order, chance)
    found = difference(undisturbed.rows, disturbed.rows)
    again = disturbed.pages - undisturbed.pages
    label = f"SIGKILL of the sync-worker {disturbed.worker_kills} × and of the gateway {disturbed.gateway_kills} ×"
    some = f"; the first: {found[0][:200]}" if found else ""
    return [
        Row(SECTION, f"{label}: rows unlike those of an undisturbed sync", len(found), "rows",
            **at_most(len(found), 0, "rows"),
            note=f"of {undisturbed.rows.total():,} rows, our ids and moments aside; seed {seed}{some}"),
        Row(SECTION, f"{label}: pages fetched again", again, "pages",
            **at_most(again, disturbed.worker_kills, "pages"),
            note=f"of {undisturbed.pages:,}; at most one for each kill of the worker, none for those of the gateway"),
    ]


def synced(options: Options, tracks: int, order: list[str], chance: random.Random) -> Outcome:
    """A first sync of a new person. Programs are killed in the given order, and started again at once."""
    with (
        Installation(options.folder, RAISED_LIMITS) as installation,
        MusicServices(installation, LATENCY_MS, RECORDINGS, has_limits=False) as services,
    ):
        path = installation.environment["BACKLINE_DATABASE_PATH"]
        running = {"api-gateway": installation.start_gateway()}
        # The gateway comes back where it was.
        installation.environment["BACKLINE_HTTP_PORT"] = installation.address.rsplit(":", 1)[1]
        running["sync-worker"], = installation.start_workers("sync-worker")
        installation.add_user("bench")
        gateway = installation.connect()
        services.connect(gateway)
        services.fill(tracks, playlists=PLAYLISTS, entries=ENTRIES, albums=ALBUMS)
        before = pages(services)
        identifier = gateway.post("/v1/library/syncs", {"force": True})["id"]
        gateway.close()
        counts = carry_out(order, chance, installation, running, identifier)
        gateway = installation.connect()
        ended = wait_for_sync(gateway)
        gateway.close()
        if ended["id"] != identifier or ended["state"] != "complete":
            raise BenchmarkError(f"the sync {identifier} is not complete: {ended}")
        return Outcome(library_rows(path), pages(services) - before, counts["sync-worker"], counts["api-gateway"])


def carry_out(
    order: list[str], chance: random.Random, installation: Installation, running: dict[str, Program], sync: str
) -> collections.Counter[str]:
    """Kills a program at a random moment after each progress of the sync; how often each was killed."""
    counts: collections.Counter[str] = collections.Counter()
    path = installation.environment["BACKLINE_DATABASE_PATH"]
    last = None
    for number, name in enumerate(order, start=1):
        last = progress(path, sync, last, number)
        time.sleep(chance.uniform(0, LONGEST_WAIT_SECONDS))
        program = running[name]
        program.kill()
        installation.programs.remove(program)
        # What was written until now is no progress of the run that follows.
        last = checkpoint(path, sync)
        running[name] = installation.start(name, name=f"{name}-after-{number}")
        if name == "api-gateway":
            running[name].wait_for("listening on")
        counts[name] += 1
    return counts


def progress(path: str, sync: str, last: str | None, kill: int) -> str:
    """Waits for a checkpoint of the sync other than the last one.

    A job whose worker dies again and again before it has written anything would be set aside.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        found = checkpoint(path, sync)
        if found is not None and found != last:
            return found
        if found is None and last is not None:
            raise BenchmarkError(f"the sync ended before kill {kill}: it needs more tracks")
        if time.monotonic() > deadline:
            raise BenchmarkError(f"the sync has written nothing for {PATIENCE_SECONDS} s before kill {kill}")
        time.sleep(0.005)


def checkpoint(path: str, sync: str) -> str | None:
    """The state that the sync's job wrote last; `None` before the first and after the end."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        row = database.execute("SELECT state FROM job_checkpoints WHERE job_id = ?", (sync,)).fetchone()
    return row[0] if row else None


def pages(services: MusicServices) -> int:
    """Requests for pages of lists so far."""
    found = 0
    for name in ("spotify", "apple-music"):
        counters = services.control.get(f"/_sim/{name}/counters")
        found += sum(
            count["arrivals"] for endpoint, count in counters.items() if any(part in endpoint for part in LISTS))
    return found
