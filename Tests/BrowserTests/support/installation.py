"""A separate Backline with the simulator, the gateway and a worker on free ports."""

import fcntl
import itertools
import json
import os
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import backline_test.installation
from backline_test import REPOSITORY
from backline_test.processes import Program, isolated

from .upstreams import Upstream, base_urls

# The folder of the executables. The variable selects another build.
PRODUCTS = Path(os.environ.get("BACKLINE_TEST_PRODUCTS", REPOSITORY / ".build" / "debug"))


@dataclass(frozen=True)
class Person:
    """A person with an account."""

    name: str
    token: str


class Simulator:
    """`upstream-sim`, which simulates every upstream. Members that name no upstream belong to Ticketmaster."""

    KEY = "demo-key"
    GEMINI_KEY = "demo-gemini-key"

    def __init__(self, folder: Path):
        command = [
            PRODUCTS / "upstream-sim", "--latency-ms", "5", "--requests-per-second", "100", "--api-key", self.KEY]
        self.program = Program("upstream-sim", command, folder, isolated({}))
        self.address = self.program.wait_for("listening on").split()[-1]
        self.spotify = Upstream(self.address, "spotify")
        self.gemini = Upstream(self.address, "gemini")
        self.apple_music = Upstream(self.address, "apple-music")
        self.google = Upstream(self.address, "google")
        self.push = Upstream(self.address, "push")

    def _ask(self, method: str, path: str, value=None):
        body = None if value is None else json.dumps(value).encode()
        request = urllib.request.Request(f"{self.address}/_sim/{path}", body, method=method)
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def artists(self, kind: str, count: int, offset: int = 0) -> list[str]:
        return self._ask("GET", f"artists?kind={kind}&count={count}&offset={offset}")

    def change_show(self, action: str, **command) -> dict:
        """Announces, moves, cancels or puts on sale a show, which it returns as it is then."""
        return self._ask("POST", "shows", {"action": action, **command})[0]

    def spoil(self, fault: str, **rule) -> None:
        self._ask("POST", "faults", {"fault": fault, **rule})

    def mend(self) -> None:
        self._ask("DELETE", "faults")

    def configure(self, **settings) -> None:
        self._ask("POST", "config", settings)


class Installation(backline_test.installation.Installation):
    """A context manager. When it exits, it kills the processes and removes the folder."""

    def __init__(
        self, with_key: bool = True, with_setup: bool = False, with_apple_key: bool = False,
        environment: dict[str, str | None] | None = None):
        """`with_setup` also starts the workers that connect a person's services. `with_apple_key` gives Backline
        its own developer key for Apple Music."""
        super().__init__({}, lambda product: PRODUCTS / product, isolated, "backline-pages-")
        self.simulator = Simulator(self.folder)
        settings = {
            **self.environment,
            # The pages in the working tree, not those that the build copied.
            "BACKLINE_HTTP_WEB_ROOT": str(REPOSITORY / "Services" / "api-gateway" / "Web"),
            **base_urls(self.simulator.address),
            "BACKLINE_UPSTREAMS_TICKETMASTER_REQUESTS": "100",
            "BACKLINE_PUSH_CONTACT": "mailto:admin@example.com",
            "BACKLINE_PUSH_SIMULATED_SERVICE": self.simulator.address,
            "BACKLINE_PUSH_NTFY_NETWORKS": "127.0.0.0/8",
            "BACKLINE_SPOTIFY_CLIENT_ID": "demo-spotify-client",
            "BACKLINE_GOOGLE_CLIENT_IDS": "demo-web.apps.googleusercontent.com",
            "BACKLINE_GOOGLE_CLIENT_SECRET_FILE": str(self._google_secret()),
            **({"BACKLINE_TICKETMASTER_API_KEY": Simulator.KEY} if with_key else {}),
            **(self._apple_key() if with_apple_key else {}),
            **(environment or {}),
        }
        # A setting that is `None` is left out.
        self.environment = {name: value for name, value in settings.items() if value is not None}
        self._numbers = itertools.count(1)
        self._unknown = 0
        self._with_setup = with_setup
        self.start_all()

    def _google_secret(self) -> Path:
        return self._secret("google-client-secret", "demo-google-secret")

    def _apple_key(self) -> dict[str, str]:
        key = self.simulator.apple_music.ask("GET", "key")
        return {
            "BACKLINE_APPLE_MUSIC_TEAM_ID": key["teamId"], "BACKLINE_APPLE_MUSIC_KEY_ID": key["keyId"],
            "BACKLINE_APPLE_MUSIC_PRIVATE_KEY_FILE": str(self._secret("apple-music.p8", key["privateKey"])),
        }

    def _secret(self, name: str, text: str) -> Path:
        file = self.folder / name
        file.touch(mode=0o600)
        file.write_text(text)
        return file

    def __exit__(self, *_) -> None:
        # Killed, since nothing of it is used again and a worker that is asked to end would finish its job first.
        for program in (*self.programs, self.simulator.program):
            program.kill()
        super().__exit__()

    # Processes

    def start_all(self) -> None:
        """Starts all of Backline's processes, but not the simulator."""
        self.start_gateway()
        self.start_worker()
        workers = [self.start(product) for product in ("ai-worker", "sync-worker") if self._with_setup]
        for worker in workers:
            worker.wait_for_log("ready")

    def start_gateway(self) -> Program:
        self.gateway = super().start_gateway()
        return self.gateway

    def start_worker(self) -> None:
        self.worker = self.start("concert-worker")
        self.worker.wait_for_log("ready")

    def stop_worker(self) -> None:
        """Stops the worker, so that searches begin but do not progress."""
        self.worker.stop()

    def kill_gateway(self) -> None:
        self.gateway.kill()

    def stop(self) -> None:
        """Stops all of Backline's processes, but not the simulator."""
        self.stop_programs()

    def restart(self) -> None:
        self.stop()
        self.start_all()

    @contextmanager
    def write_lock(self) -> Iterator[None]:
        """Holds the write lock, so that no process can write to the database."""
        with open(f"{self.environment['BACKLINE_DATABASE_PATH']}.lock", "rb+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    # People

    def add_person(self, *options: str) -> Person:
        name = f"person_{next(self._numbers)}"
        return Person(name, self.add_user(name, *options))

    def sign_in_link(self, person: Person) -> str:
        return self.command("open", person.name, "--server", self.address)

    def ask(self, person: Person, method: str, path: str, value=None):
        """Sends a request like one of the person's programs. Returns the answer's JSON."""
        body = None if value is None else json.dumps(value).encode()
        request = urllib.request.Request(
            self.address + path, body, {"Authorization": f"Bearer {person.token}"}, method=method)
        with urllib.request.urlopen(request) as response:
            return json.loads(response.read() or "null")

    def read(self, path: str) -> str:
        """Reads a public file."""
        with urllib.request.urlopen(self.address + path) as response:
            return response.read().decode()

    def rank(self, person: Person, names: list[str]) -> None:
        self.ask(person, "PUT", "/v1/artists", {"artists": names})

    def fresh_artists(self, count: int) -> list[str]:
        """Returns artists of the simulator that have not been looked up yet."""
        names = self.simulator.artists("unknown", count, self._unknown)
        self._unknown += count
        return names
