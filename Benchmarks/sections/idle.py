"""What each process costs while nothing happens, and how long it takes to be ready."""

import time

from harness.client import Connection
from harness.installation import Installation
from harness.options import Options
from harness.processes import Program
from harness.report import Row, at_most

WORKERS = ("concert-worker", "sync-worker", "ai-worker")
QUIET_SECONDS = 2
WATCHED_SECONDS = 5


def run(options: Options) -> list[Row]:
    with Installation(options.folder) as installation:
        # The first start makes the database; the second is the usual one.
        installation.start_gateway().stop()
        installation.programs.clear()
        gateway = installation.start_gateway()
        answered = first_answer(installation.address)
        ready = {gateway.name: answered - gateway.started_at}
        for service in WORKERS:
            worker = installation.start_workers(service)[0]
            ready[worker.name] = time.monotonic() - worker.started_at
        time.sleep(QUIET_SECONDS)
        before = [program.usage() for program in installation.programs]
        time.sleep(WATCHED_SECONDS)
        rows = []
        for program, earlier in zip(installation.programs, before):
            rows += cost(program, earlier.cpu_seconds, ready[program.name])
        return rows


def first_answer(address: str) -> float:
    connection = Connection(address)
    connection.get("/readyz")
    connection.close()
    return time.monotonic()


def cost(program: Program, cpu_before: float, ready: float) -> list[Row]:
    usage = program.usage()
    name = program.name.rsplit("-", 1)[0] if program.name[-1].isdigit() else program.name
    # All programs are one executable, whose pages they share. Resident memory would count these once for each process,
    # and as many of them as the kernel happens to have in its cache.
    mebibytes = program.proportional_bytes() / (1 << 20)
    share = (usage.cpu_seconds - cpu_before) / WATCHED_SECONDS * 100
    return [
        Row("idle", f"{name}: memory", mebibytes, "MiB", **at_most(mebibytes, 40, "MiB")),
        # "Next to no CPU" read as half a percent of one core.
        Row("idle", f"{name}: CPU", share, "% of a core", **at_most(share, 0.5, "%")),
        Row("idle", f"{name}: start to ready", ready, "s", **at_most(ready, 0.1, "s")),
    ]
