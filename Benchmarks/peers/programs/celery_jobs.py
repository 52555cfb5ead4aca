"""The echo job for Celery on Redis; its workers import this module by its name, and so does `load.py`."""

import os

import celery as library
import redis
from celery import Celery
from celery.result import denied_join_result

SOCKET = os.environ["REDIS_SOCKET"]

server_url = f"redis+socket://{SOCKET}?virtual_host="
app = Celery("celery_jobs", broker=f"{server_url}0", backend=f"{server_url}1")
app.conf.update(
    task_serializer="json", result_serializer="json", accept_content=["json"], task_track_started=False,
    worker_prefetch_multiplier=64, worker_send_task_events=False, broker_connection_retry_on_startup=True)
server = redis.Redis(unix_socket_path=SOCKET, db=1)


@app.task
def echo(message):
    return {"message": message}


def enqueue(numbers: range) -> None:
    # Without this Celery would subscribe to every result, although nothing waits for one.
    with denied_join_result(), app.producer_pool.acquire(block=True) as producer:
        for number in numbers:
            echo.apply_async((f"echo {number}",), producer=producer)


def finished() -> int:
    """How many results are stored: the second database holds nothing else."""
    return server.dbsize()


def once(number: int) -> None:
    assert echo.delay(f"echo {number}").get(timeout=30) == {"message": f"echo {number}"}


def facts() -> dict[str, str]:
    return {"version": f"Celery {library.__version__}"}
