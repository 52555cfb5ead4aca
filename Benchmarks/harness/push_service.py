"""The simulated push service, and the browsers that are subscribed to it."""

import json
import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from .client import Connection, signed_in
from .installation import Installation
from .processes import Program, product

# An operator's address at a public domain, without which nothing is sent.
CONTACT = "mailto:push@example.org"


@dataclass(frozen=True)
class Message:
    """What a browser has received."""

    # The arrival in seconds of a clock of the machine.
    at: float
    # The same for all pushes of a group to a target.
    topic: str
    # What the browser has decrypted; `None` if that failed.
    text: str | None


class PushService:
    """Made before the programs of an installation start, which learn its address."""

    def __init__(self, installation: Installation):
        self._program = Program(
            "upstream-sim", [product("upstream-sim"), "--latency-ms", "0"], installation.folder)
        try:
            address = self._program.wait_for("listening on").split()[-1]
            self._control = Connection(address)
        except BaseException:
            self._program.stop()
            raise
        installation.environment |= {
            "BACKLINE_PUSH_SIMULATED_SERVICE": address, "BACKLINE_PUSH_CONTACT": CONTACT}

    def __enter__(self) -> "PushService":
        return self

    def __exit__(self, *_) -> None:
        self._control.close()
        self._program.stop()

    def subscribe(self, key: str, count: int) -> list[dict]:
        """New subscriptions for the installation with this public key."""
        return self._control.post("/_sim/push/subscriptions", {"applicationServerKey": key, "count": count})

    def end(self, subscription: dict) -> None:
        """The browser unsubscribes, whereupon the service answers with 410."""
        self._control.post(f"/_sim/push/subscriptions/{subscription['id']}", {"end": True})

    def fail(self, rules: list[dict]) -> None:
        """Answers some of the next calls with faults."""
        self._control.post("/_sim/push/faults", rules)

    def faults(self) -> int:
        """How many calls were answered with faults."""
        return sum(entry["struck"] for entry in self._control.get("/_sim/push/faults"))

    def counts(self) -> dict[str, int]:
        """Messages of all subscriptions: `accepted` by the service, `shown` and `dropped` by the browsers."""
        return self._control.get("/_sim/push/counts")

    def messages(self, subscription: dict) -> list[Message]:
        """What a browser has received, in order."""
        found = self._control.get(f"/_sim/push/subscriptions/{subscription['id']}/messages")["shown"]
        return [Message(one["at"] / 1e6, one["topic"], one.get("text")) for one in found]


def add_targets(gateway: Connection, token: str, subscriptions: Iterable[dict]) -> list[str]:
    """A person's browsers become push targets, with these ids."""
    ids = []
    for one in subscriptions:
        ids.append(str(uuid.uuid4()))
        body = {"webPush": {"endpoint": one["endpoint"], "keys": one["keys"]}}
        gateway.send("PUT", f"/v1/me/push-targets/{ids[-1]}", json.dumps(body).encode(), signed_in(token), (201,))
    return ids
