"""`diagnostics.echo` through the real processes, and the same job through the peers, in turns.

Each round measures two things of each: a batch from its submission to the last job's end, and single jobs on the then
idle system, from submission to result.
"""

import statistics
import time
from dataclasses import dataclass, field

from harness.installation import Installation
from harness.load import BATCH, EchoLoad
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Product, Row, at_least, rounds
from harness.timing import percentile, times
from peers.bare import bare_pipeline
from peers.catalog import PEERS, STORED
from peers.peer import Load, Outcome

WORKERS = ("concert-worker", "sync-worker")
JOB = b'{"kind":"diagnostics.echo","payload":{"message":"hello"}}'
QUIET_SECONDS = 0.5
WARM_UP_REQUESTS = 50
# The project's target. The ratio to the other peers is only printed.
TIMES_PEER = {"Huey": 20, "Sidekiq": 5}


@dataclass
class Round:
    jobs_per_second: float
    accepted_per_second: float
    times: list[float]
    # Of one job, in microseconds, by process.
    cpu: dict[str, float] = field(default_factory=dict)


def run(options: Options) -> list[Row]:
    count, jobs, requests = (1, 20_000, 100) if options.quick else (5, 60_000, 400)
    ours: list[Round] = []
    bare: list[float] = []
    theirs: dict[str, list[Outcome]] = {peer.name: [] for peer in PEERS}
    for _ in range(count):
        ours.append(one_round(jobs, requests, options))
        bare.append(bare_pipeline(jobs, options))
        for peer in PEERS:
            load = Load(jobs=peer.jobs // 5 if options.quick else peer.jobs, requests=requests)
            theirs[peer.name].append(peer.measure(load, options))
    return own_rows(ours, bare, jobs) + peer_rows(ours, theirs) + latency_rows(ours, theirs)


def one_round(jobs: int, requests: int, options: Options) -> Round:
    """A round on a new installation, after a short one that warms it up."""
    with Installation(options.folder) as installation:
        installation.start_gateway()
        installation.start_workers(*WORKERS)
        installation.add_user("bench")
        EchoLoad(2 * BATCH).run(installation)
        load = EchoLoad(jobs)
        measured = load.run(installation)
        time.sleep(QUIET_SECONDS)
        connection = installation.connect()

        def wait_for_echo() -> None:
            answer = connection.send("POST", "/v1/jobs", JOB, {"Prefer": "wait=10"}, expected=(200,))
            if b'"succeeded"' not in answer:
                raise BenchmarkError(f"The job did not succeed: {answer!r}")

        times(wait_for_echo, WARM_UP_REQUESTS)
        taken = times(wait_for_echo, requests)
        connection.close()
        cpu = {name: seconds / jobs * 1e6 for name, seconds in measured.cpu_seconds.items()}
        return Round(measured.jobs_per_second, measured.accepted_per_second, taken, cpu)


def own_rows(ours: list[Round], bare: list[float], jobs: int) -> list[Row]:
    typical = sorted(ours, key=lambda entry: entry.jobs_per_second)[len(ours) // 2]
    costs = ", ".join(f"{name} {microseconds:.1f}" for name, microseconds in typical.cpu.items())
    speed = rounds(entry.jobs_per_second for entry in ours)
    shares = rounds(entry.jobs_per_second / floor * 100 for entry, floor in zip(ours, bare))
    product = Product("Backline", "this commit", "SQLite WAL, synchronous=FULL", STORED)
    return [
        Row("echo", "Backline, end to end", unit="jobs/s", product=product, **speed,
            note=f"{len(ours)} rounds of {jobs:,} jobs in batches of {BATCH:,}; CPU in µs a job: {costs}"),
        Row("echo", "Backline, accepted meanwhile", unit="jobs/s", **rounds(e.accepted_per_second for e in ours)),
        Row("echo", "bare pipeline", unit="jobs/s", **rounds(bare),
            note="insert, ZeroMQ, fenced update with the same guarantees, and no more; SQLite WAL, synchronous=FULL"),
        Row("echo", "of the bare pipeline", unit="%", **shares, **at_least(shares["value"], 65, "%"),
            note="the goal beyond is 85 %"),
    ]


def peer_rows(ours: list[Round], theirs: dict[str, list[Outcome]]) -> list[Row]:
    rows = []
    for peer in PEERS:
        outcomes = theirs[peer.name]
        factor = statistics.median(
            entry.jobs_per_second / other.jobs_per_second for entry, other in zip(ours, outcomes))
        product = Product(peer.name, outcomes[0].version, outcomes[0].durability, peer.results)
        target = {}
        if peer.name in TIMES_PEER:
            target = {
                "target": f"Backline ≥ {TIMES_PEER[peer.name]} ×", "met": factor >= TIMES_PEER[peer.name]}
        rows.append(Row(
            "echo", peer.name, unit="jobs/s", **rounds(outcome.jobs_per_second for outcome in outcomes),
            ratio=factor, ratio_to="slower than Backline", product=product, **target))
    return rows


def latency_rows(ours: list[Round], theirs: dict[str, list[Outcome]]) -> list[Row]:
    """From submission to result on an idle system."""
    measured = {"Backline, Prefer: wait": [entry.times for entry in ours]}
    measured |= {name: [outcome.times for outcome in outcomes] for name, outcomes in theirs.items()}
    mine = statistics.median(percentile(entry.times, 50) for entry in ours)
    rows = []
    for name, taken in measured.items():
        median = rounds(percentile(values, 50) for values in taken)
        ratio = {} if name.startswith("Backline") else {"ratio": median["value"] / mine, "ratio_to": "Backline"}
        rows.append(Row("latency", f"{name}, p50", unit="ms", **median, **ratio))
        rows.append(Row("latency", f"{name}, p99", unit="ms", **rounds(percentile(values, 99) for values in taken)))
    return rows
