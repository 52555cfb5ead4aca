"""How long a large library of Apple's Music app takes to be imported, with its memory, and other people meanwhile."""

import json
import time
from pathlib import Path

from harness.client import Connection
from harness.installation import Installation
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, at_most
from harness.steady_requests import SteadyRequests
from harness.timing import percentile

SECTION = "imports"
JOB = json.dumps({"kind": "diagnostics.echo", "payload": {"message": "mine"}})
# The goals for a file of 100 MB.
SECONDS, MORE_MB, OTHERS_MS = 30, 60, 50
SONGS = 50_000
LIMIT_SECONDS = 600
# What an export has beside what is read, so that a song takes two kilobytes.
PADDING = "".join(
    f"<key>{name}</key><string>{'x' * 120}</string>" for name in (
        "Kind", "Sort Album", "Sort Artist", "Sort Name", "Sort Album Artist", "Sort Composer", "Location", "Comments"))


def run(options: Options) -> list[Row]:
    songs = SONGS // 10 if options.quick else SONGS
    with Installation(options.folder) as installation:
        gateway_process = installation.start_gateway()
        worker = installation.start_workers("sync-worker")[0]
        installation.add_user("bench")
        other = installation.add_user("other")
        gateway = installation.connect()
        file = installation.folder / "Library.xml"
        write_library(file, songs)
        # Memory that the first import of any size takes.
        finish(gateway, send(gateway, b"Title,Artist\nA,Ann\n"))
        idle = {process.name: process.peak_bytes() for process in (gateway_process, worker)}
        folder, address = installation.folder, installation.address
        with (
            SteadyRequests(folder, address, other, "GET", "/v1/jobs/summary") as reads,
            SteadyRequests(
                folder, address, other, "POST", "/v1/jobs", JOB, {"Prefer": "wait=20"}) as writes,
        ):
            began = time.monotonic()
            with file.open("rb") as content:
                made = send(gateway, content)
            sent = time.monotonic() - began
            done = finish(gateway, made)
            seconds = time.monotonic() - began
        more = {
            process.name: (process.peak_bytes() - idle[process.name]) / 1e6 for process in (gateway_process, worker)}
        size = file.stat().st_size / 1e6
        gateway.close()
    if done["counts"] != {"read": songs, "new": songs, "joined": 0, "skipped": 0}:
        raise BenchmarkError(f"The import has other counts: {done}")
    write, read = percentile(writes.milliseconds, 99), percentile(reads.milliseconds, 99)
    described = f"{size:,.0f} MB with {songs:,} songs; sent in {sent:.1f} s"
    return [
        Row(SECTION, "an import, from the first byte to the end", seconds, "s", **at_most(seconds, SECONDS, "s"),
            note=described),
        Row(SECTION, "songs a second", songs / seconds, "/s"),
        *[Row(SECTION, f"memory of {name} above idle", value, "MB", **at_most(value, MORE_MB, "MB"))
          for name, value in more.items()],
        Row(SECTION, "others' Prefer: wait meanwhile, p99", write, "ms", **at_most(write, OTHERS_MS, "ms")),
        Row(SECTION, "others' reads meanwhile, p99", read, "ms", **at_most(read, OTHERS_MS, "ms")),
    ]


def send(gateway: Connection, content, name: str = "Library.xml") -> str:
    """Sends a file; returns the id of its import."""
    return json.loads(gateway.send("POST", f"/v1/library/imports?filename={name}", content))["id"]


def finish(gateway: Connection, identifier: str) -> dict:
    end = time.monotonic() + LIMIT_SECONDS
    while (one := gateway.get(f"/v1/library/imports/{identifier}"))["state"] in ("queued", "running"):
        if time.monotonic() > end:
            raise BenchmarkError(f"The import did not end: {one['counts']}")
        time.sleep(0.1)
    if one["state"] != "complete":
        raise BenchmarkError(f"The import failed: {one['error']}")
    return one


def write_library(path: Path, songs: int) -> None:
    with path.open("w") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>Tracks</key><dict>\n')
        for number in range(1, songs + 1):
            file.write(
                f"<key>{number}</key><dict><key>Track ID</key><integer>{number}</integer>\n"
                f"<key>Name</key><string>Song {number} of the night</string>\n"
                f"<key>Artist</key><string>Artist {number % 2_500}</string>\n"
                f"<key>Album</key><string>Album {number // 12}</string><key>Genre</key><string>Rock</string>\n"
                f"<key>Total Time</key><integer>{120_000 + number * 37 % 200_000}</integer>\n"
                f"<key>Track Number</key><integer>{number % 12 + 1}</integer><key>Year</key><integer>2004</integer>\n"
                f"<key>Date Added</key><date>2019-05-01T12:00:00Z</date><key>Play Count</key><integer>3</integer>\n"
                f"<key>Persistent ID</key><string>{number:016X}</string>\n{PADDING}</dict>\n")
        file.write("</dict><key>Playlists</key><array><dict><key>Name</key><string>All</string>\n"
                   "<key>Playlist Persistent ID</key><string>AB</string><key>Playlist Items</key><array>\n")
        for number in range(1, songs + 1):
            file.write(f"<dict><key>Track ID</key><integer>{number}</integer></dict>\n")
        file.write("</array></dict></array></dict></plist>\n")
