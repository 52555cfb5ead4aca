"""A temporary PostgreSQL: in a folder of its own, without a port, removed at the end of its `with` block."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "PythonSupport"))

from backline_test.processes import Program, run  # noqa: E402  (it is found by the line above)

# PostgreSQL refuses to run as root.
UNPRIVILEGED = "nobody"
SECONDS = 60


class ClusterError(Exception):
    pass


class Cluster:
    def __init__(self, binaries: Path):
        self._binaries = binaries.resolve()
        self._owner = pwd.getpwnam(UNPRIVILEGED) if os.geteuid() == 0 else None
        self._server: Program | None = None

    def __enter__(self) -> "Cluster":
        # Not in TMPDIR, whose path may be too long for a socket's.
        self._folder = Path(tempfile.mkdtemp(prefix="backline-sql-", dir="/tmp"))
        try:
            if self._owner:
                os.chown(self._folder, self._owner.pw_uid, self._owner.pw_gid)
            self._run("initdb", "-D", "data", "-U", "backline", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._server:
            # It ends all sessions and processes.
            self._server.stop(SECONDS, signal.SIGINT)
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def version(self) -> str:
        """Such as "15.18"."""
        return self._run("postgres", "--version").split()[2]

    def psql(self, script: str, *arguments: str) -> subprocess.CompletedProcess:
        """Runs a script; messages are in `stderr`."""
        return subprocess.run(
            [self._binaries / "psql", "-X", "-q", "-h", self._folder, "-U", "backline", "-d", "postgres", *arguments],
            input=script, capture_output=True, text=True, check=False)

    def _start(self) -> None:
        command = [
            self._binaries / "postgres", "-D", "data", "-k", self._folder, "-c", "listen_addresses=",
            "-c", "fsync=off", "-c", "autovacuum=off",
        ]
        self._server = Program("postgres", command, self._folder, dict(os.environ), **self._identity())
        end = time.monotonic() + SECONDS
        while self._server.is_running and time.monotonic() < end:
            if subprocess.run([self._binaries / "pg_isready", "-q", "-h", self._folder], check=False).returncode == 0:
                return
            time.sleep(0.05)
        raise ClusterError("PostgreSQL does not start:\n" + self._server.last_words())

    def _run(self, program: str, *arguments: str) -> str:
        return run(
            self._binaries / program, *arguments, folder=self._folder, error=ClusterError,
            **self._identity())

    def _identity(self) -> dict:
        """The user of a program, for subprocess."""
        if self._owner is None:
            return {}
        return {"user": self._owner.pw_uid, "group": self._owner.pw_gid, "extra_groups": []}
