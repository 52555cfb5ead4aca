"""The Debian package: installed, upgraded, removed and purged on machines that systemd starts."""

import os
import subprocess
from pathlib import Path

import pytest

from support.commands import eventually, run
from support.machine import PACKAGES, Machine

GATEWAY = "backline-api-gateway.service"
UNITS = [GATEWAY, "backline-concert-worker@1.service", "backline-sync-worker.service", "backline-ai-worker.service"]
CONFIGURATION = "/etc/backline/backline.yaml"
DATABASE = "/var/lib/backline/backline.sqlite"
APT = "DEBIAN_FRONTEND=noninteractive apt-get -qy --no-install-recommends"


def package(revision: int) -> str:
    """The file's name."""
    return next(Path(os.environ["BACKLINE_TEST_PACKAGES"]).glob(f"backline_*-{revision}_*.deb")).name


def install(machine: Machine, revision: int) -> str:
    return machine.shell(f"{APT} install {PACKAGES}/{package(revision)} 2>&1", timeout=600)


def status(machine: Machine) -> str:
    return machine.output("dpkg-query --show --showformat '${db:Status-Status} ${Version}' backline")


def add_person(machine: Machine, name: str) -> str:
    return machine.shell(f"sudo -u backline backline user add {name} --admin --config {CONFIGURATION}")


@pytest.fixture(scope="module")
def machine(make_machine) -> Machine:
    machine = make_machine()
    machine.shell("apt-get update -q")
    return machine


@pytest.fixture(scope="module")
def installed(machine) -> Machine:
    install(machine, 1)
    return machine


def test_lintian_has_no_error_and_no_warning():
    # What packaging/debian/lintian-overrides explains is not shown.
    result = subprocess.run(
        ["lintian", "--fail-on", "error,warning", Path(os.environ["BACKLINE_TEST_PACKAGES"]) / package(1)],
        capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, ""), result.stdout


def test_the_package_names_what_it_needs(figure):
    file = Path(os.environ["BACKLINE_TEST_PACKAGES"]) / package(1)
    needs = run("dpkg-deb", "--field", file, "Depends")
    for name in ("libzmq5", "libcurl4", "libsqlite3-0", "libxml2", "libzip4", "zlib1g", "libturbojpeg0", "libpng16-16",
                 "libwebp7", "ca-certificates"):
        assert name in needs, needs
    figure(run("dpkg-deb", "--field", file, "Package", "Version", "Architecture", "Installed-Size", "Depends"))


def test_an_installation_runs_at_once_and_after_boots(installed, figure):
    installed.wait_until_active("backline.target", *UNITS)
    assert status(installed).startswith("installed ")
    assert installed.shell("systemctl is-enabled backline.target") == "enabled"
    eventually("the workers are connected", lambda: installed.ready()["workers"] == 3)
    assert installed.shell("stat --format '%U %a' /var/lib/backline") == "backline 700"
    assert installed.shell("dpkg --verify backline") == ""
    assert installed.shell("getent passwd backline").split(":")[5:] == ["/var/lib/backline", "/usr/sbin/nologin"]
    assert add_person(installed, "ada").startswith("bl_")
    # Everything that the units name is where the package has it.
    units = "/lib/systemd/system/backline-*.service /lib/systemd/system/backline.target"
    assert installed.shell(f"systemd-analyze verify {units} 2>&1") == ""


def test_the_command_line_has_a_manual_page_and_completions(installed):
    page = installed.shell("MANWIDTH=120 MANPAGER=cat man --warnings backline 2>&1")
    assert page.startswith("BACKLINE(1)")
    for text in ("backline - uses and administers a Backline installation", "--include-cancelled", "library sync"):
        assert text in page, text
    assert "backline (1)" in installed.shell("mandb --quiet; whatis backline")
    installed.shell("bash -n /usr/share/bash-completion/completions/backline")


