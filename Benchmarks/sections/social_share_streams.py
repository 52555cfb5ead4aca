"""How soon open event streams of followers have a share, and whether streams of others stay quiet."""

import uuid

from harness.client import Connection
from harness.open_streams import Act, OpenStreams
from harness.options import Options
from harness.report import Row, at_most, number
from harness.sharing import Sharing, path
from harness.social_installation import SocialInstallation
from harness.timing import percentile

SECTION = "social"
MOST_MS = 100
# Whom all listeners follow. The other streams are of people who do not.
SHARER, OTHERS = 3, 100
# How long the others' streams are still watched after the last share.
QUIET_SECONDS = 2


def share_streams(installation: SocialInstallation, options: Options) -> list[Row]:
    count = 3 if options.quick else 30
    plan = installation.plan
    gateway = Connection(installation.address)
    sharing = Sharing(gateway, plan)
    gateway.close()
    first_key, sharer_key = installation.key_of(0), installation.key_of(SHARER)
    followers = {
        key - first_key for (key,) in installation.rows("SELECT follower FROM follows WHERE followed = ?", sharer_key)}
    others = [person for person in plan.visitors if person not in followers][:OTHERS]
    people = [*plan.listeners, *others]
    with OpenStreams(installation.address, [plan.token(person) for person in people]) as opened:
        listeners = range(len(plan.listeners))
        arrived, whole, answered = [], [], []
        for _ in range(count):
            message = str(uuid.uuid4())
            arrivals = opened.after(
                Act("PUT", path(), plan.token(SHARER), sharing.body(message)),
                dict.fromkeys(listeners, f'"message":"{message}"'.encode()))
            arrived += arrivals.events.values()
            whole.append(max(arrivals.events.values()))
            answered.append(arrivals.answered)
        opened.watch(QUIET_SECONDS)
        strange = sum(opened.event_counts[stream] for stream in range(len(listeners), len(people)))
    slowest = percentile(whole, 99)
    return [
        Row(SECTION, f"a share until all {len(listeners):,} open streams of followers have it, p99", slowest, "ms",
            **at_most(slowest, MOST_MS, "ms"),
            note=f"from the sending of the request, which was answered after {number(percentile(answered, 50))} ms "
            f"(p50); on each stream, p50 {number(percentile(arrived, 50))} ms, p99 {number(percentile(arrived, 99))} "
            f"ms; {count} shares"),
        Row(SECTION, "events of it on the streams of others", strange, "events", **at_most(strange, 0),
            note=f"{len(others)} people who do not follow"),
    ]
