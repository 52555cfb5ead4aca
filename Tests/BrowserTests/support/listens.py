"""Listens as a program sends them."""

import json
import time
import urllib.request
import uuid

from .installation import Installation, Person


def token(backline: Installation, person: Person) -> str:
    name = f"player {uuid.uuid4()}"
    return backline.ask(person, "POST", "/v1/me/tokens", {"name": name, "scope": "listening"})["token"]


def ask(backline, token: str, path: str, body: dict | None = None) -> dict:
    """Sends a request as a program does."""
    request = urllib.request.Request(
        f"{backline.address}/1/{path}", data=body and json.dumps(body).encode(),
        headers={"Authorization": f"Token {token}"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def submit(backline, token: str, *listens: dict, kind: str = "import") -> None:
    """Submits listens as a program does."""
    sent = ask(backline, token, "submit-listens", {"listen_type": kind, "payload": list(listens)})
    assert sent == {"status": "ok"}


def give_feedback(backline, token: str, person: Person, title: str, score: int) -> None:
    """Marks a song that was played as loved (1) or hated (-1), as a program does."""
    listens = ask(backline, token, f"user/{person.name}/listens")["payload"]["listens"]
    msid = next(one["recording_msid"] for one in listens if one["track_metadata"]["track_name"] == title)
    sent = ask(backline, token, "feedback/recording-feedback", {"recording_msid": msid, "score": score})
    assert sent == {"status": "ok"}


def listen(title: str, artist: str = "Ada", ago: int | None = 60, duration_ms: int = 180_000) -> dict:
    metadata = {"track_metadata": {
        "track_name": title, "artist_name": artist, "release_name": "Album",
        "additional_info": {"duration_ms": duration_ms, "submission_client": "player"}}}
    return metadata if ago is None else {"listened_at": int(time.time()) - ago, **metadata}
