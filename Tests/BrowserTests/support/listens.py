"""Listens as a program sends them."""

import json
import time
import urllib.request

from .installation import Installation, Person


def token(backline: Installation, person: Person) -> str:
    return backline.ask(person, "POST", "/v1/me/tokens", {"name": "player", "scope": "listening"})["token"]


def submit(backline, token: str, *listens: dict, kind: str = "import") -> None:
    """As a program sends them."""
    body = json.dumps({"listen_type": kind, "payload": list(listens)}).encode()
    request = urllib.request.Request(
        f"{backline.address}/1/submit-listens", data=body, headers={"Authorization": f"Token {token}"})
    with urllib.request.urlopen(request) as answer:
        assert json.load(answer) == {"status": "ok"}


def listen(title: str, artist: str = "Ada", ago: int | None = 60, duration_ms: int = 180_000) -> dict:
    metadata = {"track_metadata": {
        "track_name": title, "artist_name": artist, "release_name": "Album",
        "additional_info": {"duration_ms": duration_ms, "submission_client": "player"}}}
    return metadata if ago is None else {"listened_at": int(time.time()) - ago, **metadata}
