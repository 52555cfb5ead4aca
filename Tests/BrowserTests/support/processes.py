"""Starts Backline's programs, waits for their output, and stops them."""

import os
import queue
import signal
import subprocess
import threading
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
# The folder of the executables. The variable selects another build.
PRODUCTS = Path(os.environ.get("BACKLINE_TEST_PRODUCTS", REPOSITORY / ".build" / "debug"))
TIMEOUT = 180


class Program:
    """A process whose output is read line by line."""

    def __init__(self, product: str, arguments: list[str], environment: dict[str, str], folder: Path):
        self.product = product
        self.lines: list[str] = []
        self._news: queue.Queue[str | None] = queue.Queue()
        inherited = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        self.process = subprocess.Popen(
            [PRODUCTS / product, *arguments], env={**inherited, **environment}, cwd=folder, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            self._news.put(line.rstrip())
        self._news.put(None)

    def wait_for(self, text: str) -> str:
        """Waits for the next line that contains `text`, and returns it."""
        while True:
            line = self._news.get(timeout=TIMEOUT)
            if line is None:
                raise RuntimeError(f"{self.product} ended without '{text}':\n" + "\n".join(self.lines[-15:]))
            if text in line:
                return line

    def kill(self) -> None:
        self.end(signal.SIGKILL)

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def run(product: str, arguments: list[str], environment: dict[str, str], folder: Path) -> str:
    """Runs a command, which must succeed, and returns its output."""
    result = subprocess.run(
        [PRODUCTS / product, *arguments], env={"PATH": os.environ["PATH"], **environment}, cwd=folder,
        capture_output=True, text=True, timeout=TIMEOUT, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{product} {' '.join(arguments)} failed: {result.stdout}{result.stderr}")
    return result.stdout.strip()
