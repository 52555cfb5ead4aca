"""The echo job for Dramatiq on Redis; its workers import this module by its name, and so does `load.py`."""

import os
from importlib.metadata import version

import dramatiq
import redis
from dramatiq.brokers.redis import RedisBroker
from dramatiq.results import Results
from dramatiq.results.backends import RedisBackend

SOCKET = os.environ["REDIS_SOCKET"]

broker = RedisBroker(url=f"unix://{SOCKET}?db=0")
broker.add_middleware(Results(backend=RedisBackend(url=f"unix://{SOCKET}?db=1"), store_results=True))
dramatiq.set_broker(broker)
server = redis.Redis(unix_socket_path=SOCKET, db=1)


@dramatiq.actor
def echo(message):
    return {"message": message}


def enqueue(numbers: range) -> None:
    for number in numbers:
        echo.send(f"echo {number}")


def finished() -> int:
    """How many results are stored: the second database holds nothing else."""
    return server.dbsize()


def once(number: int) -> None:
    assert echo.send(f"echo {number}").get_result(block=True, timeout=30_000) == {"message": f"echo {number}"}


def facts() -> dict[str, str]:
    return {"version": f"Dramatiq {version('dramatiq')}"}
