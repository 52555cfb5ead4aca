"""The programs that are measured, and their processor time and memory."""

import os
from dataclasses import dataclass
from pathlib import Path

import backline_test.processes
from backline_test import REPOSITORY

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


class Program(backline_test.processes.Program):
    """A process with its output in files beside the data it works on."""

    error = BenchmarkError

    def __init__(self, name: str, command: list[str], folder: Path, environment: dict[str, str] | None = None):
        """`environment` is added to this process's."""
        super().__init__(name, command, folder, {**os.environ, **(environment or {})})

    def wait_for(self, text: str, timeout: float = 20) -> str:
        return super().wait_for(text, timeout)

    def stop(self, timeout: float = 10) -> None:
        super().stop(timeout)

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


def product(name: str) -> str:
    """The path of one of the package's programs, which `scripts/bench` has built in release mode."""
    path = PRODUCTS / name
    if not path.exists():
        raise BenchmarkError(f"{path} is missing: run scripts/bench, which builds it.")
    return str(path)
