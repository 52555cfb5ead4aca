"""How soon the open event stream of the other person has a message, and whether streams of others stay quiet."""

import random
import uuid

from harness.client import Connection
from harness.message_plan import MessagePlan
from harness.messaging import Messaging, body, path
from harness.open_streams import Act, OpenStreams
from harness.options import Options
from harness.report import Row, at_most, number
from harness.social_installation import SocialInstallation
from harness.timing import percentile

SECTION = "messages"
MOST_MS = 100
MOST_STREAMS = 1_000
# How long the streams of the others are still watched after the last message.
QUIET_SECONDS = 2


def streams(installation: SocialInstallation, plan: MessagePlan, options: Options) -> list[Row]:
    count = 20 if options.quick else 500
    gateway = Connection(installation.address)
    messaging = Messaging(gateway, installation, plan)
    gateway.close()
    # The recipients of the first ones get messages, each a few; the last ones get none.
    listening = plan.pairs[:MOST_STREAMS]
    written_to = len(listening) * 9 // 10
    chance = random.Random(41)
    arrived, answered = [], []
    with OpenStreams(installation.address, [plan.people.token(recipient) for _, recipient in listening]) as opened:
        for _ in range(count):
            stream = chance.randrange(written_to)
            sender, recipient = listening[stream]
            text = str(uuid.uuid4())
            act = Act("PUT", path(messaging.thread(sender, recipient)), plan.people.token(sender), body(text))
            arrivals = opened.after(act, {stream: f'"text":"{text}"'.encode()})
            arrived += arrivals.events.values()
            answered.append(arrivals.answered)
        opened.watch(QUIET_SECONDS)
        strange = sum(opened.event_counts[written_to:])
    slowest = percentile(arrived, 99)
    return [
        Row(SECTION, f"a message until the other's stream has it, of {len(listening):,} open streams, p99", slowest,
            "ms", **at_most(slowest, MOST_MS, "ms"),
            note=f"from the sending of the request, which was answered after {number(percentile(answered, 50))} ms "
            f"(p50); p50 {number(percentile(arrived, 50))} ms; {count} messages"),
        Row(SECTION, "events of it on the streams of others", strange, "events", **at_most(strange, 0),
            note=f"{len(listening) - written_to} people to whom nobody wrote"),
    ]
