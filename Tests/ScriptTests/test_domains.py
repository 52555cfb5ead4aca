"""Tests of whether the list of domains has every part that a domain declares."""

import re
import unittest
from collections.abc import Iterator
from pathlib import Path

from loading import REPOSITORY

DOMAINS = REPOSITORY / "Sources" / "Domains"
LIST = REPOSITORY / "Sources" / "Composition" / "DomainParts+All.swift"

# The parameters of DomainParts with parts from other targets, and the types whose members such parts are.
EXTENDED = {
    "gateway": "GatewayDomain", "workers": "WorkerDomain", "subscribers": "[EventSubscriber]",
    "problemCodes": "ProblemCode",
}
PARAMETERS = [*EXTENDED, "commands"]

# Package members of a type, without the single codes beside their list.
MEMBER = re.compile(r"^    package static (?:func|let|var) (\w+)(?!.*= ProblemCode\()", re.MULTILINE)
COMMAND = re.compile(r"^package struct (\w+): (?:Async)?ParsableCommand\b", re.MULTILINE)

# A part: the parameter that takes it, and how its argument names it.
Part = tuple[str, str]


def declared(source: str) -> Iterator[Part]:
    """The parts that a source declares."""
    for parameter, extended in EXTENDED.items():
        # A list of codes is a member of their type, and has to be named with it.
        prefix = extended if parameter == "problemCodes" else ""
        for body in re.findall(rf"^extension {re.escape(extended)} \{{\n(.*?)^\}}", source, re.MULTILINE | re.DOTALL):
            yield from ((parameter, f"{prefix}.{name}") for name in MEMBER.findall(body))
    yield from (("commands", f"{name}.self") for name in COMMAND.findall(source))


def parts(folder: Path) -> list[Part]:
    """The parts that the sources in a folder declare."""
    files = sorted(folder.glob("**/*.swift"))
    return [part for file in files for part in declared(file.read_text(encoding="utf-8"))]


def arguments(listing: str) -> dict[str, str]:
    """What the list of domains gives to each of the parameters, in all domains together."""
    found = dict.fromkeys(PARAMETERS, "")
    for domain in listing.split("DomainParts(")[1:]:
        pieces = re.split(rf"\b({'|'.join(PARAMETERS)}):", domain)
        for parameter, argument in zip(pieces[1::2], pieces[2::2]):
            found[parameter] += argument
    return found


def forgotten(wanted: list[Part], listing: str) -> list[Part]:
    """The declared parts that the list does not name."""
    given = arguments(listing)
    return [
        (parameter, name) for parameter, name in wanted
        if not re.search(rf"(?<!\w){re.escape(name)}\b", given[parameter])]


class DomainListTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.parts = parts(DOMAINS)
        cls.listing = LIST.read_text(encoding="utf-8")

    def test_the_list_has_every_declared_part(self) -> None:
        self.assertEqual(forgotten(self.parts, self.listing), [])

    def test_every_kind_of_part_is_read(self) -> None:
        for part in (
            ("gateway", ".concerts"), ("workers", ".spotifyConnections"), ("subscribers", ".shares"),
            ("problemCodes", "ProblemCode.people"), ("commands", "CalendarCommand.self"),
        ):
            self.assertIn(part, self.parts)

    def test_a_part_that_is_removed_from_the_list_is_found(self) -> None:
        for part in self.parts:
            shorter = re.sub(rf"(?<!\w){re.escape(part[1])}\b", "", self.listing)
            self.assertIn(part, forgotten(self.parts, shorter))

    def test_the_same_name_as_another_argument_does_not_count(self) -> None:
        wanted = [("gateway", ".notes"), ("workers", ".notes"), ("subscribers", ".notes")]
        listing = "DomainParts(.notes, gateway: { [.notes($0.notes)] }, workers: [.sync: [.notes]])"
        self.assertEqual(forgotten(wanted, listing), [("subscribers", ".notes")])

    def test_the_parts_of_the_example_are_found(self) -> None:
        found = forgotten(parts(REPOSITORY / "Tests" / "ExampleDomain"), self.listing)
        self.assertEqual(sorted(found), [
            ("commands", "NotesCommand.self"), ("gateway", ".notes"), ("problemCodes", "ProblemCode.notes"),
            ("subscribers", ".notes"), ("workers", ".notes")])


if __name__ == "__main__":
    unittest.main()
