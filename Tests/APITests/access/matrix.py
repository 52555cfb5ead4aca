"""Asks every route as everybody about everything, and compares the answers with `routes`."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from .people import GUESSED as GUESSED_THINGS
from .people import MALFORMED as MALFORMED_THINGS
from .people import NOBODIES, VIEWERS, VISIBILITIES, Answer, Client, People
from .people import Person as Somebody
from .rows import Difference, Row, Rows
from .rules import (
    ERASED, FORMER, GUESSED, MALFORMED, NOWHERE, OTHERS, OWN, SEES, SUSPENDED, Addressed, Administrator, Expectation,
    Person, Rule)

_PLACEHOLDER = re.compile(r"<([^>]+)>")
# What differs between two answers that say the same.
_CHANCE = [
    (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "<id>"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.0-9]*Z"), "<time>"),
    (re.compile(r'"(seq|end)":\d+'), '"<number>"'),
]
# What tells others of an act. Whoever ends their account is gone for everybody who follows them.
_NOTICES = {"author_log", "change_log", "gone_items", "relation_changes", "share_changes", "timeline_resets"}
_HEADERS_OF_CHANCE = {
    "date", "content-length", "etag", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-reset-in"}


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    body: bytes | None
    content_type: str | None
    is_endless: bool
    is_local: bool
    # The values that name what the request is about.
    named: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.method} {self.path}" + ("" if self.body is None else f" {self.body[:200]!r}")


@dataclass(frozen=True)
class Cell:
    """One place of the matrix."""

    operation: str
    rule: Rule
    viewer: str
    visibility: str
    target: str

    def __str__(self) -> str:
        return f"{self.operation} as {self.viewer} of a {self.visibility} profile, {self.target}"


def cells(routes: dict[str, Rule | tuple[Rule, ...]], operations: list[str]) -> Iterator[Cell]:
    for operation in operations:
        rules = routes[operation]
        for rule in rules if isinstance(rules, tuple) else (rules,):
            for visibility in VISIBILITIES:
                for viewer in VIEWERS:
                    for target in rule.targets:
                        # Nobody has nothing.
                        if viewer not in NOBODIES or target != OWN:
                            yield Cell(operation, rule, viewer, visibility, target)


class Matrix:
    """Asks the cells one after the other, and puts back what an answer has changed."""

    def __init__(self, client: Client, people: People, rows: Rows):
        self._client, self._people, self._rows = client, people, rows
        self._first = rows.snapshot()
        self._answers: dict[tuple, tuple[Answer, Difference]] = {}

    @property
    def request_count(self) -> int:
        return len(self._answers)

    # Asking

    def _answer(self, cell: Cell, request: Request) -> tuple[Answer, Difference]:
        """The answer, and the rows that it changed. A request that was asked before has met the same rows."""
        token = self._people.token(cell.viewer, cell.visibility)
        key = (token, request.method, request.path, request.body, request.is_local)
        if key not in self._answers:
            answer = self._client.send(
                request.method, request.path, token, request.body, request.content_type, request.is_endless,
                request.is_local)
            self._answers[key] = (answer, self._rows.put_back(self._first))
        return self._answers[key]

    def _subject(self, cell: Cell) -> Somebody:
        """The other person of a cell: of the target themself, a neighbor with the same visibility."""
        side = self._people.neighbors if cell.viewer == "self" else self._people.targets
        return side[cell.visibility]

    def _values(self, cell: Cell, target: str) -> dict[str, str]:
        """What the placeholders of a request stand for."""
        viewer = self._people.viewer(cell.viewer, cell.visibility)
        subject = self._subject(cell)
        somebody = {
            OWN: viewer, OTHERS: subject, FORMER: subject, SUSPENDED: self._people.suspended,
            ERASED: self._people.erased}
        if target in (GUESSED, MALFORMED):
            things = GUESSED_THINGS if target == GUESSED else MALFORMED_THINGS
            values = {**things.ids, "display name": things.ids["username"]}
        else:
            named = somebody[target]
            name = named.former_name if target == FORMER else named.name
            values = {**named.items.ids, "username": name, "display name": f"display-{named.name}"}
        own = viewer or subject
        return {
            **values, **{f"own {kind}": id for kind, id in own.items.ids.items()}, "own username": own.name,
            "own token": self._people.token(cell.viewer, cell.visibility) or "bl_nobody",
            "token of another": subject.token, "since": own.since,
        }

    def _request(self, cell: Cell, target: str) -> Request:
        method, path = cell.operation.split(" ", 1)
        rule, values = cell.rule, self._values(cell, target)
        named: set[str] = set()

        def value(kind: str) -> str:
            text = values.get(kind, kind)
            named.add(text)
            return text

        def fill(content):
            match content:
                case str():
                    return _PLACEHOLDER.sub(lambda found: value(found[1]), content)
                case list():
                    return [fill(one) for one in content]
                case dict():
                    return {name: fill(one) for name, one in content.items()}
                case _:
                    return content

        path = re.sub(
            r"\{(\w+)\}", lambda found: quote(value(rule.names.get(found[1], found[1])), safe=""), path)
        if rule.query:
            name, text = rule.query.split("=", 1)
            path += f"?{name}={quote(fill(text), safe='')}"
        body = rule.body
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(fill(body)).encode()
        return Request(
            method, path, body, rule.content_type if body is not None else None, rule.is_endless,
            rule.is_local, tuple(sorted(named, key=len, reverse=True)))

    # Comparing

    def faults(self, cell: Cell) -> list[str]:
        """What is wrong about the answer."""
        expected = cell.rule.expect(cell.viewer, cell.visibility, cell.target)
        request = self._request(cell, cell.target)
        answer, changed = self._answer(cell, request)
        faults = []
        if answer.status != expected.status:
            faults.append(f"{answer.status} instead of {expected.status}: {answer.body[:300].decode(errors='replace')}")
        if expected.is_like_unknown:
            guess = self._request(cell, GUESSED)
            unknown, _ = self._answer(cell, guess)
            seen, wanted = self._plain(answer, request), self._plain(unknown, guess)
            if seen != wanted:
                faults.append(f"differs from the answer about nobody:\n    {seen}\n    {wanted}")
        faults += self._changed_rows(cell, expected, changed)
        faults += self._shown(cell, answer, request)
        return [f"{cell}: {request}: {fault}" for fault in faults]

    @staticmethod
    def _plain(answer: Answer, request: Request) -> tuple:
        """An answer without what chance or the request itself determine."""
        def plain(text: str) -> str:
            for name in request.named:
                text = text.replace(name, "<named>")
            for pattern, word in _CHANCE:
                text = pattern.sub(word, text)
            return text

        headers = tuple(
            (name.lower(), plain(value)) for name, value in answer.headers
            if name.lower() not in _HEADERS_OF_CHANCE)
        return answer.status, headers, plain(answer.body.decode(errors="replace"))

    def _changed_rows(self, cell: Cell, expected: Expectation, changed: Difference) -> list[str]:
        only_asks = cell.operation.startswith(("GET ", "HEAD ")) and not cell.rule.notes_visit
        if expected.is_refused or only_asks:
            return [
                f"was refused or only asked, and has changed {table}: {lost or further}"
                for table, (lost, further) in changed.items()]
        subject = self._subject(cell)
        if isinstance(cell.rule, Person | Addressed | Administrator) and cell.target != OWN:
            return []
        return [
            f"has changed a row of {subject.name} in {table}: {row}"
            for table, (lost, further) in changed.items() if table not in (*_NOTICES, *cell.rule.ends)
            for row in (*lost, *further) if self._is_of(subject, table, row)]

    def _is_of(self, person: Somebody, table: str, row: Row) -> bool:
        owner = self._rows.owner(table, row)
        if owner is not None:
            return owner in (person.id, person.key)
        values = {person.id, *person.items.ids.values()}
        return any(isinstance(value, str) and (value in values or person.items.mark in value) for value in row)

    def _shown(self, cell: Cell, answer: Answer, request: Request) -> list[str]:
        """What an answer shows of the other person, and may not, or does not show, and has to."""
        rule, subject = cell.rule, self._subject(cell)
        if isinstance(rule, Administrator) and cell.viewer == "administrator":
            return []
        # That something is gone is an id that says nothing else.
        lines = [line for line in answer.body.decode(errors="replace").splitlines() if '"gone":true' not in line]
        text = "\n".join(lines) + repr(answer.headers)
        is_stranger = cell.viewer == "self" or cell.viewer in NOBODIES
        standing = ("stranger" if is_stranger else cell.viewer, cell.visibility)
        is_about = cell.target == OTHERS and (cell.viewer not in NOBODIES or rule.needs_no_account)
        shows_card = is_about and rule.shows.get(standing, False)
        shows_profile = is_about and rule.shows_profile and SEES[standing] == "p"
        shows_share = is_about and rule.shows_share[standing]
        faults = []
        card = {"id": subject.id, "display name": f"display-{subject.name}", "picture": subject.items.ids["picture"]}
        for what, value in card.items():
            if value in text and not shows_card and value not in request.named:
                faults.append(f"shows the {what} of {subject.name}")
        profile = {"biography": f"bio-of-{subject.name}", "things": subject.items.mark}
        for what, value in profile.items():
            if value in text and not shows_profile:
                faults.append(f"shows the {what} of {subject.name}")
        if subject.items.song in text and not shows_share:
            faults.append(f"shows what {subject.name} shares")
        if shows_share and subject.items.song not in text:
            faults.append(f"does not show what {subject.name} shares")
        viewer = self._people.viewer(cell.viewer, cell.visibility)
        if rule.shows_own and viewer is not None and viewer.items.mark not in text:
            faults.append(f"does not show what {viewer.name} has")
        for gone in (self._people.suspended, self._people.erased):
            faults += [
                f"shows what {gone.name} has" for value in (gone.items.mark, gone.items.song)
                if value in text and value not in request.named]
        secrets = {"token": subject.token}
        faults += [f"shows the {what} of {subject.name}" for what, value in secrets.items() if value in text]
        if subject.name in text and not shows_card and subject.name not in request.named:
            faults.append(f"shows the username of {subject.name}")
        if is_about and rule.says.get(standing, "") not in text:
            faults.append(f"does not say {rule.says[standing]}: {text[:200]}")
        if rule.shows is not NOWHERE and shows_card and subject.name not in text:
            faults.append(f"does not show {subject.name}")
        return faults
