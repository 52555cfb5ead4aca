"""A million jobs in one run: whether the processes' memory stays as it was."""

import time

from harness.installation import Installation
from harness.load import BATCH, batch_body, wait_for_end
from harness.options import Options
from harness.prefill import bytes_on_disk
from harness.report import Row, at_most

WORKERS = ("concert-worker", "sync-worker")
STEPS = 10
# The maximum of unfinished jobs. Waiting jobs are kept in memory, which this section does not measure.
AHEAD = 10_000
# Memory that an allocator keeps for later use.
TOLERANCE = 1.10
QUIET_SECONDS = 3


def run(options: Options) -> list[Row]:
    jobs = 100_000 if options.quick else 1_000_000
    step = jobs // STEPS
    with Installation(options.folder) as installation:
        installation.start_gateway()
        installation.start_workers(*WORKERS)
        installation.add_user("bench")
        connection, samples = installation.connect(), []
        began = time.perf_counter()
        for first in range(0, jobs, BATCH):
            connection.send("POST", "/v1/jobs/batch", batch_body(first), expected=(202,))
            wait_for_end(connection, first + BATCH - AHEAD)
            if (first + BATCH) % step == 0:
                wait_for_end(connection, first + BATCH)
                samples.append([program.usage().resident_bytes / (1 << 20) for program in installation.programs])
        seconds = time.perf_counter() - began
        time.sleep(QUIET_SECONDS)
        size = bytes_on_disk(installation.environment["BACKLINE_DATABASE_PATH"])
        connection.close()
        rows = []
        for number, program in enumerate(installation.programs):
            course = [sample[number] for sample in samples]
            factor = course[-1] / course[0]
            rows.append(Row(
                "memory", f"{program.name}: resident after {jobs:,} jobs", course[-1], "MiB", factor,
                f"after {step:,}", **at_most(factor, TOLERANCE, "×"),
                note="MiB after each tenth: " + " ".join(f"{value:.1f}" for value in course)))
        rows.append(Row(
            "memory", "database on disk, a job", size / jobs, "bytes",
            note=f"{jobs:,} jobs in {seconds:.0f} s, all kept (jobs.retentionHours 168), at most {AHEAD:,} unfinished"))
        return rows
