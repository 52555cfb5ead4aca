"""Every page can be read on a phone, in a usual window, and at twice the text size, and requests only what it gets."""

import json
import re
import time
import uuid
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from support import library, listens, messages, people, shares
from support.installation import Installation
from support.modules import TABLE
from support.readability import unreadable

ENVIRONMENT = library.ENVIRONMENT | {
    "BACKLINE_LIBRARY_SPOTIFY_SETTLE_SECONDS": "1", "BACKLINE_LIBRARY_APPLE_MUSIC_SETTLE_SECONDS": "1",
}
LONG_NAME = "x" * 120
# The frames in which a page may still arrange what it shows.
MOST_FRAMES = 60
ARTISTS = [
    "Florence + The Machine", "Nick Cave & The Bad Seeds", "Adele", "Godspeed You! Black Emperor",
    "Einstürzende Neubauten", "Taylor Swift", LONG_NAME,
]
CSV = f"Title,Artist,Album\nTeardrop,Massive Attack,Mezzanine\n,Nobody,\nAngel,{LONG_NAME},Mezzanine\n"


@pytest.fixture(scope="module")
def backline():
    """With a person who has something to see on each page."""
    with Installation(with_setup=True, environment=ENVIRONMENT) as installation:
        library.fill(installation, "listener-1")
        installation.reader, installation.friend = installation.add_person("--admin"), installation.add_person()
        for person in (installation.reader, installation.friend):
            library.connect_apple_music(installation, person)
        library.connect_spotify(installation, installation.reader, "listener-1")
        for person in (installation.reader, installation.friend):
            assert library.sync(installation, person, force=True)["state"] == "complete"
        listened(installation)
        befriended(installation)
        installation.addresses = addresses(installation)
        yield installation


def listened(backline: Installation) -> None:
    """Gives the reader three months of listens to artists with names of all lengths."""
    token = listens.token(backline, backline.reader)
    for first in range(0, 300, 100):
        listens.submit(backline, token, *[
            listens.listen(f"Song number {number % 40}", ARTISTS[number % len(ARTISTS)], ago=300 + 26_000 * number)
            for number in range(first, first + 100)])


def befriended(backline: Installation) -> None:
    """Gives the reader people in each of their lists, with long names, and a report."""
    reader, friend = backline.reader, backline.friend
    asking, blocked = backline.add_person(), backline.add_person()
    people.change(backline, friend, displayName=LONG_NAME[:100], bio="Plays everything.\nOften.")
    people.change(backline, asking, displayName="Supercalifragilisticexpialidocious Featherstonehaugh")
    people.follow(backline, reader, friend, asking)
    people.follow(backline, friend, reader)
    people.change(backline, reader, profileVisibility="followers")
    people.follow(backline, asking, reader)
    messages.write(backline, friend, reader, "Recommendations for travelling.\n" + LONG_NAME)
    messages.write(backline, backline.add_person(), reader, "May I ask you something?")
    messages.write(backline, reader, blocked, "Tickets!")
    for reported in (friend, blocked):
        backline.ask(reader, "POST", f"/v1/users/{reported.name}/report", {"text": "Sells tickets.\n" + LONG_NAME})
    backline.ask(reader, "PUT", f"/v1/users/{blocked.name}/block")


def ended(backline: Installation, path: str, is_over) -> dict:
    end = time.monotonic() + library.PATIENCE
    while not is_over(found := backline.ask(backline.reader, "GET", path)):
        assert time.monotonic() < end, found
        time.sleep(0.1)
    return found


def pages(backline: Installation) -> list[str]:
    """The pattern of each page in the gateway's table."""
    table = json.loads(re.search(r"pages = (\[.*?\]);", backline.read(TABLE), re.DOTALL)[1])
    return [page["path"] for page in table]


