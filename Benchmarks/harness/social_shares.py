"""The rows of millions of shares, and of the songs that they show.

As with follows, the last ones come in the order in which they happened (`LATE`), so that pages are as full as those
that have grown row by row. Most rows are made by SQL: tens of millions of them would take Python too long.
"""

import hashlib
import random
import secrets
from collections import Counter
from collections.abc import Iterator
from itertools import chain

from .prefill import insert_all
from .social_plan import SPREAD
from .social_rows import LATE, SPAN_MICROSECONDS, SocialRows, without_indexes
from .social_topics import artist, artist_count, title

COLUMNS = {
    "shares": {"number", "sender", "recipient", "content", "shared_at", "message"},
    "share_receipts": {"sender", "client", "body", "share", "shared_at"},
    "share_secrets": {"secret"},
    "share_contents": {
        "key", "hash", "shares", "title", "artists", "album", "duration_ms", "isrc", "is_explicit", "pictures",
        "preview", "spotify_id", "apple_id", "apple_country"},
    "share_acts": {"actor", "other", "day", "zone"},
}
SHARES_OF_EACH, SHARES_OF_QUIET = 95, 5
# Songs that many share, by people. One of `OWN` shares shows a song that nobody else shares.
SONGS_OF_EACH, OWN = 2, 20
# One of so many shares has a message.
MESSAGES = 5
MESSAGE = "'The second verse is for you, and so is the ending of number ' || i || '.'"
# A random number from 0 up to 1.
DRAWN = "(random() & 9007199254740991) / 9007199254740992.0"
# The hashes of receipts, and their bits: of the client's id, and of the body.
CLIENT_BITS, BODY_BITS = 47, 31
CLIENT, BODY = (f"random() & {(1 << bits) - 1}" for bits in (CLIENT_BITS, BODY_BITS))
# The shares before the late ones, by their senders, and the late ones in the order in which they happened. The moment
# of a share follows from its number, so that reading the index is enough, and nothing has to be sorted.
BY_SENDER = "FROM shares INDEXED BY shares_of_sender WHERE number < :late ORDER BY sender, number"
BY_TIME = "FROM shares NOT INDEXED WHERE number >= :late ORDER BY number"

# Makes shares by their numbers, without gaps: the earliest first. The limit keeps SQLite from drawing again for each
# use of a drawn number.
SHARE = f"""
    WITH RECURSIVE series (i) AS (SELECT :from UNION ALL SELECT i + 1 FROM series WHERE i < :to - 1)
    INSERT INTO shares (number, sender, content, shared_at, message)
    SELECT :first + i,
        :key + CASE WHEN c < :quiet_part THEN :others + CAST(:quiet * a AS INTEGER)
            ELSE CAST(:others * a * a AS INTEGER) * {SPREAD} % :others END,
        CASE WHEN i % {OWN} = 0 THEN :songs + i / {OWN} + 1 ELSE 1 + CAST(:songs * b * b * b AS INTEGER) END,
        :began + :span * i / :count, CASE WHEN i % {MESSAGES} = 1 THEN {MESSAGE} END
    FROM (SELECT i, {DRAWN} AS a, {DRAWN} AS b, {DRAWN} AS c FROM series LIMIT -1)
    """


# The parts


