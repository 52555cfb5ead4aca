"""A separate Backline: a folder with a database, the simulator, the gateway and a worker on free ports."""

import fcntl
import itertools
import json
import shutil
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .processes import REPOSITORY, Program, run
from .upstreams import Upstream, base_urls


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
        self.program = Program(
            "upstream-sim", ["--latency-ms", "5", "--requests-per-second", "100", "--api-key", self.KEY], {}, folder)
        self.address = self.program.wait_for("listening on").split()[-1]
        self.spotify = Upstream(self.address, "spotify")
        self.gemini = Upstream(self.address, "gemini")
        self.apple_music = Upstream(self.address, "apple-music")
        self.google = Upstream(self.address, "google")

    def _ask(self, method: str, path: str, value=None):
        body = None if value is None else json.dumps(value).encode()
        request = urllib.request.Request(f"{self.address}/_sim/{path}", body, method=method)
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def artists(self, kind: str, count: int, offset: int = 0) -> list[str]:
        return self._ask("GET", f"artists?kind={kind}&count={count}&offset={offset}")

    def spoil(self, fault: str, **rule) -> None:
        self._ask("POST", "faults", {"fault": fault, **rule})

    def mend(self) -> None:
        self._ask("DELETE", "faults")

    def configure(self, **settings) -> None:
        self._ask("POST", "config", settings)


class Installation:
    """A context manager. When it exits, it kills the processes and removes the folder."""

    def __init__(
        self, with_key: bool = True, with_setup: bool = False, with_apple_key: bool = False,
        environment: dict[str, str | None] | None = None):
        """`with_setup` also starts the workers that connect a person's services. `with_apple_key` gives Backline
        its own developer key for Apple Music."""
        self.folder = Path(tempfile.mkdtemp(prefix="backline-pages-"))
        self.simulator = Simulator(self.folder)
        settings = {
            "BACKLINE_DATABASE_PATH": str(self.folder / "backline.sqlite"),
            "BACKLINE_HTTP_HOST": "127.0.0.1",
            "BACKLINE_HTTP_PORT": "0",
            # The pages in the working tree, not those that the build copied.
            "BACKLINE_HTTP_WEB_ROOT": str(REPOSITORY / "Services" / "api-gateway" / "Web"),
            **base_urls(self.simulator.address),
            "BACKLINE_UPSTREAMS_TICKETMASTER_REQUESTS": "100",
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
        self.worker: Program | None = None
        self._with_setup = with_setup
        self._setup_workers: list[Program] = []
        self.start_gateway()
        self.start_worker()
        self._start_setup_workers()

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

    def __enter__(self) -> "Installation":
        return self

    def __exit__(self, *_) -> None:
        # Killed, since nothing of it is used again and a worker that is asked to end would finish its job first.
        for program in (*self._programs, self.simulator.program):
            program.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    # Processes

    def start_gateway(self) -> None:
        """Starts the gateway. Later starts use the address of the first one."""
        self.gateway = Program("api-gateway", [], self.environment, self.folder)
        self.address = self.gateway.wait_for("api-gateway listening on").split()[-1]
        self.environment["BACKLINE_HTTP_PORT"] = self.address.rsplit(":", 1)[1]

    def stop(self) -> None:
        """Stops all of Backline's processes, but not the simulator."""
        for program in self._programs:
            program.end()

    @property
    def _programs(self) -> list[Program]:
        """Backline's most recently started processes."""
        return [program for program in (*self._setup_workers, self.worker, self.gateway) if program is not None]

    def restart(self) -> None:
        self.stop()
        self.start_gateway()
        self.start_worker()
        self._start_setup_workers()

    def _start_setup_workers(self) -> None:
        products = ("ai-worker", "sync-worker") if self._with_setup else ()
        self._setup_workers = [Program(product, [], self.environment, self.folder) for product in products]
        for worker in self._setup_workers:
            worker.wait_for("ready")

    def kill_gateway(self) -> None:
        self.gateway.kill()

    def start_worker(self) -> None:
        self.worker = Program("concert-worker", [], self.environment, self.folder)
        self.worker.wait_for("ready")

    def stop_worker(self) -> None:
        """Stops the worker, so that searches begin but do not progress."""
        self.worker.end()
        self.worker = None

    @contextmanager
    def write_lock(self) -> Iterator[None]:
        """Holds the write lock, so that no process can write to the database."""
        with open(f"{self.environment['BACKLINE_DATABASE_PATH']}.lock", "rb+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    # People

    def add_person(self, *options: str) -> Person:
        name = f"person-{next(self._numbers)}"
        return Person(name, self.command("user", "add", name, *options))

    def sign_in_link(self, person: Person) -> str:
        return self.command("open", person.name, "--server", self.address)

    def command(self, *arguments: str) -> str:
        return run("backline", list(arguments), self.environment, self.folder)

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
