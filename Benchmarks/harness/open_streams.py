"""Open event streams whose events are awaited, with little work for each: one thread reads all of them."""

import contextlib
import select
import socket
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

from .processes import BenchmarkError

PATIENCE_SECONDS = 30
CHUNK = 65_536
# The beginning of an event, which comes after another line.
EVENT = b"\nevent: "


@dataclass(frozen=True)
class Act:
    """A request of somebody."""

    method: str
    path: str
    token: str
    body: bytes = b""


@dataclass(frozen=True)
class Arrivals:
    """The times, in milliseconds from the sending of a request, of its answer and of its events."""

    answered: float
    # By the stream's number.
    events: dict[int, float]


class OpenStreams:
    """One stream for each token; they close at the end of the `with` block."""

    def __init__(self, address: str, tokens: list[str]):
        parts = urlsplit(address)
        self._address = (parts.hostname, parts.port)
        self._tokens = tokens
        self._poll = select.epoll()
        self._sockets: dict[int, tuple[int, socket.socket]] = {}
        # By the stream's number, how many events it has had. The end of what was received may be a part of one.
        self.event_counts = [0] * len(tokens)
        self._ends = [b""] * len(tokens)
        self._all = contextlib.ExitStack()

    def __enter__(self) -> "OpenStreams":
        for number, token in enumerate(self._tokens):
            stream = self._all.enter_context(socket.create_connection(self._address, timeout=PATIENCE_SECONDS))
            stream.sendall(self._request(Act("GET", "/v1/events", token)))
            received = b""
            while b"retry:" not in received:
                part = stream.recv(CHUNK)
                received += part
                if not part or not received.startswith(b"HTTP/1.1 200 "[:len(received)]):
                    raise BenchmarkError(f"an event stream was answered with {received[:300]!r}")
            self._sockets[stream.fileno()] = (number, stream)
            self._poll.register(stream, select.EPOLLIN)
        return self

    def __exit__(self, *_) -> None:
        self._poll.close()
        self._all.close()

    def after(self, act: Act, awaited: dict[int, bytes]) -> Arrivals:
        """Sends a request, and waits until every stream named has sent its bytes since."""
        received = dict.fromkeys(awaited, b"")
        events: dict[int, float] = {}
        answer = b""
        answered: float | None = None
        with socket.create_connection(self._address, timeout=PATIENCE_SECONDS) as connection:
            self._poll.register(connection, select.EPOLLIN)
            began = time.perf_counter()
            connection.sendall(self._request(act))
            while len(events) < len(awaited) or answered is None:
                ready = self._poll.poll(PATIENCE_SECONDS)
                if not ready:
                    raise BenchmarkError(
                        f"of {len(awaited)} streams only {len(events)} told of {act.method} {act.path} within "
                        f"{PATIENCE_SECONDS} s")
                for descriptor, _ in ready:
                    if descriptor == connection.fileno():
                        part = connection.recv(CHUNK)
                        answer += part
                        if b"\r\n\r\n" in answer and answered is None:
                            answered = (time.perf_counter() - began) * 1_000
                        if not part:
                            self._poll.unregister(connection)
                        continue
                    number, part = self._receive(descriptor)
                    now = time.perf_counter()
                    if number not in received or number in events:
                        continue
                    received[number] += part
                    if awaited[number] in received[number]:
                        events[number] = (now - began) * 1_000
        if not answer.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 201 ", b"HTTP/1.1 204 ")):
            raise BenchmarkError(f"{act.method} {act.path} was answered with {answer[:500]!r}")
        return Arrivals(answered, events)

    def watch(self, seconds: float) -> None:
        """Reads what all streams send within a time, for `event_counts`."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for descriptor, _ in self._poll.poll(left):
                self._receive(descriptor)

    def _receive(self, descriptor: int) -> tuple[int, bytes]:
        """The number of a stream, and what it has sent."""
        number, stream = self._sockets[descriptor]
        part = stream.recv(CHUNK)
        if not part:
            raise BenchmarkError(f"the stream {number} has ended")
        joined = self._ends[number] + part
        self.event_counts[number] += joined.count(EVENT)
        self._ends[number] = joined[1 - len(EVENT):]
        return number, part

    def _request(self, act: Act) -> bytes:
        head = (f"{act.method} {act.path} HTTP/1.1\r\nHost: {self._address[0]}\r\n"
                f"Authorization: Bearer {act.token}\r\n")
        if act.body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(act.body)}\r\n"
        return (head + "\r\n").encode() + act.body
