"""Sharing songs: the sheet, own shares, the pin, public links."""

import re

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.people import change, named
from support.shares import card, cards, choose, played, share

WIDTHS = pytest.mark.parametrize("width", [360, 1440])


def open_sheet(visitor, title: str = "Hello"):
    """Opens the sheet from the menu of a listen."""
    visitor.sign_in("/listening")
    visitor.button(f"Actions for {title} by Adele").click()
    visitor.page.get_by_role("menuitem", name="Share", exact=True).press("Enter")
    return visitor.page.get_by_role("dialog", name=f"Share “{title}”")


@WIDTHS
def test_a_song_is_shared_with_a_message_and_taken_back(visit, shared_backline, width):
    ada = visit(viewport={"width": width, "height": 800})
    played(shared_backline, ada.person, "Hello")
    sheet = open_sheet(ada)
    expect(sheet.get_by_text("your followers get it in their feeds.")).to_be_visible()
    message = sheet.get_by_label("Message (optional)")
    message.fill("😀" * 1_001)
    expect(sheet.get_by_text("1,001 of 1,000 characters")).to_be_visible()
    sheet.get_by_role("button", name="Share", exact=True).click()
    expect(sheet.get_by_text("The message has 1,001 characters; the limit is 1,000.")).to_be_visible()
    expect(message).to_be_focused()
    assert_accessible(ada.page, f"the sheet at {width} px")
    assert_nothing_cut_off(ada.page, f"the sheet at {width} px")
    message.fill("😀" * 1_000)
    sheet.get_by_role("button", name="Share", exact=True).click()
    expect(sheet).to_have_count(0)
    expect(ada.page.locator(".toasts")).to_contain_text("You shared “Hello”.")
    [shared] = shared_backline.ask(ada.person, "GET", "/v1/me/shares")["items"]
    assert shared["message"] == "😀" * 1_000

    ada.button("Undo").click()
    expect(ada.page.locator(".toast")).to_have_count(0)
    assert shared_backline.ask(ada.person, "GET", "/v1/me/shares")["items"] == []


def test_a_share_that_may_have_been_made_is_not_made_twice(visit, shared_backline):
    ada = visit()
    played(shared_backline, ada.person, "Hello")
    sheet = open_sheet(ada)
    lost = []

    def lose_first_answer(route):
        answer = route.fetch()
        if lost:
            return route.fulfill(response=answer)
        lost.append(answer)
        route.abort()

    ada.page.route(re.compile(r"/v1/shares/[0-9a-f-]+$"), lose_first_answer)
    sheet.get_by_label("Message (optional)").fill("For long evenings")
    sheet.get_by_role("button", name="Share", exact=True).click()
    # The sheet stays open, with the text.
    expect(sheet.get_by_label("Message (optional)")).to_have_value("For long evenings")
    sheet.get_by_role("button", name="Retry").click()
    expect(ada.page.locator(".toasts")).to_contain_text("You shared “Hello”.")
    assert len(shared_backline.ask(ada.person, "GET", "/v1/me/shares")["items"]) == 1


@WIDTHS
def test_own_shares_are_pinned_and_taken_back(visit, shared_backline, width):
    ada = named(visit, shared_backline, "Ada Lovelace", viewport={"width": width, "height": 800})
    grace = visit()
    share(shared_backline, ada.person, "Hello", "Skyfall", "Easy on Me")
    ada.sign_in("/profile")
    ada.page.get_by_role("link", name="Your shares").click()
    expect(cards(ada.page)).to_have_count(3)
    choose(ada.page, card(ada.page, "Hello"), "Pin to your profile")
    expect(ada.page.get_by_role("dialog").get_by_label("For")).to_have_value("7")
    ada.page.get_by_role("dialog").get_by_role("button", name="Pin").click()
    expect(card(ada.page, "Hello")).to_contain_text("Pinned until")
    assert_accessible(ada.page, f"own shares at {width} px")
    assert_nothing_cut_off(ada.page, f"own shares at {width} px")

    grace.sign_in(f"/users/{ada.person.name}")
    recent = grace.page.get_by_role("region", name="Recent shares")
    expect(recent.locator(".share-card")).to_have_count(3)
    expect(recent.locator(".share-card").first).to_contain_text("Hello")
    expect(recent.locator(".share-card").first).to_contain_text("Pinned until")
    assert_accessible(grace.page, "the shares on a profile")

    choose(ada.page, card(ada.page, "Hello"), "Unpin from your profile")
    expect(card(ada.page, "Hello")).not_to_contain_text("Pinned until")
    choose(ada.page, card(ada.page, "Skyfall"), "Delete share")
    question = ada.page.get_by_role("dialog", name="Delete your share of “Skyfall”?")
    question.get_by_role("button", name="Cancel").click()
    expect(cards(ada.page)).to_have_count(3)
    choose(ada.page, card(ada.page, "Skyfall"), "Delete share")
    question.get_by_role("button", name="Delete share").click()
    expect(cards(ada.page)).to_have_count(2)
    expect(card(ada.page, "Skyfall")).to_have_count(0)
    # The focus is not lost.
    assert ada.page.evaluate("document.activeElement !== document.body")
    grace.page.reload()
    expect(recent.locator(".share-card")).to_have_count(2)


