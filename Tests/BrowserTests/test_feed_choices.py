"""What people do not want in the feed: the page of hidden items, and what is muted there."""

import re

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.people import change, follow, named
from support.shares import card, choose, share

WIDTHS = pytest.mark.parametrize("width", [360, 768, 1440])


@pytest.fixture
def friends(visit, shared_backline):
    """Ada, who follows Grace."""

    def make(**context):
        ada, grace = visit(**context), named(visit, shared_backline, "Grace Hopper")
        follow(shared_backline, ada.person, grace.person)
        return ada, grace

    return make


def hide(backline, person, kind: str, item: str) -> None:
    backline.ask(person, "PUT", f"/v1/feed/hidden/{kind}/{item}")


def rows(page):
    return page.get_by_role("list", name="Hidden items").get_by_role("listitem")


@WIDTHS
def test_hidden_items_are_listed_and_shown_again(friends, shared_backline, width):
    ada, grace = friends(viewport={"width": width, "height": 800})
    share(shared_backline, grace.person, "Hello", "Skyfall")
    follow(shared_backline, grace.person, ada.person)
    ada.sign_in("/feed")
    for title in ("Hello", "Skyfall"):
        choose(ada.page, card(ada.page, title), "Hide this")
        expect(card(ada.page, title)).to_have_count(0)
    ada.page.get_by_role("link", name="Hidden items").click()
    expect(ada.heading).to_have_text("Hidden items")
    expect(ada.heading).to_be_focused()
    expect(rows(ada.page)).to_have_count(2)
    expect(rows(ada.page).first.get_by_role("link", name="Skyfall by Adele")).to_have_attribute(
        "href", re.compile("^/shares/"))
    expect(rows(ada.page).first).to_contain_text("Shared by Grace Hopper")
    assert_accessible(ada.page, f"hidden items at {width} px")
    assert_nothing_cut_off(ada.page, f"hidden items at {width} px")

    # By keyboard: the focus moves on to the next row.
    ada.button("Show again: Skyfall by Adele").press("Enter")
    ada.hears("“Skyfall by Adele” is no longer hidden. You can undo this.")
    expect(rows(ada.page)).to_have_count(1)
    expect(ada.button("Show again: Hello by Adele")).to_be_focused()
    ada.button("Undo").click()
    expect(rows(ada.page)).to_have_count(2)
    ada.button("Show again: Skyfall by Adele").click()
    ada.button("Show again: Hello by Adele").click()
    expect(ada.page.get_by_role("heading", name="You have hidden nothing")).to_be_visible()
    expect(ada.heading).to_be_focused()
    assert_accessible(ada.page, f"no hidden items at {width} px")
    ada.page.get_by_role("link", name="Go to your feed").click()
    expect(card(ada.page, "Hello")).to_be_visible()
    expect(card(ada.page, "Skyfall")).to_be_visible()


def test_what_may_no_longer_be_seen_is_listed_without_its_content(friends, shared_backline):
    ada, grace = friends()
    [shared] = share(shared_backline, grace.person, "Hello")
    hide(shared_backline, ada.person, "share", shared["id"])
    hide(shared_backline, ada.person, "release", "gone")
    change(shared_backline, grace.person, profileVisibility="private")
    ada.sign_in("/feed/hidden")
    expect(rows(ada.page)).to_have_count(2)
    expect(rows(ada.page).first).to_contain_text("New release")
    expect(rows(ada.page).last).to_contain_text("Shared song")
    for row in rows(ada.page).all():
        expect(row).to_contain_text("It is gone, or you can no longer see it.")
    assert "Hello" not in ada.page.locator("main").inner_text()
    ada.button("Show again: Shared song").click()
    expect(rows(ada.page)).to_have_count(1)


def test_the_list_follows_other_devices_and_grows_page_by_page(visit, shared_backline):
    ada = visit()
    for number in range(60):
        hide(shared_backline, ada.person, "release", f"gone-{number}")
    ada.sign_in("/feed/hidden")
    expect(rows(ada.page)).to_have_count(50)
    ada.button("Load more").click()
    expect(rows(ada.page)).to_have_count(60)
    expect(rows(ada.page).nth(50).get_by_role("button")).to_be_focused()
    hide(shared_backline, ada.person, "release", "gone-60")
    expect(rows(ada.page)).to_have_count(61)
    # What has the focus keeps it.
    expect(rows(ada.page).nth(51).get_by_role("button")).to_be_focused()
    shared_backline.ask(ada.person, "DELETE", "/v1/feed/hidden/release/gone-60")
    expect(rows(ada.page)).to_have_count(60)


def test_a_list_that_could_not_be_read_is_read_again(visit, shared_backline):
    ada = visit()
    hide(shared_backline, ada.person, "release", "gone")
    failed = []

    def refuse(route):
        failed.append(route.request.url)
        if len(failed) > 1:
            return route.continue_()
        route.fulfill(status=500, json={"code": "internal", "detail": "Something failed."},
                      headers={"Content-Type": "application/problem+json"})

    ada.page.route(re.compile(r"/v1/feed/hidden\?"), refuse)
    ada.sign_in("/feed/hidden")
    expect(ada.page.get_by_role("heading", name="This could not be loaded")).to_be_visible()
    ada.button("Retry").click()
    expect(rows(ada.page)).to_have_count(1)


def test_a_muted_kind_ends_there_as_well(friends, shared_backline):
    ada, grace = friends()
    share(shared_backline, grace.person, "Hello")
    shared_backline.ask(ada.person, "PUT", "/v1/feed/muted-kinds/share")
    ada.sign_in("/feed/hidden")
    expect(ada.page.get_by_role("region", name="Muted")).to_contain_text("Shared songs")
    ada.button("Unmute shared songs").click()
    expect(ada.page.get_by_role("region", name="Muted")).to_be_hidden()
    ada.page.get_by_role("link", name="← Feed").click()
    expect(card(ada.page, "Hello")).to_be_visible()
