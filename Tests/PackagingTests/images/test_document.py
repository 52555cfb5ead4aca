"""docs/operations.md, "Containers": its commands, as they are written."""

import json

import pytest

from support.commands import eventually, podman
from support.documents import commands
from support.compose import IMAGE

DOCUMENT = "docs/operations.md"
# The document leaves the key to its reader.
KEY = "demo-key"


class Reader:
    """Somebody who types the commands of a section into a terminal, one after the other."""

    def __init__(self, installation):
        self.installation = installation

    def follow(self, section: str) -> dict[str, str]:
        """Returns each command with its output."""
        return {command: self.enter(command) for command in commands(DOCUMENT, section)}

    def enter(self, command: str) -> str:
        command = command.replace("=…", f"={KEY}")
        if command.startswith("export "):
            name, value = command.removeprefix("export ").split("#")[0].strip().split("=", 1)
            self.installation.environment[name] = value
            return ""
        return self.installation.shell(command)


def output(outputs: dict[str, str], part: str) -> str:
    """The output of the command that contains a text."""
    found = [text for command, text in outputs.items() if part in command]
    assert len(found) == 1, f"{len(found)} commands contain {part!r}: the document has changed"
    return found[0]


@pytest.fixture(scope="module")
def reader(install):
    return Reader(install())


def test_containers(reader):
    built = podman("image", "inspect", "--format", "{{.Id}}", IMAGE)
    outputs = reader.follow("Containers")
    assert podman("image", "inspect", "--format", "{{.Id}}", IMAGE) == built, "--build should find the image up to date"
    assert "bl_" in output(outputs, "user add ada --admin")
    assert "All is well." in output(outputs, "backline doctor")
    reader.installation.wait_until_healthy(6)
    eventually("five workers are connected", lambda: reader.installation.get("/readyz")["workers"] == 5)
    environment = reader.installation.container("concert-worker").run("env").splitlines()
    assert f"BACKLINE_TICKETMASTER_API_KEY={KEY}" in environment


def test_back_up_and_restore(reader, tmp_path):
    """Restores a backup, after which somebody is gone who came later."""
    installation = reader.installation
    # Where the redirection of the document writes to, instead of the repository. docker-compose is told its file.
    installation.environment["COMPOSE_FILE"] = str(installation.folder / "docker-compose.yml")
    installation.folder = tmp_path
    for command in commands(DOCUMENT, "Back up and upgrade containers")[:2]:
        reader.enter(command)
    copy = tmp_path / "backup.sqlite"
    assert copy.read_bytes().startswith(b"SQLite format 3")
    installation.add_person("later")
    reader.follow("Restore containers")
    installation.wait_until_healthy(6)
    names = [person["name"] for person in json.loads(installation.backline("user", "list", "--json"))["items"]]
    assert names == ["ada"]
    assert "replaced-" in installation.container("gateway").run("ls", "/data")
    assert "All is well." in installation.backline("doctor", service="concert-worker")


def test_the_demonstration(install):
    reader = Reader(install())
    outputs = reader.follow("The demonstration")
    assert "shows of 2 artists" in output(outputs, "backline search")
    reader.installation.wait_until_healthy(5)
