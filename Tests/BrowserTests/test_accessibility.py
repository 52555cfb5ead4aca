"""Every state of every page passes axe, in light and dark, wide and narrow, and fits the width of the window."""

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible

WIDTHS = pytest.mark.parametrize("width", [360, 1440])


@WIDTHS
def test_simple_pages(visit, width):
    ada = visit(viewport={"width": width, "height": 800}).open("/sign-in#bll_wrong")
    expect(ada.page.get_by_text("This link has been used")).to_be_visible()
    assert_accessible(ada.page, "sign-in with an error")
    ada.sign_in()
    for path, heading in [("/feed", "Feed"), ("/explore", "Explore"), ("/library", "Library"), ("/profile", "Profile"),
                          ("/profile/edit", "Edit profile"), ("/profile/settings", "Settings"),
                          ("/threads", "Messages"), ("/threads/requests", "Message requests"),
                          ("/profile/messages", "Message settings"),
                          ("/explore/concerts/nonsense", "Concerts")]:
        ada.open(path)
        expect(ada.heading).to_have_text(heading)
        expect(ada.page.get_by_text("Loading")).to_have_count(0)
        assert_accessible(ada.page, path)


@WIDTHS
def test_the_artist_list(visit, shared_backline, width):
    ada = visit(viewport={"width": width, "height": 800}).sign_in("/explore/concerts")
    expect(ada.page.get_by_role("heading", name="No artists yet")).to_be_visible()
    assert_accessible(ada.page, "no artists")
    ada.page.get_by_label("Add an artist by name").press("Enter")
    expect(ada.page.get_by_text("Type an artist’s name.")).to_be_visible()
    assert_accessible(ada.page, "an error of the field")
    names = [*shared_backline.simulator.artists("popular", 19),
             "Supercalifragilisticexpialidocious-" * 4 + "and the very long name of an artist nobody can pronounce"]
    ada.at_artists(names)
    assert_accessible(ada.page, "a full list")
    ada.button(f"Remove: {names[0]}").click()
    expect(ada.button("Undo")).to_be_visible()
    assert_accessible(ada.page, "with undo")


@WIDTHS
def test_a_search(visit, own_backline, width):
    backline = own_backline()
    [spoilt] = backline.fresh_artists(1)
    backline.simulator.spoil("status500", match={"keyword": spoilt})
    backline.stop_worker()
    ada = visit(backline, viewport={"width": width, "height": 800})
    ada.at_artists([*backline.simulator.artists("popular", 5), spoilt])
    ada.page.get_by_label("Home city").fill("Prague")
    ada.find_concerts()
    expect(ada.page.get_by_text("0 of 6 artists")).to_be_visible()
    assert_accessible(ada.page, "a running search")
    ada.button("Stop").click()
    expect(ada.page.get_by_role("heading", name="The search was stopped")).to_be_visible()
    assert_accessible(ada.page, "a stopped search")
    ada.button("Look up the rest").click()
    backline.start_worker()
    expect(ada.shows.first).to_be_visible()
    for summary in ada.page.locator("details summary").all()[:3]:
        summary.click()
    assert_accessible(ada.page, "results with a warning, by artist")
    ada.choose("Date")
    ada.hears("Grouped by date.")
    assert_accessible(ada.page, "results by date")
    backline.kill_gateway()
    ada.button("Retry 1 artist").click()
    expect(ada.page.get_by_text("What you see may be out of date")).to_be_visible()
    assert_accessible(ada.page, "without the gateway")


@WIDTHS
def test_a_search_without_results(visit, own_backline, width):
    backline = own_backline(with_key=False)
    ada = visit(backline, viewport={"width": width, "height": 800})
    ada.at_artists(backline.simulator.artists("eventless", 2))
    ada.find_concerts()
    ada.page.get_by_text("Add API key").click()
    assert_accessible(ada.page, "no key")


@WIDTHS
def test_an_empty_search(visit, shared_backline, width):
    ada = visit(viewport={"width": width, "height": 800})
    ada.at_artists(shared_backline.simulator.artists("eventless", 2))
    ada.find_concerts()
    expect(ada.page.get_by_role("heading", name="No concerts found")).to_be_visible()
    assert_accessible(ada.page, "no concerts")
