"""A temporary Redis on a Unix socket, with its append-only file on the measured disk."""

import contextlib
import socket
import time
from collections.abc import Iterator
from pathlib import Path

from harness import debian
from harness.processes import BenchmarkError, Program

from .peer import running

STARTING_SECONDS = 20


@contextlib.contextmanager
def redis(folder: Path, fsync: str) -> Iterator[Path]:
    """The path of its socket; `fsync` is Redis' `appendfsync`."""
    path = folder / "redis.sock"
    server = Program(
        "redis-server",
        [debian.executable("redis-server"), "--port", "0", "--unixsocket", str(path), "--dir", str(folder),
         "--appendonly", "yes", "--appendfsync", fsync, "--save", "", "--daemonize", "no"],
        folder, debian.environment())
    with running([server]):
        wait_for(path, server)
        yield path


def wait_for(path: Path, server: Program) -> None:
    deadline = time.monotonic() + STARTING_SECONDS
    while True:
        with socket.socket(socket.AF_UNIX) as client, contextlib.suppress(OSError):
            client.connect(str(path))
            return
        if time.monotonic() > deadline or not server.is_running:
            raise BenchmarkError("Redis did not start")
        time.sleep(0.01)


def durability(fsync: str) -> str:
    """The setting as text, for the table."""
    lost = "nothing" if fsync == "always" else "up to a second"
    return f"Redis appendonly, appendfsync={fsync} ({lost} lost when the machine stops)"
