"""A container in which systemd is process 1, or without systemd."""

import itertools
import json
import os
import shlex
import subprocess
from collections.abc import Callable

from backline_test import REPOSITORY
from backline_test.processes import TIMEOUT, run

from .commands import eventually, podman
from .documents import commands

# What a machine has of the repository; documents and tests may not change it.
SOURCES = "/source"
BUILT = "/built"
PACKAGES = "/packages"
KEY = "demo-key"
_numbers = itertools.count(1)


class Machine:
    """A context manager."""

    def __init__(self, with_systemd: bool = True):
        self.name = f"backline-machine-{os.getpid()}-{next(_numbers)}"
        self.with_systemd = with_systemd

    def __enter__(self) -> "Machine":
        folders = {SOURCES: REPOSITORY, BUILT: os.environ["BACKLINE_TEST_BUILT"],
                   PACKAGES: os.environ["BACKLINE_TEST_PACKAGES"]}
        mounts = [f"--volume={folder}:{path}:ro" for path, folder in folders.items()]
        start = [] if self.with_systemd else ["sleep", "infinity"]
        # systemd makes control groups, mounts and namespaces.
        podman(
            "run", "--detach", "--name", self.name, "--privileged", "--stop-signal", "SIGRTMIN+3",
            "--systemd", "always" if self.with_systemd else "false",
            *mounts, os.environ["BACKLINE_TEST_MACHINE"], *start)
        if self.with_systemd:
            self.wait_until_booted()
        return self

    def __exit__(self, *_) -> None:
        subprocess.run(["podman", "rm", "--force", "--time", "1", self.name], capture_output=True, check=False)

    def boot_again(self) -> None:
        podman("restart", "--time", "90", self.name)
        self.wait_until_booted()

    def wait_until_booted(self) -> None:
        eventually("systemd has booted", lambda: self.output("systemctl is-system-running") in ("running", "degraded"))

    # MARK: Commands

    def shell(self, script: str, stdin: str = "", timeout: float = TIMEOUT) -> str:
        """Runs what must succeed, as root, in bash. Returns its standard output without the last line's end."""
        return run(
            "podman", "exec", "--interactive", self.name, "bash", "-O", "expand_aliases", "-c", script, stdin=stdin,
            timeout=timeout)

    def output(self, script: str, timeout: float = TIMEOUT) -> str:
        """The standard output of what may fail, or does not end by itself."""
        command = ["podman", "exec", self.name, "timeout", str(timeout), "bash", "-O", "expand_aliases", "-c", script]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        return result.stdout.rstrip("\n")

    def answer(self, script: str, question: str, answer: str) -> str:
        """Runs a command on a terminal of its own, types an answer when it asks, and returns what it showed."""
        terminal = f"timeout {TIMEOUT} script --quiet --return --command {shlex.quote(script)} /dev/null"
        shown = ""
        with subprocess.Popen(
                ["podman", "exec", "--interactive", self.name, "bash", "-c", terminal], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            while question not in shown:
                character = process.stdout.read(1)
                assert character, f"it did not ask {question!r}:\n{shown}"
                shown += character
            process.stdin.write(f"{answer}\n")
            process.stdin.flush()
            shown += process.stdout.read()
        assert process.returncode == 0, shown
        return shown

    def install(self) -> None:
        """Installs the executables with the libraries that the document names."""
        packages = documented_packages()
        self.shell(f"DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends {' '.join(packages)}")
        self.shell(f"{SOURCES}/scripts/install --built {BUILT}")

    def follow(self, section: str, *, only: Callable[[str], bool] = lambda _: True) -> list[str]:
        """Runs the commands of a section of docs/operations.md in their order, and returns what each printed.

        Commands that read get the key. An alias counts for the commands after it. A command that does not end runs on
        (supervisord in the foreground), or is ended after seconds (a log that is followed).
        """
        outputs, aliases = [], ""
        for command in commands("docs/operations.md", section):
            if not only(command):
                continue
            if command.startswith("alias "):
                aliases += command + "\n"
            elif "supervisord -c" in command:
                podman("exec", "--detach", self.name, "bash", "-c", command)
            elif " tail -f " in command or " status" in command:
                # A supervisor's state is not that of the command: supervisorctl returns 3 while a program is stopped.
                outputs.append(self.output(aliases + command, timeout=5))
            else:
                outputs.append(self.shell(aliases + command, stdin=f"{KEY}\n" if "/dev/stdin" in command else ""))
        return outputs

    # MARK: systemd

    def show(self, unit: str, *names: str) -> dict[str, str]:
        """Properties of a unit."""
        lines = self.shell(f"systemctl show '{unit}' --property {','.join(names)}").splitlines()
        return dict(line.split("=", 1) for line in lines)

    def property(self, unit: str, name: str) -> str:
        return self.show(unit, name)[name]

    def process(self, unit: str) -> int:
        return int(self.property(unit, "MainPID"))

    def is_active(self, unit: str) -> bool:
        return self.property(unit, "ActiveState") == "active"

    def wait_until_active(self, *units: str) -> None:
        for unit in units:
            eventually(f"{unit} is active", lambda unit=unit: self.is_active(unit))

    def set(self, unit: str, section: str, **settings: str) -> None:
        """Changes a unit with a drop-in, as `systemctl edit` does. It counts from the unit's next start."""
        lines = "\n".join(f"{name}={value}" for name, value in settings.items())
        folder = f"/etc/systemd/system/{unit}.d"
        self.shell(f"mkdir -p '{folder}' && cat > '{folder}/test.conf'", stdin=f"[{section}]\n{lines}\n")
        self.shell("systemctl daemon-reload")

    def unset(self, unit: str) -> None:
        self.shell(f"rm -r '/etc/systemd/system/{unit}.d' && systemctl daemon-reload")

    def journal(self, arguments: str = "--unit 'backline*'") -> list[dict]:
        """Entries with all of their fields."""
        text = self.shell(f"journalctl --no-pager --output json {arguments}")
        return [json.loads(line) for line in text.splitlines()]

    def report(self) -> str:
        """What explains a failed test."""
        if not self.with_systemd:
            return self.output("tail -n 30 /var/lib/backline/supervisor/log/*.log")
        return self.output(
            "systemctl --no-pager list-units --all 'backline*'; journalctl --no-pager -n 150 --output short-precise")

    # MARK: Backline

    def ready(self) -> dict:
        return json.loads(self.shell("curl --silent --show-error --fail http://127.0.0.1:8080/readyz"))

    def call(self, token: str, path: str, body: dict | None = None) -> dict:
        """An answer of the API."""
        data = "" if body is None else "--data @-"
        answer = self.shell(
            f"curl --silent --show-error --fail-with-body -H 'Authorization: Bearer {token}' {data}"
            f" http://127.0.0.1:8080{path}", stdin="" if body is None else json.dumps(body))
        return json.loads(answer)


def documented_packages() -> list[str]:
    """The Debian packages that the executable needs, as docs/operations.md names them."""
    text = " ".join((REPOSITORY / "docs/operations.md").read_text().split())
    sentence = text.split("A machine that only runs it needs Debian's ", 1)[1].split(". ", 1)[0]
    return [word for number, word in enumerate(sentence.split("`")) if number % 2 == 1]
