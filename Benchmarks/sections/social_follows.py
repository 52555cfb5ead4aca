"""Follows, one after the other and over 32 connections, each durable before it is answered."""

import os
import random
import statistics
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from harness.client import Connection, signed_in
from harness.load import wait_for_end
from harness.options import Options
from harness.processes import BenchmarkError, Program
from harness.report import Row, at_most, number, rounds
from harness.social_installation import SocialInstallation
from harness.social_plan import PUBLIC
from harness.timing import percentile, times

from .submit import CONNECTIONS, Shot, submitted, wrk

SECTION = "social"
SCRIPT = Path(__file__).with_name("follow.lua")
ONE_BY_ONE_MS = 8
# A follow in the time of a job that is submitted.
FACTOR = 1.5
# Follows that one person may make at once.
AT_ONCE = 100
# The people who follow in turns. The gateway looks up each one's token every five seconds.
TOGETHER = 100
# More than any machine makes.
MOST_PER_SECOND = 15_000
WARM_UP_SECONDS = 1

# A token, and the name of whom its person follows.
Follow = tuple[str, str]


def follows(installation: SocialInstallation, options: Options) -> list[Row]:
    count, seconds, turns = (200, 1, 1) if options.quick else (2_000, 4, 3)
    waiting = new_follows(installation)
    single = one_by_one(installation, list(islice(waiting, count)))
    installation.add_user("bench")
    gateway = installation.connect()
    wrk(installation, "/v1/jobs", WARM_UP_SECONDS)
    over_many_connections(installation, waiting, WARM_UP_SECONDS)
    pairs: list[tuple[Shot, Shot]] = []
    cost_of_jobs, cost_of_follows = Cost(installation.programs[0]), Cost(installation.programs[0])
    for _ in range(turns):
        with cost_of_jobs:
            jobs = wrk(installation, "/v1/jobs", seconds)
            # The workers have nothing to do while people follow.
            wait_for_end(gateway, submitted(gateway))
        with cost_of_follows:
            followed = over_many_connections(installation, waiting, seconds)
        pairs.append((jobs, followed))
    gateway.close()
    factor = statistics.median(jobs.per_second / followed.per_second for jobs, followed in pairs)
    worst = percentile(single, 99)
    return [
        Row(SECTION, "PUT /v1/users/{username}/follow, one after the other, p99", worst, "ms",
            **at_most(worst, ONE_BY_ONE_MS, "ms"),
            note=f"{len(single):,} follows, p50 {number(percentile(single, 50))} ms"),
        Row(SECTION, f"follows, {CONNECTIONS} connections", unit="follows/s",
            **rounds(followed.per_second for _, followed in pairs), ratio=factor, ratio_to="the time of POST /v1/jobs",
            target=f"≤ {FACTOR} × POST /v1/jobs", met=factor <= FACTOR,
            note="by many people, in turns with jobs that one person submits and workers run; the gateway's part of "
            f"a follow: {cost_of_follows.of_each(sum(followed.answers for _, followed in pairs))}; of a job and its "
            f"run: {cost_of_jobs.of_each(sum(jobs.answers for jobs, _ in pairs))}"),
        Row(SECTION, "follows, p99", unit="ms", **rounds(followed.p99 for _, followed in pairs)),
        Row(SECTION, f"POST /v1/jobs, {CONNECTIONS} connections", unit="jobs/s",
            **rounds(jobs.per_second for jobs, _ in pairs)),
        Row(SECTION, "POST /v1/jobs, p99", unit="ms", **rounds(jobs.p99 for jobs, _ in pairs)),
    ]


class Cost:
    """The processor time that a process uses within `with` blocks."""

    def __init__(self, program: Program):
        self._program = program
        self._seconds = 0.0

    def __enter__(self) -> None:
        self._seconds -= self._program.usage().cpu_seconds

    def __exit__(self, *_) -> None:
        self._seconds += self._program.usage().cpu_seconds

    def of_each(self, count: int) -> str:
        return f"{self._seconds / count * 1e6:,.0f} µs of a processor"


def new_follows(installation: SocialInstallation) -> Iterator[Follow]:
    """Follows that there are not yet: by `TOGETHER` people in turns until none of them may follow more, then by others.
    """
    plan = installation.plan
    # The first one has been blocked.
    followers = plan.visitors[1:]
    first_key = installation.key_of(followers[0])
    followed = {
        (follower - first_key + followers.start, other - first_key + followers.start)
        for follower, other in installation.rows(
            "SELECT follower, followed FROM follows WHERE follower BETWEEN ? AND ?", first_key,
            first_key + len(followers) - 1)}
    public = [person for person in range(followers.start, plan.people) if plan.visibility(person) == PUBLIC]
    chance = random.Random(3)
    for first in range(0, len(followers), TOGETHER):
        for _ in range(AT_ONCE):
            for follower in followers[first:first + TOGETHER]:
                while (pair := (follower, chance.choice(public))) in followed or pair[0] == pair[1]:
                    pass
                followed.add(pair)
                yield plan.token(follower), plan.username(pair[1])


def one_by_one(installation: SocialInstallation, wanted: list[Follow]) -> list[float]:
    """The time of each, in milliseconds."""
    gateway = Connection(installation.address)
    waiting = iter(wanted)

    def send() -> None:
        token, username = next(waiting)
        gateway.send("PUT", f"/v1/users/{username}/follow", headers=signed_in(token))

    values = times(send, len(wanted))
    gateway.close()
    return values


def over_many_connections(installation: SocialInstallation, waiting: Iterator[Follow], seconds: int) -> Shot:
    wanted = list(islice(waiting, seconds * MOST_PER_SECOND))
    path = installation.folder / "follows.txt"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.writelines(f"{token} {username}\n" for token, username in wanted)
    shot = wrk(installation, "/", seconds, SCRIPT, path)
    if shot.answers + CONNECTIONS > len(wanted):
        raise BenchmarkError(f"{len(wanted):,} follows are too few for {seconds} s: give more --people")
    return shot
