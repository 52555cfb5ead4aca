"""A Backline of its own for one measurement: a folder with a database, and processes on it."""

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from .client import Connection
from .processes import BenchmarkError, Program, product


# One person causes the whole load of a measurement, so that the limits per person are off.
NO_QUOTAS = {
    f"BACKLINE_QUOTAS_{name}": "0"
    for name in (
        "UNFINISHED_JOBS", "UNFINISHED_BYTES", "RUNNING_SEARCHES", "EVENT_STREAMS", "LISTENS", "LISTEN_BYTES")}


class Installation:
    """Use it with `with`: whatever it started has ended, and its folder is gone, afterwards."""

    def __init__(
        self, parent: Path | None = None, environment: dict[str, str] | None = None, has_quotas: bool = False,
    ):
        self.folder = Path(tempfile.mkdtemp(prefix="backline-bench-", dir=parent))
        self.environment = {
            "BACKLINE_DATABASE_PATH": str(self.folder / "data" / "backline.sqlite"),
            "BACKLINE_HTTP_HOST": "127.0.0.1",
            "BACKLINE_HTTP_PORT": "0",
            "BACKLINE_LOG_LEVEL": "info",
            # Its first time is a random one, and pages and sections count calls.
            "BACKLINE_LISTENING_SPOTIFY_SECONDS": "0",
            # Sections send more than a person may.
            "BACKLINE_LIMITS_REQUESTS_PER_SECOND": "0",
            **({} if has_quotas else NO_QUOTAS),
            **(environment or {}),
        }
        self.programs: list[Program] = []
        self.address = ""
        self.token = ""

    def __enter__(self) -> "Installation":
        return self

    def __exit__(self, kind, *_) -> None:
        self.stop_programs()
        if kind is None:
            shutil.rmtree(self.folder, ignore_errors=True)
        else:
            print(f"The logs of what failed are in {self.folder}", flush=True)

    def stop_programs(self) -> None:
        """Ends everything; it can be started again."""
        # The gateway last, so that workers can say goodbye.
        for program in reversed(self.programs):
            program.stop()
        self.programs.clear()

    def start(self, product_name: str, arguments: list[str] | None = None, name: str | None = None) -> Program:
        program = Program(
            name or product_name, [product(product_name), *(arguments or [])], self.folder, self.environment)
        self.programs.append(program)
        return program

    def start_gateway(self) -> Program:
        gateway = self.start("api-gateway")
        self.address = gateway.wait_for_line("listening on").split()[-1]
        return gateway

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

    def add_user(self, name: str) -> str:
        """Makes a user and returns the token, which `connect` uses from then on."""
        result = subprocess.run(
            [product("backline"), "user", "add", name], cwd=self.folder, env=self.environment,
            capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise BenchmarkError(f"backline user add failed: {result.stderr}")
        self.token = result.stdout.strip()
        return self.token

    def connect(self) -> Connection:
        return Connection(self.address, self.token)
