"""Changes to libraries at their services, through the pages."""

import pytest
from playwright.sync_api import expect

from support import library
from support.accessibility import assert_accessible
from support.installation import Installation

ENVIRONMENT = library.ENVIRONMENT | {
    "BACKLINE_LIBRARY_SPOTIFY_SETTLE_SECONDS": "1", "BACKLINE_LIBRARY_APPLE_MUSIC_SETTLE_SECONDS": "1",
}


@pytest.fixture(scope="module")
def backline():
    with Installation(with_setup=True, environment=ENVIRONMENT) as installation:
        library.fill(installation, "listener-1")
        installation.reader = installation.add_person()
        library.connect_apple_music(installation, installation.reader)
        library.connect_spotify(installation, installation.reader, "listener-1")
        assert library.sync(installation, installation.reader, force=True)["state"] == "complete"
        yield installation


@pytest.fixture
def ada(visit, backline):
    def make(path, **context):
        visitor = visit(backline, **context)
        visitor.person = backline.reader
        return visitor.sign_in(path).page
    return make


def song_of(backline, source):
    return next(song for song in library.tracks(backline, backline.reader, f"sort=title&source={source}")
                if song["sources"] == [source])


def edits(backline):
    return backline.ask(backline.reader, "GET", "/v1/library/edits")["items"]


@pytest.mark.parametrize("width", [360, 1440])
def test_a_song_is_added_to_a_new_playlist_that_is_renamed_and_shortened(ada, backline, width):
    song = song_of(backline, "spotify")
    page = ada(f"/library/tracks/{song['id']}", viewport={"width": width, "height": 900})
    page.get_by_role("button", name=f"Actions for {song['title']}").click()
    page.get_by_role("menuitem", name="Add to playlist").click()
    sheet = page.get_by_role("dialog", name=f"Add “{song['title']}” to a playlist")
    # A playlist that cannot accept the song says why.
    foreign = sheet.get_by_role("list", name="Playlists").get_by_role("button").filter(has_text="Apple Music").first
    expect(foreign).to_have_attribute("aria-disabled", "true")
    expect(foreign).to_contain_text("Backline has not found this song on Apple Music.")
    assert_accessible(page, f"the sheet of playlists at {width} px")
    sheet.get_by_role("button", name="New playlist").click()
    sheet.get_by_role("button", name="Create playlist").click()
    expect(sheet.get_by_text("Give the playlist a name.")).to_be_visible()
    name = f"Made at {width}"
    sheet.get_by_label("Name").fill(name)
    sheet.get_by_role("button", name="Create playlist").click()
    expect(page.locator(".toasts")).to_contain_text(f"Created “{name}” on Spotify.")

    page.goto(backline.address + "/library?show=playlists")
    page.get_by_role("link", name=name, exact=True).click()
    entries = page.get_by_role("list", name=f"Entries of {name}").get_by_role("listitem")
    expect(entries).to_have_count(1)
    page.get_by_role("button", name=f"Actions for {name}").click()
    page.get_by_role("menuitem", name="Rename").click()
    page.get_by_role("dialog").get_by_label("Name").fill(f"{name}, again")
    page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", level=1, name=f"{name}, again")).to_be_visible()
    assert_accessible(page, f"the page of a playlist at {width} px")
    entries = page.get_by_role("list", name=f"Entries of {name}, again").get_by_role("listitem")
    entries.first.get_by_role("button", name="Actions for").click()
    page.get_by_role("menuitem", name="Remove from this playlist").click()
    expect(page.get_by_text("This playlist is empty.")).to_be_visible()
    page.wait_for_function(
        "async () => (await (await fetch('/v1/library/edits')).json()).items.every(({ state }) => state === 'complete')")


