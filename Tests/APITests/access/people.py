"""The people of the matrix, and how they stand to each other.

For each visibility of a profile there is a target, and a neighbor with the same visibility who has nothing to do with
the target. Each viewer stands to the three targets in the same way.
"""

import http.client
import itertools
import json
import uuid
from dataclasses import dataclass, field

from .items import Items, ItemWriter, ids_of, share_id, write_show
from .rows import Rows

VISIBILITIES = ("public", "followers", "private")
# Without a token, with tokens of the public target that have ended, and with those of a suspended and an erased person.
NOBODIES = ("nobody", "expired", "revoked", "suspended", "erased")
# What a viewer is to the target: `blocked` is somebody whom the target has blocked, `blocker` has blocked the target.
SOMEBODIES = ("stranger", "follower", "followed", "mutual", "blocked", "blocker", "self", "administrator")
VIEWERS = NOBODIES + SOMEBODIES


@dataclass
class Person:
    name: str
    token: str = field(repr=False)
    id: str = ""
    # The key that names the person in tables.
    key: int = 0
    items: Items | None = None
    former_name: str = ""
    # From where `GET /v1/changes` reports everything that the person has.
    since: str = ""
    # Tokens of the person that have ended, by how.
    ended: dict[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Client:
    """One connection to the gateway, which takes it for a proxy: each request comes from another address. Otherwise the
    limit of wrong tokens and invitations would be reached."""

    def __init__(self, address: str):
        self._connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
        self._addresses = itertools.count(1)

    def send(
        self, method: str, path: str, token: str | None, body: bytes | None = None, content_type: str | None = None,
        is_endless: bool = False, is_local: bool = False
    ) -> Answer:
        """`is_endless` leaves the body of the answer unread. `is_local` sends the request from the gateway's own
        machine."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        if not is_local:
            number = next(self._addresses)
            headers["X-Forwarded-For"] = f"198.18.{number >> 8 & 255}.{number & 255}"
        if content_type is not None:
            headers["Content-Type"] = content_type
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        if is_endless and response.status == 200:
            answer = Answer(response.status, tuple(response.getheaders()), b"")
            self._connection.close()
            return answer
        try:
            return Answer(response.status, tuple(response.getheaders()), response.read())
        except http.client.IncompleteRead as cut:
            self._connection.close()
            return Answer(0, tuple(response.getheaders()), cut.partial + b" (the answer was cut off)")

    def ask(self, person: Person, method: str, path: str, value=None) -> Answer:
        """Sends a request that has to succeed."""
        body, content_type = (None, None) if value is None else (json.dumps(value).encode(), "application/json")
        answer = self.send(method, path, person.token, body, content_type)
        if answer.status >= 300:
            raise AssertionError(f"{method} {path} as {person.name}: {answer.status} {answer.body.decode()}")
        return answer


class People:
    """Everybody, made through the API. What they have is written by `ItemWriter`."""

    def __init__(self, installation, client: Client, rows: Rows):
        self._client = client
        self._installation = installation
        names = [name for name in SOMEBODIES if name != "self"]
        self.viewers = {
            name: self._add(name, *(["--admin"] if name == "administrator" else [])) for name in names}
        # They change their names later. Who no longer sees them does not learn the new one.
        self.targets = {visibility: self._add(f"former_{visibility}") for visibility in VISIBILITIES}
        self.neighbors = {visibility: self._add(f"earlier_{visibility}") for visibility in VISIBILITIES}
        self.suspended, self.erased = self._add("suspended_one"), self._add("erased_one")
        # With whom everybody has a thread, and who asks everybody for one.
        self._pen_friend, self._asker = self._add("pen_friend"), self._add("asker")
        everybody = [*self.viewers.values(), *self.targets.values(), *self.neighbors.values(), self.suspended]
        # The erased person has had things as well.
        rows.write(lambda connection: self._write_items([*everybody, self.erased], connection))
        ask = self._client.ask
        ask(self.viewers["stranger"], "POST", "/v1/users/administrator/report", {"text": "Rude"})
        for visibility, target in self.targets.items():
            ask(self.neighbors[visibility], "POST", f"/v1/users/{target.name}/report", {"text": "Rude"})
        self._name_reports(rows)
        for person in (*everybody, self.erased):
            self._share(person)
            self._write_messages(person)
        self._check_ids_of_shares(rows, [*everybody, self.erased])
        for visibility, target in self.targets.items():
            self._react(target, self.neighbors[visibility])
            self._relate(target)
        self._end_tokens(self.targets["public"], rows)
        self._rename()
        self._set_visibilities()
        self._end()

    def _add(self, name: str, *options: str) -> Person:
        person = Person(name, self._installation.add_user(name, *options))
        profile = json.loads(self._client.ask(person, "GET", "/v1/me").body)
        person.id = profile["id"]
        # It makes an empty library.
        self._client.ask(person, "PATCH", "/v1/library/settings", {"remastersAreSame": True})
        lines = self._client.ask(person, "GET", "/v1/changes").body.splitlines()
        person.since = json.loads(lines[-1])["since"]
        return person

    def _write_items(self, people: list[Person], connection) -> None:
        for number, person in enumerate(people, start=1):
            key = connection.execute("SELECT key FROM people WHERE user_id = ?", (person.id,)).fetchone()[0]
            person.key, person.items = key, ItemWriter(connection, number, person.id, person.name).write()
        write_show(connection)

    def _name_reports(self, rows: Rows) -> None:
        """Adds the ids of reports to what the people have whom they are about."""
        found = rows.connection.execute(
            "SELECT people.user_id, reports.id FROM reports JOIN people ON people.key = reports.subject").fetchall()
        for person in (self.viewers["administrator"], *self.targets.values()):
            person.items.ids["report"] = dict(found)[person.id]

    def _share(self, person: Person) -> None:
        """Shares a song, links to it, pins it, and hides an item."""
        ask, ids = self._client.ask, person.items.ids
        share = ask(person, "PUT", f"/v1/shares/{ids['shareDraft']}", {"song": {"libraryTrackId": ids["sharedTrack"]}})
        ids["songShare"] = json.loads(share.body)["id"]
        for kind, names in (("linkToken", False), ("namedLinkToken", True)):
            link = json.loads(
                ask(person, "POST", f"/v1/shares/{ids['songShare']}/links", {"showsName": names}).body)
            ids[kind] = link["url"].rsplit("/", 1)[1]
            ids["shareLink"] = link["id"]
        ask(person, "PUT", "/v1/me/pin", {"shareId": ids["songShare"]})
        # The same song again, which those who hide it still see in their list of hidden items.
        again = ask(
            person, "PUT", f"/v1/shares/{uuid.uuid4()}",
            {"song": {"libraryTrackId": ids["sharedTrack"]}, "message": "Again"})
        ids["hiddenShare"] = json.loads(again.body)["id"]
        ids["hiddenItem"] = person.items.mark
        ask(person, "PUT", f"/v1/feed/hidden/release/{ids['hiddenItem']}")

    def _write_messages(self, person: Person) -> None:
        """Writes with the pen friend, and is asked by somebody else."""
        items = person.items
        thread = self._thread(person, self._pen_friend)
        items.ids["thread"] = thread
        self._write(person, thread, {"text": f"First {items.mark}"})
        # The answer accepts the request that the first message may be.
        items.ids["receivedMessage"] = self._write(self._pen_friend, thread, {"text": f"To {items.mark}"})
        items.ids["songMessage"] = self._write(
            person, thread, {"song": {"libraryTrackId": items.ids["sharedTrack"]}})
        items.ids["message"] = self._write(person, thread, {"text": f"Last {items.mark}"})
        items.ids["messageRequest"] = self._thread(self._asker, person)
        self._write(self._asker, items.ids["messageRequest"], {"text": f"May I write to {items.mark}?"})

    def _thread(self, one: Person, other: Person) -> str:
        return json.loads(self._client.ask(one, "PUT", f"/v1/users/{other.name}/thread").body)["id"]

    def _write(self, sender: Person, thread: str, draft: dict) -> str:
        answer = self._client.ask(sender, "PUT", f"/v1/threads/{thread}/messages/{uuid.uuid4()}", draft)
        return json.loads(answer.body)["id"]

    @staticmethod
    def _check_ids_of_shares(rows: Rows, people: list[Person]) -> None:
        """A guess that has not the form of an id would be refused for that alone."""
        found = rows.connection.execute("SELECT number, shared_at FROM shares").fetchall()
        written = {share_id(number, moment) for number, moment in found}
        assert written == {
            person.items.ids[kind] for person in people for kind in ("songShare", "hiddenShare")}, written

    def _react(self, target: Person, neighbor: Person) -> None:
        """Lets everybody react to what the target shares, and the target to what they share, and hide the share that is
        there for that. The neighbor hides the other one, too, which nobody else notices."""
        for person in (*self.viewers.values(), neighbor):
            for one, other in ((person, target), (target, person)):
                share = f"/v1/shares/{other.items.ids['songShare']}"
                self._client.ask(one, "PUT", f"{share}/reaction", {"reaction": "heart"})
                self._client.ask(one, "PUT", f"{share}/thanks")
                self._client.ask(one, "PUT", f"/v1/feed/hidden/share/{other.items.ids['hiddenShare']}")
        self._client.ask(neighbor, "PUT", f"/v1/feed/hidden/share/{target.items.ids['songShare']}")
        self._client.ask(neighbor, "PUT", "/v1/feed/muted-kinds/share")

    def _relate(self, target: Person) -> None:
        viewers, ask = self.viewers, self._client.ask
        for viewer in viewers.values():
            ask(viewer, "POST", "/v1/ai/blends", {"with": target.name})
        for name in ("follower", "mutual"):
            ask(viewers[name], "PUT", f"/v1/users/{target.name}/follow")
        for name in ("followed", "mutual"):
            ask(target, "PUT", f"/v1/users/{viewers[name].name}/follow")
        # A block ends follows.
        for name in ("blocked", "blocker"):
            ask(viewers[name], "PUT", f"/v1/users/{target.name}/follow")
            ask(target, "PUT", f"/v1/users/{viewers[name].name}/follow")
        # Reported and then blocked: not even what the viewer has written names the target any longer.
        ask(viewers["blocked"], "POST", f"/v1/users/{target.name}/report", {"text": "Rude"})
        ask(target, "PUT", f"/v1/users/{viewers['blocked'].name}/block")
        ask(viewers["blocker"], "PUT", f"/v1/users/{target.name}/block")

    def _end_tokens(self, target: Person, rows: Rows) -> None:
        made = {
            name: json.loads(self._client.ask(target, "POST", "/v1/me/tokens", {"name": name}).body)
            for name in ("expired", "revoked")}
        self._client.ask(target, "DELETE", f"/v1/me/tokens/{made['revoked']['id']}")
        rows.write(lambda connection: connection.execute(
            "UPDATE tokens SET expires_at = created_at WHERE id = ?", (made["expired"]["id"],)))
        target.ended = {name: token["token"] for name, token in made.items()}

    def _rename(self) -> None:
        for visibility, target in self.targets.items():
            self._client.ask(target, "POST", "/v1/ai/blends", {"with": self.neighbors[visibility].name})
        for side, word in ((self.targets, "target"), (self.neighbors, "neighbor")):
            for visibility, person in side.items():
                person.former_name, person.name = person.name, f"{word}_{visibility}"
                self._client.ask(
                    person, "PATCH", "/v1/me",
                    {"username": person.name, "bio": f"bio-of-{person.name}",
                     "displayName": f"display-{person.name}"})

    def _set_visibilities(self) -> None:
        for visibility in VISIBILITIES:
            for person in (self.targets[visibility], self.neighbors[visibility]):
                self._client.ask(person, "PATCH", "/v1/me", {"profileVisibility": visibility})

    def _end(self) -> None:
        ask, administrator = self._client.ask, self.viewers["administrator"]
        # What they have shared is gone also for those who follow them and have reacted.
        for viewer in (*self.viewers.values(), *self.targets.values()):
            for person in (self.suspended, self.erased):
                ask(viewer, "PUT", f"/v1/users/{person.name}/follow")
                share = f"/v1/shares/{person.items.ids['songShare']}"
                ask(viewer, "PUT", f"{share}/reaction", {"reaction": "heart"})
                ask(viewer, "PUT", f"/v1/feed/hidden/share/{person.items.ids['hiddenShare']}")
        ask(administrator, "PUT", f"/v1/admin/accounts/{self.suspended.name}/suspension")
        ask(self.erased, "DELETE", "/v1/me", {"username": self.erased.name, "token": self.erased.token})

    def viewer(self, name: str, visibility: str) -> Person | None:
        """`None` for nobody."""
        return self.targets[visibility] if name == "self" else self.viewers.get(name)

    def token(self, name: str, visibility: str) -> str | None:
        """With what a viewer comes; `None` without a token."""
        viewer = self.viewer(name, visibility)
        if viewer is not None:
            return viewer.token
        ended = {"suspended": self.suspended.token, "erased": self.erased.token, **self.targets["public"].ended}
        return ended.get(name)


# Ids and a name that nobody has, of the right form.
GUESSED = Items("", {**ids_of(9_999), "username": "guessed_name"})
# Texts that are no ids and no names.
MALFORMED = Items("", {**dict.fromkeys(ids_of(0), "no-such-id"), "username": "No Such Name!"})
