"""One request that another person repeats on a connection of their own, beside what is measured."""

import json
import os
import sys
from pathlib import Path

from harness.client import Connection
from harness.steady_process import SteadyProcess, repeat_until_told

# Between two requests of a person who works without a break.
PAUSE_SECONDS = 0.02


class SteadyRequests(SteadyProcess):
    def __init__(
        self, folder: Path, address: str, token: str, method: str, path: str, body: str | None = None,
        headers: dict[str, str] | None = None,
    ):
        """Sends `method` and `path` with the token, which no command line shows: the order is a file in `folder`."""
        order = folder / f"steady-{method.lower()}-{abs(hash((path, body))):x}.json"
        descriptor = os.open(order, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump({
                "address": address, "token": token, "method": method, "path": path, "body": body,
                "headers": headers or {}}, file)
        super().__init__("steady_requests", str(order))


def request_until_told(path: str) -> None:
    order = json.loads(Path(path).read_text())
    connection = Connection(order["address"], order["token"])
    body = order["body"].encode() if order["body"] is not None else None
    repeat_until_told(
        lambda: connection.send(order["method"], order["path"], body, order["headers"]), PAUSE_SECONDS)
    connection.close()


if __name__ == "__main__":
    request_until_told(sys.argv[1])
