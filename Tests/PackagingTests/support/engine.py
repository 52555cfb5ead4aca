"""What docker-compose needs of podman: its Docker-compatible socket, the command `docker`, and health checks."""

import os
import subprocess
import threading
from pathlib import Path

from backline_test.processes import Program

from .commands import eventually, podman

# What the names of this run's projects begin with.
PROJECTS = f"backline-test-{os.getpid()}-"
# How often health checks run where nothing else runs them, in seconds.
HEALTH_INTERVAL = 0.5


class Engine:
    """A context manager. All that its projects made is removed at its end."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._socket = folder / "podman.sock"
        self._ended = threading.Event()

    def __enter__(self) -> "Engine":
        self._write_docker()
        command = ["podman", "system", "service", "--time", "0", f"unix://{self._socket}"]
        self._service = Program("podman", command, self.folder, dict(os.environ))
        eventually("podman's socket is there", self._socket.exists)
        self._pulse = threading.Thread(target=self._check_health)
        self._pulse.start()
        return self

    def __exit__(self, *_) -> None:
        self._ended.set()
        self._pulse.join()
        self._service.stop()

    def environment(self, project: str, **settings: str) -> dict[str, str]:
        """For docker-compose: one project, this engine, and builds by the command `docker`."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("BACKLINE_")}
        return {
            **inherited, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "DOCKER_HOST": f"unix://{self._socket}",
            "COMPOSE_PROJECT_NAME": project, "COMPOSE_DOCKER_CLI_BUILD": "1", **settings}

    def _write_docker(self) -> None:
        """docker-compose 1.29 leaves builds and terminals to `docker`, whose arguments podman understands."""
        docker = self.folder / "bin" / "docker"
        docker.parent.mkdir()
        docker.write_text('#!/bin/sh\nunset DOCKER_HOST\nexec podman "$@"\n')
        docker.chmod(0o755)

    def _check_health(self) -> None:
        """podman leaves health checks to timers of systemd. Where systemd does not run, they run here."""
        while not self._ended.wait(HEALTH_INTERVAL):
            for container in self._containers():
                subprocess.run(["podman", "healthcheck", "run", container], capture_output=True, check=False)

    def _containers(self) -> list[str]:
        return [name for name in podman("ps", "--format", "{{.Names}}").split() if PROJECTS in name]
