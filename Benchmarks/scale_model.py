"""What one concert search of each of many users would cost, on paper: calls, rows, bytes, time.

`python3 Benchmarks/scale_model.py` prints the tables of docs/scale.md from `scale_measured.json`, and with
`--write` puts them there; `--measure` measures that file anew first, with the programs in .build/release and the
simulator.
"""

import argparse
import json
import math
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from harness import page
from harness.installation import Installation
from harness.options import Options
from harness.processes import REPOSITORY
from sections import full_table, popularity

MEASURED = Path(__file__).with_name("scale_measured.json")
ARTISTS_EACH = popularity.ARTISTS_EACH
# Ticketmaster's default limits of a key.
CALLS_A_SECOND = 5
CALLS_A_DAY = 5_000
SECONDS_A_DAY = 86_400


@dataclass(frozen=True)
class Crowd:
    """So many users who each choose twenty of so many artists, popular as 1/rank to the power of `exponent`."""

    users: int
    artists: int
    exponent: float = 1.0

    def shares(self) -> list[float]:
        """The probability that a user has the artist of each rank in the list.

        Drawing until there are twenty different ones includes the one of weight p with about 1 - exp(-λp), where λ is
        what makes these sum up to twenty.
        """
        weights = [1 / rank**self.exponent for rank in range(1, self.artists + 1)]
        total = sum(weights)
        low, high = 0.0, 1e9
        for _ in range(80):
            middle = (low + high) / 2
            if sum(-math.expm1(-middle * weight / total) for weight in weights) < ARTISTS_EACH:
                low = middle
            else:
                high = middle
        return [-math.expm1(-low * weight / total) for weight in weights]

    def distinct(self) -> float:
        """How many artists at least one user has."""
        return sum(-math.expm1(self.users * math.log1p(-min(share, 1 - 1e-12))) for share in self.shares())

    def most_waiting(self) -> float:
        """How many users have the most popular artist."""
        return self.users * self.shares()[0]


# The real catalog is larger than the simulator's: 250,000 is an assumption, and its neighbors are shown.
MILLION = Crowd(1_000_000, 250_000)


@dataclass(frozen=True)
class Measured:
    """What a real run with few users took; times in seconds."""

    users: int
    artists: int
    distinct: int
    calls_to_find: int
    calls_when_known: int
    # Until all searches were accepted, and until all of them had all their answers.
    accepting: float
    answering: float
    # To tell one of many searches that wait for the same artist.
    telling: float
    # Rows and bytes, its indexes included.
    tables: dict[str, tuple[int, int]]
    gateway_bytes_a_waiting_job: float

    def row_bytes(self, table: str) -> float:
        rows, size = self.tables[table]
        return size / rows


def measure(options: Options, users: int = 2_000, waiting: int = 200_000) -> Measured:
    run = popularity.measure(users, options)
    resident = [resident_with(count, options) for count in (2, waiting)]
    return Measured(
        run.users, run.artists, run.distinct, run.first.calls, run.second.calls, run.first.accepting,
        run.first.seconds, run.telling, run.tables, (resident[1] - resident[0]) / waiting)


def resident_with(waiting: int, options: Options) -> int:
    """Bytes of the gateway's memory when so many jobs wait."""
    with Installation(options.folder) as installation:
        full_table.fill(installation, finished=1, waiting=waiting)
        return full_table.start(installation)[0].usage().resident_bytes


def table(heads: tuple[str, ...], lines: list[tuple[str, ...]]) -> str:
    return "\n".join("| " + " | ".join(line) + " |" for line in [heads, ("---",) * len(heads), *lines])


def rows_of(crowd: Crowd, measured: Measured) -> dict[str, float]:
    """Rows of each table that grows with the users, after one search of each."""
    distinct = crowd.distinct()
    each = {name: rows / measured.users for name, (rows, _) in measured.tables.items()}
    an_artist = {name: rows / measured.distinct for name, (rows, _) in measured.tables.items()}
    by_users = ("users", "tokens", "concert_searches", "concert_search_subjects")
    by_artists = ("concert_subjects", "concert_events", "concert_subject_events", "jobs")
    rows = {name: crowd.users * each[name] for name in by_users}
    rows["ranked_artists"] = float(crowd.users * ARTISTS_EACH)
    return rows | {name: distinct * an_artist[name] for name in by_artists}


