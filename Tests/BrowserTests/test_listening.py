"""Listens: what was played, stats, and where they come from."""

import re

import pytest
from playwright.sync_api import expect

from support import spotify
from support.accessibility import assert_accessible
from support.library import go_to
from support.listens import give_feedback, listen, submit, token

WIDTHS = pytest.mark.parametrize("width", [360, 1440])


@pytest.fixture
def listener(visit, shared_backline):
    """A visitor with a token for a program."""

    def make(**context):
        ada = visit(**context)
        ada.token = token(shared_backline, ada.person)
        return ada

    return make


@WIDTHS
def test_three_ways_to_start(visit, width):
    ada = visit(viewport={"width": width, "height": 800})
    ada.sign_in("/library")
    go_to(ada.page, "Listening")
    expect(ada.page.get_by_role("heading", name="No listens yet")).to_be_visible()
    for name in ("Connect Spotify", "Connect a player", "Import a file"):
        expect(ada.page.locator("main").get_by_role("link", name=name)).to_be_visible()
    assert_accessible(ada.page, "no listens")


def test_spotify_is_offered_only_where_it_is_not_connected(visit, own_backline):
    # Plays reported by Spotify would appear at an unknown time.
    backline = own_backline(with_setup=True, environment={"BACKLINE_LISTENING_SPOTIFY_SECONDS": "0"})
    ada = visit(backline)
    spotify.connect(backline, ada.person)
    offer = ada.page.locator("main").get_by_role("link", name=re.compile("Spotify"))
    ada.sign_in("/listening")
    expect(ada.page.get_by_text("Spotify is connected: what you play there appears here")).to_be_visible()
    expect(offer).to_have_count(0)
    ada.open("/listening/programs")
    expect(ada.page.get_by_text("Spotify is connected.", exact=True)).to_be_visible()
    expect(offer).to_have_count(0)
    ada.open("/setup/spotify")
    expect(ada.heading).to_have_text("Spotify")

    backline.simulator.spotify.ask("POST", "tokens", {"access": "expire", "refresh": "revoke"})
    spotify.call_until(backline, ada.person, "revoked")
    for path in ("/listening", "/listening/programs"):
        ada.open(path)
        expect(offer).to_have_text("Check the connection to Spotify")
        expect(offer).to_have_attribute("href", "/setup/spotify")
    backline.ask(ada.person, "DELETE", "/v1/setup/spotify")
    for path in ("/listening", "/listening/programs"):
        ada.open(path)
        expect(offer).to_have_text("Connect Spotify")


@WIDTHS
def test_a_listen_appears_at_once_and_can_be_deleted(listener, shared_backline, width):
    ada = listener(viewport={"width": width, "height": 800})
    submit(shared_backline, ada.token, *[listen(f"Song {number}", ago=300 * number) for number in range(1, 70)])
    ada.sign_in("/listening")
    rows = ada.page.locator(".listens > .row")
    expect(rows).to_have_count(50)
    expect(rows.first).to_contain_text("Song 1")
    submit(shared_backline, ada.token, listen("The newest", ago=5), kind="single")
    expect(rows.first).to_contain_text("The newest")
    submit(shared_backline, ada.token, listen("On air", ago=None), kind="playing_now")
    submit(shared_backline, ada.token, listen("One more", ago=2), kind="single")
    expect(ada.page.locator(".playing-now")).to_contain_text("On air")
    assert_accessible(ada.page, f"listens at {width} px")
    ada.button("Load more").click()
    expect(rows).to_have_count(71)
    ada.button("Actions for The newest by Ada").click()
    ada.page.get_by_role("menuitem", name="Delete this listen").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(rows.filter(has_text="The newest")).to_have_count(0)
    expect(ada.page.get_by_role("status").filter(has_text="70 listens")).to_be_visible()


