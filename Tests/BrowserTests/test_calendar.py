"""The page of the calendar to which a person's programs subscribe."""

import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from support import people
from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.readability import assert_readable

WIDTHS = pytest.mark.parametrize("width", [360, 1440])


def made(visitor) -> str:
    """The address that the page has just shown, and will not show again."""
    visitor.hears("The address was made. Copy it now: it will not be shown again.")
    field = visitor.page.get_by_label("Your address")
    expect(field).to_be_focused()
    expect(field).to_have_value(re.compile(r"^http.*/v1/calendar/[\w-]{43}\.ics$"))
    return field.input_value()


def status(address: str) -> int:
    """What a program without an account gets at an address."""
    try:
        with urllib.request.urlopen(address) as answer:
            return answer.status
    except urllib.error.HTTPError as refusal:
        return refusal.code


def press(visitor, button: str, answer: str) -> None:
    """Presses a button, and answers its question."""
    visitor.button(button, exact=True).click()
    dialog = visitor.page.get_by_role("dialog")
    assert_accessible(visitor.page, f"the question after {button}")
    dialog.get_by_role("button", name=answer, exact=True).click()
    expect(dialog).to_have_count(0)


@WIDTHS
def test_an_address_is_made_copied_replaced_and_switched_off(visit, shared_backline, width):
    ada = visit(viewport={"width": width, "height": 900})
    people.change(shared_backline, ada.person, homeCity="Praha")
    ada.sign_in("/profile/settings")
    ada.page.get_by_role("link", name="Calendar settings").click()
    expect(ada.heading).to_have_text("Calendar")
    expect(ada.page.get_by_text("The calendar is off.")).to_be_visible()
    expect(ada.page.get_by_role("radio", name="In and around Praha")).to_be_checked()
    assert_accessible(ada.page, f"a calendar that is off at {width} pixels")
    ada.button("Make an address").press("Enter")
    first = made(ada)
    assert status(first) == 200
    assert_accessible(ada.page, f"a new address at {width} pixels")
    assert_nothing_cut_off(ada.page, f"a new address at {width} pixels")
    ada.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.button("Copy").click()
    ada.hears("The address was copied.")
    assert ada.page.evaluate("navigator.clipboard.readText()") == first
    program = ada.page.get_by_role("link", name="Open in a calendar program")
    expect(program).to_have_attribute("href", re.sub("^http", "webcal", first))
    # Google's servers do not reach a site that has no certificate.
    expect(ada.page.get_by_role("link", name="Add to Google Calendar")).to_have_count(0)
    expect(ada.page.get_by_text("Google Calendar may show changes only after a day or more")).to_be_visible()

    ada.page.reload()
    expect(ada.page.get_by_text("Backline does not store the address")).to_be_visible()
    expect(ada.page.get_by_label("Your address")).to_have_count(0)
    assert_readable(ada.page, f"a calendar that is on at {width} pixels")
    press(ada, "Make a new address", "Cancel")
    assert status(first) == 200
    press(ada, "Make a new address", "Make it")
    second = made(ada)
    assert (status(first), status(second)) == (404, 200)
    press(ada, "Switch the calendar off", "Switch off")
    ada.hears("The calendar is off.")
    expect(ada.heading).to_be_focused()
    expect(ada.button("Make an address")).to_be_visible()
    assert status(second) == 404


def test_which_concerts_it_has_is_saved_at_once(visit, shared_backline):
    ada = visit().sign_in("/profile/calendar")
    expect(ada.page.get_by_text("Your profile has none yet, so all concerts are shown.")).to_be_visible()
    # While it is off, the choice is sent with the address.
    ada.choose("Everywhere")
    ada.button("Make an address").click()
    made(ada)

    def places() -> str:
        return shared_backline.ask(ada.person, "GET", "/v1/me/calendar")["places"]

    assert places() == "anywhere"
    expect(ada.page.get_by_role("radio", name="Everywhere")).to_be_checked()
    ada.page.get_by_role("radio", name="Everywhere").press("ArrowUp")
    ada.hears("Saved.")
    assert places() == "home"
    # It was switched off in another window.
    shared_backline.ask(ada.person, "DELETE", "/v1/me/calendar")
    # It is chosen only until the answer arrives, which may be at once.
    ada.page.get_by_role("radio", name="Everywhere").click()
    expect(ada.page.get_by_role("alert")).to_contain_text("Your calendar is off.")
    expect(ada.page.get_by_role("radio", name="In and around")).to_be_checked()


def test_the_ranked_list_leads_to_the_calendar(visit):
    ada = visit().sign_in("/explore/concerts")
    ada.page.get_by_role("link", name="Subscribe in a calendar program").click()
    expect(ada.heading).to_have_text("Calendar")
    ada.page.get_by_role("link", name="your artists").click()
    expect(ada.heading).to_have_text("Your artists")
