"""Listens: how fast programs can send them, how long a large history takes to be imported, and its stats."""

import datetime
import json
import random
import threading
import time
from pathlib import Path

from harness.client import Connection
from harness.installation import Installation
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, at_least, at_most
from harness.timing import percentile, times
from sections.imports import finish, send
from sections.library_lists import size_of

SECTION = "listening"
LISTENS = 500_000
IMPORT_SECONDS, MORE_MB, LISTEN_BYTES = 60, 100, 300
SINGLES, BATCHED = 2_000, 10_000
NAMED_MS, FREE_MS = 15, 60
CONNECTIONS, BATCH = 32, 1_000
PERIODS = ("week", "month", "year", "all")
DAY = 86_400
FILE = "Streaming_History_Audio.json"
# The plays of an evening, and the seconds from one to the next.
EVENING, APART = 140, 250


def run(options: Options) -> list[Row]:
    return [*submissions(options), *history(options)]


# Programs that send listens


def submissions(options: Options) -> list[Row]:
    """Single listens over 32 connections, and a thousand in a request over four; each is durable before its answer."""
    seconds, batches = (2, 5) if options.quick else (8, 25)
    with Installation(options.folder) as installation:
        installation.start_gateway()
        # A person each: what one may send in ten seconds is limited.
        people = [Person(installation, f"bench-{number}") for number in range(4)]
        tokens, address = [person.token for person in people], installation.address
        singles = Submitters(address, tokens, CONNECTIONS, "single", 1).run(until=seconds)
        batched = Submitters(address, tokens, 4, "import", BATCH).run(count=batches)
        told = sum(person.listens() for person in people)
    if told != singles.listens + batched.listens:
        raise BenchmarkError(f"{singles.listens + batched.listens} listens were accepted, and there are {told}")
    return [
        Row(SECTION, f"submit-listens with one listen, {CONNECTIONS} connections", singles.rate, "/s",
            **at_least(singles.rate, SINGLES, "/s")),
        Row(SECTION, "the same, p99", percentile(singles.milliseconds, 99), "ms"),
        Row(SECTION, f"listens in bodies of {BATCH:,}, 4 connections", batched.rate, "/s",
            **at_least(batched.rate, BATCHED, "/s")),
    ]


class Person:
    """Somebody with a token for listens."""

    def __init__(self, installation: Installation, name: str):
        installation.add_user(name)
        self._gateway = installation.connect()
        self.token = json.loads(self._gateway.send("POST", "/v1/me/tokens", json.dumps({
            "name": "bench", "scope": "listening"}).encode(), expected=(201,)))["token"]

    def listens(self) -> int:
        total = self._gateway.get("/v1/listening/listens?limit=1")["total"]
        self._gateway.close()
        return total


class Submitters:
    """Connections that send listens one request after the other."""

    def __init__(self, address: str, tokens: list[str], connections: int, kind: str, size: int):
        self._address, self._tokens, self._connections = address, tokens, connections
        self._kind, self._size = kind, size
        self.milliseconds: list[float] = []
        self.listens = 0
        self.rate = 0.0
        self._failures: list[Exception] = []

    def run(self, until: float = float("inf"), count: int | None = None) -> "Submitters":
        """Sends for so many seconds, or so many bodies by each connection."""
        threads = [
            threading.Thread(target=self._send, args=(number, until, count), daemon=True)
            for number in range(self._connections)]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self._failures:
            raise self._failures[0]
        self.listens = len(self.milliseconds) * self._size
        self.rate = self.listens / (time.perf_counter() - began)
        return self

    def _send(self, number: int, until: float, count: int | None) -> None:
        connection = Connection(self._address, self._tokens[number % len(self._tokens)])
        # Each connection has years of its own, in which no play is near another.
        first = 1_100_000_000 + number * 2_000_000 if self._size == 1 else 1_200_000_000 + number * 20_000_000
        end = time.perf_counter() + until
        sent = 0
        try:
            while time.perf_counter() < end and (count is None or sent < count):
                body = self._body(first + sent * self._size * 200)
                began = time.perf_counter()
                connection.send("POST", "/1/submit-listens", body)
                self.milliseconds.append((time.perf_counter() - began) * 1_000)
                sent += 1
        except Exception as error:  # raised by the thread that waits
            self._failures.append(error)
        finally:
            connection.close()

    def _body(self, first: int) -> bytes:
        listens = [{
            "listened_at": first + number * 200,
            "track_metadata": {
                "artist_name": f"Artist {(first + number) % 900}", "track_name": f"Song {(first // 200 + number) % 7_000}",
                "release_name": "Album", "additional_info": {"duration_ms": 181_000, "submission_client": "bench"}},
        } for number in range(self._size)]
        return json.dumps({"listen_type": self._kind, "payload": listens}, separators=(",", ":")).encode()


