"""Starts programs, waits for their output, reads their processor time and memory, and ends them."""

import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
# Names another build, for work on the benchmarks themselves without a release build.
PRODUCTS = REPOSITORY / os.environ.get("BENCH_PRODUCTS", ".build/release")

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class BenchmarkError(Exception):
    """A benchmark that cannot continue. The text is for the person who runs it."""


@dataclass(frozen=True)
class Usage:
    """The processor time and memory of a process since its start."""

    cpu_seconds: float
    resident_bytes: int


class Program:
    """A process with its output in files beside the data it works on."""

    def __init__(self, name: str, command: list[str], folder: Path, environment: dict[str, str] | None = None):
        self.name = name
        self.output_path = folder / f"{name}.out"
        self.log_path = folder / f"{name}.log"
        self.started_at = time.monotonic()
        with open(self.output_path, "wb") as output, open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                command, stdout=output, stderr=log, stdin=subprocess.DEVNULL, cwd=folder,
                env={**os.environ, **(environment or {})})

    @property
    def pid(self) -> int:
        return self.process.pid

    def usage(self) -> Usage:
        # Fields after the name, which is in parentheses and may hold anything: state is the first.
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks = int(fields[11]) + int(fields[12])
        resident = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * PAGE_BYTES
        return Usage(cpu_seconds=ticks / TICKS_PER_SECOND, resident_bytes=resident)

    def proportional_bytes(self) -> int:
        """The memory it takes, with a share of each page that other processes have mapped, too (proc(5), Pss)."""
        for line in Path(f"/proc/{self.pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1_024
        raise BenchmarkError(f"{self.name} has ended, and its memory is not known")

    def peak_bytes(self) -> int:
        """The most memory that was resident since its start."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1_024
        raise BenchmarkError(f"{self.name} has ended, and its memory is not known")

    def wait_for_line(self, text: str, timeout: float = 20) -> str:
        """The first whole line of its standard output that holds `text`."""
        deadline = time.monotonic() + timeout
        while True:
            for line in self.output_path.read_text(errors="replace").splitlines(keepends=True):
                if text in line and line.endswith("\n"):
                    return line.rstrip()
            if self.process.poll() is not None:
                raise BenchmarkError(f"{self.name} ended with {self.process.returncode}:\n{self.last_words()}")
            if time.monotonic() > deadline:
                raise BenchmarkError(f"{self.name} did not say '{text}' within {timeout} s:\n{self.last_words()}")
            time.sleep(0.002)

    def last_words(self) -> str:
        text = self.output_path.read_text(errors="replace") + self.log_path.read_text(errors="replace")
        return "\n".join(text.splitlines()[-15:])

    def stop(self, timeout: float = 10) -> None:
        """Terminates the process, and kills it if it does not end."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def product(name: str) -> str:
    """The path of one of the package's programs, which `scripts/bench` has built in release mode."""
    path = PRODUCTS / name
    if not path.exists():
        raise BenchmarkError(f"{path} is missing: run scripts/bench, which builds it.")
    return str(path)
