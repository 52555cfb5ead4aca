"""All peers, in the order of a round."""

from functools import partial

from .in_python import celery, dramatiq, huey, procrastinate
from .peer import Peer
from .sidekiq import sidekiq

STORED = "stored"
NOT_STORED = "none; drained"
STATE_ONLY = "the job's state"

PEERS = [
    Peer("Huey", 3_000, STORED, huey),
    Peer("Celery", 2_500, STORED, partial(celery, "everysec")),
    Peer("Celery, fsync always", 2_500, STORED, partial(celery, "always")),
    Peer("Dramatiq", 5_000, STORED, partial(dramatiq, "everysec")),
    Peer("Dramatiq, fsync always", 5_000, STORED, partial(dramatiq, "always")),
    Peer("Procrastinate", 2_500, STATE_ONLY, procrastinate),
    Peer("Sidekiq", 20_000, NOT_STORED, partial(sidekiq, "everysec")),
    Peer("Sidekiq, fsync always", 20_000, NOT_STORED, partial(sidekiq, "always")),
]
