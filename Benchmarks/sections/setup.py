"""The setup checklist over 32 connections, as the pages of many people ask for it."""

from harness.installation import Installation
from harness.options import Options
from harness.report import Row, at_most, rounds

from .submit import CONNECTIONS, wrk


def run(options: Options) -> list[Row]:
    seconds, count = (2, 1) if options.quick else (8, 3)
    with Installation(options.folder) as installation:
        installation.start_gateway()
        installation.add_user("bench")
        wrk(installation, "/v1/setup", 1, script=None)
        shots = [wrk(installation, "/v1/setup", seconds, script=None) for _ in range(count)]
    slowest = rounds(shot.p99 for shot in shots)
    return [
        Row("setup", f"GET /v1/setup, {CONNECTIONS} connections", unit="requests/s",
            **rounds(shot.per_second for shot in shots)),
        Row("setup", "answered, p99", unit="ms", **slowest, **at_most(slowest["value"], 5, "ms")),
    ]
