"""An HTTP client for benchmarks: one keep-alive connection that uses little processor time."""

import http.client
import json
from urllib.parse import urlsplit

from .processes import BenchmarkError


def signed_in(token: str) -> dict[str, str]:
    """The headers of a person with this token, for a connection that many people use."""
    return {"Authorization": f"Bearer {token}"}


class Connection:
    """One keep-alive connection to the gateway or the simulator."""

    def __init__(self, address: str, token: str | None = None):
        parts = urlsplit(address)
        self._connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=120)
        self._headers = signed_in(token) if token else {}

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None,
        expected: tuple[int, ...] = (200, 202),
    ) -> bytes:
        """The body of the answer."""
        everything = {**self._headers, **(headers or {})}
        if body is not None:
            everything.setdefault("Content-Type", "application/json")
        self._connection.request(method, path, body=body, headers=everything)
        response = self._connection.getresponse()
        answer = response.read()
        if response.status not in expected:
            raise BenchmarkError(f"{method} {path} was answered with {response.status}: {answer[:500]!r}")
        return answer

    def get(self, path: str):
        return json.loads(self.send("GET", path))

    def post(self, path: str, value=None, headers: dict[str, str] | None = None):
        body = None if value is None else json.dumps(value).encode()
        return json.loads(self.send("POST", path, body, headers))

    def close(self) -> None:
        self._connection.close()
