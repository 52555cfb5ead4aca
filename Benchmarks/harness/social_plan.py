"""Who is who among the people of the section social: whom they follow, what they show, and who has a token.

People have numbers from 0 on, from which everything else of them follows. So a database that was generated in an
earlier run has people of whom this one knows.
"""

import base64
import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass

FIRST_NAMES = (
    "Ada Adam Aino Akira Alba Alex Amara Ana Anders Andrea Anja Anton Aria Arne Ayse Bela Bente Bianca Bjorn Bruno "
    "Carla Carmen Cem Chiara Chloe Clara Claudio Dana Daniel Daria David Deniz Diego Dina Ebba Eddie Eero Elena "
    "Elif Elin Ella Emil Emma Enzo Erik Esra Eva Fabio Fadi Fatima Felix Finn Flora Frida Gabriel Giulia Greta Hana "
    "Hanna Harper Hugo Ida Ilya Ines Ingrid Irene Isaac Ivan Jana Janis Jasmin Joana Johan Jonas Julia Kai Kaja "
    "Karim Katya Keiko Kira Lara Lars Laura Leila Leo Lina Linus Luca Lucia Luis Maja Malik Mara Marco Maria Mateo "
    "Maya Mia Mika Milan Mina Mira Nadia Nico Nils Nina Noah Nora Olga Olivia Omar Oscar Otto Paula Petra Pia "
    "Rafael Rania Rosa Ruben Samir Sara Selma Simon Sofia Stella Sven Tara Teo Theo Tilda Tomas Uma Vera Viktor "
    "Viola Yara Yusuf Zoe").split()
LAST_NAMES = (
    "Abbas Acosta Adler Almeida Andersen Arslan Aydin Bach Baker Bauer Becker Berg Bergman Bianchi Blanc Bosch "
    "Brandt Braun Burger Carter Castro Conti Costa Cruz Dahl Demir Diaz Dubois Eklund Engel Eriksen Esposito Fabbri "
    "Faber Fischer Flores Fontaine Frank Garcia Gomez Graf Greco Gruber Haas Haddad Hansen Hartmann Hill Hoffmann "
    "Holm Horvath Huber Ibrahim Ito Ivanov Jansen Jensen Johansson Kaplan Kaya Keller Klein Koch Kovac Kowalski "
    "Kramer Lang Larsen Lehmann Lindberg Lopez Lund Maier Marino Martin Mayer Meyer Miller Mohr Moreau Moreno "
    "Morris Muller Nagy Nakamura Neumann Nielsen Novak Okafor Olsen Ortiz Ozturk Park Pereira Peters Petrov Popov "
    "Ramos Reyes Ricci Richter Rivera Rossi Roth Ruiz Sato Sauer Schmidt Schneider Schwarz Silva Simic Sokolov "
    "Sommer Stern Suzuki Svensson Tanaka Toth Vargas Vogel Wagner Walker Weber Weiss Winter Wolf Yilmaz Young Zeman "
    "Ziegler").split()

STARS = 5
# The follows of people whose changes are read: as the targets name them, and the most that one person may have.
READER_FOLLOWS = (500, 5_000, 10_000)
FOLLOWS_OF_EACH = 50
# The same for those who follow the quietest people alone: of 100,000 people, 5,000 and 10,000.
QUIET_PARTS = (1 / 20, 1 / 10)
LONERS = 5
# The values of `people.visibility`.
PUBLIC, FOLLOWERS, PRIVATE = 2, 1, 0
VISIBILITIES = (PUBLIC,) * 7 + (FOLLOWERS,) * 2 + (PRIVATE,)
# A prime that divides no count of people in use.
SPREAD = 7_368_787


