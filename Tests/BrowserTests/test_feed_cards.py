"""The cards of the feed: concerts, long messages, large text, and what is missing."""

import re

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.people import follow, named
from support.shares import card, share

WIDTHS = pytest.mark.parametrize("width", [360, 1440])
SHOW = {
    "id": "v1", "name": "In Rainbows", "artistName": "Radiohead", "artistRank": 1, "additionalArtists": [],
    "picture": None, "venueName": "Prague Arena", "city": "Praha", "countryCode": "CZ", "localDate": "2027-02-09",
    "localTime": "20:00:00", "endDate": None, "dateTBA": False, "timeTBA": False, "status": "onsale", "isOnSale": True,
    "isHomeCity": False, "ticketURL": None,
}
CONNECT = {
    "title": "New releases need a music service", "status": 409, "code": "releaseServiceMissing",
    "recovery": "reconnect", "source": "releases", "detail": "Connect Spotify or Apple Music to see new releases. Backline "
    "then looks for new releases of your artists every day.",
}
BUSY = {
    "title": "Some concerts are missing", "status": 503, "code": "upstreamError", "recovery": "tellUser",
    "detail": "Ticketmaster answered with an error.",
}


def answer_with(page, *contents: tuple[str, dict], missing: tuple[dict, ...] = ()) -> None:
    """Lets the feed have these items, of a kind and with a content each."""

    def add(route):
        response = route.fetch()
        body = response.json()
        body["items"] = [
            {"kind": kind, "id": f"item-{number}", "number": number, "sortScore": number, "at": "2026-11-30T10:00:00Z",
             kind: content} for number, (kind, content) in enumerate(contents, start=1)]
        route.fulfill(response=response, json={**body, "missing": list(missing), "nextCursor": None})

    page.route(re.compile(r"/v1/feed\?"), add)


@WIDTHS
def test_the_changes_of_a_concert_are_written_like_its_date(visit, width):
    ada = visit(viewport={"width": width, "height": 800})
    answer_with(ada.page, ("concert", {**SHOW, "reason": "moved", "changes": [
        {"field": "date", "from": "2026-12-13", "to": "2027-02-09"},
        {"field": "time", "from": "19:30:00", "to": "20:00:00"},
        {"field": "venue", "from": None, "to": "Prague Arena, Praha"}]}))
    ada.sign_in("/feed")
    shown = ada.page.locator(".concert-card")
    expect(shown.locator(".when")).to_have_text("Tue, 9 February 2027, 20:00")
    expect(shown.locator(".concert-changes del")).to_have_text([
        "formerly Sun, 13 December 2026", "formerly 19:30", "formerly to be announced"])
    expect(shown.locator(".concert-changes ins")).to_have_text([
        "now Tue, 9 February 2027", "now 20:00", "now Prague Arena, Praha"])
    assert_accessible(ada.page, f"a concert that was moved, at {width} px")
    assert_nothing_cut_off(ada.page, f"a concert that was moved, at {width} px")


def test_upcoming_concerts_are_in_the_order_of_their_dates_with_the_artist_of_the_card(visit):
    ada = visit()
    guest = {**SHOW, "id": "v2", "artistName": "Muse", "additionalArtists": ["Radiohead"], "localDate": "2026-12-13"}
    undated = {**SHOW, "id": "v3", "localDate": None, "localTime": None, "dateTBA": True}
    answer_with(
        ada.page, ("comingShows", {"of": "city", "name": "Prague", "count": 132, "shows": [undated, SHOW, guest]}),
        ("comingShows", {"of": "artist", "name": "radiohead", "count": 1, "shows": [SHOW, guest]}))
    ada.sign_in("/feed")
    city = ada.page.get_by_role("article", name="132 upcoming concerts in Prague")
    expect(city.locator("li")).to_have_text([re.compile("^Muse"), re.compile("2027"), re.compile("Date to be announced")])
    artist = ada.page.get_by_role("article", name="1 upcoming radiohead concert")
    expect(artist.get_by_role("listitem").get_by_role("link")).to_have_text(["Muse with radiohead", "Radiohead"])