def test_a_song_is_removed_and_saved_again(ada, backline):
    song = song_of(backline, "spotify")
    page = ada(f"/library/tracks/{song['id']}")
    page.get_by_role("button", name=f"Actions for {song['title']}").click()
    page.get_by_role("menuitem", name="Remove from Spotify").click()
    expect(page.locator(".toasts")).to_contain_text(f"Removed “{song['title']}” from Spotify.")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".toasts")).to_contain_text(f"Saved “{song['title']}” to Spotify.")


def test_a_refused_change_is_reported_and_undone(ada, backline):
    song = song_of(backline, "spotify")
    page = ada(f"/library/tracks/{song['id']}")
    backline.simulator.spotify.spoil("forbidden403", match={"path": "me/library"})
    try:
        page.get_by_role("button", name=f"Actions for {song['title']}").click()
        page.get_by_role("menuitem", name="Remove from Spotify").click()
        expect(page.locator(".toasts")).to_contain_text(f"{song['title']}: Spotify refuses this")
    finally:
        backline.simulator.spotify.mend()
    shown = backline.ask(backline.reader, "GET", f"/v1/library/tracks/{song['id']}")
    assert shown["inLibrary"] and shown["missingSince"] is None


def test_a_playlist_is_created_from_the_list(ada, backline):
    page = ada("/library?show=playlists")
    page.get_by_role("button", name="New playlist").click()
    sheet = page.get_by_role("dialog", name="New playlist")
    sheet.get_by_label("Name").fill("From the list")
    sheet.get_by_label("Service").select_option("Apple Music")
    assert_accessible(page, "the sheet of a new playlist")
    sheet.get_by_role("button", name="Create playlist").click()
    expect(page.get_by_role("link", name="From the list", exact=True)).to_be_visible()


def ended(page, edit):
    """Returns a change once it has ended."""
    return page.evaluate(
        """async (id) => {
            for (;;) {
                const edit = await (await fetch(`/v1/library/edits/${id}`)).json();
                if (["complete", "failed", "unclear"].includes(edit.state)) return edit;
                await new Promise((done) => setTimeout(done, 100));
            }
        }""", edit["id"])


@pytest.mark.parametrize("width", [360, 1440])
def test_songs_that_could_not_be_put_back_are_named_and_put_back(ada, backline, width):
    page = ada("/library?show=playlists", viewport={"width": width, "height": 900})
    song, other = [song for song in library.tracks(backline, backline.reader, "sort=title&source=spotify")
                   if song["sources"] == ["spotify"]][:2]
    name = f"Twice at {width}"
    made = ended(page, backline.ask(backline.reader, "POST", "/v1/library/playlists", {
        "name": name, "source": "spotify", "trackIds": [song["id"], other["id"], song["id"]],
    }))
    path = f"/v1/library/playlists/{made['playlistId']}"
    version = backline.ask(backline.reader, "GET", path)["version"]
    # Both entries of the song are removed, and the second cannot be put back.
    backline.simulator.spotify.spoil("forbidden403", match={"endpoint": "POST", "path": "items"})
    try:
        removed = ended(page, backline.ask(
            backline.reader, "DELETE", f"{path}/tracks", {"version": version, "positions": [0]}))
    finally:
        backline.simulator.spotify.mend()
    assert removed["state"] == "failed" and [song["title"] for song in removed["missing"]] == [song["title"]]
    page.reload()
    question = page.get_by_role("region", name=f"Question about {name}")
    expect(question).to_contain_text("1 song of this playlist was removed from Spotify and could not be put back:")
    expect(question.get_by_role("listitem")).to_contain_text(song["title"])
    assert_accessible(page, f"missing songs at {width} px")
    question.get_by_role("button", name="Put it back").click()
    expect(question).to_be_hidden()
    newest = edits(backline)[0]
    assert newest["kind"] == "putBackEntries" and ended(page, newest)["state"] == "complete"
    lists = backline.simulator.spotify.ask("GET", "library?person=listener-1")["playlists"]
    assert [one["total"] for one in lists if one["name"] == name] == [2]
