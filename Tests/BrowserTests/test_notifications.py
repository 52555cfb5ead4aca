"""The bell, and the page of notifications."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.people import change, follow, named
from support.shares import share

WIDTHS = pytest.mark.parametrize("width", [360, 768, 1440])
NEW = "New: "


def bell(visitor, name: str = "Notifications") -> Locator:
    return visitor.page.get_by_role("banner").get_by_role("link", name=name, exact=True)


def rows(page: Page) -> Locator:
    return page.get_by_role("list", name="Notifications", exact=True).get_by_role("listitem")


def react(backline, person, *shares: dict) -> None:
    for one in shares:
        backline.ask(person, "PUT", f"/v1/shares/{one['id']}/reaction", {"reaction": "heart"})


def mark(backline, person) -> int | None:
    return backline.ask(person, "GET", "/v1/notifications/unread")["readMark"]


@pytest.fixture
def friends(visit, shared_backline):
    """Ada, and Grace, who is to do things toward her."""

    def make(**context):
        return visit(**context), named(visit, shared_backline, "Grace Hopper")

    return make


@WIDTHS
def test_what_happens_is_counted_shown_and_read(friends, shared_backline, width):
    ada, grace = friends(viewport={"width": width, "height": 800})
    ada.sign_in("/profile")
    expect(bell(ada)).to_be_visible()
    follow(shared_backline, grace.person, ada.person)
    expect(bell(ada, "Notifications 1 new")).to_be_visible()
    assert_accessible(ada.page, f"a new notification at {width} px")
    assert_nothing_cut_off(ada.page, f"a new notification at {width} px")
    assert mark(shared_backline, ada.person) is None
    with ada.page.expect_response("**/v1/notifications/read-mark") as moved:
        bell(ada, "Notifications 1 new").press("Enter")
        expect(ada.heading).to_be_focused()
    assert moved.value.ok and mark(shared_backline, ada.person) is not None
    expect(rows(ada.page)).to_have_count(1)
    # While the person reads, what is new stays marked.
    expect(rows(ada.page)).to_contain_text(f"{NEW}Grace Hopper follows you")
    expect(bell(ada)).to_have_attribute("aria-current", "page")
    assert_accessible(ada.page, f"notifications at {width} px")
    assert_nothing_cut_off(ada.page, f"notifications at {width} px")
    # A further event of the day moves the notification up, and counts once.
    linus = shared_backline.add_person()
    change(shared_backline, linus, displayName="Linus Torvalds")
    follow(shared_backline, linus, ada.person)
    expect(rows(ada.page)).to_contain_text("Linus Torvalds and Grace Hopper follow you")
    ada.hears("Linus Torvalds and Grace Hopper follow you")
    ada.page.reload()
    expect(rows(ada.page)).to_have_count(1)
    ada.page.get_by_role("link", name="Linus Torvalds and Grace Hopper follow you").click()
    expect(ada.heading).to_have_text("Followers")
    expect(bell(ada)).to_be_visible()


def test_a_further_event_of_a_notification_counts_once(friends, shared_backline):
    ada, grace = friends()
    ada.sign_in("/profile")
    follow(shared_backline, grace.person, ada.person)
    expect(bell(ada, "Notifications 1 new")).to_be_visible()
    with ada.page.expect_response("**/v1/notifications/unread?*"):
        follow(shared_backline, shared_backline.add_person(), ada.person)
    expect(bell(ada, "Notifications 1 new")).to_be_visible()
    [shared] = share(shared_backline, ada.person, "Hello")
    react(shared_backline, grace.person, shared)
    expect(bell(ada, "Notifications 2 new")).to_be_visible()


def test_what_is_gone_disappears(friends, shared_backline):
    ada, grace = friends()
    [shared] = share(shared_backline, ada.person, "Hello")
    follow(shared_backline, grace.person, ada.person)
    react(shared_backline, grace.person, shared)
    ada.sign_in("/notifications")
    expect(rows(ada.page)).to_have_count(2)
    link = ada.page.get_by_role("link", name="Grace Hopper reacted to a song that you shared")
    link.focus()
    # The focus goes to the row that is left.
    shared_backline.ask(grace.person, "DELETE", f"/v1/shares/{shared['id']}/reaction")
    expect(rows(ada.page)).to_have_count(1)
    expect(ada.page.get_by_role("link", name="Grace Hopper follows you")).to_be_focused()
    shared_backline.ask(grace.person, "PUT", f"/v1/users/{ada.person.name}/block")
    expect(ada.page.get_by_role("heading", name="No notifications yet")).to_be_visible()
    expect(ada.heading).to_be_focused()
    expect(bell(ada)).to_be_visible()
    follow(shared_backline, shared_backline.add_person(), ada.person)
    expect(rows(ada.page)).to_have_count(1)


@WIDTHS
def test_nobody_was_notified_yet(visit, width):
    ada = visit(viewport={"width": width, "height": 800}).sign_in("/notifications")
    expect(ada.page.get_by_role("heading", name="No notifications yet")).to_be_visible()
    assert_accessible(ada.page, f"no notifications at {width} px")
    assert_nothing_cut_off(ada.page, f"no notifications at {width} px")
    ada.page.get_by_role("link", name="Choose your notifications").click()
    expect(ada.heading).to_have_text("Notification settings")


def test_notifications_that_could_not_be_read_are_read_again(friends, shared_backline):
    ada, grace = friends()
    follow(shared_backline, grace.person, ada.person)
    held = []

    def refuse(route):
        held.append(route.request.url)
        if len(held) > 1:
            return route.continue_()
        route.fulfill(status=500, json={"code": "internal", "detail": "Something failed."},
                      headers={"Content-Type": "application/problem+json"})

    ada.page.route(re.compile(r"/v1/notifications\?"), refuse)
    ada.sign_in("/notifications")
    expect(ada.page.get_by_role("heading", name="This could not be loaded")).to_be_visible()
    ada.button("Retry").click()
    expect(rows(ada.page)).to_have_count(1)


def test_older_notifications_are_on_the_next_page(friends, shared_backline):
    ada, grace = friends()
    shares = share(shared_backline, ada.person, *[f"Song {number}" for number in range(22)])
    react(shared_backline, grace.person, *shares)
    ada.sign_in("/notifications")
    expect(rows(ada.page)).to_have_count(20)
    expect(rows(ada.page).first).to_contain_text("Song 21")
    ada.button("Load more").press("Enter")
    expect(rows(ada.page)).to_have_count(22)
    ada.hears("2 more notifications.")
    expect(rows(ada.page).nth(20).get_by_role("link")).to_be_focused()
    expect(rows(ada.page).last).to_contain_text("Song 0")
    expect(ada.button("Load more")).to_have_count(0)
    # All of them are marked as read with a press.
    ada.button("Mark all as read").click()
    ada.hears("All notifications are marked as read.")
    expect(rows(ada.page).filter(has_text=NEW)).to_have_count(0)
    expect(ada.button("Mark all as read")).to_have_count(0)
    expect(ada.heading).to_be_focused()
    expect(bell(ada)).to_be_visible()


def test_what_a_page_shows_is_acknowledged(friends, shared_backline):
    ada, grace = friends()
    ada.sign_in("/notifications")
    expect(ada.page.get_by_role("heading", name="No notifications yet")).to_be_visible()
    with ada.page.expect_response("**/v1/notifications/seen") as seen:
        follow(shared_backline, grace.person, ada.person)
    assert seen.value.status == 204 and len(seen.value.request.post_data_json["ids"]) == 1
    # So does the page that a notification leads to.
    ada.open("/people/followers")
    expect(ada.page.get_by_role("link", name="Grace Hopper")).to_be_visible()
    with ada.page.expect_response("**/v1/notifications/seen") as seen:
        follow(shared_backline, shared_backline.add_person(), ada.person)
    assert seen.value.status == 204
    expect(bell(ada, "Notifications 1 new")).to_be_visible()


def test_reading_on_another_device_counts(friends, shared_backline):
    ada, grace = friends()
    follow(shared_backline, grace.person, ada.person)
    ada.sign_in("/profile")
    expect(bell(ada, "Notifications 1 new")).to_be_visible()
    [newest] = shared_backline.ask(ada.person, "GET", "/v1/notifications")["items"]
    shared_backline.ask(ada.person, "PUT", "/v1/notifications/read-mark", {"number": newest["number"]})
    expect(bell(ada)).to_be_visible()


def test_there_is_no_bell_before_somebody_signs_in(visit):
    ada = visit().open("/sign-in")
    expect(ada.heading).to_be_visible()
    expect(bell(ada)).to_have_count(0)