def test_a_long_message_is_folded(visit, shared_backline):
    ada, grace = visit(), named(visit, shared_backline, "Grace Hopper")
    follow(shared_backline, ada.person, grace.person)
    message = "For long evenings.\n" + "All of it at once. " * 50 + "The end."
    [shared] = share(shared_backline, grace.person, "Hello", message=message)
    share(shared_backline, grace.person, "Skyfall", message="Short.")
    ada.sign_in("/feed")
    shown = card(ada.page, "Hello")
    expect(card(ada.page, "Skyfall").get_by_role("button", name="Show more")).to_have_count(0)
    expect(shown).to_contain_text("For long evenings.")
    expect(shown).not_to_contain_text("The end.")
    button = shown.get_by_role("button", name="Show more of the message about Hello by Adele")
    expect(button).to_have_attribute("aria-expanded", "false")
    assert_accessible(ada.page, "a long message")
    button.press("Enter")
    expect(shown).to_contain_text("The end.")
    fold = shown.get_by_role("button", name="Show less")
    expect(fold).to_be_focused()
    expect(fold).to_have_attribute("aria-expanded", "true")
    # A reaction leaves it open.
    shown.get_by_role("button", name="Heart").press("Enter")
    ada.hears("You reacted: Heart.")
    expect(shown).to_contain_text("The end.")
    fold.press("Enter")
    expect(shown).not_to_contain_text("The end.")
    # The page of the share shows all of it.
    ada.open(f"/shares/{shared['id']}")
    expect(ada.page.locator(".share-card")).to_contain_text("The end.")
    expect(ada.page.get_by_role("button", name=re.compile("^Show (more|less)"))).to_have_count(0)


def test_a_shared_song_and_initials_are_whole_in_large_text_on_a_phone(visit, shared_backline):
    ada = visit(viewport={"width": 360, "height": 740})
    grace = named(visit, shared_backline, "Grace Hopper")
    follow(shared_backline, ada.person, grace.person)
    share(shared_backline, grace.person, "From the Very Beginning")
    ada.sign_in("/feed")
    shown = card(ada.page, "From the Very Beginning")
    expect(shown).to_be_visible()
    ada.page.evaluate("document.documentElement.style.fontSize = '200%'")
    # Words wrap, and none is cut off.
    assert shown.locator(".row-words").evaluate("""(words) =>
        [words, ...words.querySelectorAll("*")].filter((one) => getComputedStyle(one).textOverflow === "ellipsis"
            && getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth).length""") == 0
    for picture in shown.locator(".picture").all():
        assert picture.evaluate("""(picture) => {
            const letters = document.createRange();
            letters.selectNodeContents(picture);
            return letters.getBoundingClientRect().width <= 0.75 * picture.clientWidth;
        }""")


def test_what_has_to_be_connected_is_a_link_and_not_retried(visit):
    ada = visit()
    answer_with(ada.page, missing=(CONNECT,))
    ada.sign_in("/feed")
    notice = ada.page.get_by_role("region", name="What is missing")
    expect(notice.get_by_text("Connect Spotify or Apple Music to see")).to_be_visible()
    expect(notice.get_by_role("link", name="Connect Spotify")).to_have_attribute("href", "/setup/spotify")
    expect(notice.get_by_role("link", name="Connect Apple Music")).to_have_attribute("href", "/setup/apple-music")
    expect(notice.get_by_role("button")).to_have_count(0)
    assert_accessible(ada.page, "a service that is missing")


def test_what_may_pass_is_retried(visit):
    ada = visit()
    answer_with(ada.page, missing=(CONNECT, BUSY))
    ada.sign_in("/feed")
    notice = ada.page.get_by_role("region", name="What is missing")
    with ada.page.expect_response(re.compile(r"/v1/feed\?")):
        notice.get_by_role("button", name="Retry").click()