def size_of(name: str, rows: float, measured: Measured) -> float:
    # A search names its artists: the lists of the ranked are as long, and as wide as a user's row with an id more.
    source = "concert_search_subjects" if name == "ranked_artists" else name
    return rows * measured.row_bytes(source)


def calls(measured: Measured, crowds: list[Crowd]) -> str:
    extra = measured.calls_to_find / measured.distinct
    lines = []
    for crowd in crowds:
        distinct = crowd.distinct()
        found, full = distinct * extra, distinct / ARTISTS_EACH
        lines.append((
            f"{crowd.users:,}", f"{crowd.artists:,}", f"{crowd.exponent:g}", f"{distinct:,.0f}", f"{found:,.0f}",
            f"{found / CALLS_A_SECOND / 3_600:,.1f} h", f"{found / CALLS_A_DAY:,.1f} days", f"{full:,.0f}",
            f"{full / CALLS_A_DAY:,.2f} days"))
    return table((
        "users", "artists", "exponent", "distinct", "calls to find them", f"at {CALLS_A_SECOND}/s",
        f"at {CALLS_A_DAY:,}/day", "calls later, full batches", f"at {CALLS_A_DAY:,}/day"), lines)


def database(measured: Measured, crowd: Crowd) -> str:
    rows = rows_of(crowd, measured)
    lines, total = [], 0.0
    for name, count in rows.items():
        size = size_of(name, count, measured)
        total += size
        lines.append((f"`{name}`", f"{count:,.0f}", f"{size / max(count, 1):,.0f}", f"{size / 1e9:,.2f} GB"))
    lines.append(("all", "", "", f"{total / 1e9:,.1f} GB"))
    return table(("table", "rows", "bytes a row, indexes included", "together"), lines)


def limits(measured: Measured, crowd: Crowd) -> str:
    distinct, waiters = crowd.distinct(), crowd.most_waiting()
    a_search = measured.answering / measured.users
    return table(("what", "each", f"{crowd.users:,} users"), [
        ("a search of twenty artists, accepted and answered, by one database", f"{a_search * 1e3:.2f} ms",
         f"{a_search * crowd.users / 60:,.0f} min"),
        ("one transaction that notifies all searches that wait for the most popular artist",
         f"{measured.telling * 1e6:.0f} µs",
         f"{waiters:,.0f} searches, {measured.telling * waiters:,.1f} s"),
        ("the gateway's memory for lookups that wait", f"{measured.gateway_bytes_a_waiting_job:,.0f} bytes",
         f"{measured.gateway_bytes_a_waiting_job * distinct / 1e6:,.0f} MB"),
    ])


def results(measured: Measured) -> str:
    control = Crowd(measured.users, measured.artists, popularity.EXPONENT)
    crowds = [control, Crowd(100_000, 250_000), MILLION, Crowd(1_000_000, 50_000), Crowd(1_000_000, 1_000_000),
              Crowd(1_000_000, 250_000, 0.8), Crowd(1_000_000, 250_000, 1.2)]
    needed = measured.distinct / ARTISTS_EACH
    check = (
        f"Measured with {measured.users:,} users and {measured.artists:,} artists: {measured.distinct:,} distinct ones "
        f"(the model says {control.distinct():,.0f}), {measured.calls_to_find:,} calls to find them, and "
        f"{measured.calls_when_known:,} calls when they were known and no longer fresh, where full batches would have "
        f"needed {needed:,.0f}.")
    return "\n\n".join([
        check, "### Calls upstream", calls(measured, crowds), "### Rows and bytes", database(measured, MILLION),
        "### Time and memory", limits(measured, MILLION)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--measure", action="store_true", help="measure scale_measured.json anew")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/scale.md")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()), help="where databases lie")
    arguments = parser.parse_args()
    if arguments.measure:
        options = Options(quick=False, folder=arguments.folder, peers_python=Path(sys.executable))
        MEASURED.write_text(json.dumps(asdict(measure(options)), indent=1) + "\n")
    text = results(Measured(**json.loads(MEASURED.read_text())))
    if arguments.write:
        page.write(REPOSITORY / "docs" / "scale.md", text + "\n")
    else:
        print(text)


if __name__ == "__main__":
    main()
