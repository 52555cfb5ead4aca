"""Runs of picture-helper beside the gateway, with the memory and the time of each.

A process counts the memory of the one that started it as its own until it is another program. So a small process
starts them, and this one only tells it what to do.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROGRAM = """
import json, os, resource, sys, time
found = []
for path in sys.argv[2:]:
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(path, os.O_RDONLY), 0)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execv(sys.argv[1], [sys.argv[1]])
    _, status, usage = os.wait4(child, 0)
    found.append((os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024, time.monotonic() - began))
print(json.dumps(found))
"""
# Arguments of one process.
AT_ONCE = 500


@dataclass(frozen=True)
class HelperRun:
    # Negative for a signal.
    status: int
    # The most that was resident at once.
    peak_bytes: int
    seconds: float


def helper_runs(program: str, paths: list[Path]) -> list[HelperRun]:
    runs = []
    for first in range(0, len(paths), AT_ONCE):
        result = subprocess.run(
            [sys.executable, "-I", "-S", "-c", PROGRAM, program, *map(str, paths[first:first + AT_ONCE])],
            capture_output=True, text=True, check=True)
        runs += [HelperRun(*values) for values in json.loads(result.stdout)]
    return runs
