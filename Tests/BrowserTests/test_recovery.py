"""Pages while the gateway is down, and after its return."""

import threading
import urllib.error
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from support.installation import Installation, Person

LOST = "Backline cannot be reached. What you see may be out of date"


def test_the_artist_list_recovers(visit, own_backline):
    backline = own_backline()
    ada = visit(backline).at_artists(["Adele", "Coldplay"])
    backline.kill_gateway()
    ada.button("Move up: Coldplay").click()
    expect(ada.page.get_by_role("alert").get_by_text(LOST)).to_be_visible()
    expect(ada.page.get_by_role("alert").get_by_text("Coldplay was not moved.")).to_be_visible()
    ada.sees_artists(["Adele", "Coldplay"])
    backline.start_gateway()
    expect(ada.page.get_by_text(LOST)).to_be_hidden()
    ada.button("Move up: Coldplay").click()
    ada.sees_artists(["Coldplay", "Adele"])
    expect(ada.page.get_by_text("Coldplay was not moved.")).to_be_hidden()
    ada.page.reload()
    ada.sees_artists(["Coldplay", "Adele"])


def test_a_running_search_recovers(waiting_search):
    backline, ada, _ = waiting_search()
    expect(ada.page.get_by_text("0 of 2 artists")).to_be_visible()
    backline.kill_gateway()
    expect(ada.page.get_by_text(LOST)).to_be_visible()
    backline.start_gateway()
    backline.start_worker()
    expect(ada.shows.first).to_be_visible()
    expect(ada.page.get_by_text(LOST)).to_be_hidden()


def test_a_page_loads_by_itself_when_the_gateway_is_back(visit, own_backline):
    backline = own_backline()
    backline_artists = ["Adele"]
    ada = visit(backline)
    backline.rank(ada.person, backline_artists)
    # The browser has opened the page before, so its modules are loaded.
    ada.sign_in("/explore/concerts")
    ada.sees_artists(backline_artists)
    ada.page.get_by_role("link", name="Feed").click()
    expect(ada.heading).to_have_text("Feed")
    backline.kill_gateway()
    ada.page.get_by_role("link", name="Discover concerts").click()
    expect(ada.page.get_by_role("heading", name="This could not be loaded")).to_be_visible()
    backline.start_gateway()
    ada.sees_artists(backline_artists)


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_proxys_error_means_that_backline_is_unreachable(visit, shared_backline, status):
    ada = visit().at_artists(["Adele"])
    # The answer of nginx and Caddy while the gateway does not run.
    ada.context.route("**/v1/**", lambda route: route.fulfill(
        status=status, content_type="text/html", body="<h1>Bad Gateway</h1>"))
    ada.add("Coldplay")
    expect(ada.page.get_by_text(LOST)).to_be_visible()
    expect(ada.page.locator("#artist-error")).to_contain_text("Backline cannot be reached.")
    with ada.page.expect_response("**/v1/auth"):
        ada.button("Try now").click()
    # The proxy's answer alone restores nothing.
    with ada.page.expect_response("**/v1/auth"):
        pass
    expect(ada.page.get_by_text(LOST)).to_be_visible()
    ada.context.unroute("**/v1/**")
    expect(ada.page.get_by_text(LOST)).to_be_hidden()
    ada.button("Add", exact=True).click()
    ada.sees_artists(["Adele", "Coldplay"])


def test_try_now_checks_at_once(visit, own_backline):
    backline = own_backline()
    ada = visit(backline).at_artists(["Adele"])
    backline.kill_gateway()
    ada.add("Coldplay")
    expect(ada.page.get_by_text(LOST)).to_be_visible()
    expect(ada.page.get_by_label("Add an artist by name")).to_have_value("Coldplay")
    with ada.page.expect_request("**/v1/auth"):
        ada.button("Try now").click()
    backline.start_gateway()
    expect(ada.page.get_by_text(LOST)).to_be_hidden()
    ada.button("Add", exact=True).click()
    ada.sees_artists(["Adele", "Coldplay"])


def test_a_busy_database_is_shown_and_the_change_undone(visit, own_backline):
    backline = own_backline()
    ada = visit(backline).at_artists(["Adele"])
    with backline.write_lock():
        ada.add("Coldplay")
        expect(ada.page.locator("#artist-error")).to_contain_text("busy")
        ada.sees_artists(["Adele"])
    expect(ada.page.get_by_label("Add an artist by name")).to_be_focused()
    ada.page.keyboard.press("Enter")
    ada.sees_artists(["Adele", "Coldplay"])


def test_the_gateways_own_error_message_is_shown(visit, own_backline):
    backline = own_backline(environment={
        "BACKLINE_LIMITS_REQUESTS_PER_SECOND": "1", "BACKLINE_LIMITS_REQUEST_BURST": "0",
    })
    ada = visit(backline)
    ada.begin_session()
    # The request limit stays used up while the page loads, so the page is refused and says what to do.
    with others_asking(backline, ada.person):
        ada.open("/explore/concerts")
        expect(ada.page.get_by_role("alert").get_by_role("button", name="Retry")).to_be_visible()
        expect(ada.page.get_by_role("alert").filter(has_text="requests")).to_be_visible()


@contextmanager
def others_asking(backline: Installation, person: Person) -> Iterator[None]:
    """Uses up the person's request limit, as other programs of theirs would."""
    is_over = threading.Event()

    def ask() -> None:
        # The pause leaves processor time to the browser on a small machine, but few of a second's requests.
        while not is_over.wait(0.02):
            try:
                backline.ask(person, "GET", "/v1/artists")
            except urllib.error.HTTPError:
                pass

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
