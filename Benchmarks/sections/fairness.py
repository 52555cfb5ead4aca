"""One user's five thousand jobs of 20 ms, sixteen at once, and what they cost another user's single job."""

import time

from harness.client import Connection
from harness.installation import Installation
from harness.load import BATCH, batch_body
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, at_most, rounds
from harness.timing import percentile

AT_ONCE = 16
# Three quarters of a worker's places are for jobs that are not interactive, all but one of which may be one person's.
PLACES = 23
JOB_MS = 20
SINGLE = b'{"kind":"diagnostics.echo","payload":{"message":"mine"}}'
# The pause between two single jobs, so that they start in every phase of the other user's work.
PAUSE_SECONDS = 0.013
IDLE_REQUESTS = 50
LIMIT_MS = 100


def run(options: Options) -> list[Row]:
    jobs, count = (1_000, 1) if options.quick else (5_000, 3)
    measured = [one_round(jobs, options) for _ in range(count)]
    worst = rounds(max(delays) for delays, _ in measured)
    ideal = jobs * JOB_MS / AT_ONCE / 1_000
    return [
        Row("fairness", "longest delay of the single job", unit="ms", **worst, **at_most(worst["high"], LIMIT_MS, "ms"),
            note=f"the other's {jobs:,} jobs of {JOB_MS} ms, {AT_ONCE} at once in one worker, which had run short jobs "
            f"before; a delay is what exceeds the median on the idle system; "
            f"{sum(len(delays) for delays, _ in measured)} single jobs; the target is for the longest of all rounds"),
        Row("fairness", "delay, p50", unit="ms", **rounds(percentile(delays, 50) for delays, _ in measured)),
        Row("fairness", "the other's jobs together", unit="s", **rounds(seconds for _, seconds in measured),
            ratio=rounds(seconds for _, seconds in measured)["value"] / ideal, ratio_to="what their sleeping takes"),
    ]


def one_round(jobs: int, options: Options) -> tuple[list[float], float]:
    """The delays of the single jobs, in milliseconds, and the seconds of the other user's."""
    with Installation(options.folder, {"BACKLINE_WORKER_CONCURRENCY": str(PLACES)}) as installation:
        installation.start_gateway()
        installation.start_workers("sync-worker")
        installation.add_user("one")
        single = installation.connect()
        idle = percentile([wait_for(single) for _ in range(IDLE_REQUESTS)], 50)
        installation.add_user("many")
        many = installation.connect()
        bodies = [
            batch_body(first, min(BATCH, jobs - first), sleepMs=JOB_MS) for first in range(0, jobs, BATCH)]
        began = time.perf_counter()
        for body in bodies:
            many.send("POST", "/v1/jobs/batch", body, expected=(202,))
        delays = []
        while many.get("/v1/jobs/summary")["succeeded"] < jobs:
            delays.append(wait_for(single) - idle)
            time.sleep(PAUSE_SECONDS)
        seconds = time.perf_counter() - began
        single.close()
        many.close()
        return delays, seconds


def wait_for(connection: Connection) -> float:
    began = time.perf_counter()
    answer = connection.send("POST", "/v1/jobs", SINGLE, {"Prefer": "wait=20"})
    if b'"succeeded"' not in answer:
        raise BenchmarkError(f"The single job did not succeed: {answer!r}")
    return (time.perf_counter() - began) * 1_000