@WIDTHS
def test_stats_have_charts_with_their_numbers(listener, shared_backline, width):
    ada = listener(viewport={"width": width, "height": 800})
    submit(shared_backline, ada.token, *[
        listen("Often" if number % 3 else "Seldom", ago=600 * number) for number in range(1, 31)])
    ada.sign_in("/listening/stats?period=all")
    expect(ada.page.get_by_text(re.compile("^30 listens · 90 minutes · 2 songs for the first time"))).to_be_visible()
    songs = ada.page.get_by_role("region", name="Songs").get_by_role("row")
    expect(songs.nth(1)).to_contain_text("Often by Ada")
    expect(songs.nth(1)).to_contain_text("20")
    expect(ada.page.get_by_role("region", name="Hours").get_by_role("row")).to_have_count(25)
    assert_accessible(ada.page, f"stats at {width} px")
    ada.page.get_by_role("radio", name="From … to …").check()
    ada.page.get_by_label("First day").fill("2001-01-01")
    ada.page.get_by_label("Last day").fill("2001-12-31")
    expect(ada.page.get_by_role("heading", name="No listens in this period")).to_be_visible()
    assert "from=2001-01-01&to=2001-12-31" in ada.page.url


@WIDTHS
def test_a_program_gets_a_token_and_its_listens_can_be_removed(visit, shared_backline, width):
    ada = visit(viewport={"width": width, "height": 800})
    ada.sign_in("/listening/programs")
    expect(ada.page.get_by_text(f"{shared_backline.address}/1/submit-listens")).to_be_visible()
    ada.button("Create token").click()
    expect(ada.page.get_by_text("Give the token a name")).to_be_visible()
    ada.page.get_by_label("Program name").fill("Navidrome")
    ada.button("Create token").click()
    submit(shared_backline, ada.page.locator("code.token").inner_text(), listen("One"))
    ada.page.reload()
    expect(ada.page.get_by_text("A player")).to_be_visible()
    assert_accessible(ada.page, f"sources at {width} px")
    ada.page.get_by_role("button", name="Remove listens from “A player”").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(ada.page.get_by_text("Nothing yet.")).to_be_visible()
    ada.open("/listening")
    expect(ada.page.get_by_role("heading", name="No listens yet")).to_be_visible()


@WIDTHS
def test_loved_songs_are_shown_and_can_be_removed(listener, shared_backline, width):
    ada = listener(viewport={"width": width, "height": 800})
    submit(shared_backline, ada.token, *[listen(f"Song {number}", ago=300 * number) for number in range(1, 4)])
    ada.sign_in("/listening/feedback")
    expect(ada.page.get_by_role("heading", name="No songs here yet")).to_be_visible()
    give_feedback(shared_backline, ada.token, ada.person, "Song 1", 1)
    give_feedback(shared_backline, ada.token, ada.person, "Song 2", -1)
    rows = ada.page.get_by_role("list", name="Songs").get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Song 2")
    expect(rows.first).to_contain_text("Not liked")
    expect(rows.last).to_contain_text("Loved")
    assert_accessible(ada.page, f"loved songs at {width} px")
    ada.button("Actions for Song 2 by Ada").click()
    ada.page.get_by_role("menuitem", name="Remove from Not liked").click()
    expect(rows).to_have_count(1)
    expect(ada.heading).to_be_focused()
    ada.open("/listening")
    listens = ada.page.locator(".listens > .row")
    expect(listens.filter(has_text="Song 1")).to_contain_text("Loved")
    expect(listens.filter(has_text="Song 2")).not_to_contain_text("Not liked")


@WIDTHS
def test_a_listen_has_the_preview_and_the_menu_of_every_song(listener, shared_backline, width):
    ada = listener(viewport={"width": width, "height": 800})
    submit(shared_backline, ada.token, listen("Hello", "Adele"))
    ada.sign_in("/listening")
    ada.page.route("**/v1/previews?*", lambda route: route.fulfill(
        json={"url": None, "source": None, "reason": "none", "detail": "There is no preview of this song."}))
    link = ada.page.get_by_role("link", name="Hello by Adele")
    expect(link).to_have_attribute("href", "/explore?q=Hello+Adele")
    expect(link).to_have_accessible_description(re.compile("^Press Space to play a preview"))
    link.press(" ")
    expect(ada.page.get_by_role("region", name="Preview", exact=True)).to_contain_text("There is no preview of this song.")
    ada.button("Actions for Hello by Adele").click()
    expect(ada.page.get_by_role("menuitem")).to_have_text([
        "Send to friend", "Share", "Play preview", "Search for it in Explore",
        re.compile("^Add to playlistBackline has not found this song"), "Search on Apple Music", "Search on Spotify",
        "Delete this listen"])
    assert_accessible(ada.page, f"the menu of a listen at {width} px")
