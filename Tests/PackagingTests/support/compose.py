"""A project of docker-compose.yml, on a free port, removed at the end."""

import itertools
import json
import shlex
import socket
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

from backline_test import REPOSITORY
from backline_test.processes import TIMEOUT, run

from .commands import eventually, podman
from .engine import PROJECTS, Engine

IMAGE = "localhost/backline"
_numbers = itertools.count(1)


class Container:
    """A container of an installation."""

    def __init__(self, name: str):
        self.name = name

    def inspect(self) -> dict:
        return json.loads(podman("container", "inspect", self.name))[0]

    @property
    def process(self) -> int:
        """Process 1 of the container, as the host numbers it; 0 while it does not run."""
        return self.inspect()["State"]["Pid"]

    @property
    def is_healthy(self) -> bool:
        state = self.inspect()["State"]
        return state["Status"] == "running" and state["Health"]["Status"] == "healthy"

    def logs(self, lines: int | None = None) -> str:
        """What the container wrote to standard output and to standard error."""
        tail = [] if lines is None else ["--tail", str(lines)]
        result = subprocess.run(
            ["podman", "logs", *tail, self.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            check=False)
        return result.stdout

    def run(self, *command: str, user: str | None = None) -> str:
        account = [] if user is None else ["--user", user]
        return podman("exec", *account, self.name, *command)


class ComposeProject:
    """A context manager."""

    def __init__(self, engine: Engine, folder: Path = REPOSITORY):
        """`folder` has the docker-compose.yml."""
        self.project = f"{PROJECTS}{next(_numbers)}"
        self.port = _free_port()
        self.folder = folder
        self.environment = engine.environment(
            self.project, BACKLINE_HTTP_PORT=str(self.port),
            BACKLINE_HTTP_PUBLIC_URL=f"http://127.0.0.1:{self.port}")

    def __enter__(self) -> "ComposeProject":
        return self

    def __exit__(self, *_) -> None:
        eventually("all containers are removed", lambda: self.remove(self.containers()))
        for kind in ("pod", "volume", "network"):
            names = podman(kind, "ls", "--format", "{{.Name}}").split()
            for name in names:
                if name.removeprefix("pod_").split("_")[0] == self.project:
                    podman(kind, "rm", "--force", name)

    # Commands

    def compose(self, *arguments: str, **options) -> str:
        return run("docker-compose", *arguments, environment=self.environment, folder=self.folder, **options)

    def shell(self, command: str, stdin: str = "") -> str:
        """Runs a command as a person does, in a terminal, which `docker-compose exec` wants."""
        output = run(
            "script", "--quiet", "--return", "--command", f"bash -c {shlex.quote(command)}", "/dev/null",
            environment=self.environment, folder=self.folder, stdin=stdin, timeout=10 * TIMEOUT)
        return output.replace("\r", "")

    def backline(self, *arguments: str, service: str = "gateway", person: str | None = None) -> str:
        """Runs the command line in a container, with the token of a person of `add_person`."""
        token = [] if person is None else ["-e", f"BACKLINE_TOKEN_FILE={_token_file(person)}"]
        return self.compose("exec", "-T", *token, service, "backline", *arguments)

    def add_person(self, name: str, *options: str) -> str:
        """Adds a person, keeps their token in the gateway's container, and returns it."""
        command = f"umask 077; backline user add {shlex.join([name, *options])} > {_token_file(name)}"
        self.compose("exec", "-T", "gateway", "sh", "-c", command)
        return self.token_of(name)

    def token_of(self, name: str) -> str:
        """The token of a person who was added since the gateway's container started."""
        return self.compose("exec", "-T", "gateway", "cat", _token_file(name))

    # The gateway

    def get(self, path: str, token: str | None = None) -> dict:
        return self._ask("GET", path, None, token)

    def post(self, path: str, body: dict, token: str) -> dict:
        return self._ask("POST", path, body, token)

    def _ask(self, method: str, path: str, body: dict | None, token: str | None) -> dict:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", headers=headers, method=method,
            data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            return json.load(response)

    def is_ready(self) -> bool:
        try:
            return self.get("/readyz")["status"] == "ready"
        except (urllib.error.URLError, ConnectionError):
            return False

    # Containers

    def containers(self, service: str | None = None) -> list[Container]:
        """Those that run or have ended, of all services or of one, ordered by name."""
        filters = [f"label=com.docker.compose.project={self.project}"]
        if service is not None:
            filters.append(f"label=com.docker.compose.service={service}")
        arguments = [argument for each in filters for argument in ("--filter", each)]
        return [
            Container(name)
            for name in sorted(podman("ps", "--all", "--format", "{{.Names}}", *arguments).split())]

    def container(self, service: str) -> Container:
        return self.containers(service)[0]

    def remove(self, containers: list[Container]) -> bool:
        """Removes containers, and returns whether that succeeded. It may need another try: podman removes none whose
        network another container uses, and none that it is just starting again."""
        for container in reversed(containers):
            arguments = ["--force", "--depend", "--time", "0", container.name]
            subprocess.run(["podman", "rm", *arguments], capture_output=True, check=False)
        remaining = {container.name for container in self.containers()}
        return remaining.isdisjoint(container.name for container in containers)

    def wait_until_healthy(self, count: int) -> None:
        """Until so many containers run and their health checks have passed."""
        def all_are_healthy() -> bool:
            containers = self.containers()
            assert len(containers) == count, f"{len(containers)} containers"
            unhealthy = [container.name for container in containers if not container.is_healthy]
            assert not unhealthy, f"not healthy: {' '.join(unhealthy)}"
            return True
        eventually(f"{count} containers are healthy", all_are_healthy)

    def logs(self) -> str:
        """The last lines of each container, for messages about failures."""
        return "\n".join(f"--- {container.name}\n{container.logs(lines=15)}" for container in self.containers())


def _token_file(person: str) -> str:
    # Only volumes and /tmp can be written.
    return f"/tmp/{person}.token"


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
