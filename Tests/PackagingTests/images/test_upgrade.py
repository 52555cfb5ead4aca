"""An upgrade from the previous release, as docs/operations.md tells it."""

import os

import pytest

from support.commands import eventually, podman, run
from support.documents import REPOSITORY, commands
from support.compose import IMAGE

# scripts/test-image sets them: the commit of the previous release, and one of the working tree.
PREVIOUS = os.environ.get("BACKLINE_TEST_PREVIOUS", "")
CURRENT = os.environ.get("BACKLINE_TEST_CURRENT", "HEAD")
SCALE = ("--scale", "concert-worker=0", "--scale", "sync-worker=0", "--scale", "ai-worker=0")


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A clone of the previous release. Its origin has the new version, so that `git pull` gets it."""
    if not PREVIOUS:
        pytest.skip("this clone has no release before this version")
    folder = tmp_path_factory.mktemp("upgrade")
    run("git", "clone", "--quiet", "--bare", "--shared", REPOSITORY, folder / "origin")
    run("git", "update-ref", "refs/heads/release", PREVIOUS, folder=folder / "origin")
    run("git", "clone", "--quiet", "--branch", "release", folder / "origin", folder / "clone")
    run("git", "update-ref", "refs/heads/release", CURRENT, folder=folder / "origin")
    return folder / "clone"


def image() -> str:
    return podman("image", "inspect", "--format", "{{.Id}}", IMAGE)


@pytest.fixture(scope="module")
def installation(install, clone):
    """The demonstration of the previous release, with its data."""
    installation = install(clone)
    current = image()
    installation.compose("--profile", "demo", "up", "--build", "--detach", *SCALE)
    installation.wait_until_healthy(5)
    assert image() != current, "the image of the previous release should be another"
    return installation


@pytest.fixture(scope="module")
def before(installation) -> dict:
    """What the previous release has stored. Only its gateway still runs."""
    token = installation.add_person("ada", "--admin")
    installation.backline("search", "Imagine Dragons", "Coldplay", person="ada")
    search = installation.get("/v1/concert-searches", token)["items"][0]["id"]
    stored = {
        "token": token, "search": installation.get(f"/v1/concert-searches/{search}", token),
        "schema": installation.get("/readyz")["schema"],
        "vault": installation.backline("vault", "status", service="demo-sync-worker")}
    # podman replaces no container whose network others use, such as the simulator's.
    demonstration = [
        container for service in ("simulator", "demo-concert-worker", "demo-sync-worker", "demo-ai-worker")
        for container in installation.containers(service)]
    eventually("the demonstration is removed", lambda: installation.remove(demonstration))
    return stored


def test_the_new_version_reads_the_data_of_the_previous_release(installation, before):
    backup, _, upgrade = commands("docs/operations.md", "Back up and upgrade containers")
    installation.shell(backup)
    installation.shell(upgrade)
    installation.wait_until_healthy(4)
    assert installation.get("/readyz")["schema"] >= before["schema"]
    search = installation.get(f"/v1/concert-searches/{before['search']['id']}", before["token"])
    assert search["items"] == before["search"]["items"]
    assert installation.backline("vault", "status", service="sync-worker") == before["vault"]
    assert {container.inspect()["Image"] for container in installation.containers()} == {image()}


def test_a_backup_of_the_previous_release_can_be_restored(installation, before):
    for command in commands("docs/operations.md", "Restore containers"):
        installation.shell(command)
    installation.wait_until_healthy(4)
    assert installation.get("/readyz")["schema"] >= before["schema"]
    search = installation.get(f"/v1/concert-searches/{before['search']['id']}", before["token"])
    assert search["items"] == before["search"]["items"]
