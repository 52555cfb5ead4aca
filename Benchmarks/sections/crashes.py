"""Workers that are killed again and again in short order, and how long what they held takes from the last time on."""

import time

from harness.client import Connection
from harness.installation import Installation
from harness.load import batch_body
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, at_most, rounds

WORKERS = 3
PLACES = 16
KILLS = 11
SECONDS_OF_KILLS = 14
LIMIT_SECONDS = 60
PATIENCE_SECONDS = 300


def run(options: Options) -> list[Row]:
    jobs, milliseconds, count = (100, 1_500, 1) if options.quick else (200, 3_000, 2)
    measured = [one_round(jobs, milliseconds, options) for _ in range(count)]
    ended = rounds(seconds for _, seconds in measured)
    kills = rounds(seconds for seconds, _ in measured)
    return [
        Row("crashes", "from the last kill to the end of all jobs", unit="s", **ended,
            **at_most(ended["high"], LIMIT_SECONDS, "s"),
            note=f"{jobs} jobs of {milliseconds / 1_000:g} s; {WORKERS} workers with {PLACES} places, each started "
            "again at once; every job succeeded; the target is for the longest of all rounds"),
        Row("crashes", f"{KILLS} kills together", unit="s", **kills),
    ]


def one_round(jobs: int, milliseconds: int, options: Options) -> tuple[float, float]:
    """The seconds from the first kill to the last, and from that to the end of all jobs."""
    with Installation(options.folder, {"BACKLINE_WORKER_CONCURRENCY": str(PLACES)}) as installation:
        installation.start_gateway()
        workers = installation.start_workers(*["concert-worker"] * WORKERS)
        installation.add_user("bench")
        connection = installation.connect()
        connection.send("POST", "/v1/jobs/batch", batch_body(0, jobs, sleepMs=milliseconds), expected=(202,))
        first = last = time.monotonic()
        for number in range(KILLS):
            # The kills are spread evenly, and jobs run at each.
            time.sleep(max(0.0, first + number * SECONDS_OF_KILLS / (KILLS - 1) - time.monotonic()))
            wait_for(connection, f"a job that runs before kill {number + 1}", lambda counts: counts["running"] > 0)
            index = number % WORKERS
            last = time.monotonic()
            workers[index].kill()
            workers[index] = installation.start("concert-worker", name=f"concert-worker-{len(installation.programs)}")
        wait_for(
            connection, "the end of all jobs",
            lambda counts: counts["scheduled"] + counts["queued"] + counts["running"] == 0)
        seconds = time.monotonic() - last
        counts = connection.get("/v1/jobs/summary")
        connection.close()
    if counts["succeeded"] != jobs:
        raise BenchmarkError(f"Not all of {jobs} jobs succeeded: {counts}")
    return last - first, seconds


def wait_for(connection: Connection, what: str, is_reached) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_reached(connection.get("/v1/jobs/summary")):
        if time.monotonic() > deadline:
            raise BenchmarkError(f"Waited {PATIENCE_SECONDS} s in vain for {what}")
        time.sleep(0.02)
