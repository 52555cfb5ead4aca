"""The peers that are written in Python: Huey, Celery, Dramatiq and Procrastinate."""

import time
from pathlib import Path

from harness.options import Options
from harness.processes import Program

from .peer import PROGRAMS, WORKERS, Load, Outcome, folder_of, outcome, run_json, running
from .postgresql import postgresql
from .redis import durability, redis

# Time for a consumer to connect that does not report it. The warm-up waits for the consumer, too.
STARTING_SECONDS = 0.5


def load(
    module: str, commands: list[list[str]], folder: Path, variables: dict[str, str], load: Load, options: Options
) -> dict:
    """Starts the workers and loads them; `commands` are arguments of the peers' own Python."""
    environment = {**variables, "PYTHONPATH": str(PROGRAMS), "PYTHONDONTWRITEBYTECODE": "1"}
    python = str(options.peers_python)
    workers: list[Program] = []
    with running(workers):
        for number, arguments in enumerate(commands):
            workers.append(Program(f"worker-{number}", [python, *arguments], folder, environment))
        time.sleep(STARTING_SECONDS)
        return run_json([python, str(PROGRAMS / "load.py"), module, str(load.jobs), str(load.requests)], environment)


def huey(wanted: Load, options: Options) -> Outcome:
    with folder_of("huey", options) as folder:
        # It polls often, so that polling does not count against it.
        consumer = [
            "-m", "huey.bin.huey_consumer", "huey_jobs.huey", "-w", str(WORKERS), "-k", "process", "-d", "0.001",
            "-m", "0.01", "-n", "-q"]
        variables = {"HUEY_DATABASE": str(folder / "huey.db")}
        return outcome(load("huey_jobs", [consumer], folder, variables, wanted, options))


def on_redis(name: str, fsync: str, worker: list[str], wanted: Load, options: Options) -> Outcome:
    with folder_of(name, options) as folder, redis(folder, fsync) as socket:
        measured = load(f"{name}_jobs", [worker], folder, {"REDIS_SOCKET": str(socket)}, wanted, options)
        return outcome(measured, durability(fsync))


def celery(fsync: str, wanted: Load, options: Options) -> Outcome:
    worker = [
        "-m", "celery", "--app", "celery_jobs", "worker", "--pool", "prefork", "--concurrency", str(WORKERS),
        "--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING"]
    return on_redis("celery", fsync, worker, wanted, options)


def dramatiq(fsync: str, wanted: Load, options: Options) -> Outcome:
    worker = ["-m", "dramatiq", "dramatiq_jobs", "--processes", str(WORKERS), "--threads", "8"]
    return on_redis("dramatiq", fsync, worker, wanted, options)


def procrastinate(wanted: Load, options: Options) -> Outcome:
    with folder_of("procrastinate", options) as folder, postgresql(folder) as connection:
        variables = {"POSTGRESQL_CONNECTION": connection}
        command = ["-m", "procrastinate", "--app", "procrastinate_jobs.app"]
        schema = Program(
            "schema", [str(options.peers_python), *command, "schema", "--apply"], folder,
            {**variables, "PYTHONPATH": str(PROGRAMS), "PYTHONDONTWRITEBYTECODE": "1"})
        with running([schema]):
            schema.process.wait()
        worker = [*command, "worker", "--concurrency", "8"]
        return outcome(load("procrastinate_jobs", [worker] * WORKERS, folder, variables, wanted, options))
