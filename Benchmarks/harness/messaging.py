"""Requests that send messages in threads that there are."""

import json
import uuid

from .client import Connection, signed_in
from .message_plan import MessagePlan
from .social_installation import SocialInstallation


class Messaging:
    """Sends messages over one connection, for anybody."""

    def __init__(self, gateway: Connection, installation: SocialInstallation, plan: MessagePlan):
        self._gateway, self._people = gateway, plan.people
        first_key = installation.key_of(0)
        self._threads = {
            (first - first_key, second - first_key): identifier
            for identifier, first, second in installation.rows("SELECT id, first_key, second_key FROM message_threads")}

    def thread(self, one: int, other: int) -> str:
        """The id of the thread of two people."""
        return self._threads[min(one, other), max(one, other)]

    def send(self, sender: int, recipient: int) -> None:
        self._gateway.send(
            "PUT", path(self.thread(sender, recipient)), body(), signed_in(self._people.token(sender)), (201,))


def path(thread: str) -> str:
    """That of a new message."""
    return f"/v1/threads/{thread}/messages/{uuid.uuid4()}"


def body(text: str = "Have you heard this one? It is on the new record.") -> bytes:
    return json.dumps({"text": text}).encode()
