"""What a share costs: its time, the rows and the part of the log that it writes, and its bytes in the database."""

import statistics
from itertools import cycle, islice

from harness.client import Connection
from harness.log_bytes import LogPosition
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, at_most, number
from harness.sharing import Sharing
from harness.social_installation import SocialInstallation
from harness.timing import percentile, times
from harness.triggers import WrittenRows

SECTION = "social"
ONE_BY_ONE_MS, MOST_ROWS, LOG_DIFFERENCE, SHARE_BYTES = 8, 10, 0.1, 150
# What one person may share at once is 60.
OF_EACH, LOGGED_OF_EACH = 20, 50
# The tables with one row for each share. A song is of many shares, and an act of all shares of a day.
TABLES = ("shares", "share_receipts", "timeline_items")


def shares(installation: SocialInstallation, options: Options) -> list[Row]:
    count, logged, written = (200, 10, 5) if options.quick else (2_000, LOGGED_OF_EACH, 20)
    plan = installation.plan
    gateway = Connection(installation.address)
    sharing = Sharing(gateway, plan)
    people = plan.visitors[-count // OF_EACH - written - 1:]
    rows = [
        one_by_one(installation, sharing, people[:-written], count),
        written_rows(installation, sharing, people[-written:]),
        logged_bytes(installation, sharing, logged),
    ]
    gateway.close()
    return rows


def one_by_one(installation: SocialInstallation, sharing: Sharing, people: range, count: int) -> Row:
    songs, before = (installation.value(query) for query in (
        "SELECT COUNT(*) FROM share_contents", "SELECT COUNT(*) FROM shares"))
    sharers = cycle(people)
    bodies = iter([sharing.body() for _ in range(count)])
    sharing.share(next(sharers), sharing.body())
    if installation.value("SELECT COUNT(*) FROM share_contents") != songs:
        raise BenchmarkError("a song that was shared again is another one: songs have other hashes than are generated")
    values = times(lambda: sharing.share(next(sharers), next(bodies)), count)
    made = installation.value("SELECT COUNT(*) FROM shares") - before - 1
    if made != count:
        raise BenchmarkError(f"{count:,} shares were answered, and there are {made:,}")
    worst = percentile(values, 99)
    return Row(
        SECTION, "PUT /v1/shares/{id}, one after the other, p99", worst, "ms", **at_most(worst, ONE_BY_ONE_MS, "ms"),
        note=f"{count:,} shares of {len(people)} people in turns, p50 {number(percentile(values, 50))} ms")


def written_rows(installation: SocialInstallation, sharing: Sharing, people: range) -> Row:
    """Each shares for the first time today, which writes the most."""
    counts, tables = [], set()
    with WrittenRows(installation.database_path) as written:
        for person in people:
            written.since()
            sharing.share(person, sharing.body())
            found = written.since()
            counts.append(found.total())
            tables.add(", ".join(sorted(found)))
    # Upkeep may write as well.
    typical = statistics.median_low(counts)
    return Row(
        SECTION, "rows that a share writes", typical, "rows", low=min(counts), high=max(counts),
        **at_most(typical, MOST_ROWS), note=f"as triggers count them, of {min(tables, key=len)}")


def logged_bytes(installation: SocialInstallation, sharing: Sharing, of_each: int) -> Row:
    """Of people with very many followers and of people without any, who share the same songs in turns."""
    plan, path = installation.plan, installation.database_path
    values: dict[str, list[int]] = {"popular": [], "lonely": []}
    for pair in islice(cycle(zip(plan.stars, plan.loners)), of_each * len(plan.loners)):
        body = sharing.body()
        for kind, person in zip(values, pair):
            before = LogPosition.of(path)
            sharing.share(person, body)
            values[kind].append(LogPosition.of(path).bytes_since(before))
    popular, lonely = (statistics.fmean(found) for found in values.values())
    followers, none = (
        installation.value("SELECT COUNT(*) FROM follows WHERE followed = ?", installation.key_of(person))
        for person in (plan.stars[0], plan.loners[0]))
    ratio = popular / lonely
    return Row(
        SECTION, f"what a share of somebody with {followers:,} followers adds to the log", popular / 1_000, "kB",
        ratio=ratio, ratio_to=f"with {none:,}", target=f"within {LOG_DIFFERENCE:.0%} of that with none",
        met=abs(ratio - 1) <= LOG_DIFFERENCE,
        note=f"{len(values['popular']):,} shares of {len(plan.stars)} people each, in turns; with none, "
        f"{number(lonely / 1_000)} kB")


def share_bytes(installation: SocialInstallation) -> Row:
    """Of the generated shares, whose pages are as full as those that have grown row by row. No program may run."""
    shares = installation.value("SELECT COUNT(*) FROM shares")
    messages = installation.value("SELECT SUM(LENGTH(CAST(message AS BLOB))) FROM shares")
    sizes = {table: size(installation, table) for table in (*TABLES, "share_acts")}
    # Topics have items as well.
    items = installation.value("SELECT COUNT(*) FROM timeline_items")
    of_each = {
        "the share": (sizes["shares"] - messages) / shares, "its receipt": sizes["share_receipts"] / shares,
        "its item": sizes["timeline_items"] / items}
    value = sum(of_each.values())
    described = ", ".join(f"{name} {number(found)}" for name, found in of_each.items())
    return Row(
        SECTION, "bytes on disk of a share, with indexes", value, "bytes", **at_most(value, SHARE_BYTES, "bytes"),
        note=f"without song and message: {described}; the acts, of which there is one for each day on which somebody "
        f"shares, take {number(sizes['share_acts'] / shares)} for each share here; {shares:,} shares")


def size(installation: SocialInstallation, table: str) -> int:
    """The bytes of a table with its indexes."""
    return installation.value(
        "SELECT SUM(pages.pgsize) FROM sqlite_schema AS parts CROSS JOIN dbstat AS pages "
        "WHERE parts.tbl_name = ? AND pages.name = parts.name AND pages.aggregate = 1", table)
