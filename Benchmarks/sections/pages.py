"""The pages in headless Chromium: what a first visit loads, when it is ready, and scrolling a thousand shows."""

import json
import subprocess

from harness.installation import Installation
from harness.options import Options
from harness.processes import REPOSITORY, BenchmarkError
from harness.report import Row, at_most

from .concerts import start_simulator

# Where scripts/test-pages puts Playwright.
PYTHON = REPOSITORY / ".build" / "browser-venv" / "bin" / "python"
PROGRAM = REPOSITORY / "Benchmarks" / "page_load.py"
# More requests than Ticketmaster allows: what is measured is the browser, not the wait for permits.
REQUESTS = 1_000
TIMEOUT_SECONDS = 300


def run(options: Options) -> list[Row]:
    require_chromium()
    with Installation(options.folder, {"BACKLINE_UPSTREAMS_TICKETMASTER_REQUESTS": str(REQUESTS)}) as installation:
        simulator = start_simulator(installation, requests_per_second=REQUESTS)
        installation.start_gateway()
        installation.start_workers("concert-worker")
        token = installation.add_user("bench")
        gateway = installation.connect()
        artists = simulator.get("/_sim/artists?kind=tireless&count=20")
        search = gateway.post("/v1/concert-searches?limit=1", {"artists": artists}, {"Prefer": "wait=30"})
        if search["state"] != "complete":
            raise BenchmarkError(f"The search of {len(artists)} artists is {search['state']}: {search['warnings']}")
        measured = in_chromium(installation.address, token, 3 if options.quick else 15, search["id"])
    kilobytes, ready = measured["bytes"] / 1_000, measured["readyMs"]
    shows = measured["thousand"]["shows"]
    scrolling, loading = measured["thousand"]["scrolling"], measured["thousand"]["loading"]
    # Chromium tells only of tasks over 50 ms: 0 is "none of those".
    return [
        Row("pages", "first load", kilobytes, "kB", **at_most(kilobytes, 150, "kB")),
        Row("pages", "first load, over the network", measured["transferred"] / 1_000, "kB"),
        Row("pages", "first load, requests", measured["requests"], "requests"),
        Row("pages", "navigation to ready, median", ready, "ms", **at_most(ready, 300, "ms")),
        Row("pages", "navigation to ready, slowest", measured["slowestReadyMs"], "ms"),
        Row("pages", f"longest task scrolling {shows:,} shows", scrolling, "ms", **at_most(scrolling, 50, "ms")),
        Row("pages", "longest task showing 50 more of them", loading, "ms"),
    ]


def require_chromium() -> None:
    if not PYTHON.exists():
        raise BenchmarkError("the pages need Chromium and Playwright: run scripts/test-pages once")


def in_chromium(address: str, token: str, loads: int, search: str | None = None) -> dict:
    """So many first visits; with a search, also scrolling through a thousand of its shows."""
    result = subprocess.run(
        [PYTHON, "-B", PROGRAM, address, token, str(loads), *([search] if search else [])],
        capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    if result.returncode != 0:
        raise BenchmarkError(f"measuring in Chromium failed:\n{result.stderr[-2_000:]}")
    return json.loads(result.stdout)
