"""The pages of music from Apple Music's catalog."""

import pytest
from playwright.sync_api import expect

from support import library
from support.accessibility import assert_accessible
from support.installation import Installation


@pytest.fixture(scope="module")
def backline():
    with Installation(with_setup=True, environment=library.ENVIRONMENT) as installation:
        library.fill(installation, "listener-1")
        installation.reader = installation.add_person()
        library.connect_apple_music(installation, installation.reader)
        assert library.sync(installation, installation.reader, force=True)["state"] == "complete"
        yield installation


@pytest.mark.parametrize("width", [360, 1440])
def test_a_song_its_album_and_its_artist_have_pages(visit, backline, width):
    song = library.tracks(backline, backline.reader, "sort=title")[0]
    source = backline.ask(backline.reader, "GET", f"/v1/library/tracks/{song['id']}")["sourceTracks"][0]
    backline.ask(backline.reader, "PUT", "/v1/artists", {"artists": []})
    visitor = visit(backline, viewport={"width": width, "height": 900})
    visitor.person = backline.reader
    page = visitor.sign_in(f"/explore/appleMusic/track/{source['catalogId']}").page

    expect(page.get_by_role("heading", level=1, name=source["title"])).to_be_visible()
    expect(page.get_by_role("link", name="In your library")).to_have_attribute("href", f"/library/tracks/{song['id']}")
    link = page.get_by_role("link", name="Open in Apple Music")
    assert link.get_attribute("href").startswith(f"https://music.apple.com/{source['storefront']}/")
    assert_accessible(page, f"a song of Apple Music at {width} px")

    page.get_by_role("link", name="Show the album").click()
    songs = page.get_by_role("list", name="Songs")
    expect(songs.get_by_role("link", name=f"{source['title']} by").first).to_be_visible()
    assert_accessible(page, f"an album of Apple Music at {width} px")

    page.locator(".detail-artist").get_by_role("link").first.click()
    albums = page.get_by_role("list", name="Albums and singles")
    expect(albums.get_by_role("link").first).to_be_visible()
    page.get_by_role("button", name="Add to your ranked artists").click()
    expect(page.get_by_role("link", name="In your ranked artists")).to_be_focused()
    assert_accessible(page, f"an artist of Apple Music at {width} px")


def test_an_item_that_apple_music_does_not_have_is_reported(visit, backline):
    visitor = visit(backline)
    visitor.person = backline.reader
    page = visitor.sign_in("/explore/appleMusic/album/99999999999").page
    expect(page.get_by_role("heading", name="Not found on Apple Music")).to_be_visible()
    expect(page.get_by_role("link", name="Go to Explore")).to_be_visible()