def test_shares_of_a_profile_that_closes_are_not_shown(visit, shared_backline):
    ada, grace = visit(), visit()
    [shared] = share(shared_backline, ada.person, "Hello")
    grace.sign_in(f"/shares/{shared['id']}")
    expect(grace.heading).to_have_text("Hello by Adele")
    places = grace.page.get_by_role("link", name=re.compile("^(Open in|Search on) "))
    expect(places).not_to_have_count(0)
    # A blank beside the icon would be underlined.
    assert not [text for text in places.locator("span:first-of-type").all_text_contents() if text != text.strip()]
    assert_accessible(grace.page, "a share")
    change(shared_backline, ada.person, profileVisibility="private")
    grace.page.reload()
    expect(grace.page.get_by_role("heading", name="There is no such share")).to_be_visible()
    grace.open(f"/users/{ada.person.name}")
    expect(grace.page.get_by_role("heading", name="There is nobody here")).to_be_visible()


@WIDTHS
def test_a_public_link_is_made_copied_and_ended(visit, shared_backline, width):
    ada = named(visit, shared_backline, "Ada Lovelace", viewport={"width": width, "height": 800})
    stranger = visit()
    share(shared_backline, ada.person, "Hello", message="For long evenings")
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=shared_backline.address)
    ada.sign_in("/shares")
    choose(ada.page, card(ada.page, "Hello"), "Public links")
    sheet = ada.page.get_by_role("dialog", name="Public links")
    expect(sheet.get_by_text("People without an account cannot be blocked")).to_be_visible()
    expect(sheet.get_by_label("Valid for")).to_have_value("30")
    expect(sheet.get_by_label("Show my name")).not_to_be_checked()
    sheet.get_by_role("button", name="Create link").click()
    field = sheet.get_by_label(re.compile("^Your link, until"))
    expect(field).to_be_focused()
    assert_accessible(ada.page, f"the links at {width} px")
    assert_nothing_cut_off(ada.page, f"the links at {width} px")
    sheet.get_by_role("button", name="Copy").click()
    ada.hears("The link was copied.")
    address = ada.page.evaluate("navigator.clipboard.readText()")
    assert address == field.input_value()

    stranger.page.goto(address)
    expect(stranger.heading).to_have_text("Hello")
    expect(stranger.page.get_by_text("For long evenings")).to_be_visible()
    expect(stranger.page.get_by_text("Ada Lovelace")).to_have_count(0)

    sheet.get_by_role("button", name=re.compile("^Revoke")).click()
    ada.hears("The link no longer works.")
    expect(sheet.get_by_text("None.")).to_be_visible()
    stranger.page.reload()
    expect(stranger.page.get_by_text("For long evenings")).to_have_count(0)


@WIDTHS
def test_a_song_is_found_and_shared_from_the_feed(visit, shared_backline, width):
    ada = visit(viewport={"width": width, "height": 800}).sign_in("/feed")
    ada.button("Share a song").click()
    sheet = ada.page.get_by_role("dialog", name="Which song do you want to share?")
    sheet.get_by_label("Title or artist").fill("Hello")
    expect(sheet.get_by_text("No songs found. Only your library was searched.")).to_be_visible()
    assert_accessible(ada.page, f"the search for a song at {width} px")
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_have_count(0)
    expect(ada.button("Share a song")).to_be_focused()


def test_uuids_are_made_without_a_secure_page(visit):
    ada = visit().sign_in("/profile")
    made = ada.page.evaluate("""async () => {
        const { freshUUID } = await import("/assets/ui/fresh-uuid.js");
        Object.defineProperty(crypto, "randomUUID", { value: undefined, configurable: true });
        return [freshUUID(), freshUUID()];
    }""")
    assert all(re.fullmatch("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", one) for one in made)
    assert made[0] != made[1]
