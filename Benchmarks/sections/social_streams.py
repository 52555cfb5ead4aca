"""How soon open event streams tell of somebody's changed profile, and of a block."""

import json
import random

from harness.open_streams import Act, OpenStreams
from harness.options import Options
from harness.report import Row, at_most, number
from harness.social_installation import SocialInstallation
from harness.timing import percentile

SECTION = "social"
MOST_MS = 100
# Whom all listeners follow: one changes, and one is blocked.
CHANGED, BLOCKED = 0, 2


def streams(installation: SocialInstallation, options: Options) -> list[Row]:
    plan = installation.plan
    changes, blocks = (3, 5) if options.quick else (30, 100)
    people = [*plan.listeners, BLOCKED]
    with OpenStreams(installation.address, [plan.token(number) for number in people]) as opened:
        listeners = range(len(plan.listeners))
        told, answered = [], []
        for round_number in range(changes):
            name = f"Round {round_number} of {changes}"
            body = json.dumps({"displayName": name}).encode()
            arrivals = opened.after(
                Act("PATCH", "/v1/me", plan.token(CHANGED), body),
                dict.fromkeys(listeners, f'"displayName":"{name}"'.encode()))
            told += arrivals.events.values()
            answered.append(arrivals.answered)
        ids = installation.user_ids(people)
        blocked = []
        for stream in random.Random(39).sample(listeners, min(blocks, len(listeners))):
            arrivals = opened.after(
                Act("PUT", f"/v1/users/{plan.username(BLOCKED)}/block", plan.token(people[stream])),
                {stream: gone(ids[BLOCKED]), len(people) - 1: gone(ids[people[stream]])})
            blocked.append(max(arrivals.events.values()))
    slowest, slowest_block = percentile(told, 99), percentile(blocked, 99)
    return [
        Row(SECTION, f"a changed profile on {len(listeners):,} open streams, p99", slowest, "ms",
            **at_most(slowest, MOST_MS, "ms"),
            note=f"from the sending of the request, which was answered after {number(percentile(answered, 50))} ms "
            f"(p50), to its event on each stream; p50 {number(percentile(told, 50))} ms; {changes} changes"),
        Row(SECTION, "a block on the streams of both, p99", slowest_block, "ms",
            **at_most(slowest_block, MOST_MS, "ms"),
            note=f"on the slower of the two, among as many open streams; p50 {number(percentile(blocked, 50))} ms; "
            f"{len(blocked)} blocks of one person"),
    ]


def gone(user_id: str) -> bytes:
    return f'event: gone\ndata: {{"kind":"person","id":"{user_id}"}}'.encode()
