"""A Backline of its own for one measurement."""

import time
from pathlib import Path

import backline_test.installation

from .client import Connection
from .processes import BenchmarkError, Program, product


# One person causes the whole load of a measurement, so that the limits per person are off.
NO_QUOTAS = {
    f"BACKLINE_QUOTAS_{name}": "0"
    for name in (
        "UNFINISHED_JOBS", "UNFINISHED_BYTES", "RUNNING_SEARCHES", "EVENT_STREAMS", "LISTENS", "LISTEN_BYTES")}


class Installation(backline_test.installation.Installation):
    """Use it with `with`: whatever it started has ended, and its folder is gone, afterwards."""

    program_type = Program

    def __init__(
        self, parent: Path | None = None, environment: dict[str, str] | None = None, has_quotas: bool = False,
    ):
        settings = {
            "BACKLINE_LOG_LEVEL": "info",
            # Their first times are random, and pages and sections count calls.
            "BACKLINE_LISTENING_SPOTIFY_SECONDS": "0",
            "BACKLINE_RELEASES_ACTIVE_DAYS": "0",
            # Sections send more than a person may.
            "BACKLINE_LIMITS_REQUESTS_PER_SECOND": "0",
            **({} if has_quotas else NO_QUOTAS),
            **(environment or {}),
        }
        # `Program` adds the settings to this process's environment.
        super().__init__(settings, product, dict, "backline-bench-", parent)
        self.token = ""

    def __exit__(self, kind, *_) -> None:
        if kind is None:
            super().__exit__()
        else:
            self.stop_programs()
            print(f"The logs of what failed are in {self.folder}", flush=True)

    def start_workers(self, *services: str) -> list[Program]:
        """Starts workers and returns when the gateway knows them all."""
        known = self._connected_workers()
        workers = [self.start(service, name=f"{service}-{len(self.programs)}") for service in services]
        deadline = time.monotonic() + 20
        while self._connected_workers() < known + len(services):
            if time.monotonic() > deadline:
                raise BenchmarkError("The workers did not connect:\n" + "\n".join(w.last_words() for w in workers))
            time.sleep(0.005)
        return workers

    def _connected_workers(self) -> int:
        connection = Connection(self.address)
        try:
            return connection.get("/readyz")["workers"]
        finally:
            connection.close()

    def add_user(self, name: str, *options: str) -> str:
        """Adds a user, whose token `connect` uses from then on, and returns it."""
        self.token = super().add_user(name, *options)
        return self.token

    def connect(self) -> Connection:
        return Connection(self.address, self.token)
