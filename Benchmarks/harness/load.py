"""Batches of echo jobs over several connections: the load that most sections put on an installation."""

import json
import resource
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .client import Connection
from .installation import Installation
from .processes import BenchmarkError

BATCH = 1_000
CONNECTIONS = 4
PATIENCE_SECONDS = 240


@dataclass
class Measured:
    jobs_per_second: float
    accepted_per_second: float
    # By process.
    cpu_seconds: dict[str, float] = field(default_factory=dict)


def batch_body(first: int, count: int = BATCH, **payload) -> bytes:
    """A batch as a program would send it; the message of each job is its own."""
    jobs = [
        {"kind": "diagnostics.echo", "payload": {"message": f"echo {first + n}", **payload}} for n in range(count)]
    return json.dumps({"jobs": jobs}, separators=(",", ":")).encode()


def client_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class EchoLoad:
    """So many jobs, a thousand in a request."""

    def __init__(self, jobs: int):
        self.jobs = jobs
        # Made before the clock runs.
        self._bodies = [batch_body(first) for first in range(0, jobs, BATCH)]

    def run(self, installation: Installation) -> Measured:
        """On an installation that runs; the jobs are added to those that were there."""
        watcher = installation.connect()
        before = watcher.get("/v1/jobs/summary")["succeeded"]
        usage_before = [program.usage().cpu_seconds for program in installation.programs]
        client_before = client_cpu()
        began = time.perf_counter()
        accepted: list[float] = []
        threads = senders(installation, self._bodies, lambda: accepted.append(time.perf_counter()))
        for thread in threads:
            thread.start()
        wait_for_end(watcher, before + self.jobs, threads)
        elapsed = time.perf_counter() - began
        result = Measured(self.jobs / elapsed, self.jobs / (max(accepted) - began))
        for program, usage in zip(installation.programs, usage_before):
            result.cpu_seconds[program.name] = program.usage().cpu_seconds - usage
        result.cpu_seconds["load client"] = client_cpu() - client_before
        watcher.close()
        return result


class Sender(threading.Thread):
    """Sends its bodies one after the other. `failure` has the thread's error, which the waiting thread raises."""

    def __init__(self, installation: Installation, bodies: list[bytes], accepted: Callable[[], None]):
        super().__init__(daemon=True)
        self._installation, self._bodies, self._accepted = installation, bodies, accepted
        self.failure: Exception | None = None

    def run(self) -> None:
        connection = self._installation.connect()
        try:
            for body in self._bodies:
                connection.send("POST", "/v1/jobs/batch", body, expected=(202,))
                self._accepted()
        except Exception as error:  # raised by the thread that waits
            self.failure = error
        finally:
            connection.close()


def senders(installation: Installation, bodies: list[bytes], accepted: Callable[[], None]) -> list[Sender]:
    return [Sender(installation, bodies[n::CONNECTIONS], accepted) for n in range(CONNECTIONS)]


def wait_for_end(watcher: Connection, succeeded: int, threads: list[Sender] | None = None) -> None:
    """Waits until so many jobs of the watcher's user have succeeded."""
    deadline = time.perf_counter() + PATIENCE_SECONDS
    while True:
        for thread in threads or []:
            if thread.failure:
                raise thread.failure
        counts = watcher.get("/v1/jobs/summary")
        if counts["succeeded"] >= succeeded:
            return
        if counts["failed"] or time.perf_counter() > deadline:
            raise BenchmarkError(f"The jobs did not all succeed: {counts}")
        time.sleep(0.005)
