"""The gateway goes away and comes back under the page."""

from playwright.sync_api import expect

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


def test_a_running_search_recovers(visit, own_backline):
    backline = own_backline()
    names = backline.simulator.artists("popular", 2)
    backline.stop_worker()
    ada = visit(backline).at_artists(names)
    ada.find_concerts()
    expect(ada.page.get_by_text("0 of 2 artists")).to_be_visible()
    backline.kill_gateway()
    expect(ada.page.get_by_text(LOST)).to_be_visible()
    backline.start_gateway()
    backline.start_worker()
    expect(ada.shows.first).to_be_visible(timeout=60_000)
    expect(ada.page.get_by_text(LOST)).to_be_hidden()


def test_a_page_that_could_not_be_loaded_is_loaded_by_itself_later(visit, own_backline):
    backline = own_backline()
    backline_artists = ["Adele"]
    ada = visit(backline)
    backline.rank(ada.person, backline_artists)
    # The modules of the page are there already: the browser has been on it.
    ada.sign_in("/explore/concerts")
    ada.sees_artists(backline_artists)
    ada.page.get_by_role("link", name="Feed").click()
    expect(ada.heading).to_have_text("Feed")
    backline.kill_gateway()
    ada.page.get_by_role("link", name="Discover concerts").click()
    expect(ada.page.get_by_role("heading", name="This could not be loaded")).to_be_visible()
    backline.start_gateway()
    ada.sees_artists(backline_artists)


def test_try_now_asks_at_once(visit, own_backline):
    backline = own_backline()
    ada = visit(backline).at_artists(["Adele"])
    backline.kill_gateway()
    ada.add("Coldplay")
    expect(ada.page.get_by_text(LOST)).to_be_visible()
    expect(ada.page.get_by_label("Add an artist by name")).to_have_value("Coldplay")
    backline.start_gateway()
    ada.button("Try now").click(timeout=5_000) if ada.button("Try now").is_visible() else None
    expect(ada.page.get_by_text(LOST)).to_be_hidden()
    ada.page.keyboard.press("Enter") if ada.page.get_by_label("Add an artist by name").evaluate(
        "field => field === document.activeElement") else ada.button("Add", exact=True).click()
    ada.sees_artists(["Adele", "Coldplay"])


def test_an_error_of_the_gateway_is_shown_in_its_words(visit, own_backline):
    backline = own_backline(environment={"BACKLINE_LIMITS_REQUESTS_PER_SECOND": "1"})
    ada = visit(backline)
    # More requests than a second may have: the refusal names what to do.
    ada.sign_in("/explore/concerts")
    expect(ada.page.get_by_role("alert").get_by_role("button", name="Retry")).to_be_visible()
    expect(ada.page.get_by_role("alert").filter(has_text="requests")).to_be_visible()
