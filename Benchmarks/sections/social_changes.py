"""What devices ask for that were away: the changes of people, for somebody who follows many, and fewer."""

import http.client
import json
import time
from urllib.parse import urlsplit

from harness.client import signed_in
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, at_most, rounds
from harness.social_installation import SocialInstallation
from harness.social_plan import READER_FOLLOWS, STARS

SECTION = "social"
# The longest time until the first line, by follows.
FIRST_LINE_MS = {500: 15, 5_000: 40}
ALL_SECONDS = 1
# What 5,000 follows have: the follow itself, and a change of what is shown.
CHANGES = 10_000


def changes(installation: SocialInstallation, options: Options) -> list[Row]:
    count = 3 if options.quick else 15
    rows = []
    for follows, limit in FIRST_LINE_MS.items():
        reader = STARS + READER_FOLLOWS.index(follows)
        read(installation, reader)
        answers = [read(installation, reader) for _ in range(count)]
        first = rounds(answer.first_line for answer in answers)
        whole = rounds(answer.seconds for answer in answers)
        name = f"GET /v1/changes at {follows:,} follows"
        rows.append(Row(
            SECTION, f"{name}: first line", unit="ms", **first, **at_most(first["value"], limit, "ms"),
            note=f"after an absence in which everybody has changed; {count} answers"))
        rows.append(Row(
            SECTION, f"{name}: all {answers[-1].changes:,} changes", unit="s", **whole,
            **(at_most(whole["value"], ALL_SECONDS, "s") if follows == max(FIRST_LINE_MS) else {})))
    if answers[-1].changes != CHANGES and installation.plan.people > 2 * follows:
        raise BenchmarkError(f"{answers[-1].changes:,} changes were sent instead of {CHANGES:,}")
    return rows


class Answer:
    """The changes since before all follows, with the time in ms until their first line and in s until their last."""

    def __init__(self, response: http.client.HTTPResponse, began: float):
        if response.status != 200:
            raise BenchmarkError(f"GET /v1/changes was answered with {response.status}: {response.read()[:300]!r}")
        last = response.readline()
        self.first_line = (time.perf_counter() - began) * 1_000
        self.changes = 0
        # Reading lines by themselves would take longer than writing them.
        rest = response.read()
        self.seconds = time.perf_counter() - began
        lines = [last, *rest.splitlines()]
        self.changes = len(lines) - 1
        if "end" not in json.loads(lines[-1]):
            raise BenchmarkError(f"the changes were cut off: {lines[-1][:300]!r}")


def read(installation: SocialInstallation, reader: int) -> Answer:
    parts = urlsplit(installation.address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=120)
    connection.connect()
    began = time.perf_counter()
    connection.request(
        "GET", "/v1/changes?since=1&kinds=person",
        headers=signed_in(installation.plan.token(reader)))
    answer = Answer(connection.getresponse(), began)
    connection.close()
    return answer