def addresses(backline: Installation) -> dict[str, list[str]]:
    """The addresses of each page, by its pattern. A page without parameters has its own, unless others are named."""

    def ask(path: str, value=None, method: str | None = None):
        return backline.ask(backline.reader, method or ("GET" if value is None else "POST"), path, value)

    song = ask("/v1/library/tracks?source=both&limit=1")["items"][0]
    spotify = next(one for one in ask(f"/v1/library/tracks/{song['id']}")["sourceTracks"] if one["source"] == "spotify")
    playlist = next(
        one for one in ask("/v1/library/playlists?source=spotify")["items"] if one["trackCount"] > 5 and one["canAdd"])
    album = ask("/v1/library/albums?limit=1")["items"][0]
    backline.rank(backline.reader, ARTISTS[:6] + ["y" * 60])
    search = ask("/v1/concert-searches", {"artists": backline.simulator.artists("popular", 4), "homeCity": "Prague"})
    found = ended(
        backline, f"/v1/concert-searches/{search['id']}", lambda one: one["state"] not in ("queued", "running"))
    concert = next(one for one in found["items"] if one["localDate"])
    made = ask("/v1/ai/playlists", {"prompt": "Recommendations for travelling", "size": 12})
    ended(backline, f"/v1/ai/playlists/{made['id']}", lambda one: one["state"] not in ("queued", "running"))
    copy = ask(f"/v1/library/playlists/{playlist['id']}/copies", {"to": "appleMusic"})
    blend = ask("/v1/ai/blends", {"with": backline.friend.name})
    shared = ask(f"/v1/shares/{uuid.uuid4()}", {
        "song": {"libraryTrackId": song["id"]}, "message": "Recommendations for travelling.\n" + LONG_NAME}, "PUT")
    thread = messages.write(
        backline, backline.reader, backline.friend, LONG_NAME, song={"libraryTrackId": song["id"]})["threadId"]
    request = ask("/v1/me/message-requests")["items"][0]["id"]
    blocked = ask("/v1/threads?state=blocked")["items"]
    ask("/v1/me/calendar", {"places": "home"})
    # The reader follows the friend, so that the feed has cards. One is hidden, and so is something that is gone.
    hidden, *_ = shares.share(
        backline, backline.friend, LONG_NAME, "Hello", "Recommendations for travelling", message=LONG_NAME)
    for item in (f"share/{hidden['id']}", "release/gone"):
        ask(f"/v1/feed/hidden/{item}", method="PUT")
    ask("/v1/feed/muted-kinds/comingShows", method="PUT")
    return {path: [path] for path in sorted(pages(backline)) if ":" not in path} | {
        "/threads": ["/threads", "/threads?state=blocked"],
        "/threads/:id": [f"/threads/{one}" for one in (thread, request, *[each["id"] for each in blocked])],
        "/shares/:id": [f"/shares/{shared['id']}"],
        "/explore": ["/explore", "/explore?q=the"],
        "/explore/:source/:type/:id": [f"/explore/spotify/track/{spotify['sourceId']}"],
        "/explore/concerts/:search": [f"/explore/concerts/{search['id']}"],
        "/explore/nearby": ["/explore/nearby", "/explore/nearby?city=Prague&radius=25"],
        "/concerts/:id": [f"/concerts/{concert['id']}"],
        "/explore/playlists/:id": [f"/explore/playlists/{made['id']}"],
        "/explore/growth/:id": [f"/explore/growth/{playlist['id']}"],
        "/explore/blends/:id": [f"/explore/blends/{blend['id']}"],
        "/library": [
            "/library?sort=title", "/library?source=both", "/library?show=playlists", "/library?show=albums",
            "/library?q=nothing-is-called-this"],
        "/library/tracks/:id": [f"/library/tracks/{song['id']}"],
        "/library/albums/:id": [f"/library/albums/{album['id']}"],
        "/library/playlists/:id": [f"/library/playlists/{playlist['id']}"],
        "/library/copies/:id": [f"/library/copies/{copy['id']}"],
        "/library/artists": [f"/library/artists?name={quote(song['artist'])}"],
        "/listening/stats": ["/listening/stats?period=all", "/listening/stats?from=2001-01-01&to=2001-01-02"],
        "/operations/reports": ["/operations/reports", "/operations/reports?state=decided"],
        "/people": ["/people", "/people?q=person", "/people?q=nothing-is-called-this"],
        "/users/:username": [f"/users/{one.name}" for one in (backline.friend, backline.reader)],
        "/users/:username/stats": [f"/users/{backline.friend.name}/stats"],
        "/invitation": ["/invitation", "/invitation#bli_code"],
    }


def test_every_page_of_the_table_is_covered(backline):
    assert set(pages(backline)) == set(backline.addresses)


def walk(visitor, paths: list[str], text_size: int = 100) -> None:
    """Opens pages, and checks that each can be read and that none of its requests is refused."""
    visitor.begin_session()
    found = {}
    for path in paths:
        visitor.open(path)
        expect(visitor.heading).to_be_visible()
        main = visitor.page.locator("main")
        expect(main.get_by_text(re.compile("^(Loading|Searching|Reading|Asking)"))).to_have_count(0)
        expect(visitor.page.locator(".placeholder")).to_have_count(0)
        faults = unreadable(visitor.page, text_size)
        # Tables choose their layout in the frames after they got their rows.
        for _ in range(MOST_FRAMES):
            if not faults:
                break
            visitor.page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => resolve()))")
            faults = unreadable(visitor.page, text_size)
        # On a busy machine, a picture may not be there in time, and is shown at a later visit.
        faults += [refusal for refusal in visitor.refused if "/v1/pictures/" not in refusal]
        visitor.refused.clear()
        if faults:
            found[path] = faults
    assert not found, "\n".join(f"{path}:\n  " + "\n  ".join(faults) for path, faults in found.items())


# American times are longer than others, since they have AM or PM.
@pytest.mark.parametrize("width, text_size", [(360, 100), (1280, 100), (1440, 200), (360, 200)])
def test_no_word_breaks_and_nothing_is_cut_off_or_refused(visit, backline, width, text_size):
    ada = visit(backline, viewport={"width": width, "height": 900}, locale="en-US")
    ada.person = backline.reader
    walk(ada, [one for each in backline.addresses.values() for one in each], text_size)


@pytest.mark.parametrize("width", [360, 1440])
def test_a_newcomer_sees_every_page_that_is_not_about_an_item(visit, backline, width):
    ada = visit(backline, options=("--admin",), viewport={"width": width, "height": 900}, locale="en-US")
    walk(ada, [path for path in backline.addresses if ":" not in path])


def test_the_sections_are_on_one_line_with_text_twice_as_large(visit, backline):
    ada = visit(backline, viewport={"width": 360, "height": 900}).sign_in("/profile")
    expect(ada.heading).to_have_text("Profile")
    links = ada.page.get_by_role("navigation", name="Main").get_by_role("link")
    expect(links).to_have_count(4)
    ada.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    tops = links.evaluate_all("(links) => links.map((link) => link.getBoundingClientRect().top)")
    assert len(set(tops)) == 1, tops