def shares(rows: SocialRows) -> None:
    """Half of them are of a quarter of the people, and few are of the quiet ones."""
    database, plan = rows.database, rows.plan
    count = plan.people * SHARES_OF_EACH
    rows.first_share = rows.take_changes(count)
    rows.late_share = rows.first_share + int(count * (1 - LATE))
    values = {
        "first": rows.first_share, "count": count, "key": rows.first_key, "others": plan.quiet.start,
        "quiet": len(plan.quiet), "quiet_part": len(plan.quiet) * SHARES_OF_QUIET / count,
        "songs": plan.people * SONGS_OF_EACH, "began": (rows.now - SPAN_MICROSECONDS) // 1_000,
        "span": SPAN_MICROSECONDS // 1_000}
    late = rows.late_share - rows.first_share
    with without_indexes(database, "shares"):
        database.execute(SHARE, values | {"from": 0, "to": late})
    database.execute(SHARE, values | {"from": late, "to": count})
    rows.shared_at = f"{values['began']} + {values['span']} * (number - {rows.first_share}) / {count}"


def receipts(rows: SocialRows) -> None:
    """The clients' ids of the late shares are anywhere among those of their senders, as hashes are."""
    rows.database.execute("INSERT INTO share_secrets (secret) VALUES (?)", (secrets.token_bytes(32),))
    step = (1 << CLIENT_BITS) // (rows.plan.people * SHARES_OF_EACH)
    for client, shares in ((f"(number - {rows.first_share}) * {step}", BY_SENDER), (CLIENT, BY_TIME)):
        rows.database.execute(
            "INSERT INTO share_receipts (sender, client, body, share, shared_at) "
            f"SELECT sender, {client}, {BODY}, number, {rows.shared_at} {shares}", {"late": rows.late_share})


def acts(rows: SocialRows) -> None:
    """One for each day on which somebody has shared."""
    rows.database.execute("CREATE TEMP TABLE days (number INTEGER PRIMARY KEY, day)")
    rows.database.execute(
        "WITH RECURSIVE series (i) AS (SELECT MIN(shared_at) / 86400000 FROM shares UNION ALL "
        "SELECT i + 1 FROM series WHERE i <= (SELECT MAX(shared_at) / 86400000 FROM shares)) "
        "INSERT INTO days SELECT i, date(i * 86400, 'unixepoch') FROM series")
    for shares in (BY_SENDER, BY_TIME):
        rows.database.execute(
            f"""
            INSERT INTO share_acts (actor, other, day, zone)
            SELECT found.sender, 0, days.day, CASE found.sender % 2 WHEN 0 THEN 'UTC' ELSE 'Europe/Prague' END
            FROM (SELECT sender, ({rows.shared_at}) / 86400000 AS day {shares}) AS found
                CROSS JOIN days ON days.number = found.day WHERE TRUE ON CONFLICT DO NOTHING
            """, {"late": rows.late_share})
    rows.database.execute("DROP TABLE days")


def songs(rows: SocialRows) -> None:
    """What the shares show, with how many show it."""
    counts = sorted(Counter(chain.from_iterable(rows.database.execute("SELECT content FROM shares"))).items())
    late = int(len(counts) * (1 - LATE))
    chance, artists = random.Random(44), artist_count(rows.plan)

    def found(part: list[tuple[int, int]]) -> Iterator[dict[str, object]]:
        for key, count in part:
            yield song(key, artist(int(artists * chance.random())), chance.randrange(100_000, 400_000)) | {
                "shares": count}

    with without_indexes(rows.database, "share_contents"):
        insert_all(rows.database, "share_contents", found(counts[:late]))
    insert_all(rows.database, "share_contents", found(counts[late:]))


def song(key: int, band: str, milliseconds: int) -> dict[str, object]:
    """A row of `share_contents`, whose hash is that of everything it shows."""
    shown = {
        "title": title(key), "artists": band, "album": f"{title(key // 10)} (Deluxe)", "duration_ms": milliseconds,
        "isrc": f"QZ{key:010d}", "is_explicit": 0, "pictures": f"640 https://pictures.example/songs/{key}.jpg",
        "preview": None, "spotify_id": f"{key:022d}", "apple_id": None, "apple_country": None}
    texts = (None if value is None else str(value).encode() for value in shown.values())
    text = b"".join(b"-" if value is None else b"%d:%s" % (len(value), value) for value in texts)
    return shown | {"key": key, "hash": hashlib.sha256(text).digest()[:16]}


PARTS = (shares, receipts, acts, songs)
