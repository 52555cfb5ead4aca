"""Ten concert-workers and two thousand users with twenty artists each, of which a few are very popular.

The simulator counts the calls. The first pass needs one call for each distinct artist, whose id has to be found by the
name. In the second pass the ids are known and the answers are no longer fresh; it needs one call for each twenty
distinct artists.

In the first pass upstream and client allow a thousand requests a second: with five a second it would take eight
minutes, for the same count. The second pass keeps to Ticketmaster's five a second, because only lookups that wait for a
permit can share a call.
"""

import bisect
import contextlib
import itertools
import random
import sqlite3
import threading
import time
from dataclasses import dataclass

from harness.client import Connection
from harness.installation import Installation
from harness.options import Options
from harness.prefill import bytes_on_disk, copy_users, database_of, sizes
from harness.processes import BenchmarkError, Program
from harness.report import Row, at_most

from .concerts import make_stale, start_simulator

WORKERS = 10
ARTISTS_EACH = 20
# Popularity falls with the rank as 1/rank does.
EXPONENT = 1.0
SEED = 4
CLIENTS = 8
REQUESTS_PER_SECOND = 1_000
TICKETMASTER_A_SECOND = 5
DAILY_QUOTA = 1_000_000
LIMIT = 1.05
PATIENCE_SECONDS = 300


@dataclass
class Measured:
    users: int
    # How many artists there were to choose from, and how many were chosen by somebody.
    artists: int
    distinct: int
    # Names had to be found; then the ids were known, and the answers stale.
    first: "Pass"
    second: "Pass"
    bytes_on_disk: int
    # Rows and bytes of each table, its indexes included, after the first pass.
    tables: dict[str, tuple[int, int]]
    # Seconds to tell one search that waits for an artist, within the transaction that tells all of them.
    telling: float


