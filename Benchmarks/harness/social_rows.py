"""The rows of many people and of whom they follow, put straight into an empty database that the gateway has migrated.

Each table is written by one part, a function that gets `SocialRows`. Rows of people are copies of the row of one whom
the programs have added, so that they have what a later schema adds; the other tables have exactly the columns that are
named here, or the generator refuses.

Most rows of follows are written in the order of the primary key, which is fast but fills every page to the last byte.
`LATE` ones come in the order in which they happened, and split the full pages, so that the pages are as full as those
that have grown row by row: on a full page, every write would be several.
"""

import contextlib
import hashlib
import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator

from .prefill import insert_all, uuid_v7
from .processes import BenchmarkError
from .social_plan import SocialPlan

# The user whose rows are copied. The display name shows that the words of people are split as Backline does.
TEMPLATE, TEMPLATE_DISPLAY_NAME = "bench.person_1", "Vera Österreich-Holm"
TEMPLATE_WORDS = {"bench", "person", "1", "vera", "osterreich", "holm"}
# The columns of the tables that are written without a template.
COLUMNS = {
    "people": {"key", "user_id", "state", "visibility", "shows_stats"},
    "person_keys": {"value"},
    "account_words": {"word", "name_key", "user_id"},
    "follows": {"follower", "followed", "followed_at", "change"},
    "relation_changes": {"person", "other", "change", "state"},
    "follow_beginnings": {"follower", "followed", "requested_at", "followed_at", "number"},
}
# Follows are of the last two years.
SPAN_MICROSECONDS = 2 * 365 * 86_400 * 1_000_000
# More than there are follows. Multiplying by an odd number maps the numbers below a power of two onto each other.
NUMBERS, ORDER = 1 << 23, 5_347_813
# A follow, what it changes for each of the two, and its item in the feed of who is followed.
CHANGES_OF_FOLLOW = 4
# The share of follows that are written as they happen.
LATE = 0.1


class SocialRows:
    """What the parts share while they write."""

    def __init__(self, database: sqlite3.Connection, plan: SocialPlan):
        self.database, self.plan = database, plan
        self.now = int(time.time() * 1_000_000)
        # The key of the person with the number 0.
        self.first_key = self._value("SELECT value FROM person_keys") + 1
        # The first change of the late follows, and the first ones of all shares and of the late ones.
        self.late = self.first_share = self.late_share = 0
        # The moment of the share with a `number`, in SQL.
        self.shared_at = ""
        milliseconds = self.now // 1_000
        self.ids = [uuid_v7(milliseconds - plan.people + number) for number in range(plan.people)]

    def _value(self, query: str) -> int:
        return self.database.execute(query).fetchone()[0]

    def template(self, table: str, column: str, value: object) -> dict[str, object]:
        cursor = self.database.execute(f"SELECT * FROM {table} WHERE {column} = ?", (value,))
        row = cursor.fetchone()
        if row is None:
            raise BenchmarkError(f"the table {table} has no row of the user {TEMPLATE}")
        return dict(zip((name for name, *_ in cursor.description), row))

    def take_changes(self, count: int) -> int:
        """Takes so many change numbers, and returns the first."""
        first = self._value("SELECT value FROM change_sequence") + 1
        self.database.execute("UPDATE change_sequence SET value = value + ?", (count,))
        return first


Part = Callable[[SocialRows], None]


def write(path: str, plan: SocialPlan, parts: Iterable[Part], columns: dict[str, set[str]]) -> None:
    """Writes the rows of these parts, in their order, if the tables have exactly these columns. No process may run on
    the database."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        # If it fails, the database is thrown away.
        for setting in (
            "journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE", "cache_size = -1048576",
            "temp_store = MEMORY", "threads = 2",
        ):
            database.execute(f"PRAGMA {setting}").fetchall()
        check(database, columns)
        rows = SocialRows(database, plan)
        database.execute("BEGIN")
        for part in parts:
            part(rows)
        database.execute("COMMIT")
        database.execute("PRAGMA locking_mode = NORMAL").fetchall()
        database.execute("PRAGMA journal_mode = WAL").fetchall()


def check(database: sqlite3.Connection, columns: dict[str, set[str]]) -> None:
    """Refuses a schema, or a rule of words, that the parts do not know."""
    for table, known in columns.items():
        found = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
        if found != known:
            raise BenchmarkError(f"the table {table} has other columns than the generator writes: {sorted(found)}")
    words = {word for (word,) in database.execute(
        "SELECT word FROM account_words JOIN users ON users.id = account_words.user_id WHERE users.name = ?",
        (TEMPLATE,))}
    if words != TEMPLATE_WORDS:
        raise BenchmarkError(f"people are found by other words than the generator writes: {sorted(words)}")


def words_of(number: int, plan: SocialPlan) -> set[str]:
    """The words of a person's names, which have letters of ASCII only."""
    return set(re.findall(r"[a-z0-9]+", f"{plan.username(number)} {plan.display_name(number)}".lower()))


