"""The demonstration: a search with the simulator, and what docs/operations.md promises about containers."""

import pytest

from support.commands import podman

SERVICES = ("gateway", "simulator", "demo-concert-worker", "demo-sync-worker", "demo-ai-worker")
# Mounts that the engine makes in every container, in memory or read-only.
ENGINE_FILES = {"/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/run/.containerenv"}


def status(demonstration, service: str) -> dict[str, str]:
    """What the kernel says of process 1 of a service."""
    process = demonstration.container(service).process
    with open(f"/proc/{process}/status") as file:
        return dict(line.strip().split(":\t", 1) for line in file if ":\t" in line)


def mounts(demonstration, service: str) -> dict[str, tuple[str, list[str]]]:
    """Each place where something is mounted in a service's container, with its file system and options."""
    lines = demonstration.container(service).run("cat", "/proc/1/mounts").splitlines()
    return {place: (kind, options.split(",")) for _, place, kind, options, *_ in map(str.split, lines)}


def test_a_search_finds_concerts(demonstration):
    demonstration.add_person("ada")
    table = demonstration.backline("search", "Imagine Dragons", "Coldplay", "--home", "Prague", person="ada")
    assert "Imagine Dragons" in table and "Coldplay" in table and "shows of 2 artists" in table
    assert "★ in Prague, your home city" in table


def test_nothing_is_wrong_in_the_view_of_a_worker(demonstration):
    """Only workers can check the vault's key. `doctor` ends with 1 when it finds a problem."""
    assert "All is well." in demonstration.backline("doctor", service="demo-sync-worker")


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_runs_as_the_account_without_capabilities(demonstration, service):
    found = status(demonstration, service)
    assert found["Uid"].split() == ["10001"] * 4
    for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(found[kind], 16) == 0, f"{kind} should be empty"
    assert found["NoNewPrivs"] == "1"
    assert found["Seccomp"] == "2", "the engine's filter of system calls should apply"


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_can_write_to_its_volumes_only(demonstration, service):
    found = mounts(demonstration, service)
    assert "ro" in found["/"][1]
    writable = {
        place for place, (kind, options) in found.items()
        if "rw" in options and kind not in ("tmpfs", "proc", "mqueue", "devpts")}
    keys = {"/data/vault"} if service.endswith("-worker") else {"/data/messages"} if service == "gateway" else set()
    assert writable == {"/data", *keys}
    assert found["/tmp"][0] == "tmpfs"


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_has_changed_no_file_of_the_image(demonstration, service):
    changes = [line.split(" ", 1) for line in podman("diff", demonstration.container(service).name).splitlines()]
    changed = {path for how, path in changes if how != "C"} - ENGINE_FILES
    assert not changed, "files outside of the volumes"


def test_only_workers_see_the_private_key(demonstration):
    for service in SERVICES:
        names = demonstration.container(service).run("ls", "/data/vault").split()
        assert names == (["vault.key"] if service.endswith("-worker") else []), service


def test_files_are_for_the_account_only(demonstration):
    container = demonstration.container("demo-sync-worker")
    assert container.run("stat", "--format", "%u %a", "/data/backline.sqlite", "/data/vault/vault.key").splitlines() \
        == ["10001 600"] * 2
    assert container.run("find", "/data", "-perm", "/077", "!", "-type", "s") == ""


def test_only_this_machine_reaches_the_gateway(demonstration):
    ports = demonstration.container("gateway").inspect()["NetworkSettings"]["Ports"]
    assert ports == {"8080/tcp": [{"HostIp": "127.0.0.1", "HostPort": str(demonstration.port)}]}