@dataclass(frozen=True)
class SocialPlan:
    """So many people, of whom most are public, some are for followers and some are private."""

    people: int = 100_000

    # The people with a part in the measurements, in the order of their numbers. All of them have tokens.

    @property
    def stars(self) -> range:
        """Half of all people follow each of them, and so do all listeners."""
        return range(STARS)

    @property
    def readers(self) -> range:
        """They follow exactly as many as ``READER_FOLLOWS`` says, as far as there are so many people."""
        return range(STARS, STARS + len(READER_FOLLOWS))

    @property
    def quiet_readers(self) -> range:
        """They follow so many of the quiet people, and nobody else."""
        return self._after(self.readers, len(QUIET_PARTS))

    @property
    def loners(self) -> range:
        """Nobody follows them. Nobody follows the readers, either, of whom there is one of each kind."""
        return self._after(self.quiet_readers, LONERS)

    @property
    def listeners(self) -> range:
        """They have open streams."""
        return self._after(self.loners, min(1_000, self.people // 4))

    @property
    def hidden(self) -> range:
        """They have private profiles."""
        return self._after(self.listeners, min(50, self.people // 100))

    @property
    def blockers(self) -> range:
        return self._after(self.hidden, len(self.hidden))

    @property
    def leavers(self) -> range:
        """They are erased."""
        return self._after(self.blockers, len(self.hidden))

    @property
    def visitors(self) -> range:
        """They search, look at profiles and follow."""
        return self._after(self.leavers, min(3_000, self.people // 3))

    @property
    def with_tokens(self) -> range:
        return range(self.visitors.stop)

    @property
    def quiet(self) -> range:
        """They share a few songs a year."""
        return range(self.people - self.people // 10, self.people)

    @staticmethod
    def _after(earlier: range, count: int) -> range:
        return range(earlier.stop, earlier.stop + count)

    # A person

    @staticmethod
    def username(number: int) -> str:
        return f"{first_name(number)}.{last_name(number)}{number}".lower()

    @staticmethod
    def display_name(number: int) -> str:
        return f"{first_name(number)} {last_name(number)}"

    @staticmethod
    def token(number: int) -> str:
        return base64.urlsafe_b64encode(hashlib.sha256(f"social {number}".encode()).digest()).decode().rstrip("=")

    def visibility(self, number: int) -> int:
        """As the table `people` has it."""
        if number < self.visitors.stop:
            return PRIVATE if number in self.hidden else PUBLIC
        return VISIBILITIES[number % len(VISIBILITIES)]

    def followed_by(self, reader: int) -> int:
        """How many people a reader follows."""
        if reader in self.quiet_readers:
            part = QUIET_PARTS[reader - self.quiet_readers.start]
            return min(READER_FOLLOWS[-1], int(self.people * part), len(self.quiet))
        return min(READER_FOLLOWS[reader - self.readers.start], self.people - self.loners.stop - 1)

    def followed(self) -> Iterator[tuple[int, list[int]]]:
        """Everybody with those whom they follow, in ascending order. Some have many followers, and most have few."""
        chance = random.Random(self.people)
        first = self.loners.stop
        count = self.people - first
        for number in range(self.people):
            if number in self.quiet_readers:
                chosen = set(chance.sample(self.quiet, self.followed_by(number)))
            elif number in self.readers:
                wanted = self.followed_by(number) - STARS
                chosen = {first + index for index in chance.sample(range(count), wanted)}
                chosen.update(self.stars)
            else:
                # With the stars and without those drawn twice, it is `FOLLOWS_OF_EACH` on average.
                wanted = min(2_000, count // 4, int(chance.expovariate(1 / (FOLLOWS_OF_EACH - STARS / 2 + 0.7))))
                # The square makes some popular; the factor spreads them over all numbers.
                chosen = {
                    first + int(count * chance.random() ** 2) * SPREAD % count for _ in range(wanted)}
                chosen.update(
                    star for star in self.stars if number % 2 == star % 2 or number in self.listeners)
            chosen.discard(number)
            yield number, sorted(chosen)


def first_name(number: int) -> str:
    return FIRST_NAMES[number % len(FIRST_NAMES)]


def last_name(number: int) -> str:
    return LAST_NAMES[number // len(FIRST_NAMES) % len(LAST_NAMES)]
