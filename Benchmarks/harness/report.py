"""The rows that sections measure, and the one table that is made of them."""

import json
import statistics
from collections.abc import Iterable
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Product:
    """The system that a row is about, and its guarantees: durability and results differ, and so do speeds."""

    name: str
    version: str
    durability: str
    results: str


@dataclass(frozen=True)
class Row:
    section: str
    name: str
    # The median, when there were several rounds.
    value: float
    unit: str
    # The number that it is compared with: a peer's or a lower bound's of the same run.
    ratio: float | None = None
    ratio_to: str | None = None
    # The project's target as text, and whether this run met it; `None` without a target.
    target: str | None = None
    met: bool | None = None
    note: str | None = None
    # The smallest and the largest of the rounds.
    low: float | None = None
    high: float | None = None
    product: Product | None = None


def at_most(value: float, limit: float, unit: str = "") -> dict:
    """The target's members of a row whose value must not exceed `limit`."""
    return {"target": f"≤ {limit:,g}{unit and ' ' + unit}", "met": value <= limit}


def at_least(value: float, limit: float, unit: str = "") -> dict:
    return {"target": f"≥ {limit:,g}{unit and ' ' + unit}", "met": value >= limit}


def rounds(values: Iterable[float]) -> dict:
    """The members of a row that was measured several times: the median with the smallest and the largest."""
    ordered = sorted(values)
    return {"value": statistics.median(ordered), "low": ordered[0], "high": ordered[-1]}


def number(value: float) -> str:
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 0.001 or value == 0 else f"{value:.1e}"


HEADS = ("what", "number", "rounds", "ratio", "target", "")


def cells(row: Row) -> tuple[str, ...]:
    """A row as text, one for each of `HEADS`."""
    span = f"{number(row.low)}–{number(row.high)}" if row.low is not None and row.high is not None else ""
    ratio = f"{number(row.ratio)} × {row.ratio_to}" if row.ratio is not None else ""
    verdict = {None: "", True: "met", False: "MISSED"}[row.met]
    return (row.name, f"{number(row.value)} {row.unit}", span, ratio, row.target or "", verdict)


def table(rows: list[Row]) -> str:
    lines = [("section", *HEADS), *((row.section, *cells(row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
    text.insert(1, "  ".join("-" * width for width in widths))
    notes = [f"{row.name}: {row.note}" for row in rows if row.note]
    return "\n".join(text + ([""] + notes if notes else []))


def missed(rows: list[Row]) -> list[str]:
    return [f"{row.section}: {row.name}" for row in rows if row.met is False]


def document(machine: dict, rows: list[Row], failures: dict[str, str]) -> str:
    """All rows as JSON."""
    return json.dumps(
        {"machine": machine, "rows": [asdict(row) for row in rows], "failures": failures}, indent=2, ensure_ascii=False)
