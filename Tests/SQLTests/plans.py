"""How SQLite would run the recorded statements: those that name rows by lists of keys must not read all rows of a
person.

SQLite 3.40 without statistics may prefer an index that begins with the person's library, and read all of it. A plus
before that column (`+library_id = ?`) keeps it from that where the keys alone find the rows, and the order of the keys
(`ORDER BY second_track_id`) where an index has both."""

import re
import sqlite3
from collections.abc import Iterator

from statements import PREPARABLE, Statement

# The columns that say whose a row is; each person has as many rows of these as they like.
OWNERS = ("library_id", "history_id", "user_id")
# A list of several values in a condition, and its column, which has a key and not one of a few states.
LIST = re.compile(r"\b(\w+_key|\w*id|isrc) IN \(\$\d+, \$")
# Tables with a row for each person.
PEOPLE = "libraries|listen_histories|users"
# A step that finds rows by their owner alone.
WALK = re.compile(rf"(?:SEARCH (?!(?:{PEOPLE}) )\w+ .*\((?:{'|'.join(OWNERS)})=\?\)|SCAN \w+ .*)$")


def walks(statements: list[Statement], migrations: list[str]) -> Iterator[tuple[Statement, str]]:
    """The statements with lists of keys that read other rows, with the step that does."""
    database = sqlite3.connect(":memory:")
    database.executescript(";\n".join(migrations))
    for sql in sorted({statement.sql for statement in statements if statement.verb in PREPARABLE}):
        columns = set(LIST.findall(sql)) - set(OWNERS)
        if not columns:
            continue
        numbered, count = re.sub(r"\$(\d+)", r"?\1", sql), len(set(re.findall(r"\$\d+", sql)))
        try:
            plan = database.execute(f"EXPLAIN QUERY PLAN {numbered}", [None] * count).fetchall()
        except sqlite3.Error:
            # It has another text for SQLite.
            continue
        for *_, step in plan:
            if WALK.match(step):
                names = ", ".join(sorted(columns))
                yield Statement(sql, ()), f"SQLite would read more rows than those whose {names} is given: {step}"
