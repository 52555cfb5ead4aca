"""The rows of what people's feeds have beside shares: topics and who reads them, concerts, and releases.

What is of topics is collected in the temporary table `topic_items`, from which `social_timeline` makes their items.
"""

import json
import random
from collections.abc import Iterator

from .prefill import insert_all, uuid_v7
from .social_plan import FIRST_NAMES, LAST_NAMES, SocialPlan, first_name, last_name
from .social_rows import SPAN_MICROSECONDS, SocialRows, without_indexes

COLUMNS = {
    "timeline_topics": {"key", "name"},
    "timeline_topic_readers": {"person", "topic", "reason"},
    "ranked_artists": {"user_id", "id", "rank", "name", "spotify_id", "picture", "genres"},
    "artist_lists": {"user_id", "saved_at"},
    "concert_readers": {"user_id", "since"},
    "concert_watches": {"user_id", "topic", "subject_key", "part", "name", "settled_at"},
    "concert_events": {
        "id", "event", "announcement", "revision", "changed_at", "updated_at", "first_seen_at", "on_sale_at",
        "moved_at", "cancelled_at"},
    "concert_news": {"number", "event_id", "revision", "reason", "at", "changes"},
    "concert_topic_shows": {"topic", "event_id", "known_at", "is_main", "day", "news"},
    "release_artists": {"artist_key", "name", "wanted_at", "job_id", "claimed_at"},
    "releases": {
        "number", "id", "artist_key", "title", "artists", "type", "release_date", "picture", "first_seen_at", "out_at",
        "published_at"},
    "release_credits": {"artist_key", "release_number", "title_key"},
    "release_editions": {
        "source", "album_id", "release_number", "title", "name", "artists", "type", "release_date", "track_count",
        "picture", "url", "missing_since"},
    "feed_openings": {"person", "first_at", "last_at"},
}
# Of a hundred items a person, shares are 95. A concert is an item of two topics, and some releases are.
CONCERTS_OF_EACH, RELEASES_OF_EACH, SECOND_ARTISTS = 1.5, 1.8, 0.11
# What a person has: artists that are ranked, and those that are heard most.
RANKED, TOP = 5, 3
# The values of `timeline_topic_readers.reason`, and of `timeline_items.kind`.
HOME_CITY, RANKED_ARTIST, TOP_ARTIST = 1, 2, 3
CONCERT, RELEASE = 2, 3
DAY_MICROSECONDS = 86_400 * 1_000_000
CITY_FORMS = ("Port", "Lake", "Mount")
WORDS = "Amber Bright Copper Distant Evening Forest Golden Harbor Indigo Kind Lantern Morning Northern Open".split()