# A history of years


def history(options: Options) -> list[Row]:
    """An import of Spotify's extended history, and the stats of it."""
    count, asked = (LISTENS // 10, 60) if options.quick else (LISTENS, 400)
    with Installation(options.folder) as installation:
        path = installation.environment["BACKLINE_DATABASE_PATH"]
        gateway_process = installation.start_gateway()
        worker = installation.start_workers("sync-worker")[0]
        installation.add_user("bench")
        gateway = installation.connect()
        # Memory that the first import of any size takes.
        finish(gateway, send(gateway, json.dumps([play(beginning(count) - DAY, 1)]).encode(), FILE))
        idle = {process.name: process.peak_bytes() for process in (gateway_process, worker)}
        file = installation.folder / FILE
        write_history(file, count)
        size = file.stat().st_size
        empty = Path(path).stat().st_size
        began = time.monotonic()
        with file.open("rb") as content:
            made = send(gateway, content, FILE)
        sent = time.monotonic() - began
        done = finish(gateway, made)
        seconds = time.monotonic() - began
        more = {
            process.name: (process.peak_bytes() - idle[process.name]) / 1e6 for process in (gateway_process, worker)}
        if done["counts"]["new"] != count:
            raise BenchmarkError(f"The import has other counts: {done}")
        first = times(lambda: gateway.get("/v1/listening/stats?period=all"), 1)[0]
        named = {
            period: percentile(times(lambda: gateway.get(f"/v1/listening/stats?period={period}"), asked), 99)
            for period in PERIODS}
        ranges = free_ranges(count)
        free = percentile(times(lambda: gateway.get(next(ranges)), asked), 99)
        grown = gateway_process.peak_bytes() / 1e6
        gateway.close()
        installation.stop_programs()
        listen_bytes = (size_of(path) - empty) / count
    return [
        Row(SECTION, "an import of Spotify's history, from the first byte to the end", seconds, "s",
            **at_most(seconds, IMPORT_SECONDS, "s"),
            note=f"{count:,} plays in {size / 1e6:,.0f} MB; sent in {sent:.1f} s"),
        Row(SECTION, "listens a second", count / seconds, "/s"),
        *[Row(SECTION, f"memory of {name} above idle", value, "MB", **at_most(value, MORE_MB, "MB"))
          for name, value in more.items()],
        Row(SECTION, "bytes of a listen, with its observation and indexes", listen_bytes, "bytes",
            **at_most(listen_bytes, LISTEN_BYTES, "bytes")),
        Row(SECTION, "stats of all listens, asked for the first time", first, "ms"),
        *[Row(SECTION, f"stats of a named period ({period}), p99", value, "ms", **at_most(value, NAMED_MS, "ms"))
          for period, value in named.items()],
        Row(SECTION, "stats of a free range, p99", free, "ms", **at_most(free, FREE_MS, "ms")),
        Row(SECTION, "memory of the gateway afterwards", grown, "MB"),
    ]


def play(seconds: float, number: int) -> dict:
    ended = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return {
        "ts": ended.strftime("%Y-%m-%dT%H:%M:%SZ"), "platform": "linux", "ms_played": 150_000 + number * 7 % 90_000,
        "conn_country": "AT", "ip_addr": "192.0.2.1", "master_metadata_track_name": f"Song {number} of the night",
        "master_metadata_album_artist_name": f"Artist {number % 4_000}",
        "master_metadata_album_album_name": f"Album {number // 12}", "spotify_track_uri": f"spotify:track:{number:022}",
        "episode_name": None, "reason_start": "trackdone", "reason_end": "trackdone", "shuffle": False,
        "skipped": False, "offline": False, "offline_timestamp": None, "incognito_mode": False}


def beginning(count: int) -> float:
    """The first moment of a history that ends yesterday."""
    return (time.time() // DAY - count // EVENING - 1) * DAY


def write_history(path: Path, count: int) -> None:
    """Years of evenings. Most plays are of few songs, as people's are."""
    generator = random.Random(19)
    began = beginning(count)
    with path.open("w") as file:
        file.write("[")
        for index in range(count):
            seconds = began + index // EVENING * DAY + index % EVENING * APART
            number = int(80_000 * generator.random() ** 3)
            file.write((",\n" if index else "") + json.dumps(play(seconds, number), separators=(",", ":")))
        file.write("]")


def free_ranges(count: int):
    """Addresses of ranges of days that nobody has asked for before."""
    generator = random.Random(7)
    days = count // EVENING
    first = datetime.date.fromtimestamp(beginning(count) + DAY / 2)
    while True:
        start = generator.randrange(days - 1)
        end = start + generator.randrange(1, days - start)
        yield (f"/v1/listening/stats?from={first + datetime.timedelta(days=start)}"
               f"&to={first + datetime.timedelta(days=end)}")
