"""What upkeep and requests cost with ten years of a person's data, beside one year of it.

The rows are put into the databases as the programs write them: copies of a listen that was sent, with syncs, edits,
imports and copies of playlists, and with what feeds have. The steps of the gateway are timed by itself
(`backline_upkeep_run_seconds`), at several starts of it, each after one of the other database, so that both have the
same machine.
"""

import json
import random
import sqlite3
import time
from collections import defaultdict

from harness.client import Connection
from harness.installation import Installation
from harness.options import Options
from harness.prefill import database_of, insert, uuid_v7
from harness.processes import BenchmarkError
from harness.prometheus import Metrics
from harness.report import Row, at_most
from harness.timing import percentile, times

from . import years_feed

SECTION = "years"
YEARS = (1, 10)
# Of a year.
LISTENS, SONGS, SYNCS, EDITS, IMPORTS, COPIES = 100_000, 3_000, 6_000, 10_000, 12, 120
ITEMS, ENTRIES = 1_000, 100
DAY, YEAR = 86_400, 31_536_000
MOST_RATIO = 1.5
# Steps that look at what grows with the years. Those that run for the first time after minutes are run at each start.
STEPS = (
    "listening.resolve", "listening.countPlays", "listening.renewResolved", "listening.removeSources",
    "library.regroup", "library.submitEdits", "library.submitCopies", "library.pruneEdits", "library.pruneCopies",
    "library.pruneHistory", "imports.prune", "imports.removeFiles", "accounts.eraseLeftovers",
    "jobs.submitDomainSchedules", *years_feed.STEPS,
)
# Of a start without requests, after its beginning, when all steps run at once.
QUIET_SECONDS = 7
# Nothing is old enough to be deleted.
ENVIRONMENT = {"BACKLINE_LIBRARY_HISTORY_DAYS": "3650", "BACKLINE_LIMITS_REQUESTS_PER_SECOND": "0"}


