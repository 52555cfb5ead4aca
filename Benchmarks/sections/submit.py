"""Single jobs over 32 connections, each durable before it is answered; `wrk` sends them."""

import json
import resource
import subprocess
from dataclasses import dataclass
from pathlib import Path

from harness import debian
from harness.client import Connection
from harness.installation import Installation
from harness.load import wait_for_end
from harness.options import Options
from harness.processes import BenchmarkError
from harness.prometheus import Metrics
from harness.report import Row, at_least, rounds

SCRIPT = Path(__file__).with_name("submit.lua")
CONNECTIONS = 32
WORKERS = ("concert-worker", "sync-worker")
WARM_UP_SECONDS = 1


@dataclass
class Shot:
    """The results of one run of wrk."""

    answers: int
    per_second: float
    p50: float
    p99: float
    wrk_cores: float


def run(options: Options) -> list[Row]:
    seconds, count = (2, 1) if options.quick else (8, 3)
    with_workers = [one_round(WORKERS, seconds, options) for _ in range(count)]
    alone = [one_round((), seconds, options) for _ in range(count)]
    speed = rounds(entry.shot.per_second for entry in with_workers)
    typical = sorted(with_workers, key=lambda entry: entry.shot.per_second)[count // 2]
    return [
        Row("submit", f"POST /v1/jobs, {CONNECTIONS} connections", unit="jobs/s", **speed,
            **at_least(speed["value"], 12_000, "jobs/s"), note=typical.describe()),
        Row("submit", "answered, p50", unit="ms", **rounds(entry.shot.p50 for entry in with_workers)),
        Row("submit", "answered, p99", unit="ms", **rounds(entry.shot.p99 for entry in with_workers)),
        Row("submit", "jobs in one durable commit", unit="jobs", **rounds(e.jobs_a_commit for e in with_workers)),
        Row("submit", "the same without workers", unit="jobs/s", **rounds(entry.shot.per_second for entry in alone),
            note=alone[0].describe()),
        Row("submit", "GET /healthz, the same client", unit="requests/s", **rounds(e.ceiling for e in with_workers),
            note="what HTTP and the client bring without a job; it shares the cores with the gateway"),
    ]


@dataclass
class Round:
    shot: Shot
    ceiling: float
    accepted: float
    commits: float
    cores: dict[str, float]

    @property
    def jobs_a_commit(self) -> float:
        return self.accepted / max(self.commits, 1)

    def describe(self) -> str:
        cores = ", ".join(f"{name} {share:.2f}" for name, share in self.cores.items())
        return (
            f"{self.shot.answers:,} answers of 202; jobs the gateway counted as accepted and durable "
            f"{self.accepted:,.0f}, in {self.commits:,.0f} commits of its own; "
            f"busy cores: {cores}, wrk {self.shot.wrk_cores:.2f}")


def one_round(workers: tuple[str, ...], seconds: int, options: Options) -> Round:
    with Installation(options.folder) as installation:
        installation.start_gateway()
        if workers:
            installation.start_workers(*workers)
        installation.add_user("bench")
        gateway = installation.connect()
        ceiling = wrk(installation, "/healthz", max(1, seconds // 4), script=None).per_second
        wrk(installation, "/v1/jobs", WARM_UP_SECONDS)
        if workers:
            wait_for_end(gateway, submitted(gateway))
        before, usage = Metrics.of(gateway), [program.usage().cpu_seconds for program in installation.programs]
        shot = wrk(installation, "/v1/jobs", seconds)
        cores = {
            program.name: (program.usage().cpu_seconds - earlier) / seconds
            for program, earlier in zip(installation.programs, usage)}
        counted = Metrics.of(gateway).since(before)
        accepted = counted.sum("backline_jobs_submitted_total")
        if accepted < shot.answers:
            raise BenchmarkError(f"{shot.answers} jobs were answered with 202, {accepted:.0f} were accepted")
        commits = counted.sum("backline_database_commits_total", process="api-gateway")
        if workers:
            # Every accepted job must end.
            wait_for_end(gateway, submitted(gateway))
        gateway.close()
        return Round(shot, ceiling, accepted, commits, cores)


def submitted(gateway: Connection) -> int:
    return int(Metrics.of(gateway).sum("backline_jobs_submitted_total"))


def wrk(
    installation: Installation, path: str, seconds: int, script: Path | None = SCRIPT,
    argument: int | Path | None = None, connections: int = CONNECTIONS,
) -> Shot:
    """`argument` is what the script takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [
        debian.executable("wrk"), "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s",
        "--timeout", "10s", "--script", str(script or SCRIPT.with_name("read.lua")),
        "--header", f"Authorization: Bearer {installation.token}", installation.address + path,
        *(["--", str(argument)] if argument else [])]
    result = subprocess.run(command, env=debian.environment(), capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise BenchmarkError(f"wrk failed: {result.stdout}{result.stderr}")
    measured = json.loads(result.stdout.strip().splitlines()[-1])
    if any(measured["errors"].values()):
        raise BenchmarkError(f"Of {measured['requests']} requests some failed: {measured['errors']}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Shot(
        answers=measured["requests"], per_second=measured["requests"] / measured["seconds"], p50=measured["p50"],
        p99=measured["p99"], wrk_cores=cpu / seconds)
