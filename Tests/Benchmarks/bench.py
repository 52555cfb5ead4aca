"""Measures Backline on this machine, next to its floors and a peer; `scripts/bench` prepares and starts it."""

import argparse
import sys
import tempfile
from pathlib import Path

from harness import machine, report
from harness.options import Options
from harness.processes import REPOSITORY, BenchmarkError
from sections import concerts, echo, fairness, full_table, idle, memory, metrics, pages, popularity, submit, waiting, writers

SECTIONS = {
    "echo": echo, "wait": waiting, "submit": submit, "table": full_table, "fairness": fairness,
    "writers": writers, "popularity": popularity, "memory": memory, "concerts": concerts, "idle": idle, "metrics": metrics, "pages": pages,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__.split(";", maxsplit=1)[0] + ".")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"which of {', '.join(SECTIONS)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="a short run, to see that everything works")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()), help="where the databases lie (a real disk)")
    parser.add_argument(
        "--peers-python", type=Path, default=REPOSITORY / ".bench" / "venv" / "bin" / "python", help=argparse.SUPPRESS)
    parser.add_argument("--check-only", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    unknown = [name for name in arguments.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"there is no section {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    if arguments.check_only:
        return 0
    options = Options(quick=arguments.quick, folder=arguments.folder, peers_python=arguments.peers_python)
    description = machine.describe(options.folder)
    if description["fileSystem"] == "tmpfs":
        raise BenchmarkError(f"{options.folder} is in memory, where durable writes cost nothing: give --folder")
    rows: list[report.Row] = []
    for name in arguments.sections or SECTIONS:
        print(f"measuring: {name} …", file=sys.stderr, flush=True)
        rows += SECTIONS[name].run(options)
    if arguments.json:
        print(report.document(description, rows, {}))
    else:
        print(machine.line(description), report.table(rows), sep="\n\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchmarkError as error:
        sys.exit(f"bench: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
