"""Concert lookups against the simulator at the pace of the real Ticketmaster: 5 calls a second, 80 ms each."""

import time

from harness.client import Connection
from harness.installation import Installation
from harness.options import Options
from harness.prefill import database_of
from harness.processes import BenchmarkError
from harness.report import Row, at_most

ARTISTS = 20
LATENCY_MS = 80
REQUESTS_PER_SECOND = 5
DAILY_QUOTA = 5_000
KEY = "demo-key"
# Twenty calls under five a second: the first five leave at once, and four windows of a second
# each, less what overlaps, are left. docs/permits.md has the arithmetic.
RULE_SECONDS = 3.3
STALE_HOURS = 7


def run(options: Options) -> list[Row]:
    rows = []
    for workers in (1, 3):
        rows += with_workers(workers, options, further=workers == 1)
    return rows


def with_workers(workers: int, options: Options, further: bool) -> list[Row]:
    """Unknown artists with so many workers; with `further`, the same artists known and fresh afterwards."""
    section = "concerts"
    label = f"{workers} worker{'s' if workers > 1 else ''}"
    with Installation(options.folder) as installation:
        simulator = start_simulator(installation)
        installation.start_gateway()
        installation.start_workers(*["concert-worker"] * workers)
        installation.add_user("bench")
        gateway = installation.connect()
        artists = simulator.get(f"/_sim/artists?kind=unknown&count={ARTISTS}")
        seconds = search(gateway, artists)
        counters = simulator.get("/_sim/counters")
        calls, largest = counters["arrivals"], counters["largestInOneSecond"]
        refusals = counters["spike429"] + counters["quota429"]
        rows = [
            Row(section, f"{ARTISTS} unknown artists, {label}", seconds, "s", seconds / RULE_SECONDS,
                "what the permits allow", **at_most(seconds, 3.9, "s")),
            Row(section, f"their upstream calls, {label}", calls, "calls", **at_most(calls, ARTISTS)),
            Row(section, f"most calls in one second, {label}", largest, "calls", **at_most(largest, 5)),
            Row(section, f"refused with 429, {label}", refusals, "calls", **at_most(refusals, 0)),
        ]
        if further:
            make_stale(installation)
            simulator.post("/_sim/reset")
            # The window of the first search is over before the next one is measured.
            time.sleep(1.2)
            seconds = search(gateway, artists)
            calls = simulator.get("/_sim/counters")["arrivals"]
            rows += [
                Row(section, "the same, known attractions", seconds, "s"),
                Row(section, "their upstream calls", calls, "calls", **at_most(calls, 2)),
            ]
            simulator.post("/_sim/reset")
            times = sorted(search(gateway, artists) for _ in range(5 if options.quick else 50))
            milliseconds = times[len(times) // 2] * 1_000
            calls = simulator.get("/_sim/counters")["arrivals"]
            rows += [
                Row(section, "the same, fresh, p50", milliseconds, "ms", **at_most(milliseconds, 50, "ms")),
                Row(section, "their upstream calls, fresh", calls, "calls", **at_most(calls, 0)),
            ]
        gateway.close()
        simulator.close()
        return rows


def start_simulator(
    installation: Installation, requests_per_second: int = REQUESTS_PER_SECOND, daily_quota: int = DAILY_QUOTA
) -> Connection:
    program = installation.start("upstream-sim", [
        "--latency-ms", str(LATENCY_MS), "--requests-per-second", str(requests_per_second),
        "--daily-quota", str(daily_quota), "--api-key", KEY])
    address = program.wait_for("listening on").split()[-1]
    installation.environment["BACKLINE_UPSTREAMS_TICKETMASTER_BASE_URL"] = f"{address}/discovery/v2"
    installation.environment["BACKLINE_TICKETMASTER_API_KEY"] = KEY
    return Connection(address)


def search(gateway: Connection, artists: list[str]) -> float:
    """Searches; returns the seconds until the search is complete."""
    began = time.perf_counter()
    identifier = gateway.post("/v1/concert-searches", {"artists": artists, "homeCity": "Prague"})["id"]
    while True:
        answer = gateway.get(f"/v1/concert-searches/{identifier}?limit=1")
        if answer["state"] == "complete":
            return time.perf_counter() - began
        if answer["state"] != "running" or time.perf_counter() - began > 60:
            raise BenchmarkError(f"The search did not complete: {answer}")
        time.sleep(0.005)


def make_stale(installation: Installation) -> None:
    """Makes all that was looked up old, so that it is looked up again with the attractions known."""
    with database_of(installation.environment["BACKLINE_DATABASE_PATH"]) as database:
        database.execute("UPDATE concert_subjects SET checked_at = checked_at - ?", (STALE_HOURS * 3_600_000_000,))
