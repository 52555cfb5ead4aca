"""Explore: searches, top lists, pages of music that only Spotify has, and artists found while typing."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from support import library
from support.accessibility import assert_accessible
from support.installation import Installation

WIDTHS = pytest.mark.parametrize("width", [360, 1440])


@pytest.fixture(scope="module")
def backline():
    with Installation(with_setup=True, environment=library.ENVIRONMENT) as installation:
        library.fill(installation, "listener-1")
        installation.reader = installation.add_person()
        library.connect_spotify(installation, installation.reader, "listener-1")
        assert library.sync(installation, installation.reader, force=True)["state"] == "complete"
        yield installation


@pytest.fixture
def ada(visit, backline):
    """A person with Spotify connected and synced."""
    def make(path="/explore", **context):
        visitor = visit(backline, **context)
        visitor.person = backline.reader
        return visitor.sign_in(path)
    return make


def section(page, name):
    return page.get_by_role("region", name=name)


def top(backline, kind, time_range="short_term"):
    return backline.ask(backline.reader, "GET", f"/v1/{kind}/top?timeRange={time_range}")["items"]


@WIDTHS
def test_the_own_library_comes_first_then_spotifys_results(ada, backline, width):
    page = ada(viewport={"width": width, "height": 900}).page
    song = library.tracks(backline, backline.reader, "sort=title")[0]
    page.get_by_role("searchbox", name="Search your library and Spotify").fill(song["artist"].split(",")[0])
    own = section(page, "In your library")
    hit = own.get_by_role("list", name="Songs in your library").get_by_role("listitem").first
    expect(hit).to_be_visible()
    # The row of every song, with its preview and its menu.
    expect(hit.locator(".row-play")).to_have_accessible_description(re.compile("^Plays a preview"))
    hit.locator(".row-menu").click()
    expect(page.get_by_role("menuitem").first).to_have_text("Send to friend")
    expect(page.get_by_role("menuitem", name="Add to playlist")).to_be_visible()
    expect(page.get_by_role("menuitem", name="Open in Spotify")).to_be_visible()
    page.keyboard.press("Escape")
    spotify = section(page, "On Spotify")
    artists = spotify.get_by_role("list", name="Artists on Spotify")
    expect(artists.get_by_role("listitem").first).to_be_visible()
    expect(section(page, "What you listen to most")).to_be_hidden()
    assert_accessible(page, f"a search on Explore at {width} px")
    assert "q=" in page.url
    page.reload()
    expect(artists.get_by_role("listitem").first).to_be_visible()


def test_an_error_of_the_api_is_shown_without_the_name_of_its_parameter(ada):
    page = ada().page
    page.get_by_role("searchbox").fill("'")
    shown = page.get_by_role("alert").filter(has_text="This could not be loaded")
    expect(shown.locator("p")).to_have_text("The text has no letter, digit or symbol to search for.")


def test_more_hits_are_added_and_an_item_has_a_page(ada, backline):
    page = ada().page
    name = top(backline, "artists")[0]["name"]
    page.get_by_role("searchbox").fill(name)
    songs = section(page, "On Spotify").get_by_role("list", name="Songs on Spotify")
    expect(songs.get_by_role("listitem")).to_have_count(10)
    songs.locator("xpath=..").get_by_role("button", name="Show more").click()
    expect(songs.get_by_role("listitem").nth(10)).to_be_visible()

    section(page, "On Spotify").get_by_role("list", name="Artists on Spotify").get_by_role(
        "link", name=name, exact=True).first.click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_focused()
    page.get_by_role("button", name="Add to your ranked artists").click()
    expect(page.get_by_role("link", name="In your ranked artists")).to_be_focused()
    assert name in [artist["name"] for artist in backline.ask(backline.reader, "GET", "/v1/artists")["artists"]]
    assert_accessible(page, "the page of an artist")
    page.get_by_role("list", name="Albums and singles").get_by_role("link").first.click()
    expect(page.get_by_role("list", name="Songs")).to_be_visible()
    page.get_by_role("list", name="Songs").get_by_role("link").first.click()
    expect(page.get_by_role("link", name="Open in Spotify")).to_have_attribute("rel", "noopener noreferrer")
    page.go_back()
    page.go_back()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    page.go_back()
    expect(page.get_by_role("searchbox")).to_have_value(name)


def test_a_song_beyond_the_library_has_a_preview(ada, backline):
    page = ada().page
    page.route("**/v1/previews?*", lambda route: route.fulfill(
        json={"url": None, "source": None, "reason": "none", "detail": "There is no preview of this song."}))
    page.get_by_role("searchbox").fill(top(backline, "artists")[0]["name"])
    songs = section(page, "On Spotify").get_by_role("list", name="Songs on Spotify").get_by_role("listitem")
    foreign = songs.filter(has_not_text="In your library").first
    link = foreign.get_by_role("link")
    title = link.text_content()
    with page.expect_request("**/v1/previews?*") as asked:
        link.press(" ")
    assert parse_qs(urlsplit(asked.value.url).query)["title"] == [title]
    expect(section(page, "Preview")).to_contain_text("There is no preview of this song.")
    foreign.get_by_role("button", name="Actions for").click()
    expect(page.get_by_role("menuitem", name="Save to Spotify")).to_be_visible()
    page.get_by_role("menuitem", name="Show the song").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.get_by_role("button", name="Play preview")).to_be_visible()


@WIDTHS
def test_top_lists_have_three_periods(ada, backline, width):
    page = ada(viewport={"width": width, "height": 900}).page
    region = section(page, "What you listen to most")
    for tab, time_range in [("Last 4 weeks", "short_term"), ("Last year", "long_term")]:
        region.get_by_role("tab", name=tab).click()
        first = top(backline, "artists", time_range)[0]["name"]
        artists = region.get_by_role("list", name="Top artists")
        expect(artists.get_by_role("listitem").first).to_contain_text(first)
        expect(artists.get_by_role("listitem")).to_have_count(10)
        expect(region.get_by_role("list", name="Top songs").get_by_role("listitem")).to_have_count(10)
    assert_accessible(page, f"top lists at {width} px")


def test_without_spotify_there_is_a_card_and_the_own_library(visit, backline):
    page = visit(backline, viewport={"width": 360, "height": 800}).sign_in("/explore").page
    region = section(page, "What you listen to most")
    expect(region.get_by_role("link", name="Connect Spotify")).to_have_attribute("href", "/setup/spotify")
    expect(region.get_by_role("tab")).to_have_count(0)
    assert_accessible(page, "Explore without Spotify")
    page.get_by_role("searchbox").fill("rain")
    expect(section(page, "On Spotify").get_by_role("link", name="Connect Spotify")).to_be_visible()
    expect(page.get_by_text("Nothing in your library. Spotify was not searched.").first).to_be_visible()


def test_a_failed_search_is_retried_in_place(ada, backline):
    page = ada().page
    backline.simulator.spotify.spoil("status503", match={"endpoint": "/search"})
    page.get_by_role("searchbox").fill("a search that fails")
    retry = section(page, "On Spotify").get_by_role("button", name="Retry")
    expect(retry).to_be_visible()
    # The page shows the reason that the answer has.
    expect(page.get_by_text("Something went wrong")).to_have_count(0)
    backline.simulator.spotify.mend()
    retry.click()
    expect(section(page, "On Spotify").get_by_text("Nothing found on Spotify")).to_be_visible()


# The ranked artists


def test_a_list_is_filled_when_first_opened_and_can_be_reset(visit, backline):
    visitor = visit(backline, viewport={"width": 1440, "height": 900})
    library.fill(backline, "listener-2")
    library.connect_spotify(backline, visitor.person, "listener-2")
    page = visitor.sign_in("/explore/concerts").page
    names = lambda time: [artist["name"] for artist in backline.ask(  # noqa: E731
        visitor.person, "GET", f"/v1/artists/top?timeRange={time}")["items"]][:10]
    visitor.sees_artists(names("short_term"))
    page.get_by_label("Start over with your top artists from").select_option("long_term")
    visitor.button("Use my top artists").click()
    visitor.sees_artists(names("long_term"))
    assert_accessible(page, "a list with Spotify's artists")
    visitor.button("Undo").click()
    visitor.sees_artists(names("short_term"))
    # A list that was emptied stays empty.
    backline.ask(visitor.person, "PUT", "/v1/artists", {"artists": []})
    page.reload()
    expect(page.get_by_role("heading", name="No artists yet")).to_be_visible()


def test_a_list_says_that_spotify_knows_no_top_artists_yet(visit, backline):
    visitor = visit(backline)
    library.connect_spotify(backline, visitor.person, "listener-9")
    page = visitor.sign_in("/explore/concerts").page
    expect(page.get_by_role("heading", name="No artists yet")).to_be_visible()
    expect(page.get_by_text("Spotify does not yet know what you listen to.")).to_be_visible()
    assert visitor.refused == []


def test_without_spotify_nothing_is_asked_of_it(visit, backline):
    visitor = visit(backline)
    page = visitor.sign_in("/explore/concerts").page
    expect(page.locator("main").get_by_role("link", name="Connect Spotify")).to_be_visible()
    page.get_by_label("Add an artist by name").fill("Air")
    expect(page.get_by_text("to find artists as you type.")).to_be_visible()
    visitor.button("Use my top artists").click()
    expect(page.get_by_text("Your list has not changed. Spotify is not connected.")).to_be_visible()
    assert visitor.refused == []


def test_typing_a_name_sends_one_search(visit, backline):
    visitor = visit(backline)
    library.connect_spotify(backline, visitor.person, "listener-1")
    backline.ask(visitor.person, "PUT", "/v1/artists", {"artists": []})
    name = top(backline, "artists")[0]["name"]
    # The test's own clock: a busy machine may take longer for a keystroke than the page waits.
    visitor.page.clock.install(time=0)
    page = visitor.sign_in("/explore/concerts").page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/v1/artists/search" in request.url else None)
    expect(page.get_by_role("heading", name="No artists yet")).to_be_visible()
    page.clock.pause_at(86_400)
    page.get_by_label("Add an artist by name").press_sequentially(name)
    assert asked == []
    page.clock.run_for(300)
    hits = page.get_by_role("list", name="Artists on Spotify")
    expect(hits.get_by_role("button", name=f"Add {name}", exact=True).first).to_be_visible()
    page.clock.run_for(60_000)
    assert [parse_qs(urlsplit(address).query)["q"] for address in asked] == [[name]]


@WIDTHS
def test_artists_are_found_while_typing(visit, backline, width):
    visitor = visit(backline, viewport={"width": width, "height": 900})
    library.connect_spotify(backline, visitor.person, "listener-1")
    backline.ask(visitor.person, "PUT", "/v1/artists", {"artists": []})
    page = visitor.sign_in("/explore/concerts").page
    name = top(backline, "artists")[0]["name"]
    field = page.get_by_label("Add an artist by name")
    field.fill(name)
    hits = page.get_by_role("list", name="Artists on Spotify")
    add = hits.get_by_role("button", name=f"Add {name}", exact=True).first
    expect(add).to_be_visible()
    assert_accessible(page, f"artists found while typing at {width} px")
    field.press("ArrowDown")
    expect(hits.get_by_role("button").first).to_be_focused()
    add.click()
    visitor.sees_artists([name])
    expect(field).to_be_focused()
    saved = backline.ask(visitor.person, "GET", "/v1/artists")["artists"][0]
    assert saved["spotifyId"]
    field.fill(name)
    expect(hits.get_by_text("Already added").first).to_be_visible()
    field.press("Escape")
    expect(hits).to_have_count(0)

    # Names can be typed while Spotify fails.
    backline.simulator.spotify.spoil("status503", match={"endpoint": "/search"})
    field.fill("Nobody Knows This Band")
    expect(page.get_by_role("button", name="Retry")).to_be_visible()
    field.press("Enter")
    visitor.sees_artists([name, "Nobody Knows This Band"])
    backline.simulator.spotify.mend()
