"""From "Find concerts" to its results: progress, stopping, addresses."""

import re

from playwright.sync_api import expect

ADDRESS = re.compile(r"/explore/concerts/[0-9a-f-]{36}$")


def test_progress_names_every_artist_and_moves_as_artists_are_done(waiting_search):
    backline, ada, names = waiting_search(artists=3)
    artists = ada.page.get_by_role("list", name="Artists", exact=True).get_by_role("listitem")
    expect(ada.page.get_by_text("0 of 3 artists")).to_be_visible()
    expect(artists).to_have_text([re.compile(f"{re.escape(name)}: searching") for name in names])
    expect(ada.page.get_by_role("progressbar", name="Artists looked up")).to_have_attribute("max", "3")
    backline.start_worker()
    expect(ada.shows.first).to_be_visible()
    ada.hears("concerts", whole=False)
    expect(ada.page.get_by_role("progressbar")).to_have_count(0)


def test_progress_continues_without_the_event_stream(visit, own_backline):
    backline = own_backline()
    names = backline.simulator.artists("popular", 2)
    backline.stop_worker()
    ada = visit(backline)
    ada.context.route("**/v1/events", lambda route: route.abort())
    ada.at_artists(names).find_concerts()
    expect(ada.page.get_by_text("0 of 2 artists")).to_be_visible()
    backline.start_worker()
    expect(ada.shows.first).to_be_visible()


def test_progress_comes_from_the_event_stream(visit, own_backline):
    backline = own_backline()
    names = backline.simulator.artists("popular", 2)
    backline.stop_worker()
    ada = visit(backline)
    # The streams of a document share one connection, which the first page opens.
    with ada.page.expect_response("**/v1/events"):
        ada.at_artists(names)
    ada.find_concerts()
    expect(ada.page.get_by_text("0 of 2 artists")).to_be_visible()
    # From here on, the page must not poll the search before the stream has reported its end.
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url))
    backline.start_worker()
    expect(ada.shows.first).to_be_visible()
    assert not [url for url in asked if url.endswith("?limit=1")]


def test_a_search_can_be_stopped_and_continued(waiting_search):
    backline, ada, _ = waiting_search()
    ada.button("Stop").click()
    expect(ada.page.get_by_role("heading", name="The search was stopped")).to_be_visible()
    expect(ada.page.get_by_text("0 of 2 artists were looked up.")).to_be_visible()
    ada.hears("The search was stopped.", whole=False)
    ada.button("Look up the rest").click()
    expect(ada.button("Stop")).to_be_focused()
    backline.start_worker()
    expect(ada.shows.first).to_be_visible()


def test_a_running_search_survives_a_reload_and_the_back_button(waiting_search):
    backline, ada, names = waiting_search()
    expect(ada.page).to_have_url(ADDRESS)
    ada.page.reload()
    expect(ada.page.get_by_text("0 of 2 artists")).to_be_visible()
    ada.page.go_back()
    ada.sees_artists(names)
    expect(ada.heading).to_be_focused()
    ada.page.go_forward()
    backline.start_worker()
    expect(ada.shows.first).to_be_visible()
    ada.page.reload()
    expect(ada.shows.first).to_be_visible()
    ada.open("/explore/concerts")
    ada.page.get_by_role("link", name="Show the latest results").click()
    expect(ada.shows.first).to_be_visible()


def test_a_search_without_results_leads_back(visit, shared_backline):
    names = shared_backline.simulator.artists("eventless", 2)
    ada = visit().at_artists(names)
    ada.find_concerts()
    expect(ada.page.get_by_role("heading", name="No concerts found")).to_be_visible()
    ada.hears("No concerts found.")
    ada.page.get_by_role("link", name="Go back").click()
    ada.sees_artists(names)


def test_artists_that_ticketmaster_does_not_know_are_named(visit, shared_backline):
    absent = shared_backline.simulator.artists("absent", 2)
    ada = visit().at_artists(absent)
    ada.find_concerts()
    expect(ada.page.get_by_text(f"Ticketmaster does not know {absent[0]} and {absent[1]}.")).to_be_visible()
    known = shared_backline.simulator.artists("popular", 1)
    ada.backline.rank(ada.person, [*known, absent[0]])
    ada.open("/explore/concerts")
    ada.sees_artists([*known, absent[0]])
    ada.find_concerts()
    expect(ada.shows.first).to_be_visible()
    expect(ada.page.get_by_text(f"Ticketmaster does not know {absent[0]}.")).to_be_visible()


def test_another_persons_search_is_unknown(visit, shared_backline):
    ada = visit().at_artists(shared_backline.simulator.artists("popular", 1))
    ada.find_concerts()
    expect(ada.shows.first).to_be_visible()
    address = ada.page.url
    bob = visit().sign_in("/feed")
    bob.page.goto(address)
    expect(bob.page.get_by_role("heading", name="There is no such search")).to_be_visible()
    bob.open("/explore/concerts/nonsense")
    expect(bob.page.get_by_role("heading", name="There is no such search")).to_be_visible()
    bob.page.get_by_role("link", name="Go back").click()
    expect(bob.heading).to_have_text("Your artists")