def run(options: Options) -> list[Row]:
    starts, asked, scale = (4, 40, 0.02) if options.quick else (8, 200, 1)
    with Installation(options.folder, ENVIRONMENT) as one, Installation(options.folder, ENVIRONMENT) as ten:
        installations = dict(zip(YEARS, (one, ten)))
        tokens = {years: fill(installation, years, scale) for years, installation in installations.items()}
        steps: dict[int, dict[str, list[float]]] = {years: defaultdict(list) for years in YEARS}
        requests: dict[int, dict[str, list[float]]] = {years: defaultdict(list) for years in YEARS}
        for start in range(starts + 1):
            for years, installation in installations.items():
                found = measure(installation, tokens[years], start, asked // starts)
                # The first start reads the file into memory.
                if start == 0:
                    continue
                for name, value in found[0].items():
                    steps[years][name].append(value)
                for name, values in found[1].items():
                    requests[years][name] += values
    described = f"{LISTENS * scale:,.0f} listens, {SYNCS * scale:,.0f} syncs and {EDITS * scale:,.0f} edits a year"
    rows = [Row(SECTION, "years of data that are compared", YEARS[1], "years", note=described)]
    for name in STEPS:
        # The least, since whatever else the machine does slows some of the starts.
        mine, base = (min(steps[years][name]) * 1_000 for years in reversed(YEARS))
        rows.append(row(f"upkeep {name}, one run", mine, base))
    for name in requests[1]:
        mine, base = (percentile(requests[years][name], 50) for years in reversed(YEARS))
        rows.append(row(f"{name}, p50", mine, base))
    return rows


def row(name: str, mine: float, base: float) -> Row:
    ratio = mine / base
    return Row(
        SECTION, name, mine, "ms", ratio=ratio, ratio_to="one year",
        **{**at_most(ratio, MOST_RATIO), "target": f"≤ {MOST_RATIO} × one year"})


def measure(
    installation: Installation, token: str, start: int, asked: int,
) -> tuple[dict[str, float], dict[str, list[float]]]:
    """The mean time of each step in seconds, and times of requests in milliseconds.

    Of the steps that run every few seconds, the runs in a quiet time count, of the others the one at the start.
    """
    gateway_process = installation.start_gateway()
    gateway, program = installation.connect(), Connection(installation.address, token)
    now = int(time.time())
    sent = iter(range(asked))

    def submit() -> None:
        body = {"listen_type": "single", "payload": [{
            # A second each in the last hours, in steps that no earlier start has used.
            "listened_at": now - 3_600 - 400 * (start * asked + next(sent)),
            "track_metadata": {"artist_name": "Artist 1", "track_name": f"Song {start}"}}]}
        program.send("POST", "/1/submit-listens", json.dumps(body).encode())

    requests = {
        "a listen that is sent": times(submit, asked),
        "GET /v1/listening/listens": times(lambda: gateway.get("/v1/listening/listens?limit=50"), asked),
        "GET /v1/listening/sources": times(lambda: gateway.get("/v1/listening/sources"), asked),
        "GET /v1/library/summary": times(lambda: gateway.get("/v1/library/summary"), asked),
        "GET /v1/me": times(lambda: gateway.get("/v1/me"), asked),
        **{f"GET {path.split('?')[0]}": times(lambda path=path: gateway.get(path), asked)
           for path in years_feed.REQUESTS},
    }
    deadline = time.monotonic() + 20
    while True:
        metrics = Metrics.of(gateway)
        counts = {name: metrics.sum("backline_upkeep_run_seconds_count", step=name) for name in STEPS}
        if all(counts.values()):
            break
        if time.monotonic() > deadline:
            missing = [name for name, count in counts.items() if not count]
            raise BenchmarkError(f"these steps did not run: {missing}\n{gateway_process.last_words()}")
        time.sleep(0.1)
    time.sleep(QUIET_SECONDS)
    quiet = Metrics.of(gateway).since(metrics)
    gateway.close()
    program.close()
    installation.stop_programs()
    return {name: mean(quiet, name) or mean(metrics, name) for name in STEPS}, requests


def mean(metrics: Metrics, step: str) -> float:
    """The mean time of the runs of a step, in seconds; 0 without any."""
    count = metrics.sum("backline_upkeep_run_seconds_count", step=step)
    return metrics.sum("backline_upkeep_run_seconds_sum", step=step) / count if count else 0.0


def fill(installation: Installation, years: int, scale: float) -> str:
    """Makes a person with so many years of data; returns a token for listens."""
    installation.start_gateway()
    installation.add_user("friend")
    installation.add_user("bench")
    gateway = installation.connect()
    token = json.loads(gateway.send("POST", "/v1/me/tokens", json.dumps({
        "name": "bench", "scope": "listening"}).encode(), expected=(201,)))["token"]
    body = {"listen_type": "single", "payload": [{
        "listened_at": int(time.time()) - YEARS[-1] * YEAR - DAY, "track_metadata": {
            "artist_name": "Artist", "track_name": "Song", "release_name": "Album",
            "additional_info": {"duration_ms": 181_000, "submission_client": "bench"}}}]}
    program = Connection(installation.address, token)
    program.send("POST", "/1/submit-listens", json.dumps(body).encode())
    program.close()
    gateway.close()
    # The song has been looked up, so that its copies need not be.
    time.sleep(3)
    installation.stop_programs()
    with database_of(installation.environment["BACKLINE_DATABASE_PATH"]) as database:
        user, = database.execute("SELECT id FROM users WHERE name = 'bench'").fetchone()
        fill_listens(database, years, scale)
        fill_library(database, user, years, scale)
        years_feed.fill_feed(database, years, scale)
    return token


def fill_listens(database: sqlite3.Connection, years: int, scale: float) -> None:
    generator = random.Random(years)
    count, songs = round(LISTENS * years * scale), max(1, round(SONGS * years * scale))
    song, listen, observation = (
        dict(database.execute(f"SELECT * FROM {table}").fetchone())
        for table in ("listen_songs", "listens", "listen_observations"))
    # Keys below those that the product gives: they begin with the time.
    copy(database, "listen_songs", song, (
        {"id": number + 1, "said_key": number + 1, "title": f"Song {number}", "artist": f"Artist {number % 900}"}
        for number in range(songs)))
    first = (int(time.time()) - years * YEAR) * 1_000_000
    step = years * YEAR * 1_000_000 // (count + 1)
    chosen = [generator.randrange(songs) + 1 for _ in range(count)]
    copy(database, "listens", listen, (
        {"started_at": first + number * step, "id": number + 1, "song_id": chosen[number]}
        for number in range(count)))
    copy(database, "listen_observations", observation, (
        {"started_at": first + number * step, "id": number + 1, "listen_id": number + 1, "song_id": chosen[number]}
        for number in range(count)))
    database.execute(
        "UPDATE listen_histories SET listens = listens + ?, observations = observations + ?", (count, count))
    plays: dict[int, int] = defaultdict(int)
    for number in chosen:
        plays[number] += 1
    database.executemany("UPDATE listen_songs SET plays = ? WHERE id = ?", [(n, s) for s, n in plays.items()])


def fill_library(database: sqlite3.Connection, user: str, years: int, scale: float) -> None:
    now = int(time.time() * 1_000_000)
    library = database.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM libraries").fetchone()[0]
    # The gateway groups it again at its first start, which costs nothing without songs.
    insert(database, "libraries", {"user_id": user, "id": library, "change": 1})

    def moments(count: int):
        return ((number, now - number * years * YEAR * 1_000_000 // (count + 1)) for number in range(count))

    for number, at in moments(round(SYNCS * years * scale)):
        identifier = uuid_v7(at // 1_000)
        insert(database, "library_syncs", {
            "id": identifier, "user_id": user, "number": -number, "sources": 1, "is_single": 0, "is_forced": 0,
            "state": "complete", "asked_at": at, "started_at": at, "finished_at": at, "merged": 0, "change": -number})
        insert(database, "library_sync_sources", {
            "sync_id": identifier, "source": 1, "state": "complete", "found": 9, "added": 0, "changed": 0,
            "is_dismissed": 0, "finished_at": at})
    for number, at in moments(round(EDITS * years * scale)):
        insert(database, "library_edits", {
            "id": number + 1, "user_id": user, "library_id": library, "source": 1, "account_id": 1, "kind": "save",
            "target": "tracks", "state": "complete", "title": "Song", "undo": "{}", "done": 1, "total": 1,
            "created_at": at, "finished_at": at, "change": -number})
        insert(database, "library_edit_steps", {
            "edit_id": number + 1, "number": 0, "action": "{}", "state": "done", "answered_at": at})
    for number, at in moments(max(1, round(IMPORTS * years * scale))):
        insert(database, "library_imports", {
            "user_id": user, "id": number + 1, "filename": "a.csv", "file": f"{number}", "bytes": 1, "kind": "csv",
            "state": "complete", "rows_new": ITEMS, "rows_joined": 0, "rows_skipped": 0, "created_at": at,
            "finished_at": at, "change": -number})
        for item in range(ITEMS):
            insert(database, "library_import_items", {
                "user_id": user, "import_id": number + 1, "item": "track", "item_id": item})
    for number, at in moments(max(1, round(COPIES * years * scale))):
        insert(database, "library_copies", {
            "user_id": user, "id": number + 1, "playlist_id": 1, "entries_version": 1, "name": "Mix", "target": 2,
            "state": "complete", "total": ENTRIES, "repeats": 0, "created_at": at, "finished_at": at,
            "change": -number})
        for position in range(ENTRIES):
            insert(database, "library_copy_entries", {
                "user_id": user, "copy_id": number + 1, "position": position, "state": "placed", "title": "Song",
                "artist": "Artist", "tried": "[]", "nearest": "[]"})


def copy(database: sqlite3.Connection, table: str, template: dict, changes) -> None:
    names = list(template)
    sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    database.executemany(sql, (tuple((template | change)[name] for name in names) for change in changes))
