"""How long the gateway's transactions take, as the kernel sees it: `strace` notes every use of the write lock.

Only the calls on locks and syncs are noted, by a filter in the kernel (seccomp), so that everything else of the gateway
runs at its own speed.
"""

import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .installation import Installation
from .processes import BenchmarkError, Program, product
from .steady_process import Span

TRACE = ["--daemonize", "--follow-forks", "--seccomp-bpf", "--output-separately", "--decode-fds=path",
         "--absolute-timestamps=format:unix,precision:us", "--syscall-times=us", "--signal=none",
         "--trace=flock,fsync,fdatasync"]
# Time, call, path, flags of flock, result, duration.
LINE = re.compile(r"^(\d+\.\d+) (\w+)\(\d+<([^>]*)>(?:, ([A-Z_|]+))?\)\s*= (-?\d+).*<(\d+\.\d+)>$")


@dataclass(frozen=True)
class Hold:
    """The write lock was held from the beginning to the end, in seconds of the machine's monotonic clock."""

    # Without the syncs at its end.
    statements: Span
    ended: float
    # Of the log into the database's file.
    is_checkpoint: bool


def strace() -> str:
    found = shutil.which("strace")
    if found is None:
        raise BenchmarkError("strace is missing, which sees how long the lock is held: install Debian's strace")
    return found


class LockHolds:
    """A gateway that is traced from its start to its end."""

    def __init__(self, installation: Installation):
        """Starts the gateway of an installation in which one has run before."""
        self._trace = installation.folder / "locks"
        self._trace.mkdir()
        # strace notes the time of day.
        self._offset = time.monotonic() - time.time()
        self._lock = f"{installation.environment['BACKLINE_DATABASE_PATH']}.lock"
        self.gateway = Program(
            "api-gateway", [strace(), *TRACE, "--output", str(self._trace / "thread"), product("api-gateway")],
            installation.folder, installation.environment)
        installation.programs.append(self.gateway)
        self.gateway.wait_for("listening on")

    def read(self) -> list[Hold]:
        """Every time the lock was held, once the gateway has ended."""
        # The files are complete soon after the last thread's end.
        time.sleep(1)
        holds = [hold for path in self._trace.iterdir() for hold in self._of_thread(path)]
        if not holds:
            raise BenchmarkError("strace has noted no use of the write lock: may this user trace programs here?")
        return sorted(holds, key=lambda hold: hold.ended)

    def _of_thread(self, path: Path) -> Iterator[Hold]:
        taken: float | None = None
        syncs: list[tuple[float, str]] = []
        for line in path.read_text(errors="replace").splitlines():
            match = LINE.match(line)
            if not match:
                continue
            began = float(match[1]) + self._offset
            call, file, flags, succeeded = match[2], match[3], match[4] or "", match[5] == "0"
            if call != "flock":
                syncs.append((began, file))
            elif file != self._lock or not succeeded:
                continue
            elif "LOCK_UN" not in flags:
                taken, syncs = began + float(match[6]), []
            elif taken is not None:
                last = syncs[0][0] if syncs else began
                yield Hold(Span(taken, last), began, any(f"{name}.lock" == self._lock for _, name in syncs))
                taken = None
