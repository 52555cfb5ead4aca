"""What is in the image."""

import json

import pytest

from support.commands import podman, run
from support.documents import REPOSITORY
from support.compose import IMAGE

LARGEST_MEGABYTES = 300
# The account of docs/operations.md and Services/Dockerfile.
ACCOUNT = 10001
# Folders that Debian lets every account write to.
PUBLIC_FOLDERS = {"/var/lock", "/var/tmp"}
SERVICES = ("api-gateway", "concert-worker", "sync-worker", "ai-worker")


def in_image(*command: str, user: str = "backline") -> str:
    """Runs a command in a container of the image that can change nothing."""
    return podman(
        "run", "--rm", "--network", "none", "--read-only", "--cap-drop", "ALL", "--user", user, IMAGE, *command)


def size_in_megabytes() -> float:
    return json.loads(podman("image", "inspect", IMAGE))[0]["Size"] / 1e6


def test_it_is_small(figure):
    size = size_in_megabytes()
    figure(f"{size:.0f} MB: the image, of which {LARGEST_MEGABYTES} are allowed")
    assert size <= LARGEST_MEGABYTES


def test_it_runs_as_an_unprivileged_account():
    assert in_image("id", "--user") == str(ACCOUNT)
    assert in_image("sh", "-c", "id --user --name; pwd").split() == ["backline", "/data"]


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_finds_its_libraries(service):
    """`--help` loads all libraries, and needs no configuration."""
    assert service in in_image(service, "--help")


def test_it_does_not_contain_the_simulator():
    assert in_image("sh", "-c", "command -v upstream-sim || echo none").split() == ["none"]


def test_the_command_line_has_this_version():
    assert in_image("backline", "--version")


def test_the_account_can_change_no_program():
    # Some folders are closed to the account, for which find ends with 1.
    found = in_image("sh", "-c", "find /usr /etc /var -writable ! -type l 2>/dev/null || true").split()
    assert set(found) <= PUBLIC_FOLDERS, "the account can write to these"


def test_it_has_no_trace_of_its_build():
    """The build mounts folders of this machine, and downloads lists of packages."""
    assert in_image("sh", "-c", "find /var/lib/apt/lists /var/cache/apt -name '*.*' 2>/dev/null || true") == ""
    roots = in_image("ls", "/").split()
    assert set(roots) <= {
        "bin", "boot", "data", "dev", "etc", "home", "lib", "lib32", "lib64", "libx32", "media", "mnt", "opt", "proc",
        "root", "run", "sbin", "srv", "sys", "tmp", "usr", "var"}
    assert in_image("find", "/opt", "/mnt", "/srv", "/media", "-mindepth", "1") == ""
    assert in_image("sh", "-c", "test ! -e /etc/gitconfig && test ! -e /source && echo none") == "none"


def test_its_documents_are_those_of_this_tree():
    """Another image under the name would make all other tests say nothing of this tree."""
    installed = in_image("cat", "/usr/local/share/doc/backline/openapi.yaml")
    assert installed == run("cat", REPOSITORY / "docs" / "openapi.yaml")
