"""The rows that sections measure, and the one table that is made of them."""

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Row:
    section: str
    name: str
    value: float
    unit: str
    # What it is compared with: a peer's or a floor's number of the same run.
    ratio: float | None = None
    ratio_to: str | None = None
    # What the project asks for, in words, and whether this run met it. `None`: nothing is asked.
    target: str | None = None
    met: bool | None = None
    note: str | None = None


def at_most(value: float, limit: float, unit: str = "") -> dict:
    """The target's members of a row whose value must not exceed `limit`."""
    return {"target": f"≤ {limit:g}{unit and ' ' + unit}", "met": value <= limit}


def at_least(value: float, limit: float, unit: str = "") -> dict:
    return {"target": f"≥ {limit:,g}{unit and ' ' + unit}", "met": value >= limit}


def number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 0.001 or value == 0 else f"{value:.1e}"


def table(rows: list[Row]) -> str:
    heads = ("section", "what", "number", "ratio", "target", "")
    lines = [heads]
    for row in rows:
        ratio = f"{number(row.ratio)} × {row.ratio_to}" if row.ratio is not None else ""
        verdict = {None: "", True: "met", False: "MISSED"}[row.met]
        value = f"{number(row.value)} {row.unit}"
        lines.append((row.section, row.name, value, ratio, row.target or "", verdict))
    widths = [max(map(len, column)) for column in zip(*lines)]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
    text.insert(1, "  ".join("-" * width for width in widths))
    notes = [f"{row.name}: {row.note}" for row in rows if row.note]
    return "\n".join(text + ([""] + notes if notes else []))


def document(machine: dict, rows: list[Row]) -> str:
    return json.dumps({"machine": machine, "rows": [asdict(row) for row in rows]}, indent=2, ensure_ascii=False)
