"""podman-compose, for machines without docker-compose.

Its `--scale` is for one service, so that the demonstration's services are named instead.
"""

import pytest

from support.commands import run

SERVICES = ("gateway", "simulator", "demo-concert-worker", "demo-sync-worker", "demo-ai-worker")


@pytest.fixture(scope="module")
def installation(install):
    return install()


def podman_compose(installation, *arguments: str) -> str:
    # It runs podman itself, not the engine's socket.
    return run("podman-compose", *arguments, environment=installation.environment, folder=installation.folder)


def test_it_runs_the_demonstration(installation):
    podman_compose(installation, "--profile", "demo", "up", "--no-build", "--detach", *SERVICES)
    installation.wait_until_healthy(len(SERVICES))
    token_file = ("-e", "BACKLINE_TOKEN_FILE=/tmp/ada.token")
    podman_compose(
        installation, "exec", "-T", "gateway", "sh", "-c", "umask 077; backline user add ada > /tmp/ada.token")
    table = podman_compose(
        installation, "exec", "-T", *token_file, "gateway", "backline", "search", "Imagine Dragons", "Coldplay")
    assert "shows of 2 artists" in table


def test_it_stops_all_runs_them_again_and_removes_them(installation):
    podman_compose(installation, "--profile", "demo", "stop")
    assert [container.inspect()["State"]["ExitCode"] for container in installation.containers()] == [0] * len(SERVICES)
    # `start` starts all at once, also those that use the network of another before that one runs.
    podman_compose(installation, "--profile", "demo", "up", "--no-build", "--detach", *SERVICES)
    installation.wait_until_healthy(len(SERVICES))
    podman_compose(installation, "--profile", "demo", "down", "--volumes")
    assert installation.containers() == []
