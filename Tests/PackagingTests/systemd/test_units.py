"""The systemd units as they are, installed as docs/operations.md says, on a machine that systemd starts."""

import json
import time

import pytest

from support.commands import eventually
from support.documents import REPOSITORY
from support.machine import BUILT, KEY

GATEWAY = "backline-api-gateway.service"
CONCERTS = "backline-concert-worker@1.service"
SYNC = "backline-sync-worker.service"
AI = "backline-ai-worker.service"
WORKERS = [CONCERTS, SYNC, AI]
UNITS = [GATEWAY, *WORKERS]
PRIORITIES = {"critical": "2", "error": "3", "warning": "4", "notice": "5", "info": "6", "debug": "7"}
NAMES = {GATEWAY: "api-gateway", CONCERTS: "concert-worker", SYNC: "sync-worker", AI: "ai-worker"}


@pytest.fixture(scope="module")
def machine(make_machine):
    machine = make_machine()
    machine.install()
    return machine


@pytest.fixture(scope="module")
def outputs(machine) -> list[str]:
    """What the document's commands printed."""
    return machine.follow("With systemd")


@pytest.fixture(scope="module")
def token(outputs) -> str:
    """Of Ada, an administrator whom the document adds."""
    return next(output for output in outputs if output.startswith("bl_"))


def test_the_document_leads_to_services_that_report_that_they_are_ready(machine, outputs, figure):
    assert '"status":"ready"' in outputs[-1]
    for unit in UNITS:
        shown = machine.show(unit, "Type", "ActiveState", "Result", "NRestarts")
        assert shown == {"Type": "notify", "ActiveState": "active", "Result": "success", "NRestarts": "0"}, unit
    assert machine.property(GATEWAY, "StatusText") == "Listening on http://127.0.0.1:8080"
    for unit in WORKERS:
        eventually(f"{unit} tells that it is registered",
                   lambda unit=unit: machine.property(unit, "StatusText") == "Registered with the gateway")
    assert machine.shell("systemctl is-enabled backline.target") == "enabled"
    assert machine.output("systemctl is-system-running") == "running"
    figure(machine.shell("systemctl list-units --no-pager --no-legend 'backline*'"))


def test_workers_get_the_key_as_a_credential_and_nobody_else_does(machine, outputs, token):
    process = machine.process(CONCERTS)
    environment = machine.shell(f"tr '\\0' '\\n' < /proc/{process}/environ")
    path = f"/run/credentials/{CONCERTS}/ticketmaster.key"
    assert f"BACKLINE_TICKETMASTER_API_KEY_FILE={path}" in environment.splitlines()
    assert KEY not in environment
    assert KEY not in machine.shell(f"tr '\\0' ' ' < /proc/{process}/cmdline")
    assert machine.shell(f"nsenter --target {process} --mount stat --format '%U %a' {path}") == "backline 400"
    assert machine.shell(f"nsenter --target {process} --mount cat {path}") == KEY
    assert machine.output(f"sudo -u nobody cat {path}") == ""
    assert machine.output("sudo -u backline cat /etc/backline/ticketmaster.key") == ""
    for unit in (GATEWAY, SYNC, AI):
        assert "TICKETMASTER" not in machine.shell(f"tr '\\0' '\\n' < /proc/{machine.process(unit)}/environ"), unit


def test_a_search_uses_that_key(machine, outputs, token):
    machine.shell(f"systemd-run --quiet --unit simulator {BUILT}/upstream-sim --port 9000")
    address = "http://127.0.0.1:9000/discovery/v2"
    machine.set(CONCERTS, "Service", Environment=f"BACKLINE_UPSTREAMS_TICKETMASTER_BASE_URL={address}")
    machine.shell(f"systemctl restart {CONCERTS}")
    search = machine.shell(
        f"BACKLINE_TOKEN={token} backline search Coldplay --json --config /etc/backline/backline.yaml")
    assert json.loads(search)["items"], search
    assert json.loads(search).get("warnings", []) == [], search
    machine.unset(CONCERTS)


