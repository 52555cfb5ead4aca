"""Years of what feeds have: shares of somebody whom a person follows, releases of their artists, and followers."""

import sqlite3
import time

from harness.prefill import insert, insert_all, uuid_v7

# Of a year.
SHARES, RELEASES, FOLLOWERS = 3_000, 2_000, 1_000
YEAR = 31_536_000
# Of scores, in milliseconds: what people do is before what schedules find.
BONUS = 900_000
SHARE, RELEASE = 1, 3
RANKED_ARTIST = 2

# Steps that look at it.
STEPS = (
    "feed.pruneGoneItems", "feed.moveItemsAhead", "people.moveFollowsAhead", "people.readArtists",
    "people.pruneReports", "shares.removeReactions", "shares.pruneLinks", "releases.publish", "releases.prune", "concerts.prune",
    "concerts.refresh",
)
REQUESTS = ("/v1/feed?limit=50", "/v1/me/followers?limit=50", "/v1/me/following?limit=50")


def fill_feed(database: sqlite3.Connection, years: int, scale: float) -> None:
    """Makes `bench` follow `friend`, who has shared songs for so many years, and read about an artist."""
    now = int(time.time() * 1_000)
    people = {
        row["name"]: row["key"] for row in database.execute(
            "SELECT users.name AS name, people.key AS key FROM people JOIN users ON users.id = people.user_id")}
    bench, friend = people["bench"], people["friend"]

    def moments(count: int, first: int) -> list[tuple[int, int]]:
        """Numbers from `first` on, the oldest first, with their times in milliseconds."""
        count = max(1, round(count * years * scale))
        return [(first + n, now - (count - n) * years * YEAR * 1_000 // (count + 1)) for n in range(count)]

    insert(database, "follows", {
        "follower": bench, "followed": friend, "followed_at": now * 1_000, "change": 0})
    shares = moments(SHARES, 1)
    insert(database, "share_contents", {
        "key": 1, "hash": b"0" * 32, "shares": len(shares), "title": "Song", "artists": "Artist"})
    insert_all(database, "shares", (
        {"number": number, "sender": friend, "content": 1, "shared_at": at} for number, at in shares))
    insert_all(database, "share_receipts", (
        {"sender": friend, "client": number, "body": 0, "share": number, "shared_at": at} for number, at in shares))
    fill_timeline(database, friend, SHARE, [(number, at + BONUS) for number, at in shares])

    releases = moments(RELEASES, len(shares) + 1)
    insert(database, "release_artists", {"artist_key": "artist", "name": "Artist", "wanted_at": now * 1_000})
    insert_all(database, "releases", (
        {"number": number, "id": uuid_v7(at), "artist_key": "artist", "title": f"Album {number}",
         "artists": '["Artist"]', "type": 1, "first_seen_at": at * 1_000, "published_at": at * 1_000}
        for number, at in releases))
    insert_all(database, "release_credits", (
        {"artist_key": "artist", "release_number": number, "title_key": f"{number:x}-0-0"}
        for number, _ in releases))
    insert_all(database, "release_editions", (
        {"source": "spotify", "album_id": f"{number:022}", "release_number": number, "title": f"Album {number}",
         "name": f"Album {number}", "artists": '["Artist"]', "type": 1} for number, _ in releases))
    # Keys of topics are negative.
    topic = -len(shares) - len(releases) - 1
    insert(database, "timeline_topics", {"key": topic, "name": "releases:artist"})
    insert(database, "timeline_topic_readers", {"person": bench, "topic": topic, "reason": RANKED_ARTIST})
    fill_timeline(database, topic, RELEASE, releases)

    # Those who once followed, and have left since.
    insert_all(database, "follow_beginnings", (
        {"follower": -number, "followed": bench, "followed_at": at * 1_000, "number": number}
        for number, at in moments(FOLLOWERS, -topic + 1)))


def fill_timeline(database: sqlite3.Connection, author: int, kind: int, items: list[tuple[int, int]]) -> None:
    insert_all(database, "timeline_items", (
        {"author": author, "score": score, "number": number, "kind": kind, "change": 0} for number, score in items))
    insert(database, "timeline_latest", {"author": author, "score": items[-1][1]})
