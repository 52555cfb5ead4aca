"""Libraries at the simulated services, and in Backline."""

import time

from playwright.sync_api import Page, expect

from . import spotify
from .installation import Installation, Person

PATIENCE = 180
# Fast enough for tests: the simulator's limits and Backline's own are raised. Answers may be delayed for long.
ENVIRONMENT = {
    "BACKLINE_UPSTREAMS_SPOTIFY_REQUESTS": "1000", "BACKLINE_UPSTREAMS_SPOTIFY_WINDOW_MS": "1000",
    "BACKLINE_UPSTREAMS_SPOTIFY_TIMEOUT_MS": "120000",
    "BACKLINE_UPSTREAMS_APPLE_MUSIC_REQUESTS": "1000",
}


def fill(backline: Installation, listener: str, tracks: int = 260, albums: int = 3) -> None:
    """Gives overlapping libraries to Apple Music's usual account and to one of Spotify's."""
    simulator = backline.simulator
    simulator.spotify.configure(requestsPerWindow=0)
    simulator.spotify.ask(
        "POST", "library", {"person": listener, "first": 0, "tracks": tracks, "playlists": 2, "albums": albums})
    simulator.apple_music.ask("POST", "library", {"first": 100, "tracks": tracks, "playlists": 2, "albums": albums})


def connect_spotify(backline: Installation, person: Person, listener: str) -> None:
    backline.simulator.spotify.configure(signedInAs=listener)
    spotify.connect(backline, person, awaits_sync=False)


def connect_apple_music(backline: Installation, person: Person) -> None:
    backline.ask(person, "PUT", "/v1/setup/apple-music", backline.simulator.apple_music.ask("GET", "key"))


def summary(backline: Installation, person: Person) -> dict:
    return backline.ask(person, "GET", "/v1/library/summary")


def tracks(backline: Installation, person: Person, query: str = "") -> list[dict]:
    return backline.ask(person, "GET", f"/v1/library/tracks?limit=200&{query}")["items"]


def sync(backline: Installation, person: Person, **request) -> dict:
    """Requests a sync, and returns it when it has ended."""
    asked = backline.ask(person, "POST", "/v1/library/syncs", request)["id"]
    return ended(backline, person, lambda found: found["id"] >= asked)


def emptied(backline: Installation, person: Person) -> None:
    """Waits until nothing from a disconnected service is left."""
    end = time.monotonic() + PATIENCE
    while (left := summary(backline, person)["tracks"]["all"]) > 0:
        assert time.monotonic() < end, f"{left} tracks are left."
        time.sleep(0.1)


def go_to(page: Page, name: str) -> None:
    """Opens another page of the library from its first page: by a link, or in narrow windows by the menu."""
    link = page.get_by_role("navigation", name="Library").get_by_role("link", name=name)
    more = page.get_by_role("button", name="More", exact=True)
    expect(link.or_(more)).to_be_visible()
    if more.is_visible():
        more.click()
        link = page.get_by_role("menuitem", name=name)
    link.click()


def ended(backline: Installation, person: Person, is_meant=lambda _: True) -> dict:
    """Returns the sync that was requested last, once it has ended."""
    end = time.monotonic() + PATIENCE
    while True:
        # Connecting a service starts the first sync, but not immediately.
        found = backline.ask(person, "GET", "/v1/library/syncs/latest")
        if found and is_meant(found) and found["state"] not in ("queued", "running"):
            return found
        assert time.monotonic() < end, f"The sync did not end: {found}"
        time.sleep(0.1)
