"""The simulated Spotify and Apple Music with libraries of any size, and a person's connection and syncs with them."""

import contextlib
import http.client
import sqlite3
import time
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode, urlsplit

from .client import Connection
from .installation import Installation
from .prefill import database_of
from .processes import BenchmarkError, Program, product

# More than a sync asks for, one request after the other: the simulator and the machine are the limit then. Not the most
# that the configuration allows, since each permit looks at all slots of its key.
RAISED_LIMITS = {
    f"BACKLINE_UPSTREAMS_{service}_{name}": value
    for service in ("SPOTIFY", "APPLE_MUSIC") for name, value in (("REQUESTS", "128"), ("WINDOW_MS", "100"))}
# The simulator's app and people.
CLIENT_ID = "demo-spotify-client"
# What tracks have in common between the two libraries.
OVERLAP = 0.6
LONGEST_SYNC_SECONDS = 3_600


@dataclass(frozen=True)
class Sync:
    """A sync that has ended; moments in seconds since 1970."""

    started: float
    # When each source was read to its end, by its name.
    read: dict[str, float]
    finished: float
    # Tracks that were merged into others after the sources had been read.
    merged: int

    @property
    def reading_seconds(self) -> float:
        return max(self.read.values()) - self.started

    @property
    def merging_seconds(self) -> float:
        return self.finished - max(self.read.values())

    @property
    def seconds(self) -> float:
        return self.finished - self.started


class MusicServices:
    """The simulator for one installation, which it outlives: whoever stops the programs keeps the libraries."""

    def __init__(self, installation: Installation, latency_ms: int, recordings: int, has_limits: bool):
        self._installation = installation
        command = [product("upstream-sim"), "--latency-ms", str(latency_ms), "--recordings", str(recordings)]
        self._program = Program("upstream-sim", command, installation.folder)
        try:
            address = self._program.wait_for("listening on").split()[-1]
            self.control = Connection(address)
            if not has_limits:
                self.control.post("/_sim/spotify/config", {"requestsPerWindow": 0})
        except BaseException:
            self._program.stop()
            raise
        installation.environment |= {
            "BACKLINE_UPSTREAMS_SPOTIFY_BASE_URL": f"{address}/spotify/v1",
            "BACKLINE_UPSTREAMS_SPOTIFY_ACCOUNTS_BASE_URL": f"{address}/spotify-accounts",
            "BACKLINE_UPSTREAMS_APPLE_MUSIC_BASE_URL": f"{address}/apple-music/v1",
            "BACKLINE_SPOTIFY_CLIENT_ID": CLIENT_ID,
            # No sync begins by itself.
            "BACKLINE_LIBRARY_SYNC_HOURS": "0",
        }

    def __enter__(self) -> "MusicServices":
        return self

    def __exit__(self, *_) -> None:
        self.control.close()
        self._program.stop()

    def fill(self, tracks: int, **more: int) -> None:
        """Gives the person so many tracks at each service; six tenths of them are the same recordings."""
        # One seed orders the recordings, and so the parts overlap where their positions do.
        first = tracks - round(tracks * OVERLAP)
        self.control.post("/_sim/apple-music/library", {"tracks": tracks, "first": first, **more})
        self.control.post("/_sim/spotify/library", {"tracks": tracks, "first": 0, **more})

    def connect(self, gateway: Connection) -> None:
        """Connects both services, with empty libraries, and forgets what the syncs that this begins have noted.

        So the next sync is a person's first one, and begins when it is asked for.
        """
        self.fill(0)
        key = self.control.send("GET", "/_sim/apple-music/key")
        gateway.send("PUT", "/v1/setup/apple-music", key)
        link = gateway.post("/v1/setup/spotify/authorize", {})["authorizeURL"]
        gateway.post("/v1/setup/spotify/callback", consent(link))
        wait_for_sync(gateway)
        wait_for_rest(gateway)
        forget_libraries(self._installation.environment["BACKLINE_DATABASE_PATH"])

    def calls(self, service: str) -> int:
        """Requests of a service's Web API so far, without those of its accounts."""
        counters = self.control.get(f"/_sim/{service}/counters")
        return sum(count["arrivals"] for name, count in counters.items() if f" /{service}/" in name)

    def refusals(self, service: str) -> int:
        """Requests that were answered with 429 so far."""
        counters = self.control.get(f"/_sim/{service}/counters")
        return sum(count["statuses"].get("429", 0) for count in counters.values())


def consent(link: str) -> dict[str, str]:
    """Presses the button of the simulated consent page; returns the code and the state of its redirect."""
    parts = urlsplit(link)
    browser = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    try:
        browser.request(
            "POST", f"{parts.path}?{parts.query}", body=urlencode({"decision": "allow"}),
            headers={"Content-Type": "application/x-www-form-urlencoded"})
        answer = browser.getresponse()
        answer.read()
        back = parse_qs(urlsplit(answer.getheader("Location", "")).query)
    finally:
        browser.close()
    if "code" not in back or "state" not in back:
        raise BenchmarkError(f"the simulated consent page answered with {answer.status}, without a code")
    return {"code": back["code"][0], "state": back["state"][0]}


def forget_libraries(path: str) -> None:
    """Deletes all rows of libraries, as if nobody had asked for a sync yet. Services stay connected."""
    with database_of(path) as database:
        for table in library_tables(database):
            # Keys are never given again.
            if table != "library_keys":
                database.execute(f"DELETE FROM {table}")


def library_tables(database: sqlite3.Connection) -> list[str]:
    return [name for (name,) in database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND (name = 'libraries' OR name LIKE 'library\\_%' "
        "ESCAPE '\\') ORDER BY name")]


def sync(gateway: Connection, path: str, source: str | None = None) -> Sync:
    """Asks for a sync of all sources or of one, and waits for its end."""
    wanted = {"source": source} if source else {"force": True}
    identifier = gateway.post("/v1/library/syncs", wanted)["id"]
    ended = wait_for_sync(gateway)
    if ended["id"] != identifier or ended["state"] != "complete":
        raise BenchmarkError(f"the sync {identifier} is not complete: {ended}")
    return times_of(path, identifier)


def times_of(path: str, identifier: str) -> Sync:
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        started, finished, merged = database.execute(
            "SELECT started_at, finished_at, merged FROM library_syncs WHERE id = ?", (identifier,)).fetchone()
        names = {1: "appleMusic", 2: "spotify"}
        read = {
            names[number]: at / 1e6
            for number, at in database.execute(
                "SELECT source, finished_at FROM library_sync_sources WHERE sync_id = ? ORDER BY source",
                (identifier,))}
    return Sync(started / 1e6, read, finished / 1e6, merged)


def wait_for_sync(gateway: Connection) -> dict:
    """The sync asked for last, at its end."""
    deadline = time.monotonic() + LONGEST_SYNC_SECONDS
    while True:
        latest = gateway.get("/v1/library/syncs/latest")
        if latest["state"] not in ("queued", "running"):
            return latest
        if time.monotonic() > deadline:
            raise BenchmarkError(f"the sync has not ended after {LONGEST_SYNC_SECONDS} s: {latest}")
        time.sleep(0.2)


def wait_for_rest(gateway: Connection) -> None:
    """Returns when the person has no unfinished job: each service that was connected has a sync of its own."""
    deadline = time.monotonic() + 60
    while True:
        counts = gateway.get("/v1/jobs/summary")
        if counts["scheduled"] + counts["queued"] + counts["running"] == 0:
            return
        if time.monotonic() > deadline:
            raise BenchmarkError(f"the syncs after connecting have not ended: {counts}")
        time.sleep(0.1)
