"""A temporary PostgreSQL on a Unix socket, with its defaults for durability."""

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from harness import debian
from harness.processes import BenchmarkError, Program

from .peer import running

USER = "bench"
NOBODY = 65_534
STARTING_SECONDS = 20


def unprivileged(command: list[str]) -> list[str]:
    """PostgreSQL refuses to run as root: then it runs as nobody."""
    if os.geteuid() != 0:
        return command
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]


@contextlib.contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """The connection string for clients."""
    programs, data = debian.postgresql_folder(), folder / "postgresql"
    data.mkdir()
    if os.geteuid() == 0:
        folder.chmod(0o711)
        shutil.chown(data, NOBODY, NOBODY)
    environment = {**debian.environment(), "LC_ALL": "C.UTF-8"}
    made = subprocess.run(
        unprivileged([str(programs / "initdb"), "--pgdata", str(data / "data"), "--username", USER, "--auth", "trust"]),
        cwd=data, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise BenchmarkError(f"PostgreSQL's initdb failed: {made.stderr}")
    server = Program(
        "postgres",
        unprivileged([
            str(programs / "postgres"), "-D", str(data / "data"), "-k", str(data), "-c", "listen_addresses=",
            "-c", "shared_buffers=256MB"]),
        folder, environment)
    connection = f"host={data} user={USER} dbname=postgres"
    with running([server]):
        wait_for([str(programs / "pg_isready"), "--dbname", connection], environment, server)
        yield connection


def wait_for(question: list[str], environment: dict[str, str], server: Program) -> None:
    deadline = time.monotonic() + STARTING_SECONDS
    while subprocess.run(question, env={**os.environ, **environment}, capture_output=True, check=False).returncode:
        if time.monotonic() > deadline or not server.is_running:
            raise BenchmarkError("PostgreSQL did not start")
        time.sleep(0.02)
