"""The rows of threads and their messages, put straight into a database with many people.

The messages of all threads lie between each other, as those that people write at the same time do: a page of a thread
then reads as many pages of the file as it would.
"""

import json
import random
import time
import uuid
from collections.abc import Iterator

from .message_plan import MessagePlan, MessageThread
from .prefill import insert_all, uuid_v7
from .social_rows import SocialRows, without_indexes
from .text_sealer import TextSealer

# What the tables must have, or the generator refuses.
COLUMNS = {
    "message_threads": {"key", "id", "first_key", "second_key", "state", "asker", "asked_at"},
    "message_sides": {
        "person", "thread", "other", "last_number", "hidden_number", "is_asked", "read_number", "unread", "sent",
        "full_at", "reset_change", "change"},
    "messages": {
        "number", "thread", "sender", "recipient", "client", "body", "sent_at", "has_song", "key_id", "sealed",
        "change"},
    "message_acts": {"actor", "other", "day", "zone"},
}
# The value of `message_threads.state`.
OPEN = 1
# Messages are of the last year.
SPAN_MILLISECONDS = 365 * 86_400 * 1_000
WORDS = (
    "have you heard this one yet it is on the new record and I think you would like the bass in the second half "
    "tell me what you think we could go to the show in spring if there are tickets left").split()


class MessageRows:
    """A part for `social_rows.write`."""

    def __init__(self, plan: MessagePlan, first_key: int, sealer: TextSealer):
        """`first_key` is the key of the person with the number 0."""
        self._plan, self._first_key, self._sealer = plan, first_key, sealer
        self._chance = random.Random(41)
        self.threads = list(plan.threads())
        self.messages = sum(thread.messages for thread in self.threads)

    def __call__(self, rows: SocialRows) -> None:
        database = rows.database
        began = int(time.time() * 1_000) - SPAN_MILLISECONDS
        # The key of a thread is a number of a change, too.
        first_thread = rows.take_changes(len(self.threads))
        first = rows.take_changes(self.messages)
        written = list(self._order())
        insert_all(database, "message_threads", (
            {"key": first_thread + place, "id": uuid_v7(began + place), "first_key": min(pair), "second_key": max(pair),
             "state": OPEN, "asker": None, "asked_at": None}
            for place, pair in enumerate(map(self._keys, self.threads))))
        with without_indexes(database, "messages"):
            insert_all(database, "messages", self._messages(written, first_thread, first, began))
        self._sides(rows, first_thread, first)
        database.execute(
            "INSERT INTO message_acts (actor, other, day, zone) "
            "SELECT sender, recipient, date(sent_at / 1000, 'unixepoch'), 'UTC' FROM messages WHERE number >= ? "
            "GROUP BY 1, 2, 3", (first,))

    def _keys(self, thread: MessageThread) -> tuple[int, int]:
        return self._first_key + thread.first, self._first_key + thread.second

    def _order(self) -> Iterator[tuple[int, int]]:
        """Each message as the place of its thread and its own in it, in the order in which they were written."""
        found = [(place, number) for place, thread in enumerate(self.threads) for number in range(thread.messages)]
        moments = [(number + self._chance.random()) / self.threads[place].messages for place, number in found]
        return (found[index] for index in sorted(range(len(found)), key=moments.__getitem__))

    def _messages(
        self, written: list[tuple[int, int]], first_thread: int, first: int, began: int,
    ) -> Iterator[dict[str, object]]:
        for index, (place, number) in enumerate(written):
            pair = self._keys(self.threads[place])
            sender, recipient = pair if number % 2 == 0 else pair[::-1]
            content = json.dumps({"text": self._text()}, separators=(",", ":"))
            yield {
                "number": first + index, "thread": first_thread + place, "sender": sender, "recipient": recipient,
                "client": str(uuid.UUID(int=self._chance.getrandbits(128), version=4)),
                "body": self._chance.getrandbits(63),
                "sent_at": began + SPAN_MILLISECONDS * index // len(written), "has_song": 0,
                "key_id": self._sealer.key_id,
                "sealed": self._sealer.seal(content, "messages", str(first + index), str(sender)),
                "change": first + index}

    def _text(self) -> str:
        return " ".join(self._chance.choices(WORDS, k=self._chance.randint(3, 30)))

    def _sides(self, rows: SocialRows, first_thread: int, first: int) -> None:
        """Each of the two has read everything."""
        rows.database.execute(
            """
            INSERT INTO message_sides (
                person, thread, other, last_number, hidden_number, is_asked, read_number, unread, sent, full_at,
                reset_change, change)
            SELECT people.key, found.thread, people.other, found.last, 0, 0, found.last, 0, found.count / 2, NULL, 0,
                found.last
            FROM (SELECT thread, MAX(number) AS last, COUNT(*) AS count FROM messages WHERE number >= ?
                    GROUP BY thread) AS found
                JOIN (SELECT key AS thread, first_key AS key, second_key AS other FROM message_threads WHERE key >= ?
                    UNION ALL SELECT key, second_key, first_key FROM message_threads WHERE key >= ?) AS people
                ON people.thread = found.thread
            ORDER BY 1, 2
            """, (first, first_thread, first_thread))
