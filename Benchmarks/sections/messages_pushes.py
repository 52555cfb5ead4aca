"""Ten thousand pushes to browsers, which decrypt them, beside faults of their service and browsers that are gone."""

import json
import time
from dataclasses import dataclass
from itertools import pairwise

from harness.client import Connection, signed_in
from harness.message_plan import MessagePlan
from harness.messaging import Messaging
from harness.options import Options
from harness.processes import BenchmarkError
from harness.push_service import Message, PushService, add_targets
from harness.report import Row, at_least, at_most
from harness.social_installation import SocialInstallation
from harness.triggers import without_pace

SECTION = "messages"
# Each browser gets one push at once, and another one a minute later for all messages since.
BROWSERS_OF_EACH, PUSHES_OF_EACH = 5, 2
MESSAGES_SINCE = 2
LEAST_SECONDS = 60
# One of so many people has one more browser, which has unsubscribed.
WITH_ENDED = 10
# So many of the later calls are answered with them, and their pushes have to arrive nevertheless.
FAULTS = [
    {"fault": "limit429", "times": 20, "retryAfter": 2}, {"fault": "empty503", "times": 1, "retryAfter": 1}]
PATIENCE_SECONDS = 600
# How long nothing more may come in the end.
QUIET_SECONDS = 3
# The value of `push_intents.state` of what is not owed any longer.
DONE = 3


@dataclass(frozen=True)
class Browsers:
    """The browsers of all people who get messages, and their targets."""

    subscriptions: list[dict]
    targets: list[str]
    # The targets of those that have unsubscribed.
    ended: list[str]


def pushes(
    installation: SocialInstallation, plan: MessagePlan, service: PushService, options: Options,
) -> list[Row]:
    pairs = plan.pairs[:20 if options.quick else 1_000]
    gateway = Connection(installation.address)
    messaging = Messaging(gateway, installation, plan)
    browsers = subscribed(gateway, plan, service, [recipient for _, recipient in pairs])

    def write(count: int) -> None:
        for _ in range(count):
            for sender, recipient in pairs:
                messaging.send(sender, recipient)

    with without_pace(installation.database_path):
        began = time.monotonic()
        write(1)
        wait_until_told(installation)
        seconds = time.monotonic() - began
        service.fail(FAULTS)
        write(MESSAGES_SINCE)
        wait_until_told(installation)
        counts = service.counts()
        time.sleep(QUIET_SECONDS)
        if service.counts() != counts:
            raise BenchmarkError("pushes came when nothing was owed any longer")
    gateway.close()
    received = [service.messages(subscription) for subscription in browsers.subscriptions]
    return [
        *of_arrivals(received, counts, service.faults()),
        Row(SECTION, "the first pushes", len(browsers.subscriptions) / seconds, "pushes/s",
            note="from the first message to the end of the last push, without the pace that the worker keeps for "
            "another service than the usual ones; simulator and worker share the cores"),
        *of_targets(installation, browsers),
    ]


def subscribed(gateway: Connection, plan: MessagePlan, service: PushService, people: list[int]) -> Browsers:
    key = public_key(gateway, plan.people.token(people[0]))
    found = Browsers([], [], [])
    for place, person in enumerate(people):
        token = plan.people.token(person)
        live = service.subscribe(key, BROWSERS_OF_EACH)
        found.subscriptions.extend(live)
        found.targets.extend(add_targets(gateway, token, live))
        if place % WITH_ENDED == 0:
            gone = service.subscribe(key, 1)
            found.ended.extend(add_targets(gateway, token, gone))
            service.end(gone[0])
    return found


def public_key(gateway: Connection, token: str) -> str:
    """What browsers are subscribed for, which a worker makes at its first start."""
    deadline = time.monotonic() + 30
    while True:
        answer = json.loads(gateway.send("GET", "/v1/notifications/web-push", headers=signed_in(token)))
        if answer["state"] == "ready":
            return answer["publicKey"]
        if time.monotonic() > deadline:
            raise BenchmarkError(f"nothing can be pushed to browsers: {answer['state']}")
        time.sleep(0.1)


def wait_until_told(installation: SocialInstallation) -> None:
    """Returns when nothing is owed to any target."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while owed := installation.value("SELECT COUNT(*) FROM push_intents WHERE state <> ?", DONE):
        if time.monotonic() > deadline:
            raise BenchmarkError(f"{owed:,} pushes have not been sent after {PATIENCE_SECONDS} s")
        time.sleep(0.1)


def of_arrivals(received: list[list[Message]], counts: dict[str, int], faults: int) -> list[Row]:
    wanted = len(received) * PUSHES_OF_EACH
    opened = sum(message.text is not None for messages in received for message in messages)
    fewest, most = (choose(map(len, received)) for choose in (min, max))
    of_each = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    pauses = [pause for messages in received for pause in pauses_of(messages)]
    shortest = min(pauses, default=0)
    return [
        Row(SECTION, "pushes that browsers have decrypted", opened, "pushes", target=f"all, at least {wanted:,}",
            met=opened == counts["accepted"] >= wanted and fewest >= PUSHES_OF_EACH,
            note=f"the service has accepted {counts['accepted']:,}, and answered {faults} more calls with 429 or 503; "
            f"each of {len(received):,} browsers has received {of_each}, for {1 + MESSAGES_SINCE} messages"),
        Row(SECTION, "shortest time between two pushes of a group to a browser", shortest, "s",
            **at_least(shortest, LEAST_SECONDS, "s"), note=f"of {len(pauses):,}, at the service"),
    ]


def pauses_of(messages: list[Message]) -> list[float]:
    """The seconds between two messages of the same group."""
    topics = {message.topic for message in messages}
    return [
        later.at - earlier.at for topic in topics
        for earlier, later in pairwise(message for message in messages if message.topic == topic)]


def of_targets(installation: SocialInstallation, browsers: Browsers) -> list[Row]:
    kept = {identifier for (identifier,) in installation.rows("SELECT id FROM push_targets")}
    wrong = sum(target not in kept for target in browsers.targets)
    left = sum(target in kept for target in browsers.ended)
    return [
        Row(SECTION, "targets that were deleted wrongly", wrong, "targets", **at_most(wrong, 0),
            note=f"of {len(browsers.targets):,} whose browsers are subscribed"),
        Row(SECTION, "targets that are left of browsers that have unsubscribed", left, "targets", **at_most(left, 0),
            note=f"of {len(browsers.ended):,}, for which the service answers with 410"),
    ]
