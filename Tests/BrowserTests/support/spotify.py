"""Connects Spotify without a browser, and brings a connection into a state."""

import time
import urllib.error
import urllib.request
from urllib.parse import parse_qsl, urlsplit

from .installation import Installation, Person

PATIENCE = 180


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Returns redirects instead of following them."""

    def redirect_request(self, *_):
        return None


def connect(backline: Installation, person: Person, awaits_sync: bool = True) -> None:
    """Connects as an app does: presses the consent page's button and sends the code.

    Connecting starts a sync, whose calls would run into a test's faults. It has ended, or waits, when this returns.
    """
    address = backline.ask(person, "POST", "/v1/setup/spotify/authorize", {})["authorizeURL"]
    try:
        urllib.request.build_opener(_Redirects).open(address, b"decision=allow")
        raise AssertionError("the consent page did not redirect")
    except urllib.error.HTTPError as answer:
        back = dict(parse_qsl(urlsplit(answer.headers["Location"]).query))
    backline.ask(person, "POST", "/v1/setup/spotify/callback", {"code": back["code"], "state": back["state"]})
    end = time.monotonic() + PATIENCE
    while awaits_sync and not _is_synced(backline, person):
        assert time.monotonic() < end, "The sync did not end."
        time.sleep(0.05)


def _is_synced(backline: Installation, person: Person) -> bool:
    syncs = [job for job in backline.ask(person, "GET", "/v1/jobs")["items"] if job["kind"] == "library.sync"]
    return bool(syncs) and all(job["state"] in ("succeeded", "failed", "scheduled") for job in syncs)


def step(backline: Installation, person: Person) -> dict:
    return backline.ask(person, "GET", "/v1/setup")["steps"][0]


def call_until(backline: Installation, person: Person, reason: str) -> None:
    """Submits a job that calls Spotify, and waits until the person's step has this reason."""
    backline.ask(person, "POST", "/v1/jobs", {"kind": "spotify.profile", "payload": {}})
    end = time.monotonic() + PATIENCE
    while (found := step(backline, person).get("reason")) != reason:
        assert time.monotonic() < end, f"Waited in vain for {reason}; it is {found}."
        time.sleep(0.05)
