"""The number of new items at the navigation's link of the feed."""

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.people import change, follow, named
from support.shares import cards, share

WIDTHS = pytest.mark.parametrize("width", [360, 768, 1440])


@pytest.fixture
def friends(visit, shared_backline):
    """Ada, who follows Grace."""

    def make(**context):
        ada, grace = visit(**context), named(visit, shared_backline, "Grace Hopper")
        follow(shared_backline, ada.person, grace.person)
        return ada, grace

    return make


def link(visitor, name: str):
    return visitor.page.get_by_role("navigation", name="Main").get_by_role("link", name=name, exact=True)


@WIDTHS
def test_the_number_is_live_and_falls_as_the_feed_is_read(friends, shared_backline, width):
    ada, grace = friends(viewport={"width": width, "height": 800})
    [first] = share(shared_backline, grace.person, "Hello")
    ada.sign_in("/profile")
    expect(link(ada, "Feed 1 new")).to_be_visible()
    share(shared_backline, grace.person, "Skyfall", "Rumour")
    expect(link(ada, "Feed 3 new")).to_be_visible()
    assert_accessible(ada.page, f"three new items at {width} px")
    assert_nothing_cut_off(ada.page, f"three new items at {width} px")
    # What is deleted, hidden, or no longer visible does not count.
    shared_backline.ask(grace.person, "DELETE", f"/v1/shares/{first['id']}")
    expect(link(ada, "Feed 2 new")).to_be_visible()
    change(shared_backline, grace.person, profileVisibility="private")
    expect(link(ada, "Feed")).to_be_visible()
    change(shared_backline, grace.person, profileVisibility="public")
    expect(link(ada, "Feed 2 new")).to_be_visible()
    # It stays with the person from page to page, and goes with what they see of the feed.
    link(ada, "Feed 2 new").click()
    expect(cards(ada.page)).to_have_count(2)
    cards(ada.page).first.scroll_into_view_if_needed()
    expect(link(ada, "Feed")).to_be_visible()


def test_more_than_twenty_are_not_counted(visit, shared_backline):
    ada = visit()
    ada.sign_in("/profile")
    for _ in range(20):
        follow(shared_backline, shared_backline.add_person(), ada.person)
    expect(link(ada, "Feed 20 new")).to_be_visible()
    follow(shared_backline, shared_backline.add_person(), ada.person)
    expect(link(ada, "Feed more than 20 new")).to_be_visible()
    expect(link(ada, "Feed more than 20 new")).to_contain_text("20+")
    ada.page.reload()
    expect(link(ada, "Feed more than 20 new")).to_be_visible()


def test_what_arrives_is_counted_without_asking_again(friends, shared_backline):
    ada, grace = friends()
    with ada.page.expect_response("**/v1/feed/unread?*"):
        ada.sign_in("/profile")
    share(shared_backline, grace.person, "Hello")
    expect(link(ada, "Feed 1 new")).to_be_visible()
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url) if "/feed/unread" in request.url else None)
    for number, title in enumerate(("Skyfall", "Rumour", "Someone", "Cold Shoulder", "Daydreamer"), start=2):
        share(shared_backline, grace.person, title)
        expect(link(ada, f"Feed {number} new")).to_be_visible()
    # Once more at most, since the stream may have opened after the first time.
    assert len(asked) <= 1, asked


def test_reading_on_another_device_counts(friends, shared_backline):
    ada, grace = friends()
    share(shared_backline, grace.person, "Hello", "Skyfall")
    ada.sign_in("/profile")
    expect(link(ada, "Feed 2 new")).to_be_visible()
    newest = shared_backline.ask(ada.person, "GET", "/v1/feed?limit=1")["items"][0]
    shared_backline.ask(
        ada.person, "PUT", "/v1/feed/read-mark", {"score": newest["sortScore"], "number": newest["number"]})
    expect(link(ada, "Feed")).to_be_visible()


def test_who_signs_in_next_sees_nothing_of_it(friends, visit, shared_backline):
    ada, grace = friends()
    share(shared_backline, grace.person, "Hello")
    ada.sign_in("/profile")
    expect(link(ada, "Feed 1 new")).to_be_visible()
    ada.button("Sign out").click()
    ada.page.get_by_label("Token", exact=True).fill(visit().person.token)
    with ada.page.expect_response("**/v1/feed/unread?*"):
        ada.page.keyboard.press("Enter")
    expect(link(ada, "Feed")).to_be_visible()
