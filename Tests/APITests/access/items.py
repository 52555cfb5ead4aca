"""What a person has: one row or more of everything that a path or a body can name.

The rows are written directly: workers would take minutes to make them, and would go on changing rows while the matrix
runs. Their texts contain `mark`, so that an answer to somebody else that has anything of them is noticed.
"""

import base64
import hashlib
import json
import sqlite3
import struct
import zlib
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

# Spotify's scopes that changes of a library need, so that no change is refused for another reason than access.
SCOPES = (
    "user-read-private user-library-read user-library-modify playlist-read-private playlist-read-collaborative "
    "playlist-modify-private playlist-modify-public user-top-read user-read-recently-played")
_SPOTIFY_ID, _OTHER_SPOTIFY_ID = "3uy90vHHATPjtdilshDQDt", "2fC3ZkF1QYw5Y8kqMJgv0g"
_SHARED_SPOTIFY_ID = "6vuPZX9fWESg5js2JFTQRJ"
_MASK = (1 << 64) - 1
# A show that nobody has, and its day.
SHOW, _SHOW_DAY = "show-1", date(2099, 6, 1)
# Numbers of `TimelineKind`.
_RECOMMENDATION, _COMING_SHOWS = 5, 6


def micros(hours: float = 0) -> int:
    """Microseconds since 1970, some hours from now. No test of this package depends on the hour."""
    return int((datetime.now(UTC) + timedelta(hours=hours)).timestamp() * 1_000_000)


def png() -> bytes:
    """A picture of one pixel."""
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0\0\0\0"))
        + chunk(b"IEND", b""))


def library_id(key: int) -> str:
    """The id of a library's row as the API writes it (docs/decisions/020-library-keys.md)."""
    milliseconds, counter = key >> 21, key & 0x1F_FFFF
    mixed = (key + 0x9E37_79B9_7F4A_7C15) & _MASK
    mixed = ((mixed ^ mixed >> 30) * 0xBF58_476D_1CE4_E5B9) & _MASK
    mixed = ((mixed ^ mixed >> 27) * 0x94D0_49BB_1331_11EB) & _MASK
    mixed ^= mixed >> 31
    high = milliseconds << 16 | 0x7000 | counter >> 9
    return _uuid_text(high, 0b10 << 62 | (counter & 0x1FF) << 53 | mixed >> 11)


def share_id(number: int, milliseconds: int) -> str:
    """The id of a share as the API writes it: its number, its moment, and a check of both."""
    check = 0xCBF2_9CE4_8422_2325
    for word in (number, milliseconds):
        for shift in range(0, 64, 8):
            check = (check ^ word >> shift & 0xFF) * 0x0000_0100_0000_01B3 & _MASK
    check = (check ^ check >> 32) & (1 << 26) - 1
    high = milliseconds << 16 | 0x7000 | number >> 36
    return _uuid_text(high, 0b10 << 62 | (number & (1 << 36) - 1) << 26 | check)


def _uuid_text(high: int, low: int) -> str:
    text = f"{high:016x}{low:016x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def _link_token(text: str) -> str:
    """A secret as links have it."""
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")


@dataclass(frozen=True)
class Items:
    """The ids of a person's rows, by the kind of what they name. Those of what is made through the API are added then.
    """

    # What all texts contain that are the person's alone.
    mark: str
    ids: dict[str, str]
    # What the song that the person shares is called.
    song: str = ""


def _uuid(person: int, number: int) -> str:
    return f"01a229f1-a500-7000-8000-{person:06x}{number:06x}"


# Kinds whose rows have keys of a library, with the keys; the others have UUIDs.
_LIBRARY_KEYS = {
    "track": 10, "otherTrack": 15, "sharedTrack": 17, "sourceTrack": 11, "playlist": 20, "album": 22,
    "decision": 50, "edit": 60, "failedEdit": 61, "copy": 70, "unclearCopy": 71, "import": 75,
    "listen": 87, "feedback": 88,
}
_UUIDS = {
    "job": 1, "deadLetter": 2, "artist": 3, "search": 4, "token": 5, "session": 6, "invitation": 7, "playlistMade": 8,
    "recommendations": 9, "growth": 10, "blend": 11, "report": 12, "shareDraft": 13, "shareLink": 14,
    "pushTarget": 15, "thread": 16, "messageRequest": 17, "messageDraft": 18,
}


