"""Measures Backline on this machine, next to its floors and its peers; `scripts/bench` prepares and starts it."""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness import machine, page, report
from harness.options import Options
from harness.processes import REPOSITORY, BenchmarkError
from sections import (
    ai, catalog, concerts, crashes, echo, erasure, fairness, full_table, identity, idle, imports, library,
    library_pages, listening, memory, messages, metrics, neighbors, pages, popularity, profile, setup, social, streams,
    submit, uploads, vault, waiting, writers, years,
)

SECTIONS = {
    "echo": echo, "wait": waiting, "submit": submit, "table": full_table, "fairness": fairness,
    "neighbors": neighbors, "erasure": erasure, "crashes": crashes, "streams": streams, "writers": writers,
    "popularity": popularity, "memory": memory, "concerts": concerts, "library": library, "identity": identity,
    "imports": imports, "listening": listening, "ai": ai, "idle": idle, "metrics": metrics, "pages": pages,
    "library-pages": library_pages, "vault": vault, "setup": setup, "catalog": catalog, "years": years,
    "social": social, "messages": messages, "uploads": uploads, "profile": profile,
}
PAGE = REPOSITORY / "docs" / "benchmarks.md"


def main() -> int:
    arguments = parsed()
    if arguments.check_only:
        # For scripts/bench, which prepares what they need.
        print(*arguments.sections)
        return 0
    options = Options(
        quick=arguments.quick, folder=arguments.folder, peers_python=arguments.peers_python,
        database_mb=arguments.database_mb, library_tracks=arguments.library_tracks,
        writes_scorecard=arguments.scorecard, people=arguments.people)
    description = machine.describe(options.folder)
    if description["fileSystem"] == "tmpfs":
        raise BenchmarkError(f"{options.folder} is in memory, where durable writes cost nothing: give --folder")
    rows: list[report.Row] = []
    failures: dict[str, str] = {}
    began = time.monotonic()
    for name in arguments.sections:
        print(f"measuring: {name} …", file=sys.stderr, flush=True)
        started = time.monotonic()
        try:
            rows += SECTIONS[name].run(options)
        except Exception as error:  # one section's trouble leaves the others
            failures[name] = str(error) or repr(error)
            print(f"bench: {name} could not be measured: {failures[name]}", file=sys.stderr, flush=True)
        print(f"  {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    if arguments.write:
        text = page.measured(
            description, rows, failures, profile.profiles, options.quick, commit(), time.monotonic() - began)
        page.write(PAGE, text)
        print(f"bench: wrote {PAGE.relative_to(REPOSITORY)}", file=sys.stderr)
    if arguments.json:
        print(report.document(description, rows, failures))
    else:
        print(machine.line(description), report.table(rows), sep="\n\n")
    return verdict(rows, failures)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/bench", description=__doc__.split(";", maxsplit=1)[0] + ".",
        epilog="Ends with 1 when a section could not be measured, and with 2 when a target was missed.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"which of {', '.join(SECTIONS)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="a short run, to see that everything works")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    parser.add_argument(
        "--write", action=argparse.BooleanOptionalAction,
        help="put the numbers into docs/benchmarks.md (default: after a whole run that is not quick); --no-write also "
        "leaves the scorecard of the section identity as it is")
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()), help="where the databases lie (a real disk)")
    parser.add_argument(
        "--database-mb", type=int, default=2_000, help="how large the database of the section erasure is")
    parser.add_argument(
        "--library-tracks", type=int, default=1_000_000,
        help="the most source tracks that the section library deduplicates, besides 200,000 (default: %(default)s; "
        "200000 saves minutes)")
    parser.add_argument(
        "--people", type=int, default=100_000,
        help="how many people the sections social and messages have, with 50 follows each (default: %(default)s; 2000 "
        "tries them out)")
    parser.add_argument("--no-build", action="store_true", help="take the programs that .build/release holds")
    parser.add_argument(
        "--peers-python", type=Path, default=REPOSITORY / ".bench" / "venv" / "bin" / "python", help=argparse.SUPPRESS)
    parser.add_argument("--check-only", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    unknown = [name for name in arguments.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"there is no section {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    arguments.scorecard = arguments.write is not False and not arguments.quick
    if arguments.write is None:
        arguments.write = not arguments.sections and not arguments.quick
    arguments.sections = arguments.sections or list(SECTIONS)
    return arguments


def commit() -> str:
    """What was measured, as far as the repository knows."""
    command = ["git", "-C", str(REPOSITORY), "describe", "--always", "--dirty", "--exclude", "*"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.stdout.strip() or "unknown"


def verdict(rows: list[report.Row], failures: dict[str, str]) -> int:
    missed = report.missed(rows)
    for line in missed:
        print(f"bench: target missed: {line}", file=sys.stderr)
    if failures:
        print(f"bench: not measured: {', '.join(failures)}", file=sys.stderr)
    return 1 if failures else 2 if missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchmarkError as error:
        sys.exit(f"bench: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