def artist_count(plan: SocialPlan) -> int:
    return min(len(FIRST_NAMES) * len(LAST_NAMES), max(20, plan.people // 25))


def city_count(plan: SocialPlan) -> int:
    return min(len(CITY_FORMS) * len(LAST_NAMES), max(5, plan.people // 250))


def artist(index: int) -> str:
    return f"{first_name(index)} {last_name(index)} Band"


def artist_key(index: int) -> str:
    """The name as Backline folds it."""
    return artist(index).lower().replace(" ", "")


def city(index: int) -> str:
    return f"{CITY_FORMS[index // len(LAST_NAMES)]} {LAST_NAMES[index % len(LAST_NAMES)]}"


def concert_topic(index: int) -> str:
    return f"artist:{artist_key(index)}"


def release_topic(index: int) -> str:
    return f"releases:{artist_key(index)}"


def city_topic(index: int) -> str:
    return f"city:any:{city(index).lower()}"


def popular(chance: random.Random, count: int) -> int:
    """One of so many; the first ones are the most popular."""
    return int(count * chance.random() ** 2)


class Tastes:
    """What everybody reads about, the same each time."""

    def __init__(self, plan: SocialPlan):
        self._plan = plan
        self._artists, self._cities = artist_count(plan), city_count(plan)

    def __iter__(self) -> Iterator[tuple[int, list[int], list[int], int]]:
        """Everybody with their ranked artists, those whom they hear most, and their home city."""
        chance = random.Random(self._plan.people)
        for number in range(self._plan.people):
            ranked = list(dict.fromkeys(popular(chance, self._artists) for _ in range(RANKED)))
            top = list(dict.fromkeys(popular(chance, self._artists) for _ in range(TOP)))
            yield number, ranked, top, popular(chance, self._cities)


# The parts


def topics(rows: SocialRows) -> None:
    """All topics, and everybody's."""
    database, plan = rows.database, rows.plan
    names = [name(index) for name in (concert_topic, release_topic) for index in range(artist_count(plan))]
    names += [city_topic(index) for index in range(city_count(plan))]
    first = rows.take_changes(len(names))
    keys = {name: 0 - first - index for index, name in enumerate(names)}
    insert_all(database, "timeline_topics", (
        {"key": key, "name": name} for name, key in reversed(keys.items())))

    def read(number: int, ranked: list[int], top: list[int], home: int) -> list[tuple[int, int, int]]:
        found = [(keys[city_topic(home)], HOME_CITY)]
        found += [(keys[topic(index)], RANKED_ARTIST) for index in ranked for topic in (concert_topic, release_topic)]
        found += [(keys[release_topic(index)], TOP_ARTIST) for index in top]
        return [(rows.first_key + number, *one) for one in sorted(found)]

    with without_indexes(database, "timeline_topic_readers"):
        database.executemany(
            "INSERT INTO timeline_topic_readers (person, topic, reason) VALUES (?, ?, ?)",
            (row for taste in Tastes(plan) for row in read(*taste)))
    database.execute("CREATE TEMP TABLE topic_items (author, score, number, kind)")


def tastes(rows: SocialRows) -> None:
    """From what the topics of people follow: their lists and cities; and what those have who open their feeds."""
    database, plan, now = rows.database, rows.plan, rows.now
    insert_all(database, "ranked_artists", (
        {"user_id": rows.ids[number], "id": artist_key(index), "rank": rank, "name": artist(index)}
        for number, ranked, *_ in Tastes(plan) for index, rank in ranks(ranked)))
    insert_all(database, "artist_lists", ({"user_id": identifier, "saved_at": now} for identifier in rows.ids))
    database.executemany(
        "UPDATE users SET home_city = ? WHERE id = ?",
        ((city(home), rows.ids[number]) for number, *_, home in Tastes(plan)))
    opening = [taste for taste in Tastes(plan) if taste[0] in plan.with_tokens]
    insert_all(database, "concert_readers", ({"user_id": rows.ids[number], "since": now} for number, *_ in opening))
    insert_all(database, "feed_openings", (
        {"person": rows.first_key + number, "first_at": now, "last_at": now} for number, *_ in opening))
    watched = [
        (rows.ids[number], topic, topic, part, name, now)
        for number, ranked, _, home in opening
        for topic, part, name in (
            *((concert_topic(index), 1, artist(index)) for index in ranked), (city_topic(home), 2, city(home)))]
    database.executemany(
        "INSERT INTO concert_watches (user_id, topic, subject_key, part, name, settled_at) VALUES (?, ?, ?, ?, ?, ?)",
        sorted(watched))


def ranks(ranked: list[int]) -> list[tuple[int, int]]:
    """The artists with their ranks, in the order of the table."""
    return sorted(((index, rank) for rank, index in enumerate(ranked, 1)), key=lambda one: artist_key(one[0]))


def concerts(rows: SocialRows) -> None:
    """Announced shows, each of an artist in a city."""
    plan, chance = rows.plan, random.Random(2)
    count = int(plan.people * CONCERTS_OF_EACH)
    first = rows.take_changes(count)
    shows = []
    for index in range(count):
        at = rows.now - SPAN_MICROSECONDS + SPAN_MICROSECONDS * index // count
        shows.append((
            f"G5v{index:015d}", first + index, at, popular(chance, artist_count(plan)),
            popular(chance, city_count(plan))))
    insert_all(rows.database, "concert_events", (event(rows, *show) for show in shows))
    with without_indexes(rows.database, "concert_news"):
        insert_all(rows.database, "concert_news", (
            {"number": number, "event_id": identifier, "revision": 1, "reason": 1, "at": at, "changes": "[]"}
            for identifier, number, at, *_ in shows))
    listed = [
        (topic, identifier, rows.now, 1, at // DAY_MICROSECONDS + 60, number)
        for identifier, number, at, band, place in shows for topic in (concert_topic(band), city_topic(place))]
    with without_indexes(rows.database, "concert_topic_shows"):
        rows.database.executemany(
            "INSERT INTO concert_topic_shows (topic, event_id, known_at, is_main, day, news) VALUES (?, ?, ?, ?, ?, ?)",
            sorted(listed))
    rows.database.execute(
        "INSERT INTO topic_items SELECT timeline_topics.key, concert_news.at / 1000, concert_news.number, ? "
        "FROM concert_topic_shows JOIN timeline_topics ON timeline_topics.name = concert_topic_shows.topic "
        "JOIN concert_news ON concert_news.number = concert_topic_shows.news", (CONCERT,))


def event(rows: SocialRows, identifier: str, number: int, at: int, band: int, place: int) -> dict[str, object]:
    performer = {
        "id": f"K8v{band:014d}", "name": artist(band), "imageURL": f"https://pictures.example/artists/{band}.jpg"}
    hall = f"{last_name(band + place)} Hall"
    text = {
        "id": identifier, "name": artist(band), "kind": "show", "attractions": [performer],
        "venue": {"id": f"v{place}-{band % 7}", "name": hall, "city": city(place), "countryCode": "DE"},
        "timeTBA": True, "dateTBA": False, "spansMultipleDays": False, "status": "onsale",
        "ticketURL": f"https://tickets.example/{identifier}", "segment": "Music"}
    return {
        "id": identifier, "event": json.dumps(text, sort_keys=True, separators=(",", ":")),
        "announcement": f"{artist(band)}\nonsale\n{hall}\n{city(place)}", "updated_at": rows.now, "first_seen_at": at,
        "on_sale_at": at}


def releases(rows: SocialRows) -> None:
    """Albums and singles, each at two services; some are by two artists."""
    database, plan, chance = rows.database, rows.plan, random.Random(3)
    count = int(plan.people * RELEASES_OF_EACH)
    first = rows.take_changes(count)
    database.executemany(
        "INSERT INTO release_artists (artist_key, name, wanted_at) VALUES (?, ?, ?)",
        sorted((artist_key(index), artist(index), rows.now) for index in range(artist_count(plan))))
    credits: list[tuple[str, int, str]] = []

    def made() -> Iterator[dict[str, object]]:
        for index in range(count):
            at = rows.now - SPAN_MICROSECONDS + SPAN_MICROSECONDS * index // count
            bands = {popular(chance, artist_count(plan))}
            if chance.random() < SECOND_ARTISTS:
                bands.add(popular(chance, artist_count(plan)))
            credits.extend((artist_key(band), first + index, title(index).lower()) for band in bands)
            yield {
                "number": first + index, "id": uuid_v7(at // 1_000), "artist_key": artist_key(min(bands)),
                "title": title(index), "artists": json.dumps([artist(band) for band in sorted(bands)]), "type": 1,
                "release_date": f"{2020 + index % 6}-{index % 12 + 1:02d}-{index % 28 + 1:02d}",
                "picture": f"640 https://pictures.example/albums/{index}.jpg", "first_seen_at": at, "published_at": at}

    insert_all(database, "releases", made())
    with without_indexes(database, "release_credits"):
        database.executemany(
            "INSERT INTO release_credits (artist_key, release_number, title_key) VALUES (?, ?, ?)", sorted(credits))
    with without_indexes(database, "release_editions"):
        for source in ("appleMusic", "spotify"):
            database.execute(
                "INSERT INTO release_editions (source, album_id, release_number, title, name, artists, type, "
                "release_date, track_count, picture, url) "
                "SELECT ?1, printf('album%017d', number), number, title, title, artists, type, release_date, 11, "
                "picture, 'https://music.example/' || ?1 || '/' || number FROM releases ORDER BY number", (source,))
    database.execute(
        "INSERT INTO topic_items SELECT timeline_topics.key, releases.published_at / 1000, releases.number, ? "
        "FROM release_credits JOIN timeline_topics ON timeline_topics.name = 'releases:' || release_credits.artist_key "
        "JOIN releases ON releases.number = release_credits.release_number", (RELEASE,))


def title(index: int) -> str:
    return f"{WORDS[index % len(WORDS)]} {WORDS[index // len(WORDS) % len(WORDS)]} {index}"


PARTS = (topics, tastes, concerts, releases)
