"""Where the time goes while batches of echo jobs run: what `perf` says of the gateway and of a worker."""

import re
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from harness.installation import Installation
from harness.load import BATCH, EchoLoad
from harness.options import Options
from harness.processes import Program
from harness.report import Row

WORKERS = ("concert-worker", "sync-worker")
FREQUENCY = 999
SECONDS = 3
SYMBOLS = 14
SYMBOL_LENGTH = 100


@dataclass
class Profile:
    process: str
    # Shares of its samples, in percent.
    symbols: list[tuple[float, str]]
    libraries: list[tuple[float, str]]


# What the last run recorded, for the page of results: it is text, and no number to compare.
profiles: list[Profile] = []


def run(options: Options) -> list[Row]:
    perf = shutil.which("perf")
    if perf is None:
        return [missing("perf is not installed (Debian: linux-perf)")]
    with Installation(options.folder) as installation:
        gateway = installation.start_gateway()
        worker = installation.start_workers(*WORKERS)[0]
        installation.add_user("bench")
        EchoLoad(2 * BATCH).run(installation)
        stop = threading.Event()
        load = threading.Thread(target=keep_busy, args=(installation, stop))
        load.start()
        try:
            time.sleep(0.5)
            recorded = [record(perf, program, installation.folder) for program in (gateway, worker)]
        finally:
            stop.set()
            load.join()
    if refusal := next((entry for entry in recorded if isinstance(entry, str)), None):
        return [missing(refusal)]
    profiles[:] = [entry for entry in recorded if isinstance(entry, Profile)]
    return [
        Row("profile", f"{profile.process}: in {name}", share, "% of its CPU")
        for profile in profiles for share, name in profile.libraries[:4]]


def missing(reason: str) -> Row:
    return Row("profile", "no profile was taken", 0, "samples", note=reason)


def keep_busy(installation: Installation, stop: threading.Event) -> None:
    while not stop.is_set():
        EchoLoad(20 * BATCH).run(installation)


def record(perf: str, program: Program, folder: Path) -> Profile | str:
    """The profile of a process, or why there is none."""
    data = folder / f"{program.name}.perf"
    recorded = subprocess.run(
        [perf, "record", "--quiet", "-F", str(FREQUENCY), "-p", str(program.pid), "-o", str(data), "--",
         "sleep", str(SECONDS)], capture_output=True, text=True, check=False)
    if recorded.returncode != 0 or not data.exists():
        return f"perf could not record: {' '.join(recorded.stderr.split())[:300]}"
    symbols = shares(perf, data, "symbol")
    if not symbols:
        return "perf recorded no sample"
    return Profile(program.name.rstrip("-0123456789"), symbols[:SYMBOLS], shares(perf, data, "dso"))


def shares(perf: str, data: Path, key: str) -> list[tuple[float, str]]:
    result = subprocess.run(
        [perf, "report", "--stdio", "--no-children", "--call-graph", "none", "--sort", key, "-i", str(data),
         "--field-separator", "\t", "--demangle"], capture_output=True, text=True, check=False)
    found = []
    for line in demangled(result.stdout).splitlines():
        share, _, name = line.strip().partition("\t")
        if name and not line.startswith("#"):
            found.append((float(share.strip().rstrip("%")), readable(name)))
    return found


def demangled(text: str) -> str:
    """Swift's names as they are written, where the toolchain is at hand."""
    swift = shutil.which("swift-demangle") or shutil.which("swift")
    if swift is None:
        return text
    command = [swift] if swift.endswith("demangle") else [swift, "demangle"]
    result = subprocess.run([*command, "--simplified"], input=text, capture_output=True, text=True, check=False)
    return result.stdout if result.returncode == 0 else text


def readable(name: str) -> str:
    # "[k]" and "[.]" say kernel or not.
    # Behind the padded name perf may have further columns.
    words = re.split(r"\s{2,}|\t", name.strip().removeprefix("[.]").strip())[0]
    return words if len(words) <= SYMBOL_LENGTH else words[:SYMBOL_LENGTH] + "…"
