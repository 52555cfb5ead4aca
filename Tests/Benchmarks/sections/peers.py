"""What the engine is measured against: the bare pipeline and Huey, in the same minutes on the same disk."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness.options import Options
from harness.processes import BenchmarkError, Program, product

BENCHMARKS = Path(__file__).resolve().parents[1]
HUEY_PRODUCERS = 1


def bare_pipeline(jobs: int, options: Options) -> dict:
    """One round of the bare pipeline."""
    with tempfile.TemporaryDirectory(prefix="backline-bare-", dir=options.folder) as folder:
        return run([product("bare-pipeline"), str(jobs), folder])


def huey(jobs: int, options: Options) -> dict:
    """One round of Huey on SQLite: its own consumer with two worker processes, `synchronous=FULL`."""
    with tempfile.TemporaryDirectory(prefix="backline-huey-", dir=options.folder) as folder:
        environment = {
            "HUEY_DATABASE": f"{folder}/huey.db", "PYTHONPATH": str(BENCHMARKS), "PYTHONDONTWRITEBYTECODE": "1"}
        # It polls often, so that polling does not count against it.
        consumer = Program(
            "huey-consumer",
            [str(options.huey_python), "-m", "huey.bin.huey_consumer", "huey_tasks.huey", "-w", "2", "-k", "process",
             "-d", "0.001", "-m", "0.01", "-n", "-q"],
            Path(folder), environment)
        try:
            time.sleep(1)
            return run(
                [str(options.huey_python), str(BENCHMARKS / "huey_load.py"), str(jobs), str(HUEY_PRODUCERS)],
                {**os.environ, **environment})
        finally:
            consumer.stop()


def run(command: list[str], environment: dict[str, str] | None = None) -> dict:
    """Runs a program that prints one line of JSON."""
    result = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=sys.stderr, text=True, timeout=600)
    if result.returncode != 0:
        raise BenchmarkError(f"{command[0]} ended with {result.returncode}")
    return json.loads(result.stdout)
