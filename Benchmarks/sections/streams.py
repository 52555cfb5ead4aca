"""Two thousand open event streams, and jobs that concern one person of two hundred."""

import asyncio
import json
import resource
import time
from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlsplit

from harness.installation import Installation
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, at_most
from harness.timing import percentile

STREAMS_OF_EACH = 10
JOBS_PER_SECOND = 100
JOB = b'{"kind":"diagnostics.echo","payload":{"message":"hello"}}'


def run(options: Options) -> list[Row]:
    people, seconds = (20, 2) if options.quick else (200, 20)
    allow_descriptors(people * STREAMS_OF_EACH + 200)
    with Installation(options.folder) as installation:
        gateway = installation.start_gateway()
        installation.start_workers("concert-worker", "sync-worker")
        tokens = [installation.add_user(f"listener{number}") for number in range(people)]
        listeners = Listeners(installation.address, tokens)
        delays, cpu_seconds = asyncio.run(listeners.measure(seconds, lambda: gateway.usage().cpu_seconds))
    section, slowest = "streams", percentile(delays, 99)
    return [
        Row(section, "open streams", len(tokens) * STREAMS_OF_EACH, "streams", note=f"of {people} people"),
        Row(section, "from a job's end to its event, p50", percentile(delays, 50), "ms"),
        Row(section, "from a job's end to its event, p99", slowest, "ms", **at_most(slowest, 100, "ms")),
        Row(section, "events on other people's streams", listeners.strange_events, "events",
            **at_most(listeners.strange_events, 0)),
        Row(section, "api-gateway: CPU", cpu_seconds / seconds * 100, "% of a core",
            note=f"{JOBS_PER_SECOND} submissions a second, whose changes {STREAMS_OF_EACH} streams are told"),
    ]


def allow_descriptors(count: int) -> None:
    """For this process and the gateway, which inherits it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        raise BenchmarkError(f"{count} open files are needed, and {hard} allowed: raise 'ulimit -n'")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count), hard))


class Listeners:
    """The streams of all people, the first person's jobs, and the times of their events."""

    def __init__(self, address: str, tokens: list[str]):
        parts = urlsplit(address)
        self._host, self._port = parts.hostname, parts.port
        self._tokens = tokens
        self._delays: list[float] = []
        self._ended: set[str] = set()
        self.strange_events = 0

    async def measure(self, seconds: int, cpu_seconds: Callable[[], float]) -> tuple[list[float], float]:
        """Each job's delay on the slowest stream, in milliseconds, and the processor time used meanwhile."""
        streams = [await self._open(token) for token in self._tokens for _ in range(STREAMS_OF_EACH)]
        readers = [asyncio.create_task(self._follow(stream, number < STREAMS_OF_EACH))
                   for number, (stream, _) in enumerate(streams)]
        try:
            before = cpu_seconds()
            submitted = await self._submit(seconds * JOBS_PER_SECOND)
            used = cpu_seconds() - before
            deadline = time.monotonic() + 30
            while not submitted <= self._ended or len(self._delays) < len(submitted) * STREAMS_OF_EACH:
                if time.monotonic() > deadline:
                    raise BenchmarkError(f"Of {len(submitted)} jobs {len(self._ended)} were told")
                await asyncio.sleep(0.05)
            return self._delays, used
        finally:
            for reader in readers:
                reader.cancel()
            for _, writer in streams:
                writer.close()

    async def _open(self, token: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(self._host, self._port)
        writer.write(
            f"GET /v1/events HTTP/1.1\r\nHost: {self._host}\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        status = await reader.readline()
        if b" 200 " not in status:
            raise BenchmarkError(f"An event stream was answered with {status!r}")
        while b"retry:" not in await reader.readline():
            pass
        return reader, writer

    async def _follow(self, stream: asyncio.StreamReader, is_theirs: bool) -> None:
        while line := await stream.readline():
            if not line.startswith(b"data: "):
                continue
            if not is_theirs:
                self.strange_events += 1
                continue
            job = json.loads(line.removeprefix(b"data: "))
            if job["state"] == "succeeded":
                self._delays.append((time.time() - seconds_of(job["finishedAt"])) * 1_000)
                self._ended.add(job["id"])

    async def _submit(self, count: int) -> set[str]:
        reader, writer = await asyncio.open_connection(self._host, self._port)
        head = (f"POST /v1/jobs HTTP/1.1\r\nHost: {self._host}\r\nAuthorization: Bearer {self._tokens[0]}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(JOB)}\r\n\r\n").encode()
        ids = set()
        began = time.monotonic()
        for number in range(count):
            await asyncio.sleep(max(0.0, began + number / JOBS_PER_SECOND - time.monotonic()))
            writer.write(head + JOB)
            length = 0
            while (line := await reader.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            ids.add(json.loads(await reader.readexactly(length))["id"])
        writer.close()
        return ids


def seconds_of(time_text: str) -> float:
    return datetime.fromisoformat(time_text).timestamp()
