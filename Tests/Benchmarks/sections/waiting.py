"""`Prefer: wait` on an idle system: how long a person waits for a job that takes no time."""

import time

from harness.installation import Installation
from harness.options import Options
from harness.report import Row, at_most


def run(options: Options) -> list[Row]:
    requests = 200 if options.quick else 2_000
    with Installation(options.folder) as installation:
        installation.start_gateway()
        installation.start_workers("concert-worker", "sync-worker")
        installation.add_user("bench")
        connection = installation.connect()
        body = b'{"kind":"diagnostics.echo","payload":{"message":"hello"}}'

        def wait_for_echo() -> None:
            answer = connection.send("POST", "/v1/jobs", body, {"Prefer": "wait=10"}, expected=(200,))
            assert b'"succeeded"' in answer, answer

        for _ in range(100):
            wait_for_echo()
        floor = times(lambda: connection.send("GET", "/healthz"), requests)
        read = times(lambda: connection.send("GET", "/v1/jobs/summary"), requests)
        accepted = times(lambda: connection.send("POST", "/v1/jobs", body, expected=(202,)), requests // 4)
        time.sleep(1)
        waited = times(wait_for_echo, requests)
        connection.close()
    section = "wait"
    return [
        Row(section, "GET /healthz p50 (HTTP floor)", floor[50], "ms"),
        Row(section, "GET /v1/jobs/summary p50 (one read)", read[50], "ms"),
        Row(section, "POST /v1/jobs p50 (one durable write)", accepted[50], "ms"),
        Row(section, "Prefer: wait p50", waited[50], "ms", waited[50] / floor[50], "HTTP floor", **at_most(waited[50], 2, "ms")),
        Row(section, "Prefer: wait p99", waited[99], "ms"),
    ]


def times(action, count: int) -> dict[int, float]:
    """The 50th and 99th percentile of the times of `count` calls one after the other, in milliseconds."""
    values = []
    for _ in range(count):
        began = time.perf_counter()
        action()
        values.append((time.perf_counter() - began) * 1_000)
    values.sort()
    return {percent: values[min(count - 1, count * percent // 100)] for percent in (50, 99)}
