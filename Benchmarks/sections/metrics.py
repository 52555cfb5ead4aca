"""What a monitoring system waits for: the page of metrics, with every worker reporting."""

from harness.installation import Installation
from harness.options import Options
from harness.report import Row, at_most
from harness.timing import percentile, times

WORKERS = ("concert-worker", "concert-worker", "sync-worker", "ai-worker")
BATCH = b'{"jobs":[' + b",".join([b'{"kind":"diagnostics.echo","payload":{}}'] * 100) + b"]}"


def run(options: Options) -> list[Row]:
    requests = 50 if options.quick else 500
    with Installation(options.folder) as installation:
        installation.start_gateway()
        installation.start_workers(*WORKERS)
        installation.add_user("bench")
        connection = installation.connect()
        # Jobs, so that the series of their kinds are on the page.
        for _ in range(10):
            connection.send("POST", "/v1/jobs/batch", BATCH, expected=(202,))
        pages: list[bytes] = []
        taken = times(lambda: pages.append(connection.send("GET", "/metrics")), requests)
        connection.close()
    slowest = percentile(taken, 99)
    return [
        Row("metrics", "GET /metrics p50", percentile(taken, 50), "ms",
            note=f"{len(pages[-1].splitlines()):,} lines, {len(WORKERS)} workers"),
        Row("metrics", "GET /metrics p99", slowest, "ms", **at_most(slowest, 10, "ms")),
    ]
