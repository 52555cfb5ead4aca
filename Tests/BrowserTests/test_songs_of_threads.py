"""Songs that are added to a message in its thread, from the library and from Spotify."""

import re

import pytest
from playwright.sync_api import expect

from support import library
from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.installation import Installation
from support.messages import field, shown, thread
from support.people import follow

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
def friends(visit, backline):
    """A person with Spotify connected and synced, a friend without, and the path of their thread."""
    def make(**context):
        ada, grace = visit(backline, **context), visit(backline)
        ada.person = backline.reader
        for one, other in ((ada, grace), (grace, ada)):
            follow(backline, one.person, other.person)
        return ada, grace, f"/threads/{thread(backline, ada.person, grace.person)['id']}"
    return make


def open_picker(visitor):
    visitor.button("Add a song").press("Enter")
    return visitor.page.get_by_role("dialog", name="Which song do you want to send?")


def find(sheet, text):
    """Searches for a song. Returns the songs that are found."""
    sheet.get_by_role("searchbox", name="Title or artist").fill(text)
    expect(sheet.get_by_role("status")).to_have_text(re.compile(r"songs? found\."))
    return sheet.get_by_role("list", name="Songs").get_by_role("button")


def added(visitor):
    return visitor.page.get_by_role("group", name="The song to send")


@WIDTHS
def test_a_song_of_the_library_is_sent_in_a_thread_by_keyboard(friends, backline, width):
    ada, grace, path = friends(viewport={"width": width, "height": 800})
    song = library.tracks(backline, ada.person, "sort=title")[0]
    grace.sign_in(path)
    ada.sign_in(path)
    field(ada.page).fill("Listen to this")
    sheet = open_picker(ada)
    choice = find(sheet, song["title"]).filter(has_text="In your library").first
    expect(choice).to_contain_text(song["title"])
    assert_accessible(ada.page, f"the sheet of songs at {width} px")
    assert_nothing_cut_off(ada.page, f"the sheet of songs at {width} px")
    choice.press("Enter")
    expect(sheet).to_have_count(0)
    expect(added(ada)).to_contain_text(song["title"])
    expect(field(ada.page)).to_be_focused()
    assert_accessible(ada.page, f"a message with a song at {width} px")
    assert_nothing_cut_off(ada.page, f"a message with a song at {width} px")
    # Both stay when the page is loaded again.
    ada.page.reload()
    expect(field(ada.page)).to_have_value("Listen to this")
    expect(added(ada)).to_contain_text(song["title"])
    field(ada.page).press("Enter")
    ada.hears("Sent.")
    expect(added(ada)).to_be_hidden()
    expect(ada.button("Add a song")).to_be_visible()
    expect(shown(grace.page)).to_contain_text("Listen to this")
    expect(shown(grace.page).get_by_role("link", name=re.compile("^" + re.escape(song["title"])))).to_be_visible()


def test_a_song_of_spotify_is_sent_without_a_text_and_another_one_removed(friends, backline):
    ada, grace, path = friends()
    # Spotify has more songs of this artist than the library.
    artist = backline.ask(ada.person, "GET", "/v1/artists/top?timeRange=short_term")["items"][0]["name"]
    ada.sign_in(path)
    sheet = open_picker(ada)
    find(sheet, artist).filter(has_not_text="In your library").first.click()
    added(ada).get_by_role("button", name=re.compile("^Remove")).click()
    expect(added(ada)).to_be_hidden()
    expect(field(ada.page)).to_be_focused()
    field(ada.page).press("Enter")
    expect(ada.page.get_by_text("Write a message or add a song first.")).to_be_visible()
    sheet = open_picker(ada)
    find(sheet, artist).filter(has_not_text="In your library").first.click()
    expect(ada.page.get_by_text("Write a message or add a song first.")).to_have_count(0)
    ada.button("Send").click()
    ada.hears("Sent.")
    expect(shown(ada.page).last.get_by_role("list", name="The song")).to_be_visible()
    expect(added(ada)).to_be_hidden()


def test_a_lost_answer_does_not_send_a_song_twice(friends, backline):
    ada, grace, path = friends()
    song = library.tracks(backline, ada.person, "sort=title")[0]
    ada.sign_in(path)
    sheet = open_picker(ada)
    find(sheet, song["title"]).first.click()
    lost = []

    def lose_first_answer(route):
        answer = route.fetch()
        if lost:
            return route.fulfill(response=answer)
        lost.append(answer)
        route.abort()

    ada.page.route(re.compile(r"/messages/[0-9a-f-]+$"), lose_first_answer)
    ada.button("Send").click()
    # The event of the message says that it has arrived.
    expect(shown(ada.page)).to_have_count(1)
    expect(added(ada)).to_be_hidden()
    assert len(backline.ask(ada.person, "GET", f"/v1{path}/messages")["items"]) == 1


def test_without_spotify_the_library_alone_is_searched(friends):
    _, grace, path = friends()
    grace.sign_in(path)
    sheet = open_picker(grace)
    sheet.get_by_role("searchbox", name="Title or artist").fill("Hello")
    expect(sheet.get_by_role("status")).to_have_text("No songs found. Only your library was searched.")
    assert_accessible(grace.page, "a search without Spotify")
