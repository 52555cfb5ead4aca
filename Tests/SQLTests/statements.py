"""The statements that tests recorded, and their places in the source."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PREPARABLE = {"SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "VALUES", "MERGE"}
# Transactions are begun and ended in the same words.
SHARED = {"COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"}
SCHEMA = {"CREATE", "DROP", "ALTER"}
# A table that a test makes for itself: CREATE TABLE notes (…)
MADE = re.compile(r"\s*CREATE\s+(?:TEMP\w*\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)", re.IGNORECASE)

USED = re.compile(r"\b(?:FROM|INTO|UPDATE|JOIN)\s+(\w+)", re.IGNORECASE)


@dataclass(frozen=True)
class Statement:
    sql: str
    types: tuple[str, ...]

    @property
    def verb(self) -> str:
        return self.sql.split(maxsplit=1)[0].upper()

    def uses(self, tables: set[str]) -> bool:
        return not tables.isdisjoint(USED.findall(self.sql))


def recorded(folder: Path) -> set[Statement]:
    found = set()
    for file in folder.glob("*.jsonl"):
        for line in file.read_text().splitlines(keepends=True):
            # A killed process may leave half of a line.
            if line.endswith("\n"):
                entry = json.loads(line)
                found.add(Statement(entry["sql"], tuple(entry["types"])))
    return found


def tables_of(statements: list[str]) -> set[str]:
    return {match[1] for statement in statements if (match := MADE.match(statement))}


def source_of(sql: str) -> str:
    """The likely place of a statement: the one in the code with the most of its text."""
    parts = [part.strip() for line in sql.splitlines() for part in re.split(r"\$\d+", line)]
    parts = [part for part in parts if len(part) >= 8]
    best, place = 0, "Somewhere"
    for folder in ("Sources", "Tests"):
        for file in sorted((REPOSITORY / folder).rglob("*.swift")):
            text = file.read_text()
            known = [part for part in parts if part in text]
            weight = sum(map(len, known))
            if weight > best:
                line = text[: text.index(max(known, key=len))].count("\n") + 1
                best, place = weight, f"{file.relative_to(REPOSITORY)}:{line}"
    return place
