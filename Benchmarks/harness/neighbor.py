"""One person who constantly uses all that an installation allows: jobs, searches, event streams and exports."""

import asyncio
import json
import multiprocessing
import secrets
from urllib.parse import urlsplit

from .load import BATCH, batch_body
from .processes import BenchmarkError

QUEUED_JOBS = 10_000
JOB_MS = 1_000
SEARCHES = 10
ARTISTS_OF_EACH = 20
STREAMS = 20
# Between two looks whether a search has ended, or whether more jobs are allowed.
LOOK_SECONDS = 0.5


class Neighbor:
    """The load, in a process of its own, so that it does not slow the measuring one. Use it with `with`."""

    def __init__(self, address: str, token: str):
        context = multiprocessing.get_context("spawn")
        self._filled = context.Event()
        self._process = context.Process(target=_run, args=(address, token, self._filled), daemon=True)

    def __enter__(self) -> "Neighbor":
        self._process.start()
        if not self._filled.wait(60):
            raise BenchmarkError("The neighbor's jobs were not accepted within 60 s")
        return self

    def __exit__(self, *_) -> None:
        self._process.terminate()
        self._process.join()

    def check(self) -> None:
        """Raises an error if the load has ended."""
        if not self._process.is_alive():
            raise BenchmarkError(f"The neighbor ended with {self._process.exitcode}; its error is above")


def _run(address: str, token: str, filled) -> None:
    asyncio.run(_Load(address, token, filled).run())


class _Load:
    def __init__(self, address: str, token: str, filled):
        parts = urlsplit(address)
        self._host, self._port = parts.hostname, parts.port
        self._token = token
        self._filled = filled

    async def run(self) -> None:
        await asyncio.gather(
            self._keep_jobs_queued(), self._export(),
            *(self._search() for _ in range(SEARCHES)), *(self._stream() for _ in range(STREAMS)))

    async def _keep_jobs_queued(self) -> None:
        first = 0
        while True:
            counts = json.loads((await self._ask("GET", "/v1/jobs/summary"))[1])
            unfinished = counts["scheduled"] + counts["queued"] + counts["running"]
            if unfinished <= QUEUED_JOBS - BATCH:
                status, _ = await self._ask("POST", "/v1/jobs/batch", batch_body(first, sleepMs=JOB_MS))
                first += BATCH
                if status != 429:
                    continue
            else:
                self._filled.set()
            await asyncio.sleep(LOOK_SECONDS)

    async def _search(self) -> None:
        while True:
            artists = [f"{secrets.token_hex(6)} nobody" for _ in range(ARTISTS_OF_EACH)]
            status, answer = await self._ask("POST", "/v1/concert-searches", json.dumps({"artists": artists}).encode())
            if status == 429:
                await asyncio.sleep(LOOK_SECONDS)
                continue
            search = json.loads(answer)
            while search["state"] == "running":
                await asyncio.sleep(LOOK_SECONDS)
                search = json.loads((await self._ask("GET", f"/v1/concert-searches/{search['id']}?limit=1"))[1])

    async def _stream(self) -> None:
        while True:
            reader, writer = await self._send("GET", "/v1/events", headers=("Last-Event-ID: 0",))
            status = int((await reader.readline()).split(b" ", 2)[1])
            writer.close()
            # A stream that was closed just now may still count for a moment.
            if status not in (200, 429):
                raise BenchmarkError(f"GET /v1/events was answered with {status}")

    async def _export(self) -> None:
        while True:
            await self._ask("GET", "/v1/me/export")

    async def _ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        reader, writer = await self._send(method, path, body, headers=("Connection: close",))
        answer = await reader.read()
        writer.close()
        head, _, content = answer.partition(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        if status >= 400 and status != 429:
            raise BenchmarkError(f"{method} {path} was answered with {status}: {content[:500]!r}")
        return status, content

    async def _send(
        self, method: str, path: str, body: bytes = b"", headers: tuple[str, ...] = ()
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(self._host, self._port)
        lines = (
            f"{method} {path} HTTP/1.1", f"Host: {self._host}", f"Authorization: Bearer {self._token}",
            "Content-Type: application/json", f"Content-Length: {len(body)}", *headers)
        writer.write("\r\n".join((*lines, "", "")).encode() + body)
        return reader, writer
