"""Messages one after the other, each durable before it is answered."""

from itertools import cycle

from harness.client import Connection
from harness.message_plan import MessagePlan
from harness.messaging import Messaging
from harness.options import Options
from harness.report import Row, at_most, number
from harness.social_installation import SocialInstallation
from harness.timing import percentile, times

SECTION = "messages"
MOST_MS = 8
WARMING = 50


def sending(installation: SocialInstallation, plan: MessagePlan, options: Options) -> list[Row]:
    count = 200 if options.quick else 2_000
    gateway = Connection(installation.address)
    messaging = Messaging(gateway, installation, plan)
    # Both people of each pair in turns, so that nobody reaches a limit.
    waiting = cycle([*plan.pairs, *((second, first) for first, second in plan.pairs)])
    times(lambda: messaging.send(*next(waiting)), WARMING)
    values = times(lambda: messaging.send(*next(waiting)), count)
    gateway.close()
    worst = percentile(values, 99)
    return [
        Row(SECTION, "a message, one after the other, p99", worst, "ms", **at_most(worst, MOST_MS, "ms"),
            note=f"{count:,} messages of {2 * len(plan.pairs):,} people who have written to each other before, p50 "
            f"{number(percentile(values, 50))} ms"),
    ]
