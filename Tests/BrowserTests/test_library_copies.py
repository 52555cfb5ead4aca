"""Copies of playlists to the other service, through the pages."""

import re

import pytest
from playwright.sync_api import expect

from support import library
from support.accessibility import assert_accessible
from support.installation import Installation


@pytest.fixture(scope="module")
def backline():
    environment = library.ENVIRONMENT | {
        "BACKLINE_LIBRARY_SPOTIFY_SETTLE_SECONDS": "1", "BACKLINE_LIBRARY_APPLE_MUSIC_SETTLE_SECONDS": "1",
    }
    with Installation(with_setup=True, environment=environment) as installation:
        library.fill(installation, "listener-1")
        installation.reader = installation.add_person()
        library.connect_apple_music(installation, installation.reader)
        library.connect_spotify(installation, installation.reader, "listener-1")
        assert library.sync(installation, installation.reader, force=True)["state"] == "complete"
        yield installation


@pytest.mark.parametrize("width, source, to", [(360, "spotify", "Apple Music"), (1440, "appleMusic", "Spotify")])
def test_a_playlist_is_copied_with_its_progress_and_what_was_not_found(visit, backline, width, source, to):
    playlist = next(
        one for one in backline.ask(backline.reader, "GET", f"/v1/library/playlists?source={source}")["items"]
        if one["trackCount"] > 5)
    visitor = visit(backline, viewport={"width": width, "height": 900})
    visitor.person = backline.reader
    page = visitor.sign_in(f"/library/playlists/{playlist['id']}").page
    page.get_by_role("button", name=f"Actions for {playlist['name']}").click()
    page.get_by_role("menuitem", name=f"Copy to {to}").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"“{playlist['name']}” in {to}")
    expect(page.get_by_text(re.compile(r"\d+ of \d+ songs copied"))).to_be_visible()
    assert_accessible(page, f"a copy at {width} px")
    copy = backline.ask(backline.reader, "GET", "/v1/library/copies/" + page.url.split("/")[-1])
    assert copy["placed"] + copy["missing"] == copy["total"] and copy["placed"] > 0

    rest = page.get_by_role("list", name="Songs not found").locator("> li")
    expect(rest).to_have_count(len(copy["notFound"]))
    for _ in copy["notFound"]:
        count = rest.count()
        rest.first.get_by_role("button", name="Leave it out").click()
        expect(rest).to_have_count(count - 1)
    page.get_by_role("link", name="Show the new playlist").click()
    expect(page.get_by_role("list", name=re.compile("^Entries of")).get_by_role("listitem").first).to_be_visible()
