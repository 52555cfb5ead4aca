"""What somebody leaves with a person to whom they write as fast as they can for a minute, and how long the person's own
requests take meanwhile. The limits are those of the default configuration.
"""

import threading
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

from harness.client import Connection
from harness.message_plan import MessagePlan
from harness.messaging import Messaging
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, at_most, number
from harness.social_installation import SocialInstallation
from harness.timing import percentile, times

from .messages_pages import MESSAGES, THREADS
from .submit import Shot, wrk

SECTION = "messages"
SCRIPT = Path(__file__).with_name("spam.lua")
FACTOR = 2
MOST_NOTIFICATIONS = 30
CONNECTIONS = 4
# Between two requests of the person, who may make 50 a second.
PAUSE_SECONDS = 0.025
# One of so many of these requests is a message, of which a person may send 120 a minute.
MESSAGE_EVERY = 25
WARM_UP = 2


def spammer(installation: SocialInstallation, plan: MessagePlan, options: Options) -> list[Row]:
    """No program of the installation may run."""
    seconds = 10 if options.quick else 60
    # Sections send more than a person may; nobody does in this one.
    del installation.environment["BACKLINE_LIMITS_REQUESTS_PER_SECOND"]
    installation.start_gateway()
    gateway = Connection(installation.address, plan.people.token(plan.reader))
    messaging = Messaging(gateway, installation, plan)
    sender, *friends = plan.correspondents
    requests = requests_of(gateway, messaging, plan, friends)
    measure(requests, WARM_UP)
    alone = measure(requests, seconds / 2)
    before = messages_of(installation, sender)
    spam = Spam(installation, plan.people.token(sender), messaging.thread(plan.reader, sender), seconds)
    beside = measure(requests, seconds)
    shot = spam.end()
    alone += measure(requests, seconds / 2)
    gateway.close()
    accepted = messages_of(installation, sender) - before
    quiet, busy = percentile(alone, 99), percentile(beside, 99)
    return [
        *of_notifications(installation, plan, sender, f"{accepted} of {shot.answers:,} messages were accepted"),
        Row(SECTION, "the person's own requests meanwhile, p99", busy, "ms", busy / quiet, "alone",
            target=f"≤ {FACTOR} × alone", met=busy <= FACTOR * quiet,
            note=f"{len(beside):,} requests, p50 {number(percentile(beside, 50))} ms; alone {len(alone):,}, p50 "
            f"{number(percentile(alone, 50))} ms, p99 {number(quiet)} ms; pages of a thread, of the list of threads "
            f"and of notifications, and one message in {MESSAGE_EVERY}"),
    ]


def requests_of(
    gateway: Connection, messaging: Messaging, plan: MessagePlan, friends: list[int],
) -> Callable[[int], object]:
    """What the person does, by the number of the request."""
    thread = messaging.thread(plan.reader, plan.friend)
    paths = (f"/v1/threads/{thread}/messages?limit={MESSAGES}", f"/v1/threads?limit={THREADS}", "/v1/notifications")
    recipients = cycle(friends)

    def request(place: int) -> None:
        if place % MESSAGE_EVERY == 0:
            messaging.send(plan.reader, next(recipients))
        else:
            gateway.send("GET", paths[place % len(paths)])

    return request


def measure(request: Callable[[int], object], seconds: float) -> list[float]:
    """The times of requests in milliseconds, as many as fit."""
    end, values = time.monotonic() + seconds, []
    while time.monotonic() < end:
        values += times(lambda: request(len(values)), 1)
        time.sleep(PAUSE_SECONDS)
    return values


def messages_of(installation: SocialInstallation, sender: int) -> int:
    """How many messages somebody has sent."""
    return installation.value("SELECT COUNT(*) FROM messages WHERE sender = ?", installation.key_of(sender))


def of_notifications(installation: SocialInstallation, plan: MessagePlan, sender: int, sent: str) -> list[Row]:
    groups = installation.rows(
        "SELECT COUNT(*) FROM notification_events WHERE person = ? AND actor = ? GROUP BY group_key",
        installation.key_of(plan.reader), installation.key_of(sender))
    if not groups:
        raise BenchmarkError("the person was not notified of the other one's messages")
    left = sum(count for (count,) in groups)
    return [
        Row(SECTION, "notifications that somebody leaves who writes as fast as they can", left, "notifications",
            **at_most(left, MOST_NOTIFICATIONS),
            note=f"{sent}, over {CONNECTIONS} connections"),
        Row(SECTION, "groups of these notifications", len(groups), "groups", **at_most(len(groups), 1)),
    ]


class Spam(threading.Thread):
    """Writes a little longer than the measurement beside it takes, from a moment before it on."""

    MORE_SECONDS, BEFORE_SECONDS = 2, 0.5

    def __init__(self, installation: SocialInstallation, token: str, thread: str, seconds: int):
        super().__init__(daemon=True)
        self._installation, self._path = installation, f"/v1/threads/{thread}/messages/"
        self._seconds = seconds + self.MORE_SECONDS
        self._shot: Shot | None = None
        self._failure: Exception | None = None
        installation.token = token
        self.start()
        time.sleep(self.BEFORE_SECONDS)

    def run(self) -> None:
        try:
            self._shot = wrk(self._installation, self._path, self._seconds, SCRIPT, connections=CONNECTIONS)
        except Exception as error:  # raised by the thread that waits
            self._failure = error

    def end(self) -> Shot:
        """What was sent."""
        self.join()
        if self._shot is None:
            raise self._failure or BenchmarkError("nobody has written beside the measured person")
        return self._shot
