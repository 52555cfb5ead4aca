"""Pages of documentation with measured numbers. The numbers are written between two marks; people write the rest."""

from datetime import UTC, datetime
from pathlib import Path

from . import machine
from .processes import BenchmarkError
from .report import HEADS, Product, Row, cells

BEGIN = "<!-- Written by a program from here … -->"
END = "<!-- … to here. -->"

TITLES = {
    "echo": "A batch of echo jobs, from submission to completion",
    "latency": "One job on an idle system, from submission to result",
    "wait": "`Prefer: wait` and its floors",
    "submit": "Single submissions",
    "table": "A million finished and 200,000 waiting jobs",
    "fairness": "One user's many jobs, another's single one",
    "neighbors": "One person's work beside another who uses all they may",
    "erasure": "An account is deleted from a database of 2 GB",
    "crashes": "Eleven kills within fourteen seconds",
    "streams": "Two thousand event streams",
    "writers": "Five processes writing at once",
    "popularity": "Two thousand users, ten workers, popular artists",
    "memory": "A million jobs in one run",
    "concerts": "Concert lookups at Ticketmaster's pace",
    "library": "Libraries: first syncs, deduplication, lists and searches",
    "identity": "Which songs are one song",
    "ai": "Lists that are made for people",
    "idle": "Idle processes",
    "metrics": "The page of metrics",
    "pages": "Pages in Chromium",
    "library-pages": "Pages of a large library in Chromium",
    "vault": "Opening a secret",
    "setup": "Setup checks",
    "social": "People who follow each other",
    "messages": "Messages between people, and what they are notified of",
    "uploads": "Damaged pictures that are uploaded",
    "profile": "Where the time goes",
}


def write(path: Path, measured: str) -> None:
    text = path.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise BenchmarkError(f"{path} does not hold the two marks between which the numbers belong")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    path.write_text(f"{before}{BEGIN}\n\n{measured}\n{END}{after}")


def measured(
    description: dict, rows: list[Row], failures: dict[str, str], profiles: list, quick: bool, commit: str,
    seconds: float,
) -> str:
    """The results of one run, as Markdown."""
    parts = [
        f"Measured on {datetime.now(UTC):%Y-%m-%d %H:%M} UTC at commit `{commit}` by one run of `scripts/bench"
        f"{' --quick' if quick else ''}` ({seconds / 60:.0f} min): {machine.line(description)}.",
    ]
    if quick:
        parts.append("**A quick run: too short for numbers to quote.**")
    if targets := [row for row in rows if row.target]:
        parts += ["### Targets", table(targets, of_targets)]
    if products := list(dict.fromkeys(row.product for row in rows if row.product)):
        parts += ["### Versions and what they promise", of_products(products)]
    for section in dict.fromkeys(row.section for row in rows):
        own = [row for row in rows if row.section == section]
        parts += [f"### {TITLES.get(section, section)}", table(own, cells, HEADS)]
        if notes := [f"- {row.name}: {row.note}" for row in own if row.note]:
            parts.append("\n".join(notes))
    for profile in profiles:
        lines = [f"{share:5.1f} %  {name}" for share, name in profile.symbols]
        parts.append(f"The most frequent functions of {profile.process} while batches run:")
        parts.append("\n".join(["```", *lines, "```"]))
    for section, reason in failures.items():
        parts.append(f"**Not measured: {TITLES.get(section, section)}.** {' '.join(reason.split())[:500]}")
    return "\n\n".join(parts) + "\n"


def of_targets(row: Row) -> tuple[str, ...]:
    name, value, span, ratio, target, verdict = cells(row)
    return (f"{row.section}: {name}", value, span, ratio, target, "reached" if verdict == "met" else "**not reached**")


def of_products(products: list[Product]) -> str:
    lines = ["| | version | durability | results |", "|---|---|---|---|"]
    return "\n".join(lines + [f"| {p.name} | {p.version} | {p.durability} | {p.results} |" for p in products])


def table(rows: list[Row], line, heads: tuple[str, ...] = HEADS) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(line(row)) + " |" for row in rows])