def test_further_workers_are_instances_of_a_template(machine, outputs):
    row = next(
        line for line in (REPOSITORY / "docs/operations.md").read_text().splitlines()
        if line.startswith("| systemd | `systemctl enable"))
    start, stop = row.split("`")[1::2]
    before = machine.ready()["workers"]
    machine.shell(start)
    instances = [f"backline-concert-worker@{number}.service" for number in (2, 3, 4)]
    machine.wait_until_active(*instances)
    eventually("all workers are connected", lambda: machine.ready()["workers"] == before + 3)
    machine.shell("systemctl restart backline.target")
    machine.wait_until_active(*UNITS, *instances)
    machine.shell(stop)
    for instance in instances:
        assert machine.property(instance, "ActiveState") == "inactive"
    eventually("only the first worker is connected", lambda: machine.ready()["workers"] == before)


@pytest.mark.parametrize("unit", UNITS)
def test_a_killed_process_is_started_again(machine, outputs, unit):
    machine.wait_until_active(unit)
    process, restarts = machine.process(unit), int(machine.property(unit, "NRestarts"))
    machine.shell(f"kill -9 {process}")
    eventually(f"{unit} runs again",
               lambda: machine.is_active(unit) and machine.process(unit) not in (0, process))
    assert int(machine.property(unit, "NRestarts")) == restarts + 1
    eventually("all workers are connected", lambda: machine.ready()["workers"] == len(WORKERS))


@pytest.mark.parametrize("unit", [GATEWAY, SYNC])
def test_the_watchdog_ends_a_process_that_hangs(machine, outputs, unit, figure):
    # The unit's watchdog waits for 60 s; the drop-in shortens only the test.
    assert machine.property(unit, "WatchdogUSec") == "1min"
    machine.set(unit, "Service", WatchdogSec="4s")
    machine.shell(f"systemctl restart {unit}")
    process = machine.process(unit)
    # Two intervals without a restart: its pings arrive.
    time.sleep(9)
    assert machine.process(unit) == process
    stopped = machine.shell("date +@%s.%6N")
    machine.shell(f"kill -STOP {process}")
    eventually(f"{unit} runs again",
               lambda: machine.is_active(unit) and machine.process(unit) not in (0, process))
    lines = machine.shell(f"journalctl --no-pager --unit {unit} --since {stopped} --output short-precise")
    assert "Watchdog timeout (limit 4s)!" in lines
    assert "Failed with result 'watchdog'." in lines
    figure("\n".join(line for line in lines.splitlines() if " systemd[1]: " in line))
    machine.unset(unit)
    machine.shell(f"systemctl restart {unit}")


def test_an_invalid_configuration_is_not_tried_again(machine, outputs):
    machine.set(AI, "Service", Environment="BACKLINE_WORKER_CONCURRENCY=many")
    machine.output(f"systemctl restart {AI}")
    shown = machine.show(AI, "ActiveState", "ExecMainStatus", "NRestarts")
    assert (shown["ActiveState"], shown["ExecMainStatus"]) == ("failed", "78")
    assert any("worker.concurrency" in entry["MESSAGE"] for entry in machine.journal(f"--unit {AI} -n 20"))
    machine.unset(AI)
    machine.shell(f"systemctl restart {AI}")


def test_a_stop_ends_all_processes_within_the_grace_period(machine, outputs, token, figure):
    job = machine.call(token, "/v1/jobs", {"kind": "diagnostics.steps", "payload": {"steps": 600, "stepMs": 100}})
    eventually("the job runs", lambda: machine.call(token, f"/v1/jobs/{job['id']}")["state"] == "running")
    begun = time.monotonic()
    machine.shell("systemctl stop 'backline*'")
    took = time.monotonic() - begun
    for unit in UNITS:
        shown = machine.show(unit, "ActiveState", "Result", "ExecMainStatus")
        assert shown == {"ActiveState": "inactive", "Result": "success", "ExecMainStatus": "0"}, unit
    assert took < 45
    assert machine.output("pgrep --euid backline") == ""
    figure(f"systemctl stop 'backline*' took {took:.1f} s with a long job")
    # Workers sign off before the gateway stops.
    ends = {unit: int(machine.property(unit, "ExecMainExitTimestampMonotonic")) for unit in UNITS}
    assert all(ends[unit] <= ends[GATEWAY] for unit in WORKERS), ends
    machine.shell("systemctl start backline.target")
    machine.wait_until_active(*UNITS)
    eventually("the job has ended", lambda: machine.call(token, f"/v1/jobs/{job['id']}")["state"] == "succeeded")


