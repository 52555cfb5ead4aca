"""How many texts and pushes one core seals: texts with AES-256-GCM, each push with an agreement of keys besides."""

import json
import subprocess

from harness.processes import product
from harness.report import Row, at_least

SECTION = "messages"
LEAST_PER_SECOND = 8_000


def sealing() -> list[Row]:
    result = subprocess.run([product("secret-opening"), "--sealing"], capture_output=True, text=True, check=True)
    rows = []
    for line in result.stdout.splitlines():
        entry = json.loads(line)
        # Of microseconds for each.
        slowest, median, fastest = (1e6 / entry[name] for name in ("slowest", "median", "fastest"))
        unit = f"{entry['what']}/s"
        rows.append(Row(
            SECTION, f"{entry['what']} of {entry['bytes']:,} bytes, sealed on one core", median, unit, low=slowest,
            high=fastest, **at_least(median, LEAST_PER_SECOND, unit)))
    return rows
