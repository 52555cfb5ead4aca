"""The echo job for Procrastinate; its workers import this module by its name, and so does `load.py`."""

import os
import time
from importlib.metadata import version

import procrastinate
import psycopg

CONNECTION = os.environ["POSTGRESQL_CONNECTION"]
BATCH = 1_000

app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=CONNECTION))


@app.task(name="echo")
async def echo(message):
    return {"message": message}


class Client:
    """Enqueues jobs and watches them. The workers also import this module, but do not use this."""

    def __init__(self) -> None:
        app.open()
        self.database = psycopg.connect(CONNECTION, autocommit=True)

    def value(self, sql: str, *values):
        row = self.database.execute(sql, values).fetchone()
        return row and row[0]


client: Client | None = None


def connected() -> Client:
    global client
    client = client or Client()
    return client


def enqueue(numbers: range) -> None:
    for start in range(numbers.start, numbers.stop, BATCH):
        part = range(start, min(start + BATCH, numbers.stop))
        echo.batch_defer(*[{"message": f"echo {number}"} for number in part])


def finished() -> int:
    """How many jobs are marked as done: results are not kept."""
    return connected().value("SELECT count(*) FROM procrastinate_jobs WHERE status = 'succeeded'")


def once(number: int) -> None:
    job = echo.defer(message=f"echo {number}")
    while connected().value("SELECT status FROM procrastinate_jobs WHERE id = %s", job) != "succeeded":
        time.sleep(0.0002)


def facts() -> dict[str, str]:
    settings = {name: connected().value(f"SHOW {name}") for name in ("server_version", "synchronous_commit", "fsync")}
    return {
        "version": f"Procrastinate {version('procrastinate')}, PostgreSQL {settings['server_version'].split()[0]}",
        "durability": f"synchronous_commit={settings['synchronous_commit']}, fsync={settings['fsync']}"}