def ids_of(person: int) -> dict[str, str]:
    """The ids that the rows of a person have. For a number without rows, they are ids that somebody guesses."""
    return {
        **{kind: library_id(person * 1_000 + key) for kind, key in _LIBRARY_KEYS.items()},
        **{kind: _uuid(person, number) for kind, number in _UUIDS.items()},
        "picture": f"address{person:04d}" + "x" * 11,
        "songShare": share_id(person * 1_000 + 90, 1_790_000_000_000),
        "message": share_id(person * 1_000 + 95, 1_790_000_000_000),
        "receivedMessage": share_id(person * 1_000 + 96, 1_790_000_000_000),
        "songMessage": share_id(person * 1_000 + 97, 1_790_000_000_000),
        "linkToken": _link_token(f"link {person}"), "namedLinkToken": _link_token(f"named link {person}"),
        "calendarToken": _link_token(f"calendar {person}"),
        "hiddenItem": f"item-{person}",
    }


class ItemWriter:
    """Writes the rows of one person."""

    def __init__(self, database: sqlite3.Connection, number: int, user_id: str, name: str):
        """`number` is the person's in this test, from 1. The person has an empty library."""
        self._database = database
        self._number = number
        self._user = user_id
        self._now = micros()
        found = database.execute("SELECT id FROM libraries WHERE user_id = ?", (user_id,))
        self._library_id = found.fetchone()[0]
        self._person = database.execute("SELECT key FROM people WHERE user_id = ?", (user_id,)).fetchone()[0]
        self.items = Items(f"mark-of-{name}", ids_of(number), song=f"song-of-{name}")

    def write(self) -> Items:
        self._account()
        self._jobs()
        self._concerts()
        self._library()
        self._changes_of_library()
        self._listening()
        self._lists()
        self._feed()
        self._notifications()
        return self.items

    def _key(self, number: int) -> int:
        return self._number * 1_000 + number

    def _insert(self, table: str, **columns) -> None:
        names, values = ", ".join(columns), ", ".join("?" * len(columns))
        self._database.execute(f"INSERT INTO {table} ({names}) VALUES ({values})", list(columns.values()))

    def _change(self) -> int:
        self._database.execute("UPDATE change_sequence SET value = value + 1")
        return self._database.execute("SELECT value FROM change_sequence").fetchone()[0]

    # What an account has

    def _account(self) -> None:
        ids, mark = self.items.ids, self.items.mark
        self._insert(
            "tokens", hash=f"{self._number:064x}", id=ids["token"], user_id=self._user, name=mark,
            created_at=self._now)
        self._insert(
            "sessions", hash=f"{self._number:064x}", id=ids["session"], user_id=self._user, user_agent=mark,
            created_at=self._now, last_used_at=self._now, expires_at=micros(24), ends_at=micros(24))
        self._insert(
            "invitations", hash=f"{self._number:064x}", id=ids["invitation"], user_id=self._user,
            created_at=self._now, expires_at=micros(24))
        self._insert(
            "person_pictures", user_id=self._user, address=ids["picture"], type="image/png", bytes=png(),
            created_at=self._now)
        self._database.execute(
            "UPDATE users SET picture_address = ?, home_city = ? WHERE id = ?", (ids["picture"], mark, self._user))
        for provider in ("spotify", "appleMusic", "gemini", "ticketmaster"):
            self._insert(
                "connections", user_id=self._user, provider=provider, state="connected",
                account_id=f"account-{self._number}", account_user_id=f"user-{self._number}", account_name=mark,
                scopes=SCOPES, details="{}", authorized_at=self._now, change=self._change(), updated_at=self._now)

    # Jobs

    def _jobs(self) -> None:
        ids, mark = self.items.ids, self.items.mark
        common = {
            "user_id": self._user, "kind": "diagnostics.echo", "version": 1, "payload": json.dumps({"text": mark}),
            "submitted_bytes": 40, "priority": 0, "maximum_attempts": 5, "created_at": self._now,
        }
        # It cannot begin, and so nothing changes it.
        self._insert(
            "jobs", id=ids["job"], state="scheduled", run=0, attempt=0, run_at=micros(24), change=self._change(),
            **common)
        self._insert(
            "jobs", id=ids["deadLetter"], state="failed", run=5, attempt=5, run_at=self._now, started_at=self._now,
            finished_at=self._now, error_code="failedAsAsked", error_message=mark, change=self._change(), **common)
        for state in ("scheduled", "failed"):
            self._insert("job_counts", user_id=self._user, state=state, count=1, change=self._change())
            self._database.execute(
                "INSERT INTO job_kind_counts (kind, state, count) VALUES ('diagnostics.echo', ?, 1) "
                "ON CONFLICT (kind, state) DO UPDATE SET count = count + 1", (state,))
        self._insert("submission_counts", user_id=self._user, jobs=1, bytes=40)

    # Concerts

    def _concerts(self) -> None:
        ids, mark = self.items.ids, self.items.mark
        self._insert("ranked_artists", user_id=self._user, id=ids["artist"], rank=1, name=mark)
        self._insert("artist_lists", user_id=self._user, saved_at=self._now)
        self._insert(
            "concert_searches", id=ids["search"], user_id=self._user, kind="artists", home_city=mark, is_running=0,
            created_at=self._now, change=self._change())
        self._insert(
            "concert_search_subjects", search_id=ids["search"], rank=1, artist_id=ids["artist"], name=mark,
            subject_key=f"artist:{self._number}", status="partial", warning_code="notFound")
        # It shows nothing: no lookup has found a show of the artist.
        self._insert(
            "concert_calendars", user_id=self._user, places=2,
            token=hashlib.sha256(ids["calendarToken"].encode()).hexdigest(), made_at=self._now, read_at=self._now)

    # The library

    def _library(self) -> None:
        mark, song, library, now = self.items.mark, self.items.song, self._library_id, self._now
        spotify, apple = 2, 1
        self._database.execute(
            "UPDATE libraries SET tracks = 3, spotify_tracks = 3, playlists = 1, albums = 1, last_synced_at = ?, "
            "change = ? WHERE id = ?", (now, self._change(), library))
        for source, account in ((spotify, self._key(2)), (apple, self._key(3))):
            self._insert(
                "library_accounts", library_id=library, source=source, account=f"account-{self._number}", id=account)
            self._insert(
                "library_sources", library_id=library, source=source, account_id=account,
                credential=f"account-{self._number}", completed_at=now)
        for key, source_key, spotify_id in ((10, 11, _SPOTIFY_ID), (15, 16, _OTHER_SPOTIFY_ID)):
            title = f"{mark} {key}"
            self._insert(
                "library_tracks", id=self._key(key), library_id=library, title=title, artist=mark, album=mark,
                title_key=title, artist_key=mark, album_key=mark, sources=3 if key == 10 else 2, is_saved=1,
                album_position=0, added_at=now, plays=0)
            self._insert(
                "library_source_tracks", id=self._key(source_key), library_id=library, track_id=self._key(key),
                source=spotify, account_id=self._key(2), source_id=spotify_id, is_saved=1, title=title, artist=mark,
                album=mark, preview="https://audio-ssl.itunes.apple.com/preview.m4a", created_at=now, synced_at=now)
        # The song that the person shares has nothing of the others.
        self._insert(
            "library_tracks", id=self._key(17), library_id=library, title=song, artist=song, album=song,
            title_key=song, artist_key=song, album_key=song, sources=2, is_saved=1, album_position=0, added_at=now,
            plays=0)
        self._insert(
            "library_source_tracks", id=self._key(18), library_id=library, track_id=self._key(17), source=spotify,
            account_id=self._key(2), source_id=_SHARED_SPOTIFY_ID, is_saved=1, title=song, artist=song, album=song,
            created_at=now, synced_at=now)
        # Another source track of the first one, which can be split off.
        self._insert(
            "library_source_tracks", id=self._key(12), library_id=library, track_id=self._key(10), source=apple,
            account_id=self._key(3), source_id="i.AbC", is_saved=1, title=mark, artist=mark, album=mark,
            created_at=now, synced_at=now)
        self._insert(
            "library_decisions", id=self._key(50), library_id=library, kind="split", holds_sides=0,
            split_track_id=self._key(10), at=now)
        for source_id in (_SPOTIFY_ID, _OTHER_SPOTIFY_ID):
            self._insert(
                "library_decision_tracks", library_id=library, decision_id=self._key(50), source=spotify,
                source_id=source_id, side=int(source_id == _OTHER_SPOTIFY_ID))
        self._insert(
            "library_duplicates", library_id=library, first_track_id=self._key(10), second_track_id=self._key(15),
            first_source_track_id=self._key(11), second_source_track_id=self._key(16), likelihood=40)
        self._insert(
            "library_playlists", id=self._key(20), user_id=self._user, library_id=library, source=spotify,
            account_id=self._key(2), source_id="37i9dQZF1DX", name=mark, name_key=mark, owner_id=f"user-{self._number}",
            can_edit=1, entry_count=1, entries_version=2, entries_state="read", is_due=0, read_count=1, read_at=now,
            synced_at=now)
        self._insert(
            "library_playlist_entries", playlist_id=self._key(20), version=2, position=0, kind="track",
            source_track_id=self._key(11))
        self._insert(
            "library_albums", id=self._key(22), library_id=library, source=spotify, account_id=self._key(2),
            source_id="1PV2", name=mark, artist=mark, name_key=mark, artist_key=mark, synced_at=now)
        self._insert(
            "library_changes", library_id=library, id=self._key(40), at=now, sync=self._key(30), kind="added",
            item="track", item_id=self._key(11), source=spotify, title=mark)

    def _changes_of_library(self) -> None:
        mark, library, now = self.items.mark, self._library_id, self._now
        common = {
            "user_id": self._user, "library_id": library, "source": 2, "account_id": self._key(2), "title": mark,
            "undo": '{"formerVersion":1,"shownVersion":2,"tracks":[],"unknown":{}}', "total": 1, "created_at": now,
        }
        self._insert(
            "library_edits", id=self._key(60), kind="addTracks", target=f"playlist {self._key(25)}",
            state="unclear", done=0, question=mark, error_code="unclear", error_message=mark, change=self._change(),
            **common)
        self._insert(
            "library_edit_steps", edit_id=self._key(60), number=0, state="sent", sent_at=now, lost_at=now,
            action=json.dumps({"append": {"_0": [{"id": _SPOTIFY_ID}], "placed": 0}}))
        self._insert(
            "library_edits", id=self._key(61), kind="removeEntries", target=f"playlist {self._key(20)}",
            playlist_id=self._key(20), state="failed", done=0,
            missing=json.dumps(
                [{"track": {"id": _SPOTIFY_ID}, "title": mark, "artist": mark, "position": 0, "upTo": 1}]),
            error_code="notFound", error_message=mark, finished_at=now, change=self._change(), **common)
        copy = {
            "user_id": self._user, "playlist_id": self._key(20), "entries_version": 2, "name": mark, "total": 1,
            "repeats": 0, "created_at": now,
        }
        self._insert(
            "library_copies", id=self._key(70), target=1, state="complete", made_id=self._key(20), finished_at=now,
            change=self._change(), **copy)
        self._insert("library_copies", id=self._key(71), target=1, state="unclear", change=self._change(), **copy)
        self._insert(
            "library_copy_entries", user_id=self._user, copy_id=self._key(70), position=0, state="missing",
            source_track_id=self._key(11), title=mark, artist=mark, tried="[]", nearest="[]")
        self._insert(
            "library_imports", user_id=self._user, id=self._key(75), filename=mark, file=f"import-{self._number}",
            bytes=10, kind="csv", state="complete", rows_new=1, rows_joined=0, rows_skipped=0, created_at=now,
            finished_at=now, change=self._change())
        self._insert(
            "library_syncs", id=_uuid(self._number, 30), user_id=self._user, number=self._key(30), sources=2,
            is_single=1, is_forced=0, state="complete", asked_at=now, started_at=now, finished_at=now, merged=0,
            change=self._change())

    # Listening

    def _listening(self) -> None:
        mark, history, moment = self.items.mark, self._key(80), datetime.now(UTC) - timedelta(days=40)
        now = int(moment.timestamp() * 1_000_000)
        self._insert(
            "listen_histories", user_id=self._user, id=history, listens=1, observations=1, newest_song=self._key(82),
            resolved_version=1, resolved_song=self._key(82), change=self._change())
        self._insert(
            "listen_songs", history_id=history, id=self._key(82), said_key=self._number, title=mark, artist=mark,
            duration_ms=200_000, track_id=self._key(10), plays=1, change=self._change())
        self._insert(
            "listen_observations", history_id=history, started_at=now, id=self._key(85), form=1, source=1,
            song_id=self._key(82), played_ms=200_000, is_deleted=0, listen_id=self._key(87))
        self._insert(
            "listens", history_id=history, started_at=now, id=self._key(87), song_id=self._key(82),
            played_ms=200_000, sources=1)
        self._insert(
            "listen_months", history_id=history, month=moment.year * 12 + moment.month - 1, change=self._change())
        self._insert("listen_contacts", history_id=history, source=1, last_at=now)
        self._insert(
            "listen_feedback", history_id=history, id=self._key(88), score=1, created_at=now,
            song_id=self._key(82), song_key=self._number, title=mark, artist=mark)

    # Lists that are made

    def _lists(self) -> None:
        ids, mark = self.items.ids, self.items.mark
        request = {"excludedArtists": [], "excludedTracks": [], "basedOn": [], "pinned": [], "prompt": mark, "seed": 1,
                   "size": 5, "source": "library"}
        track = {"album": mark, "artist": mark, "evidence": [], "isFilled": False, "isPinned": False,
                 "origin": "library", "reason": mark, "reference": ids["track"], "title": mark}
        lists = {
            "playlistMade": ("playlist", {}), "recommendations": ("recommendations", {}),
            "growth": ("growth", {"playlist": ids["playlist"]}), "blend": ("blend", {}),
        }
        for kind, (word, further) in lists.items():
            self._insert(
                "curated_lists", user_id=self._user, id=ids[kind], kind=word,
                request=json.dumps({**request, "kind": word, **further}), state="complete", is_scheduled=0,
                # The titles of blends name the other person when they are read.
                title="" if word == "blend" else mark, calls=0, total_tokens=0, sent=json.dumps([mark]),
                created_at=self._now, finished_at=self._now, change=self._change())
            self._insert(
                "curated_tracks", user_id=self._user, list_id=ids[kind], position=0, track=json.dumps(track))
        self._insert(
            "curation_dismissals", user_id=self._user, reference=ids["otherTrack"], title=mark, artist=mark,
            dismissed_at=self._now)

    # What is in the feed of the person alone

    def _feed(self) -> None:
        mark = self.items.mark
        topic, number = f"artist:{mark}", self._change()
        self._insert(
            "concert_watches", user_id=self._user, topic=topic, subject_key=mark, part=1, name=mark,
            settled_at=self._now)
        self._insert(
            "concert_topic_shows", topic=topic, event_id=SHOW, known_at=self._now, is_main=1,
            day=(_SHOW_DAY - date(1970, 1, 1)).days)
        self._insert(
            "concert_coming_shows", number=number, id=_uuid(self._number, 40), user_id=self._user, topic=topic,
            name=mark, at=self._now)
        self._own_item(_COMING_SHOWS, number)
        number = self._change()
        self._insert(
            "recommended_songs", user_id=self._user, number=number, list_id=self.items.ids["recommendations"],
            position=0, made_at=self._now)
        self._own_item(_RECOMMENDATION, number)
        # The first opening of a day is noted, and begins what a worker would go on with.
        self._insert("feed_openings", person=self._person, first_at=self._now, last_at=self._now)

    def _notifications(self) -> None:
        group, number = self._change(), self._change()
        made = self.items.ids["playlistMade"]
        self._insert(
            "notification_groups", person=self._person, key=group, kind="listReady", subject=made, day="2026-11-30",
            number=number, change=number, has_more=0, is_listed=1, last_at=self._now)
        self._insert(
            "notification_events", person=self._person, group_key=group, number=number, kind="listReady", item=made,
            actor=None, happened_at=self._now)
        # Its server has refused the token, so that nothing is sent while the matrix runs.
        self._insert(
            "push_targets", person=self._person, id=self.items.ids["pushTarget"], channel=4,
            host=f"{self.items.mark}.example", fingerprint=f"{self._number:064x}", credential=f"token {self._number:064x}",
            created_at=self._now, confirmed_at=self._now, sent_at=None, refused_at=self._now, paused_until=None)

    def _own_item(self, kind: int, number: int) -> None:
        self._insert(
            "timeline_own_items", person=self._person, score=self._now // 1_000, number=number, kind=kind,
            change=number)


def write_show(database: sqlite3.Connection) -> None:
    """Writes a show as a lookup would have found it. It belongs to nobody."""
    event = {
        "id": SHOW, "name": "Portishead", "kind": "show", "attractions": [{"id": "K8vZ9171", "name": "Portishead"}],
        "localDate": _SHOW_DAY.isoformat(), "timeTBA": False, "dateTBA": False, "spansMultipleDays": False,
        "status": "onsale",
    }
    now = micros()
    database.execute(
        "INSERT INTO concert_events (id, event, updated_at, first_seen_at) VALUES (?, ?, ?, ?)",
        (SHOW, json.dumps(event, sort_keys=True), now, now))
    database.execute(
        "INSERT INTO concert_subjects (subject_key, attraction_id, status, checked_at, asked_at) "
        "VALUES ('portishead', 'K8vZ9171', 'complete', ?, ?)", (now, now))
    database.execute("INSERT INTO concert_subject_events (subject_key, event_id) VALUES ('portishead', ?)", (SHOW,))