@pytest.mark.parametrize("unit", UNITS)
def test_the_hardening_is_in_force(machine, outputs, unit, figure):
    # As an integer, ten times the exposure that the tool prints: all units have 1.2 now.
    analysis = machine.shell(f"systemd-analyze security --no-pager --threshold=15 {unit}")
    figure(next(line for line in analysis.splitlines() if "Overall exposure" in line))
    process = machine.process(unit)
    status = dict(
        line.split(":\t", 1) for line in machine.shell(f"cat /proc/{process}/status").splitlines() if ":\t" in line)
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"
    assert {status[name].strip("0") for name in ("CapEff", "CapPrm", "CapBnd", "CapAmb", "CapInh")} == {""}
    account = machine.shell("id --user backline")
    assert status["Uid"].split() == [account] * 4
    inside = f"nsenter --target {process} --mount"
    for folder in ("/usr", "/etc"):
        options = machine.shell(f"{inside} findmnt --noheadings --output OPTIONS --target {folder}")
        assert "ro" in options.split(","), folder
    # Another folder for temporary files, no home folders, and no keys that the process does not need.
    assert machine.shell(f"{inside} ls -A /tmp") == ""
    hidden = "/var/lib/backline/vault" if unit == GATEWAY else "/var/lib/backline/pictures.key"
    for path in ("/root", hidden):
        assert machine.shell(f"{inside} stat --format %a {path}") == "0", path


@pytest.mark.parametrize("unit", UNITS)
def test_journald_has_the_fields_of_each_line(machine, outputs, unit):
    entries = machine.journal(f"_SYSTEMD_UNIT={unit} _TRANSPORT=stdout")
    assert any(f" {NAMES[unit]}: " in entry["MESSAGE"] for entry in entries)
    for entry in entries:
        assert entry["SYSLOG_IDENTIFIER"] == NAMES[unit], entry
        assert entry["SYSLOG_FACILITY"] == "3", entry
        assert entry["PRIORITY"] == PRIORITIES.get(entry["MESSAGE"].split()[1], "6"), entry
    assert {entry["PRIORITY"] for entry in entries} > {"6"}
    # Nothing but the log: libraries write to the system's log as well.
    others = machine.journal(f"_SYSTEMD_UNIT={unit} _TRANSPORT=syslog")
    assert [entry["MESSAGE"] for entry in others] == []


def test_a_boot_starts_the_gateway_before_the_workers_and_after_the_file_systems(machine, outputs, token, figure):
    job = machine.call(token, "/v1/jobs", {"kind": "diagnostics.steps", "payload": {"steps": 300, "stepMs": 100}})
    eventually("the job runs", lambda: machine.call(token, f"/v1/jobs/{job['id']}")["state"] == "running")
    boot = machine.shell("cat /proc/1/stat").split()[21]
    machine.boot_again()
    assert machine.shell("cat /proc/1/comm") == "systemd"
    assert machine.shell("cat /proc/1/stat").split()[21] != boot
    machine.wait_until_active("backline.target", *UNITS)
    files = int(machine.property("local-fs.target", "ActiveEnterTimestampMonotonic"))
    listening = int(machine.property(GATEWAY, "ActiveEnterTimestampMonotonic"))
    assert files <= int(machine.property(GATEWAY, "ExecMainStartTimestampMonotonic"))
    assert "sysinit.target" in machine.property(GATEWAY, "After").split()
    assert "local-fs.target" in machine.property("sysinit.target", "After").split()
    assert "/var/lib/backline" in machine.property(GATEWAY, "RequiresMountsFor").split()
    lines = ["after local-fs.target:", f"  {(listening - files) / 1e6:.3f} s  {GATEWAY} is ready"]
    for unit in WORKERS:
        assert GATEWAY in machine.property(unit, "After").split(), unit
        started = int(machine.property(unit, "ExecMainStartTimestampMonotonic"))
        assert listening <= started, unit
        lines.append(f"  {(started - files) / 1e6:.3f} s  {unit} starts")
    figure("\n".join(lines))
    eventually("the job has ended", lambda: machine.call(token, f"/v1/jobs/{job['id']}")["state"] == "succeeded")
