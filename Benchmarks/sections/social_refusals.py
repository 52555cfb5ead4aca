"""Whether the time of an answer tells why somebody has no profile to see: each reason is asked for in turns."""

import json
import random
import statistics
import time

from harness.client import Connection, signed_in
from harness.options import Options
from harness.report import Row, number
from harness.social_installation import SocialInstallation
from harness.timing import percentile

from .erasure import wait_for_zero

SECTION = "social"
MOST_MS = 0.1


def refusals(installation: SocialInstallation, options: Options) -> list[Row]:
    count = 500 if options.quick else 10_000
    plan = installation.plan
    viewer = plan.visitors[0]
    gateway = Connection(installation.address)
    for person in plan.blockers:
        gateway.send(
            "PUT", f"/v1/users/{plan.username(viewer)}/block", headers=signed_in(plan.token(person)), expected=(204,))
    for person in plan.leavers:
        token, name = plan.token(person), plan.username(person)
        gateway.send(
            "DELETE", "/v1/me", json.dumps({"username": name, "token": token}).encode(), signed_in(token), (204,))
    wait_for_zero(gateway, "backline_erasures_unfinished")
    names = {
        "private": [plan.username(person) for person in plan.hidden],
        "blocking": [plan.username(person) for person in plan.blockers],
        "erased": [plan.username(person) for person in plan.leavers],
        # Of the same form and length.
        "unknown": [plan.username(person + 1).replace(".", "_") for person in plan.hidden],
    }
    chance = random.Random(404)
    values: dict[str, list[float]] = {reason: [] for reason in names}
    for turn in range(count + 20):
        for reason in chance.sample(list(names), len(names)):
            path = f"/v1/users/{chance.choice(names[reason])}"
            began = time.perf_counter()
            gateway.send("GET", path, headers=signed_in(plan.token(viewer)), expected=(404,))
            if turn >= 20:
                values[reason].append((time.perf_counter() - began) * 1_000)
    gateway.close()
    medians = {reason: statistics.median(found) for reason, found in values.items()}
    difference = max(medians.values()) - min(medians.values())
    described = ", ".join(
        f"{reason} {median:.3f} ms (p99 {number(percentile(values[reason], 99))})"
        for reason, median in medians.items())
    return [Row(
        SECTION, "404 for a profile: the medians' largest difference", difference, "ms",
        target=f"< {MOST_MS} ms", met=difference < MOST_MS, note=f"{count:,} requests of each: {described}")]
