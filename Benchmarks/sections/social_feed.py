"""Pages of the feed: of people who follow few and many, and of those who follow the quietest alone."""

import json
import random
from collections.abc import Iterator
from urllib.parse import quote

from harness.client import Connection, signed_in
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, at_most, number
from harness.social_installation import SocialInstallation
from harness.social_plan import FOLLOWS_OF_EACH, READER_FOLLOWS, STARS
from harness.timing import percentile, times

SECTION = "social"
MEDIAN_MS, MOST_MS = 4, 12
# Of those who follow the quietest alone: one twentieth and one tenth of all people.
QUIET_MS = (30, 50)
# As the page of the site asks.
PATH = "/v1/feed"
VISITORS = 100
# Pages from the top whose successors count as later ones, of one of the visitors and of the others; and how many pages
# lie above those that count as deep.
PAGES_OF_VISITOR, PAGES, DEEP = 10, 100, 1_000
DEEP_PAGES = 50

# A person's token, and a path.
Request = tuple[str, str]
# Requests by who sends them.
Groups = dict[str, list[Request]]


def feed(installation: SocialInstallation, options: Options) -> list[Row]:
    count, deep = (200, 100) if options.quick else (2_000, DEEP)
    plan = installation.plan
    gateway = Connection(installation.address)
    visitors = [plan.token(visitor) for visitor in plan.visitors[:VISITORS]]
    readers = {name_of(plan.followed_by(reader)): plan.token(reader) for reader in plan.readers}
    first: Groups = {f"about {FOLLOWS_OF_EACH}": [(token, PATH) for token in visitors]}
    first |= {name: [(token, PATH)] for name, token in readers.items()}
    walks = {name: walk(gateway, token, deep + DEEP_PAGES) for name, token in readers.items()}
    later: Groups = {f"about {FOLLOWS_OF_EACH}": [
        page for token in visitors for page in walk(gateway, token, PAGES_OF_VISITOR)[1:]]}
    later |= {name: pages[1:] for name, pages in walks.items()}
    deepest = min(len(pages) for pages in walks.values()) - DEEP_PAGES
    rows = [
        *measured(gateway, "first page, mixed follows", first, count),
        *measured(gateway, "later pages, mixed follows", later, count),
        *measured(gateway, f"{deepest:,} pages deep", {
            name: pages[-DEEP_PAGES:] for name, pages in walks.items()}, count),
    ]
    for quiet, limit in zip(plan.quiet_readers, QUIET_MS):
        name = f"of {name_of(plan.followed_by(quiet))} of the quietest authors"
        pages = walk(gateway, plan.token(quiet), PAGES)
        rows += measured(gateway, f"{name}, first page", {name: pages[:1]}, count // 2, None, limit)
        rows += measured(gateway, f"{name}, later pages", {name: pages[1:]}, count // 2, None, limit)
    gateway.close()
    return rows


def name_of(follows: int) -> str:
    return f"{follows:,}"


def walk(gateway: Connection, token: str, most: int) -> list[Request]:
    """So many pages of somebody's feed from the top. Each item must be below the one before."""
    found: list[Request] = []
    last: tuple[int, int] | None = None
    cursor = ""
    while len(found) < most:
        path = f"{PATH}{cursor and f'?cursor={quote(cursor)}'}"
        found.append((token, path))
        page = json.loads(gateway.send("GET", path, headers=signed_in(token)))
        if page["missing"]:
            raise BenchmarkError(f"a page of the feed lacks something: {page['missing']}")
        for item in page["items"]:
            position = (item["sortScore"], item["number"])
            if last is not None and position >= last:
                raise BenchmarkError(f"the feed is not in order: {position} comes after {last}")
            last = position
        cursor = page["nextCursor"]
        if not cursor:
            break
    return found


def measured(
    gateway: Connection, name: str, groups: Groups, count: int, median: float | None = MEDIAN_MS,
    most: float = MOST_MS,
) -> list[Row]:
    """`count` requests of the groups in turns: the rows of their median, if it has a limit, and of their p99."""
    chance = random.Random(40)
    values: dict[str, list[float]] = {}
    for group, requests in groups.items():
        # Each once, so that nobody opens the feed for the first time today and that files and statements are open.
        for request in requests[:VISITORS]:
            send(gateway, request)
        values[group] = []
    for _ in range(count // len(groups)):
        for group, requests in groups.items():
            request = chance.choice(requests)
            values[group] += times(lambda: send(gateway, request), 1)
    together = [value for found in values.values() for value in found]
    described = ", ".join(
        f"{group} follows {number(percentile(found, 50))} ms (p99 {number(percentile(found, 99))})"
        for group, found in values.items())
    typical, slowest = percentile(together, 50), percentile(together, 99)
    note = f"{len(together):,} requests" + (f"; {described}" if len(groups) > 1 else f", p50 {number(typical)} ms")
    rows = [Row(SECTION, f"GET /v1/feed, {name}, p99", slowest, "ms", **at_most(slowest, most, "ms"), note=note)]
    if median:
        rows.insert(0, Row(SECTION, f"GET /v1/feed, {name}, p50", typical, "ms", **at_most(typical, median, "ms")))
    return rows


def send(gateway: Connection, request: Request) -> None:
    token, path = request
    gateway.send("GET", path, headers=signed_in(token))
