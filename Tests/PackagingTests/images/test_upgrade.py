"""An upgrade from the version before the last change of the schema, as docs/operations.md tells it."""

import os
import re
import socket

import pytest

from support.commands import eventually, podman, run
from support.documents import REPOSITORY, commands
from support.installation import IMAGE

# scripts/test-image sets them: the commit before the last change of the schema, and a commit of the working tree.
PREVIOUS = os.environ.get("BACKLINE_TEST_PREVIOUS", "")
CURRENT = os.environ.get("BACKLINE_TEST_CURRENT", "HEAD")
SCALE = ("--scale", "concert-worker=0", "--scale", "sync-worker=0", "--scale", "ai-worker=0")


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A clone of the version before. Its origin has the new version, so that `git pull` gets it."""
    if not PREVIOUS:
        pytest.skip("the history of this clone has no change of the schema")
    folder = tmp_path_factory.mktemp("upgrade")
    run("git", "clone", "--quiet", "--bare", "--shared", REPOSITORY, folder / "origin")
    run("git", "update-ref", "refs/heads/release", PREVIOUS, folder=folder / "origin")
    run("git", "clone", "--quiet", "--branch", "release", folder / "origin", folder / "clone")
    run("git", "update-ref", "refs/heads/release", CURRENT, folder=folder / "origin")
    return folder / "clone"


def schema(tree) -> int:
    """The number of the last migration of a tree."""
    names = (tree / "Sources" / "Storage" / "Migrations").glob("Migration[0-9]*.swift")
    return max(int(re.match(r"Migration(\d+)", name.name)[1]) for name in names)


def image() -> str:
    return podman("image", "inspect", "--format", "{{.Id}}", IMAGE)


def port_8080_is_free() -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", 8080)) != 0


@pytest.fixture(scope="module")
def installation(install, clone):
    """The demonstration of the version before, with its data."""
    installation = install(clone)
    if "BACKLINE_HTTP_PORT" not in (clone / "docker-compose.yml").read_text():
        eventually("port 8080 is free, which the version before publishes", port_8080_is_free)
        installation.port = 8080
        installation.environment["BACKLINE_HTTP_PORT"] = "8080"
    current = image()
    installation.compose("--profile", "demo", "up", "--build", "--detach", *SCALE)
    installation.wait_until_healthy(5)
    assert image() != current, "the image of the version before should be another"
    return installation


@pytest.fixture(scope="module")
def before(installation, clone) -> dict:
    """What the version before has stored. Only its gateway still runs."""
    token = installation.add_person("ada", "--admin")
    installation.backline("search", "Imagine Dragons", "Coldplay", person="ada")
    search = installation.get("/v1/concert-searches", token)["items"][0]["id"]
    assert installation.get("/readyz")["schema"] == schema(clone)
    stored = {
        "token": token, "search": installation.get(f"/v1/concert-searches/{search}", token),
        "schema": schema(clone), "vault": installation.backline("vault", "status", service="demo-sync-worker")}
    # podman replaces no container whose network others use, such as the simulator's.
    demonstration = [
        container for service in ("simulator", "demo-concert-worker", "demo-sync-worker", "demo-ai-worker")
        for container in installation.containers(service)]
    eventually("the demonstration is removed", lambda: installation.remove(demonstration))
    return stored


def test_the_new_version_reads_the_data_of_the_version_before(installation, before, clone):
    backup, _, upgrade = commands("docs/operations.md", "Back up and upgrade containers")
    installation.shell(backup)
    installation.shell(upgrade)
    installation.wait_until_healthy(4)
    assert schema(clone) > before["schema"], "git pull should bring a newer schema"
    assert installation.get("/readyz")["schema"] == schema(clone)
    search = installation.get(f"/v1/concert-searches/{before['search']['id']}", before["token"])
    assert search["items"] == before["search"]["items"]
    assert installation.backline("vault", "status", service="sync-worker") == before["vault"]
    assert {container.inspect()["Image"] for container in installation.containers()} == {image()}


def test_a_backup_of_the_version_before_can_be_restored(installation, before, clone):
    for command in commands("docs/operations.md", "Restore containers"):
        installation.shell(command)
    installation.wait_until_healthy(4)
    assert installation.get("/readyz")["schema"] == schema(clone)
    search = installation.get(f"/v1/concert-searches/{before['search']['id']}", before["token"])
    assert search["items"] == before["search"]["items"]
