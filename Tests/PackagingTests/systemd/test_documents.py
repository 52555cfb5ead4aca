"""Sections of docs/operations.md, followed literally on new machines. test_units.py follows "With systemd"."""


import pytest

from support.commands import eventually, podman
from support.machine import BUILT, SOURCES

UNITS = [
    "backline-api-gateway.service", "backline-concert-worker@1.service", "backline-sync-worker.service",
    "backline-ai-worker.service"]
PROGRAMS = ["api-gateway", "workers:ai-worker", "workers:concert-worker-1", "workers:concert-worker-2",
            "workers:sync-worker"]


def test_with_supervisord(make_machine, figure):
    machine = make_machine(with_systemd=False)
    # Debian's package would start a supervisord of its own.
    machine.shell("printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d")
    machine.shell("DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends supervisor")
    machine.install()
    control = "sudo -u backline supervisorctl -s unix:///var/lib/backline/supervisor/supervisor.sock"

    def states() -> dict[str, str]:
        lines = machine.output(f"{control} status").splitlines()
        return {line.split()[0]: line.split()[1] for line in lines}

    def is_first_block(command: str) -> bool:
        return "bctl" not in command and "user add" not in command

    machine.follow("With supervisord", only=is_first_block)
    eventually("all programs run", lambda: [name for name, state in states().items() if state == "RUNNING"] == PROGRAMS)
    eventually("the workers are connected", lambda: machine.ready()["workers"] == 4)
    figure(machine.output(f"{control} status"))
    outputs = machine.follow("With supervisord", only=lambda command: not is_first_block(command))
    token, status, restarted, followed, stopped = outputs
    assert token.startswith("bl_")
    assert all(name in status for name in PROGRAMS)
    assert restarted.splitlines() == ["workers:sync-worker: stopped", "workers:sync-worker: started"], restarted
    assert " api-gateway: " in followed
    assert stopped == "Shut down"
    eventually("supervisord and all programs have ended", lambda: machine.output("pgrep --euid backline") == "")


@pytest.fixture(scope="module")
def machine(make_machine):
    """Installed as the document says, with data and a second concert-worker."""
    machine = make_machine()
    machine.install()
    machine.token = next(output for output in machine.follow("With systemd") if output.startswith("bl_"))
    machine.shell("systemctl enable --now backline-concert-worker@2")
    return machine


def test_upgrade(machine):
    before = {unit: machine.process(unit) for unit in [*UNITS, "backline-concert-worker@2.service"]}
    machine.follow("Upgrade", only=lambda command: "git pull" not in command and "systemctl" not in command)
    machine.shell(f"{SOURCES}/scripts/install --built {BUILT}")
    machine.follow("Upgrade", only=lambda command: "systemctl" in command)
    assert machine.shell("ls /var/lib/backline/*-*-*.sqlite")
    for unit, process in before.items():
        machine.wait_until_active(unit)
        assert machine.process(unit) != process, unit


def test_move_to_another_machine(machine, make_machine, tmp_path):
    def is_on_the_old_machine(command: str) -> bool:
        return any(text in command for text in ("backline backup", "disable", "stop", "tar -C / -c"))

    machine.follow("Move to another machine", only=is_on_the_old_machine)
    assert machine.property("backline.target", "UnitFileState") == "disabled"
    assert machine.output("pgrep --euid backline") == ""
    new = make_machine()
    new.install()
    new.shell("systemd-sysusers")
    podman("cp", f"{machine.name}:/moved.tar", str(tmp_path))
    podman("cp", str(tmp_path / "moved.tar"), f"{new.name}:/moved.tar")
    new.follow("Move to another machine", only=lambda command: not is_on_the_old_machine(command))
    new.wait_until_active(*UNITS)
    people = new.shell("sudo -u backline backline user list --config /etc/backline/backline.yaml")
    assert "ada" in people
    # Her token is still good.
    new.call(machine.token, "/v1/me")


def test_remove(machine):
    machine.shell("systemctl start backline.target")
    machine.wait_until_active(*UNITS)
    machine.follow("Remove")
    assert machine.output("pgrep --euid backline") == ""
    left = machine.shell("find / -xdev -path /proc -prune -o -name '*backline*' -print").splitlines()
    kept = ("/etc/backline", "/var/lib/backline", "/var/lib/systemd")
    assert [path for path in left if not path.startswith(kept)] == []
