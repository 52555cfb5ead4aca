"""Where shares, concerts and releases are in people's feeds, and the logs of changes, which come last."""

from .prefill import insert_all
from .social_rows import SocialRows, without_indexes
from .social_shares import BY_SENDER, BY_TIME

COLUMNS = {
    "timeline_items": {"author", "score", "number", "kind", "change"},
    "timeline_latest": {"author", "score"},
    "change_log": {"user_id", "topic", "change"},
    "author_log": {"author", "change", "profile_change"},
}
# The value of `timeline_items.kind`, and what its score adds to the moment in milliseconds.
SHARE, SHARE_BONUS = 1, 900_000


def items(rows: SocialRows) -> None:
    """The items of topics, and those of people: the last ones in the order in which they happened."""
    database = rows.database
    insert = "INSERT INTO timeline_items (author, score, number, kind, change)"
    shares = f"{insert} SELECT sender, {rows.shared_at} + {SHARE_BONUS}, number, {SHARE}, number"
    # The order of this index is that of time: its pages are full in either case.
    with without_indexes(database, "timeline_items", {"timeline_items_by_score"}):
        with without_indexes(database, "timeline_items"):
            database.execute(
                f"{insert} SELECT author, score, number, kind, number FROM topic_items ORDER BY author, score, number")
            database.execute(f"{shares} {BY_SENDER}", {"late": rows.late_share})
        database.execute(f"{shares} {BY_TIME}", {"late": rows.late_share})
    database.execute("DROP TABLE topic_items")


def latest(rows: SocialRows) -> None:
    rows.database.execute(
        "INSERT INTO timeline_latest (author, score) "
        "SELECT author, MAX(score) FROM timeline_items GROUP BY author ORDER BY author")


def changes(rows: SocialRows) -> None:
    """What has last changed of topics and people. Everybody has changed their profile since the last follow."""
    database, count = rows.database, rows.plan.people
    database.execute(
        "INSERT INTO author_log (author, change, profile_change) SELECT author, MAX(change), 0 FROM timeline_items "
        "WHERE author < 0 GROUP BY author ORDER BY author")
    first = rows.take_changes(count)
    insert_all(database, "author_log", (
        {"author": rows.first_key + number, "change": first + number, "profile_change": first + number}
        for number in range(count)))
    insert_all(database, "change_log", (
        {"user_id": identifier, "topic": topic, "change": change}
        for identifier in rows.ids
        for topic, change in (("people", first + count - 1), ("shares", first - 1))))


PARTS = (items, latest, changes)