def run(options: Options) -> list[Row]:
    measured = measure(200 if options.quick else 2_000, options)
    described = (
        f"{measured.users:,} users with {ARTISTS_EACH} of {measured.artists:,} artists each, by 1/rank: "
        f"{measured.distinct:,} distinct ones")
    batches = -(-measured.distinct // ARTISTS_EACH)
    return [
        *rows("names to be found", measured.first, measured.distinct, described),
        *rows("ids known, answers stale", measured.second, batches, f"full batches of {ARTISTS_EACH}"),
        Row("popularity", "database on disk afterwards", measured.bytes_on_disk / 1e6, "MB"),
    ]


def measure(users: int, options: Options) -> Measured:
    environment = {
        "BACKLINE_UPSTREAMS_TICKETMASTER_REQUESTS": str(REQUESTS_PER_SECOND),
        "BACKLINE_UPSTREAMS_TICKETMASTER_WINDOW_MS": "1000",
        "BACKLINE_UPSTREAMS_TICKETMASTER_REQUESTS_PER_DAY": "0"}
    with Installation(options.folder, environment) as installation:
        simulator = start_simulator(installation, requests_per_second=10 * REQUESTS_PER_SECOND, daily_quota=DAILY_QUOTA)
        installation.start_gateway()
        workers = installation.start_workers(*["concert-worker"] * WORKERS)
        installation.add_user("bench")
        path = installation.environment["BACKLINE_DATABASE_PATH"]
        tokens = list(copy_users(path, "bench", users))
        names = different(
            simulator.get("/_sim/artists?kind=popular&count=10000")
            + simulator.get("/_sim/artists?kind=unknown&count=10000"))
        lists = wishes(names, users)
        first = one_pass(installation, simulator, tokens, lists)
        tables, telling = sizes(path), telling_one(path)
        make_stale(installation)
        keep_to_the_limit(installation, simulator, workers)
        second = one_pass(installation, simulator, tokens, lists)
        simulator.close()
        distinct = len(set(itertools.chain.from_iterable(lists)))
        return Measured(users, len(names), distinct, first, second, bytes_on_disk(path), tables, telling)


def rows(label: str, measured: "Pass", needed: int, note: str) -> list[Row]:
    factor = measured.calls / needed
    return [
        Row("popularity", f"calls upstream, {label}", measured.calls, "calls", factor, "what is needed",
            **at_most(factor, LIMIT, "×"), note=f"{needed:,} needed; {note}; refused with 429: {measured.refused}"),
        Row("popularity", f"all searches, {label}", measured.seconds, "s"),
    ]


def different(names: list[str]) -> list[str]:
    """The names without those that differ only by an article, because a search treats them as one artist."""
    return list({name.casefold().removeprefix("the "): name for name in names}.values())


def wishes(names: list[str], users: int) -> list[list[str]]:
    """Twenty different artists for each user; the same ones in every run."""
    generator = random.Random(SEED)
    ranks = list(names)
    generator.shuffle(ranks)
    sums = list(itertools.accumulate(1 / rank**EXPONENT for rank in range(1, len(ranks) + 1)))
    lists = []
    for _ in range(users):
        chosen: dict[str, None] = {}
        while len(chosen) < ARTISTS_EACH:
            chosen[ranks[bisect.bisect_left(sums, generator.random() * sums[-1])]] = None
        lists.append(list(chosen))
    return lists


@dataclass
class Pass:
    calls: int
    refused: int
    # Until all searches were accepted, and until all had their answers.
    accepting: float
    seconds: float


def one_pass(
    installation: Installation, simulator: Connection, tokens: list[str], lists: list[list[str]]
) -> Pass:
    """Every user searches once, several at the same time; ends when every search has its answer."""
    began, failures = time.perf_counter(), []

    def search(share: list[tuple[str, list[str]]]) -> None:
        try:
            for token, artists in share:
                gateway = Connection(installation.address, token)
                gateway.post("/v1/concert-searches?limit=1", {"artists": artists})
                gateway.close()
        except Exception as error:  # raised below
            failures.append(error)

    wanted = list(zip(tokens, lists))
    threads = [threading.Thread(target=search, args=(wanted[n::CLIENTS],)) for n in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    accepted = time.perf_counter() - began
    wait_for_answers(installation.environment["BACKLINE_DATABASE_PATH"])
    counters = simulator.get("/_sim/counters")
    return Pass(
        counters["arrivals"], counters["spike429"] + counters["quota429"], accepted, time.perf_counter() - began)


def keep_to_the_limit(installation: Installation, simulator: Connection, workers: list[Program]) -> None:
    """Restarts the workers with the limit of the real Ticketmaster."""
    for worker in workers:
        worker.stop()
        installation.programs.remove(worker)
    simulator.post("/_sim/config", {"perSecond": TICKETMASTER_A_SECOND})
    simulator.post("/_sim/reset")
    installation.environment["BACKLINE_UPSTREAMS_TICKETMASTER_REQUESTS"] = str(TICKETMASTER_A_SECOND)
    installation.start_workers(*["concert-worker"] * WORKERS)


def wait_for_answers(path: str) -> None:
    """Reads the table: asking two thousand searches would be a load of its own."""
    deadline = time.perf_counter() + PATIENCE_SECONDS
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        while open_subjects := database.execute(
            "SELECT count(*) FROM concert_search_subjects WHERE status IS NULL").fetchone()[0]:
            if time.perf_counter() > deadline:
                raise BenchmarkError(f"{open_subjects} lookups have no answer after {PATIENCE_SECONDS} s")
            time.sleep(0.2)


def telling_one(path: str) -> float:
    """Makes a worker's changes for the answer about the most popular artist, and rolls them back."""
    with database_of(path) as database:
        key = database.execute(
            "SELECT subject_key FROM concert_search_subjects GROUP BY 1 ORDER BY count(*) DESC LIMIT 1").fetchone()[0]
        waiting = database.execute(
            "SELECT search_id, rank FROM concert_search_subjects WHERE subject_key = ?", (key,)).fetchall()
        began = time.perf_counter()
        database.executemany(
            "UPDATE concert_search_subjects SET status = 'partial', warning_code = NULL, resets_at = NULL, "
            "job_id = NULL WHERE search_id = ? AND rank = ?", [tuple(row) for row in waiting])
        database.executemany(
            "UPDATE concert_searches SET change = change + ? WHERE id = ?",
            [(number + 1_000_000, row["search_id"]) for number, row in enumerate(waiting)])
        seconds = time.perf_counter() - began
        database.rollback()
        return seconds / len(waiting)
