"""What it costs to open a secret, which every call with a person's key or token does first: one agreement on X25519
and the key's derivation, whatever the secret's size."""

import json
import subprocess

from harness.options import Options
from harness.processes import product
from harness.report import Row, at_most


def run(options: Options) -> list[Row]:
    result = subprocess.run([product("secret-opening")], capture_output=True, text=True, check=True)
    measured = [json.loads(line) for line in result.stdout.splitlines()]
    return [
        Row("vault", f"opening a secret of {entry['bytes']:,} bytes", entry["median"], "µs",
            high=entry["slowest"], low=entry["fastest"], **at_most(entry["median"], 150, "µs"))
        for entry in measured
    ]