# The parts


def people(rows: SocialRows) -> None:
    """Users, people, their words, and the tokens of those who have one."""
    plan, ids = rows.plan, rows.ids
    user = rows.template("users", "name", TEMPLATE)
    token = rows.template("tokens", "user_id", user["id"])

    def name_key(number: int) -> str:
        return plan.username(number).replace(".", "")

    insert_all(rows.database, "users", (
        user | {
            "id": ids[number], "name": plan.username(number), "name_key": name_key(number),
            "display_name": plan.display_name(number)}
        for number in range(plan.people)))
    insert_all(rows.database, "people", (
        {"key": rows.first_key + number, "user_id": ids[number], "state": 0, "visibility": plan.visibility(number),
         "shows_stats": 1}
        for number in range(plan.people)))
    rows.database.execute("UPDATE person_keys SET value = value + ?", (plan.people,))
    with without_indexes(rows.database, "account_words"):
        rows.database.executemany(
            "INSERT INTO account_words (word, name_key, user_id) VALUES (?, ?, ?)",
            sorted((word, name_key(number), ids[number])
                   for number in range(plan.people) for word in words_of(number, plan)))
    insert_all(rows.database, "tokens", sorted((
        token | {
            "id": ids[number], "user_id": ids[number],
            "hash": hashlib.sha256(plan.token(number).encode()).hexdigest()}
        for number in plan.with_tokens), key=lambda row: row["hash"]))


def follows(rows: SocialRows) -> None:
    """Follows of all times, in the order of the followers."""
    first = rows.take_changes(NUMBERS * CHANGES_OF_FOLLOW)

    def found() -> Iterator[tuple[int, int, int, int]]:
        count = 0
        for number, others in rows.plan.followed():
            for other in others:
                age = count * ORDER % NUMBERS
                yield (
                    rows.first_key + number, rows.first_key + other,
                    rows.now - SPAN_MICROSECONDS + SPAN_MICROSECONDS * age // NUMBERS,
                    first + age * CHANGES_OF_FOLLOW)
                count += 1
        if count > NUMBERS:
            raise BenchmarkError(f"there are {count:,} follows, and numbers for {NUMBERS:,}")

    database = rows.database
    rows.late = first + int(NUMBERS * (1 - LATE)) * CHANGES_OF_FOLLOW
    database.execute("CREATE TEMP TABLE made (follower, followed, followed_at, change)")
    database.executemany("INSERT INTO made VALUES (?, ?, ?, ?)", found())
    insert = "INSERT INTO follows (follower, followed, followed_at, change) SELECT * FROM made"
    with without_indexes(database, "follows"):
        database.execute(f"{insert} WHERE change < ?", (rows.late,))
    database.execute(f"{insert} WHERE change >= ? ORDER BY change", (rows.late,))
    database.execute("DROP TABLE made")


def relations(rows: SocialRows) -> None:
    """What each follow has changed for the two people."""
    both = """
        SELECT follower AS person, followed AS other, change + 1 AS change FROM follows
        UNION ALL SELECT followed, follower, change + 2 FROM follows
        """
    insert = "INSERT INTO relation_changes (person, other, change)"
    with without_indexes(rows.database, "relation_changes"):
        rows.database.execute(
            f"{insert} SELECT person, other, MAX(change) FROM ({both}) WHERE change < ? GROUP BY person, other "
            "ORDER BY person, other", (rows.late,))
    rows.database.execute(
        f"{insert} SELECT person, other, change FROM ({both}) WHERE change >= ? ORDER BY change "
        "ON CONFLICT (person, other) DO UPDATE SET change = excluded.change", (rows.late,))


def beginnings(rows: SocialRows) -> None:
    # In whole milliseconds, as feeds sort.
    insert = """
        INSERT INTO follow_beginnings (follower, followed, followed_at, number)
        SELECT follower, followed, followed_at / 1000 * 1000, change + 3 FROM follows
        """
    with without_indexes(rows.database, "follow_beginnings"):
        rows.database.execute(f"{insert} WHERE change < ? ORDER BY follower, followed", (rows.late,))
    rows.database.execute(f"{insert} WHERE change >= ? ORDER BY change", (rows.late,))


# Later parts read what the earlier ones have written.
PARTS = (people, follows, relations, beginnings)


@contextlib.contextmanager
def without_indexes(database: sqlite3.Connection, table: str, names: set[str] | None = None) -> Iterator[None]:
    """Many rows are faster in the order of the primary key alone; the indexes, all of them or those named, are made
    again from them."""
    indexes = [
        (name, text) for name, text in database.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL", (table,))
        if names is None or name in names]
    for name, _ in indexes:
        database.execute(f"DROP INDEX {name}")
    yield
    for _, text in indexes:
        database.execute(text)
