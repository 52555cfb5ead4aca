"""How long one person's calls take beside another who uses all that is allowed (`harness/neighbor.py`)."""

import time

from harness.client import Connection
from harness.installation import Installation
from harness.neighbor import QUEUED_JOBS, SEARCHES, STREAMS, Neighbor
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, at_most
from harness.timing import percentile, times

from . import pages
from .concerts import search, start_simulator

JOB = b'{"kind":"diagnostics.echo","payload":{"message":"mine"}}'
# The limits: how much longer than alone, for jobs at least up to `WAIT_LEAST_MS`.
WAIT_FACTOR, WAIT_LEAST_MS = 3, 30
SEARCH_SECONDS_MORE = 2
PAGE_FACTOR = 2
# Between two searches, so that the permits of one are free again before the next.
WINDOW_SECONDS = 1.2


class Noticed:
    """How long one person's calls took: jobs and pages in milliseconds, searches in seconds."""

    def __init__(self, installation: Installation, token: str, artists: list[str], requests: int, loads: int):
        connection = Connection(installation.address, token)

        def wait_for_echo() -> None:
            answer = connection.send("POST", "/v1/jobs", JOB, {"Prefer": "wait=20"})
            if b'"succeeded"' not in answer:
                raise BenchmarkError(f"The single job did not succeed: {answer!r}")

        self.waits = times(wait_for_echo, requests)
        self.searches = []
        for artist in artists:
            self.searches.append(search(connection, [artist]))
            time.sleep(WINDOW_SECONDS)
        self.page = pages.in_chromium(installation.address, token, loads)["readyMs"]
        connection.close()


def run(options: Options) -> list[Row]:
    requests, searches, loads = (100, 2, 3) if options.quick else (1_000, 5, 15)
    pages.require_chromium()
    with Installation(options.folder, has_quotas=True) as installation:
        simulator = start_simulator(installation)
        installation.start_gateway()
        installation.start_workers("concert-worker", "sync-worker")
        artists = simulator.get(f"/_sim/artists?kind=unknown&count={2 * searches}")
        mine = installation.add_user("one")
        alone = Noticed(installation, mine, artists[:searches], requests, loads)
        with Neighbor(installation.address, installation.add_user("another")) as neighbor:
            beside = Noticed(installation, mine, artists[searches:], requests, loads)
            neighbor.check()
        largest = simulator.get("/_sim/counters")["largestInOneSecond"]
        simulator.close()
    section = "neighbors"
    quiet, busy = percentile(alone.waits, 99), percentile(beside.waits, 99)
    lookup, slower = max(alone.searches), max(beside.searches)
    return [
        Row(section, "Prefer: wait p50", percentile(beside.waits, 50), "ms"),
        Row(section, "Prefer: wait p99", busy, "ms", busy / quiet, "alone",
            **at_most(busy, max(WAIT_FACTOR * quiet, WAIT_LEAST_MS), "ms"),
            note=f"beside a person with {QUEUED_JOBS:,} jobs of 1 s, {SEARCHES} searches of invented names that start "
            f"again when they end, {STREAMS} streams that reconnect at once, and an export in a loop"),
        Row(section, "a search of one artist, slowest", slower, "s", slower / lookup, "alone",
            **at_most(slower, lookup + SEARCH_SECONDS_MORE, "s")),
        Row(section, "navigation to a page, median", beside.page, "ms", beside.page / alone.page, "alone",
            **at_most(beside.page, PAGE_FACTOR * alone.page, "ms")),
        Row(section, "most calls in one second", largest, "calls", **at_most(largest, 5)),
    ]
