"""Who writes to whom in the section messages, among the people of `SocialPlan`, and how much they have written."""

from collections.abc import Iterator
from dataclasses import dataclass

from .social_plan import SocialPlan

# Threads of the person whose lists are read, besides the long one.
CORRESPONDENTS = 500
# Messages of the two who have written most, of each correspondent, and of all other threads.
LONG, SHORT, USUAL = 10_000, 4, 10


@dataclass(frozen=True)
class MessageThread:
    """Two people by their numbers, who write in turns, and how many messages they have written."""

    first: int
    second: int
    messages: int


@dataclass(frozen=True)
class MessagePlan:
    people: SocialPlan

    @property
    def reader(self) -> int:
        """Whose threads are read, and whom somebody spams."""
        return self.people.visitors[0]

    @property
    def friend(self) -> int:
        """With whom the reader has written most."""
        return self.people.visitors[1]

    @property
    def correspondents(self) -> range:
        """A thread each with the reader."""
        return self.people.visitors[2:2 + min(CORRESPONDENTS, len(self.people.visitors) // 4)]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Two people each who have written to each other, so that each may write to the other one freely."""
        return couples(range(self.correspondents.stop, self.people.visitors.stop))

    def threads(self) -> Iterator[MessageThread]:
        """All threads. Those of people without a token make the tables as large as they would be."""
        yield MessageThread(self.reader, self.friend, LONG)
        for person in self.correspondents:
            yield MessageThread(self.reader, person, SHORT)
        for first, second in self.pairs:
            yield MessageThread(first, second, USUAL)
        for first, second in couples(range(self.people.visitors.stop, self.people.people)):
            yield MessageThread(first, second, USUAL)


def couples(people: range) -> list[tuple[int, int]]:
    return [(person, person + 1) for person in range(people.start, people.stop - 1, 2)]
