"""The pages of a library of 100,000 tracks in headless Chromium: scrolling its list, and ways between its pages."""

import json
import subprocess

from harness.installation import Installation
from harness.music import OVERLAP, RAISED_LIMITS, MusicServices, sync
from harness.options import Options
from harness.processes import REPOSITORY, BenchmarkError
from harness.report import Row, at_most
from harness.timing import percentile

from .pages import PYTHON, require_chromium

SECTION = "library-pages"
PROGRAM = REPOSITORY / "Benchmarks" / "library_pages.py"
RECORDINGS = 250_000
FRAME_MS, NAVIGATION_MS, MOST_ROWS = 50, 300, 300
# Until rows are shown over a link with 60 ms of latency.
FIRST_VISIT_MS, NEXT_VISIT_MS = 1_300, 700
TIMEOUT_SECONDS = 600


def run(options: Options) -> list[Row]:
    require_chromium()
    tracks = 10_000 if options.quick else 100_000
    with (
        Installation(options.folder, RAISED_LIMITS) as installation,
        MusicServices(installation, 0, RECORDINGS, has_limits=False) as services,
    ):
        installation.start_gateway()
        installation.start_workers("sync-worker")
        token = installation.add_user("bench")
        gateway = installation.connect()
        services.connect(gateway)
        gateway.close()
        # So that no sync that the connections began reads a part of what follows.
        installation.stop_programs()
        services.fill(round(tracks / (2 - OVERLAP)), playlists=20, entries=200, albums=500)
        installation.start_gateway()
        installation.start_workers("sync-worker")
        gateway = installation.connect()
        sync(gateway, installation.environment["BACKLINE_DATABASE_PATH"])
        total = gateway.get("/v1/library/summary")["tracks"]["all"]
        gateway.close()
        measured = in_chromium(installation.address, token, 2 if options.quick else 5)
    rows = [
        Row(SECTION, "tracks of the library", total, "tracks"),
        frames("wheel", measured["wheel"]), frames("drag of the scrollbar", measured["drag"]),
        Row(SECTION, "most rows in the page", measured["rows"], "rows", **at_most(measured["rows"], MOST_ROWS)),
    ]
    for name, milliseconds in measured["navigations"].items():
        rows.append(Row(SECTION, f"from a click to {name}, median", milliseconds, "ms",
                        **at_most(milliseconds, NAVIGATION_MS, "ms")))
    for name, key, most in (("first", "firstVisit", FIRST_VISIT_MS), ("next", "nextVisit", NEXT_VISIT_MS)):
        rows.append(Row(SECTION, f"{name} visit over a link of 60 ms, median", measured[key], "ms",
                        **at_most(measured[key], most, "ms")))
    return rows


def frames(name: str, values: list[float]) -> Row:
    worst = percentile(values, 99)
    return Row(SECTION, f"frame while scrolling by {name}, p99", worst, "ms", **at_most(worst, FRAME_MS, "ms"),
               note=f"{len(values):,} frames, p50 {percentile(values, 50):.0f} ms, the longest {max(values):.0f} ms")


def in_chromium(address: str, token: str, rounds: int) -> dict:
    result = subprocess.run(
        [PYTHON, "-B", PROGRAM, address, token, str(rounds)],
        capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    if result.returncode != 0:
        raise BenchmarkError(f"measuring in Chromium failed:\n{result.stderr[-2_000:]}")
    return json.loads(result.stdout)
