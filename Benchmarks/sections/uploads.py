"""Damaged pictures that somebody uploads, one after the other, and what reading them takes."""

import collections
import json
import random
import time
from pathlib import Path

from harness.client import Connection, signed_in
from harness.helper_runs import helper_runs
from harness.installation import Installation
from harness.options import Options
from harness.picture_files import PictureFile, damaged, files
from harness.processes import BenchmarkError, product
from harness.report import Row, at_most, number
from harness.timing import percentile

SECTION = "uploads"
FILES = 2_000
# At most four million pixels.
SIZES = ((16, 16), (64, 48), (300, 200), (640, 480), (1_200, 900), (2_000, 2_000))
# As many as a picture may have.
LARGEST = (5_000, 4_000)
MOST_BYTES = 5 << 20
P99_MS, LONGEST_MS, MEMORY_MB = 300, 10_000, 256
# Read, or refused for what it is: anything else is an error.
ANSWERS = (200, 415, 422)


def run(options: Options) -> list[Row]:
    count = 100 if options.quick else FILES
    chance = random.Random(39)
    sound = [file for size in SIZES for file in files(*size) if len(file.content) <= MOST_BYTES]
    some = [damaged(chance.choice(sound), chance) for _ in range(count)]
    with Installation(options.folder) as installation:
        gateway = installation.start_gateway()
        worker, = installation.start_workers("sync-worker")
        installation.add_user("bench")
        connection = Connection(installation.address)
        for file in sound[:10]:
            upload(connection, installation.token, file)
        uploaded = [upload(connection, installation.token, file) for file in some]
        if not gateway.is_running or not worker.is_running:
            raise BenchmarkError("the gateway or the worker has ended")
        connection.send("GET", "/healthz")
        connection.close()
        helper = product("picture-helper")
        folder = installation.folder / "pictures"
        folder.mkdir()
        runs = helper_runs(helper, stored(some, folder))
        large = [file for file in files(*LARGEST) if len(file.content) <= MOST_BYTES]
        large_runs = helper_runs(helper, stored(large, folder))
    milliseconds = [value for _, value in uploaded]
    answers = collections.Counter(status for status, _ in uploaded)
    worst, slowest = percentile(milliseconds, 99), max([*milliseconds, *(run.seconds * 1_000 for run in large_runs)])
    memory = max(run.peak_bytes for run in [*runs, *large_runs]) / 2**20
    ended = sum(run.status < 0 for run in runs)
    described = ", ".join(f"{times:,} with {status}" for status, times in sorted(answers.items()))
    if any(run.status != 0 for run in large_runs):
        raise BenchmarkError(f"picture-helper refused a sound picture: {[run.status for run in large_runs]}")
    return [
        Row(SECTION, "PUT /v1/me/picture with damaged files, p99", worst, "ms", **at_most(worst, P99_MS, "ms"),
            note=f"{count:,} files made of {len(sound)} pictures of up to four million pixels, one after the other; "
            f"p50 {number(percentile(milliseconds, 50))} ms; answered: {described}; ended by the kernel: {ended}"),
        Row(SECTION, "the longest, also of pictures with 20 million pixels", slowest, "ms",
            **at_most(slowest, LONGEST_MS, "ms"),
            note=f"{len(large)} sound pictures of {LARGEST[0]:,} × {LARGEST[1]:,} pixels in "
            f"{number(max(run.seconds for run in large_runs))} s at most"),
        Row(SECTION, "picture-helper: resident, the most", memory, "MiB", **at_most(memory, MEMORY_MB, "MiB"),
            note="of all these files; of those of up to four million pixels "
            f"{number(max(run.peak_bytes for run in runs) / 2**20)} MiB"),
    ]


def upload(connection: Connection, token: str, file: PictureFile) -> tuple[int, float]:
    """The status of the answer, and the time in milliseconds."""
    began = time.perf_counter()
    answer = connection.send(
        "PUT", "/v1/me/picture", file.content, {**signed_in(token), "Content-Type": file.media_type}, ANSWERS)
    milliseconds = (time.perf_counter() - began) * 1_000
    return json.loads(answer).get("status", 200), milliseconds


def stored(some: list[PictureFile], folder: Path) -> list[Path]:
    paths = []
    for index, file in enumerate(some):
        paths.append(folder / f"{index}.picture")
        paths[-1].write_bytes(file.content)
    return paths
