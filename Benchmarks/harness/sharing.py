"""Requests that share songs: those that somebody popular has shared, whom everybody sees."""

import json
import random
import uuid

from .client import Connection, signed_in
from .social_plan import SocialPlan

SONGS = 100


class Sharing:
    """Shares songs over one connection, for anybody."""

    def __init__(self, gateway: Connection, plan: SocialPlan):
        self._gateway, self._plan = gateway, plan
        self._chance = random.Random(44)
        star = plan.stars[0]
        page = json.loads(gateway.send(
            "GET", f"/v1/users/{plan.username(star)}/shares?limit={SONGS}", headers=signed_in(plan.token(star))))
        # The ids of shares whose songs are shared again.
        self.songs = [item["id"] for item in page["items"]]

    def body(self, message: str | None = None) -> bytes:
        song = {"shareId": self._chance.choice(self.songs)}
        return json.dumps({"song": song} | ({"message": message} if message else {})).encode()

    def share(self, person: int, body: bytes) -> None:
        self._gateway.send("PUT", path(), body, signed_in(self._plan.token(person)), (201,))


def path() -> str:
    """That of a new share."""
    return f"/v1/shares/{uuid.uuid4()}"
