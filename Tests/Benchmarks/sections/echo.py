"""`diagnostics.echo` through the real processes, from the first POST to the last job's end."""

import json
import resource
import statistics
import threading
import time
from dataclasses import dataclass, field

from harness.installation import Installation
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, at_least

from . import peers

BATCH = 1_000
CONNECTIONS = 4
WORKERS = ("concert-worker", "sync-worker")


@dataclass
class Round:
    jobs_per_second: float
    accepted_per_second: float
    cpu_seconds: dict[str, float] = field(default_factory=dict)
    client_cpu_seconds: float = 0


def batch_body(first: int) -> bytes:
    """A batch as a program would send it; the message of each job is its own."""
    jobs = [{"kind": "diagnostics.echo", "payload": {"message": f"echo {first + n}"}} for n in range(BATCH)]
    return json.dumps({"jobs": jobs}, separators=(",", ":")).encode()


def measure(installation: Installation, jobs: int) -> Round:
    """One round on an installation that runs; its jobs are added to those that were there."""
    bodies = [batch_body(first) for first in range(0, jobs, BATCH)]
    watcher = installation.connect()
    before = watcher.get("/v1/jobs/summary")["succeeded"]
    failures: list[Exception] = []

    def load(share: list[bytes]) -> None:
        connection = installation.connect()
        try:
            for body in share:
                connection.send("POST", "/v1/jobs/batch", body, expected=(202,))
        except Exception as error:  # reported by the thread that waits
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=load, args=(bodies[n::CONNECTIONS],)) for n in range(CONNECTIONS)]
    usage_before = [program.usage().cpu_seconds for program in installation.programs]
    client_before = client_cpu()
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    accepted = time.perf_counter() - began
    while True:
        if failures:
            raise failures[0]
        counts = watcher.get("/v1/jobs/summary")
        if counts["succeeded"] - before >= jobs:
            break
        if counts["failed"] or time.perf_counter() - began > 120:
            raise BenchmarkError(f"The jobs did not all succeed: {counts}")
        time.sleep(0.005)
    elapsed = time.perf_counter() - began
    result = Round(jobs / elapsed, jobs / accepted, client_cpu_seconds=client_cpu() - client_before)
    for program, usage in zip(installation.programs, usage_before):
        result.cpu_seconds[program.name] = program.usage().cpu_seconds - usage
    watcher.close()
    return result


def client_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def one_round(jobs: int, options: Options) -> Round:
    """A round on a new installation, after a short one that warms it up."""
    with Installation(options.folder) as installation:
        installation.start_gateway()
        installation.start_workers(*WORKERS)
        installation.add_user("bench")
        measure(installation, 2 * BATCH)
        return measure(installation, jobs)


def run(options: Options) -> list[Row]:
    """Backline, the bare pipeline and Huey take turns, so that a disturbance meets all of them."""
    rounds, jobs, huey_jobs = (1, 20_000, 500) if options.quick else (5, 60_000, 3_000)
    ours, bare, huey = [], [], []
    for _ in range(rounds):
        ours.append(one_round(jobs, options))
        bare.append(peers.bare_pipeline(jobs, options)["jobsPerSecond"])
        huey.append(peers.huey(huey_jobs, options))
    section = "echo"
    typical = sorted(ours, key=lambda round: round.jobs_per_second)[rounds // 2]
    speed = statistics.median(round.jobs_per_second for round in ours)
    accepted = statistics.median(round.accepted_per_second for round in ours)
    bare_speed = statistics.median(bare)
    share = speed / bare_speed * 100
    huey_speed = statistics.median(entry["jobsPerSecond"] for entry in huey)
    costs = ", ".join(f"{name} {seconds / jobs * 1e6:.0f}" for name, seconds in typical.cpu_seconds.items())
    return [
        Row(section, "diagnostics.echo, end to end", speed, "jobs/s", **at_least(speed, 15_000),
            note=f"median of {rounds} rounds of {jobs:,} jobs: {spread(round.jobs_per_second for round in ours)}; "
            f"CPU in µs a job: {costs}, load client {typical.client_cpu_seconds / jobs * 1e6:.1f}"),
        Row(section, "accepted by the gateway", accepted, "jobs/s"),
        Row(section, "bare pipeline", bare_speed, "jobs/s",
            note=f"synchronous=FULL, WAL; rounds: {spread(bare)}"),
        Row(section, "of the bare pipeline", share, "%", **at_least(share, 40, "%")),
        Row(section, "Huey on SQLite", huey_speed, "jobs/s",
            note=f"Huey {huey[0]['version']}, SQLite {huey[0]['sqlite']}, WAL, synchronous={huey[0]['synchronous']} "
            f"(2 is FULL), two worker processes; {huey_jobs:,} jobs a round: "
            f"{spread(entry['jobsPerSecond'] for entry in huey)}"),
        Row(section, "times Huey", speed / huey_speed, "×", **at_least(speed / huey_speed, 10, "×")),
    ]


def spread(values) -> str:
    return " ".join(f"{value:,.0f}" for value in sorted(values))