def test_an_upgrade_keeps_configuration_and_data_and_restarts_everything(installed):
    installed.shell(f"sed -i 's/  port: 8080/  port: 8081/' {CONFIGURATION}")
    installed.shell("systemctl enable --now backline-concert-worker@2")
    before = {unit: installed.process(unit) for unit in [*UNITS, "backline-concert-worker@2.service"]}
    install(installed, 2)
    assert status(installed).endswith("-2")
    assert "port: 8081" in installed.shell(f"cat {CONFIGURATION}")
    for unit, process in before.items():
        eventually(f"{unit} was restarted",
                   lambda unit=unit, process=process: installed.is_active(unit) and installed.process(unit) != process)
    assert "ada" in installed.shell(f"sudo -u backline backline user list --config {CONFIGURATION}")
    eventually("the gateway answers at the configured port",
               lambda: '"workers":4' in installed.output("curl --silent http://127.0.0.1:8081/readyz"))


def test_an_upgrade_starts_nothing_that_was_disabled(installed):
    installed.shell("systemctl disable backline.target && systemctl stop 'backline*'")
    installed.shell(f"{APT} install --allow-downgrades {PACKAGES}/{package(1)} 2>&1", timeout=600)
    install(installed, 2)
    for unit in UNITS:
        assert installed.property(unit, "ActiveState") == "inactive", unit
    installed.shell("systemctl enable --now backline.target")
    installed.wait_until_active(*UNITS)


def test_a_removal_stops_everything_and_keeps_configuration_and_data(installed):
    installed.shell(f"{APT} remove backline 2>&1")
    assert status(installed).startswith("config-files ")
    assert installed.output("pgrep --euid backline") == ""
    for path in ("/usr/bin/backline", "/usr/libexec/backline", "/lib/systemd/system/backline.target"):
        assert installed.output(f"ls -d {path}") == "", path
    installed.shell(f"test -s {DATABASE} && grep --quiet 'port: 8081' {CONFIGURATION}")


def test_an_installation_after_a_removal_goes_on_with_its_data(installed):
    install(installed, 2)
    installed.wait_until_active("backline.target", *UNITS)
    assert "port: 8081" in installed.shell(f"cat {CONFIGURATION}")
    assert "ada" in installed.shell(f"sudo -u backline backline user list --config {CONFIGURATION}")


def test_a_purge_keeps_data_unless_told_otherwise(installed):
    installed.shell("echo secret > /etc/backline/ticketmaster.key")
    installed.shell(f"{APT} purge backline 2>&1")
    assert status(installed).split(" ")[0] in ("", "not-installed")
    assert installed.output("pgrep --euid backline") == ""
    assert installed.output(f"ls {CONFIGURATION}") == ""
    installed.shell(f"test -s {DATABASE} && test -s /etc/backline/ticketmaster.key")
    assert installed.output("ls -d /etc/systemd/system/backline* /etc/systemd/system/*/backline*") == ""


@pytest.mark.parametrize("answer", ["no", "yes"])
def test_a_purge_asks_whether_to_remove_data(installed, answer):
    install(installed, 2)
    installed.wait_until_active(*UNITS)
    assert "ada" in installed.shell(f"sudo -u backline backline user list --config {CONFIGURATION}")
    question = "Remove the data and keys of Backline? [yes/no] "
    installed.answer("TERM=dumb DEBIAN_FRONTEND=teletype apt-get -qy purge backline", question, answer)
    assert installed.output("pgrep --euid backline") == ""
    expected = ["/etc/backline", "/var/lib/backline"] if answer == "no" else []
    assert installed.output("ls -d /etc/backline /var/lib/backline").splitlines() == expected


def test_a_purge_removes_data_when_that_was_answered_before(installed):
    install(installed, 2)
    installed.wait_until_active(*UNITS)
    installed.shell("debconf-set-selections", stdin="backline backline/postrm_remove_data boolean true\n")
    installed.shell(f"{APT} purge backline 2>&1")
    assert installed.output("ls -d /var/lib/backline /etc/backline") == ""
    assert installed.output("debconf-show backline") == ""
