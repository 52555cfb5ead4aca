"""Several workers: scaled, killed, stopped and started."""

import json
import os
import signal
import time

import pytest

from support.commands import eventually

JOBS = 15
# Long enough for a worker to be found and killed while it sleeps. Administrators' jobs may sleep for so long.
SLEEP_MS = 20_000


@pytest.fixture(scope="module")
def installation(install):
    """With three concert-workers, and an administrator `root`."""
    installation = install()
    installation.compose("up", "--no-build", "--detach")
    installation.wait_until_healthy(4)
    installation.compose("up", "--no-build", "--detach", "--scale", "concert-worker=3")
    installation.wait_until_healthy(6)
    installation.add_person("root", "--admin")
    return installation


def connected_workers(installation) -> dict[str, int]:
    """The names of the connected workers, with how many jobs each holds."""
    answer = json.loads(installation.backline("workers", "--json", person="root"))
    return {worker["name"]: worker["held"] for worker in answer["items"]}


def held_jobs(installation, worker: str) -> list[str]:
    """The ids of the jobs that a worker holds."""
    answer = json.loads(installation.backline("workers", "--jobs", "--json", person="root"))
    return next([job["id"] for job in each["jobs"]] for each in answer["items"] if each["name"] == worker)


def has_succeeded(job: dict) -> dict | None:
    assert job["state"] in ("queued", "running", "succeeded"), job
    return job if job["state"] == "succeeded" else None


def container_of(installation, worker: str):
    """The container whose worker has a name."""
    return next(
        container for container in installation.containers("concert-worker")
        if f"ready worker={worker}\n" in container.logs() + "\n")


def test_three_workers_have_names_of_their_own(installation):
    eventually("five workers are connected", lambda: len(connected_workers(installation)) == 5)
    names = connected_workers(installation)
    assert {name for name in names if name.startswith("concert-worker")} == {
        "concert-worker-1", "concert-worker-2", "concert-worker-3"}


def test_jobs_in_flight_outlive_a_worker_that_is_killed(installation, figure):
    token = installation.token_of("root")
    jobs = [
        installation.post("/v1/jobs", {"kind": "diagnostics.echo", "payload": {"sleepMs": SLEEP_MS}}, token)["id"]
        for _ in range(JOBS)]

    def show(job: str) -> dict:
        return installation.get(f"/v1/jobs/{job}", token)

    def busy_worker() -> str:
        return next(
            name for name, held in connected_workers(installation).items()
            if name.startswith("concert-worker") and held > 0)

    victim = eventually("a concert-worker holds a job", busy_worker)
    container = container_of(installation, victim)
    process = container.process
    interrupted = [job for job in map(show, held_jobs(installation, victim)) if job["state"] == "running"]
    assert interrupted, f"{victim} should run a job"
    killed_at = time.monotonic()
    os.kill(process, signal.SIGKILL)

    def has_restarted() -> bool:
        return container.is_healthy and container.process not in (0, process)

    eventually("the engine restarts what was killed", has_restarted)
    figure(f"{time.monotonic() - killed_at:.1f} s: a worker's container is healthy again after SIGKILL")
    ended = {
        job: eventually("a job has succeeded", lambda job=job: has_succeeded(show(job)))
        for job in jobs}
    for job in interrupted:
        assert ended[job["id"]]["startedAt"] > job["startedAt"], "a job of the killed worker should have started again"
    eventually("five workers are connected again", lambda: len(connected_workers(installation)) == 5)


def test_all_stop_within_their_grace_period_and_start_again(installation, figure):
    token = installation.token_of("root")
    began = time.monotonic()
    installation.compose("stop")
    figure(f"{time.monotonic() - began:.1f} s: docker-compose stop of six containers")
    for container in installation.containers():
        state = container.inspect()["State"]
        assert (state["Status"], state["ExitCode"]) == ("exited", 0), f"{container.name} should have stopped on request"
    began = time.monotonic()
    installation.compose("start")
    installation.wait_until_healthy(6)
    figure(f"{time.monotonic() - began:.1f} s: docker-compose start, until all are healthy")
    eventually("the gateway is ready", installation.is_ready)
    assert installation.get("/v1/me", token)["username"] == "root"
    eventually("five workers are connected", lambda: installation.get("/readyz")["workers"] == 5)


def test_fewer_workers_are_as_easy(installation):
    installation.compose("up", "--no-build", "--detach", "--scale", "concert-worker=1")
    installation.wait_until_healthy(4)
    eventually("three workers are connected", lambda: installation.get("/readyz")["workers"] == 3)
