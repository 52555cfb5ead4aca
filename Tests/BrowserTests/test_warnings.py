"""The warnings of a search, and retries."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from support.installation import Simulator

FAULTS = [
    ("drop", "networkError", "Ticketmaster could not be reached"),
    ("status500", "upstreamError", "Ticketmaster reported an error"),
    ("html", "invalidResponse", "Ticketmaster’s answer could not be read"),
]


def warnings(visitor):
    return visitor.page.get_by_role("region", name="Warnings")


@pytest.mark.parametrize("fault, code, title", FAULTS)
def test_a_partial_failure_is_a_warning_beside_the_results_with_a_retry(visit, own_backline, fault, code, title):
    backline = own_backline()
    known = backline.simulator.artists("popular", 1)
    [spoilt] = backline.fresh_artists(1)
    backline.simulator.spoil(fault, match={"keyword": spoilt})
    ada = visit(backline).at_artists([*known, spoilt])
    ada.find_concerts()
    expect(ada.shows.first).to_be_visible()
    expect(warnings(ada).get_by_role("heading", name=title)).to_be_visible()
    expect(warnings(ada).locator(f"[data-code={code}]")).to_contain_text(f"Affected: {spoilt}.")
    ada.hears("There are warnings.", whole=False)

    backline.simulator.mend()
    before = ada.page.locator("section.group").count()
    ada.button("Retry 1 artist").click()
    expect(warnings(ada)).to_have_count(0)
    expect(ada.shows.filter(has_text=spoilt).first).to_be_visible()
    assert ada.page.locator("section.group").count() == before + 1


def test_a_network_error_for_all_is_an_error_with_a_retry(visit, own_backline):
    backline = own_backline()
    names = backline.simulator.artists("popular", 2)
    backline.simulator.spoil("drop")
    ada = visit(backline).at_artists(names)
    ada.find_concerts()
    expect(ada.page.get_by_role("heading", name="No concerts could be looked up")).to_be_visible()
    expect(warnings(ada)).to_contain_text("Ticketmaster could not be reached")
    backline.simulator.mend()
    ada.button("Retry", exact=True).click()
    expect(ada.shows.first).to_be_visible()


def test_rate_limiting_is_a_warning(visit, own_backline):
    backline = own_backline()
    backline.simulator.spoil("spike429")
    ada = visit(backline).at_artists(backline.simulator.artists("popular", 1))
    ada.find_concerts()
    expect(warnings(ada).get_by_role("heading", name="Ticketmaster asked for fewer requests")).to_be_visible()


def test_a_used_up_quota_shows_its_reset_time(visit, own_backline):
    backline = own_backline()
    prague = ZoneInfo("Europe/Prague")
    # Added in UTC: in Prague, the time three hours later may not exist.
    back = (datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(hours=3)).astimezone(prague)
    backline.simulator.spoil("quota429", resetAt=int(back.timestamp() * 1_000))
    ada = visit(backline, timezone_id=prague.key).at_artists(backline.simulator.artists("popular", 1))
    ada.find_concerts()
    expect(warnings(ada).get_by_role("heading", name="Today’s requests to Ticketmaster are used up")).to_be_visible()
    # The local time in Prague. British English abbreviates September as Sept.
    expect(warnings(ada)).to_contain_text(back.strftime("%-d %b %Y, %H:%M").replace(" Sep ", " Sept "))


def save_own_key(ada, key=Simulator.KEY):
    """Saves a key on the setup page that a warning links to, and goes back."""
    expect(ada.heading).to_have_text("Ticketmaster")
    ada.page.get_by_label("API key").fill(key)
    ada.page.get_by_label("City").fill("Prague")
    ada.button("Save").click()
    expect(ada.heading).to_have_text("Setup")
    ada.page.go_back()
    ada.page.go_back()
    expect(ada.heading).to_have_text("Concerts")


def test_a_missing_key_leads_to_its_setup_page(visit, own_backline):
    backline = own_backline(with_key=False)
    ada = visit(backline).at_artists(backline.simulator.artists("popular", 1))
    ada.find_concerts()
    expect(warnings(ada).get_by_role("heading", name="Add your Ticketmaster API key")).to_be_visible()
    expect(warnings(ada)).not_to_contain_text("BACKLINE_")
    warnings(ada).get_by_role("link", name="Add API key").click()
    save_own_key(ada)
    ada.button(re.compile("^Retry")).last.click()
    expect(ada.shows.first).to_be_visible()


def test_a_refused_key_can_be_replaced_by_the_persons_own(visit, own_backline):
    backline = own_backline()
    backline.simulator.configure(validKeys=["another"])
    ada = visit(backline).at_artists(backline.simulator.artists("popular", 1))
    ada.find_concerts()
    expect(warnings(ada).get_by_role("heading", name="Ticketmaster refused the API key")).to_be_visible()
    warnings(ada).get_by_role("link", name="Change API key").click()
    save_own_key(ada, "another")
    ada.button(re.compile("^Retry")).last.click()
    expect(ada.shows.first).to_be_visible()
