"""Pages of a thread with very many messages and of a long list of threads, one request after the other."""

import json
import random
from collections.abc import Callable
from urllib.parse import quote

from harness.client import Connection
from harness.message_plan import LONG, MessagePlan
from harness.messaging import Messaging
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, at_most, number
from harness.social_installation import SocialInstallation
from harness.timing import percentile, times

SECTION = "messages"
MOST_MS = 5
# Requests before the measured ones, which open files and prepare statements.
WARMING = 50
# As pages of the site ask.
MESSAGES, THREADS = 50, 20


def pages(installation: SocialInstallation, plan: MessagePlan, options: Options) -> list[Row]:
    count = 200 if options.quick else 2_000
    gateway = Connection(installation.address, plan.people.token(plan.reader))
    thread = Messaging(gateway, installation, plan).thread(plan.reader, plan.friend)
    rows = [
        measured(gateway, "GET /v1/threads/{id}/messages", f"/v1/threads/{thread}/messages?limit={MESSAGES}",
                 lambda item: item["text"], LONG, "messages", count),
        measured(gateway, "GET /v1/threads", f"/v1/threads?limit={THREADS}",
                 lambda item: item["last"] and item["last"]["text"], len(plan.correspondents) + 1, "threads", count),
    ]
    gateway.close()
    return rows


def measured(
    gateway: Connection, name: str, path: str, text: Callable[[dict], str | None], items: int, unit: str, count: int,
) -> Row:
    found = walk(gateway, path, text, items)
    chance = random.Random(41)
    # Half of the requests are for the first page, as people read.
    asked = [found[0] if chance.random() < 0.5 else chance.choice(found) for _ in range(count + WARMING)]
    waiting = iter(asked)
    times(lambda: gateway.send("GET", next(waiting)), WARMING)
    values = times(lambda: gateway.send("GET", next(waiting)), count)
    worst = percentile(values, 99)
    return Row(
        SECTION, f"{name} of {items:,} {unit}, p99", worst, "ms", **at_most(worst, MOST_MS, "ms"),
        note=f"{count:,} requests, half of them for the first of {len(found):,} pages, the others for any; p50 "
        f"{number(percentile(values, 50))} ms")


def walk(gateway: Connection, path: str, text: Callable[[dict], str | None], items: int) -> list[str]:
    """The paths of all pages. Each item must be shown once, with its text."""
    found, seen, cursor = [], set(), ""
    while True:
        found.append(f"{path}{cursor and f'&cursor={quote(cursor)}'}")
        page = gateway.get(found[-1])
        for item in page["items"]:
            if not text(item):
                raise BenchmarkError(f"an item has no text: {json.dumps(item)[:300]}")
            seen.add(item["id"])
        cursor = page["nextCursor"]
        if not cursor:
            break
    if len(seen) != items:
        raise BenchmarkError(f"the pages of {path} have {len(seen):,} items instead of {items:,}")
    return found
