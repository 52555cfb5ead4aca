"""Searches for people, profiles, and the lists of follows, one request after the other on one connection."""

import json
import random
from urllib.parse import quote

from harness.client import Connection, signed_in
from harness.options import Options
from harness.report import Row, at_most, number
from harness.social_installation import SocialInstallation
from harness.social_plan import PRIVATE, SocialPlan, first_name, last_name
from harness.timing import percentile, times

SECTION = "social"
MOST_MS = 5
# Requests before the measured ones, which open files and prepare statements.
WARMING = 50
# As pages of the site ask.
FOUND, LISTED = 20, 50
# The pages of a long list whose cursors are used.
PAGES = 200

# A person's token, and a path.
Request = tuple[str, str]


def reads(installation: SocialInstallation, options: Options) -> list[Row]:
    count = 200 if options.quick else 2_000
    plan, chance = installation.plan, random.Random(39)
    gateway = Connection(installation.address)
    rows = [
        measured(gateway, "GET /v1/users?q=", MOST_MS, searches(plan, chance, count),
                 "prefixes of one to eight letters and of two words; nobody searches more often than is allowed"),
        measured(gateway, "GET /v1/users/{username}", MOST_MS, profiles(plan, chance, count),
                 "one of ten is of somebody with as many followers as half of all people"),
        measured(gateway, "GET /v1/me/following", MOST_MS,
                 pages(gateway, plan, [*plan.readers, *chance.choices(plan.visitors, k=100)], "following", count),
                 "first and later pages of 50, of up to 10,000 follows"),
        measured(gateway, "GET /v1/me/followers", None, pages(gateway, plan, plan.stars, "followers", count),
                 "first and later pages of 50, of as many followers as half of all people"),
    ]
    gateway.close()
    return rows


def measured(gateway: Connection, name: str, limit: float | None, requests: list[Request], note: str) -> Row:
    def send(request: Request) -> None:
        token, path = request
        gateway.send("GET", path, headers=signed_in(token))

    for request in requests[:WARMING]:
        send(request)
    waiting = iter(requests[WARMING:])
    values = times(lambda: send(next(waiting)), len(requests) - WARMING)
    worst = percentile(values, 99)
    slowest = max(range(len(values)), key=values.__getitem__)
    return Row(
        SECTION, f"{name}, p99", worst, "ms", **(at_most(worst, limit, "ms") if limit else {}),
        note=f"{note}; {len(values):,} requests, p50 {number(percentile(values, 50))} ms; the slowest "
        f"{number(values[slowest])} ms: {requests[WARMING + slowest][1][:120]}")


def searches(plan: SocialPlan, chance: random.Random, count: int) -> list[Request]:
    found = []
    for index in range(count + WARMING):
        person = chance.randrange(plan.people)
        first, last = first_name(person).lower(), last_name(person).lower()
        text = chance.choice((
            chance.choice((first, last))[:chance.randint(1, 8)],
            f"{first} {last[:chance.randint(1, 4)]}", f"{first[:chance.randint(1, 3)]} {last[:chance.randint(1, 3)]}",
            plan.username(person)[:chance.randint(3, 12)]))
        # Everybody searches about as often as the others: more than 60 at once are refused.
        token = plan.token(plan.visitors[index % len(plan.visitors)])
        found.append((token, f"/v1/users?q={quote(text)}&limit={FOUND}"))
    return found


def profiles(plan: SocialPlan, chance: random.Random, count: int) -> list[Request]:
    def person() -> int:
        if chance.random() < 0.1:
            return chance.choice(plan.stars)
        while plan.visibility(found := chance.randrange(plan.people)) == PRIVATE:
            pass
        return found

    return [
        (plan.token(chance.choice(plan.visitors)), f"/v1/users/{plan.username(person())}")
        for _ in range(count + WARMING)]


def pages(gateway: Connection, plan: SocialPlan, people: list[int] | range, which: str, count: int) -> list[Request]:
    """Pages of the lists of these people, found by reading each list from its beginning."""
    found = []
    for person in people:
        token, cursor = plan.token(person), ""
        for _ in range(PAGES):
            path = f"/v1/me/{which}?limit={LISTED}{cursor and f'&cursor={quote(cursor)}'}"
            found.append((token, path))
            answer = gateway.send("GET", path, headers=signed_in(token))
            cursor = json.loads(answer).get("nextCursor")
            if not cursor:
                break
    return random.Random(50).choices(found, k=count + WARMING)
