"""The page of one concert, the page of concerts nearby, and one search at a time."""

import re
import sqlite3
import time

import pytest
from playwright.sync_api import expect

from support import people
from support.accessibility import assert_accessible
from support.readability import assert_readable


def search_ended(backline, person, artists: list[str]) -> list[dict]:
    """Searches for artists, and returns all of their concerts."""
    path = f"/v1/concert-searches/{backline.ask(person, 'POST', '/v1/concert-searches', {'artists': artists})['id']}"
    while (found := backline.ask(person, "GET", path + "?limit=200"))["state"] == "running":
        time.sleep(0.1)
    return found["items"]


def age(backline) -> None:
    """Makes all stored answers a day older, while nothing runs."""
    backline.stop()
    with sqlite3.connect(backline.folder / "data" / "backline.sqlite") as database:
        database.execute("UPDATE concert_subjects SET checked_at = checked_at - 86400000000")
    backline.start_all()


def test_a_concert_has_a_page(visit, shared_backline):
    ada = visit().at_artists(shared_backline.simulator.artists("popular", 2))
    ada.find_concerts()
    expect(ada.shows.first).to_be_visible()
    # More shows may still arrive, before this one.
    address = ada.shows.first.get_by_role("heading").get_by_role("link").get_attribute("href")
    link = ada.shows.get_by_role("heading").locator(f'a[href="{address}"]')
    link.click()
    expect(ada.page).to_have_url(re.compile(re.escape(address) + "$"))
    concert = shared_backline.ask(ada.person, "GET", f"/v1{address}")
    # It may have been found for another artist of its bill.
    expect(ada.heading).to_have_text(concert["artistName"])
    details = ada.page.get_by_role("region", name="Details")
    expect(details).to_contain_text(concert["venue"]["name"])
    expect(details).to_contain_text(concert["venue"]["address"])
    expect(details).to_contain_text(concert["venue"]["timeZone"])
    maps = details.get_by_role("link", name="Show on a map")
    expect(maps).to_have_attribute("href", concert["venue"]["mapURL"])
    expect(maps).to_have_attribute("rel", "noopener noreferrer")
    expect(ada.page.get_by_role("region", name="History")).to_contain_text("First found")
    with ada.page.expect_download() as download:
        ada.page.get_by_role("link", name="Add to calendar").click()
    assert download.value.suggested_filename == f"concert-{concert['localDate']}.ics"
    # This browser has no sheet for sharing.
    ada.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.button("Share").click()
    ada.hears("The address of this page was copied.")
    assert ada.page.evaluate("navigator.clipboard.readText()") == ada.page.url
    assert_accessible(ada.page, "a concert")
    ada.page.go_back()
    expect(ada.shows.first).to_be_visible()


def test_doors_and_line_up_are_shown_where_they_are_known(visit, shared_backline):
    ada = visit()
    found = search_ended(shared_backline, ada.person, shared_backline.simulator.artists("popular", 20))
    concerts = [shared_backline.ask(ada.person, "GET", f"/v1/concerts/{one['id']}") for one in found[:60]]
    ada.sign_in()
    for concert in (
        next(one for one in concerts if one["doorsAt"]), next(one for one in concerts if len(one["bill"]) > 1),
    ):
        ada.open(f"/concerts/{concert['id']}")
        expect(ada.heading).to_have_text(concert["artistName"])
        doors = ada.page.get_by_role("region", name="Details").get_by_text("Doors", exact=True)
        expect(doors).to_have_count(1 if concert["doorsAt"] else 0)
        performers = ada.page.get_by_role("region", name="Line-up").get_by_role("listitem")
        expect(performers).to_have_count(len(concert["bill"]) if len(concert["bill"]) > 1 else 0)


def test_the_history_of_a_concert(visit, own_backline):
    backline = own_backline()
    ada = visit(backline)
    show = backline.simulator.change_show("announce", artist="Coldplay", city="Prague", inDays=40, isOnSale=False)
    search_ended(backline, ada.person, ["Coldplay"])
    for action, command in (("putOnSale", {}), ("move", {"inDays": 50}), ("cancel", {})):
        backline.simulator.change_show(action, id=show["id"], **command)
        age(backline)
        search_ended(backline, ada.person, ["Coldplay"])
    ada.sign_in(f"/concerts/{show['id']}")
    entries = ada.page.get_by_role("region", name="History").get_by_role("listitem")
    expect(entries).to_have_text([
        re.compile("Cancelled$"), re.compile(r"Moved from .+ to .+$"), re.compile("Put on sale$"),
        re.compile("First found$")])
    expect(ada.page.get_by_role("region", name="Details")).to_contain_text("The concert is cancelled.")
    expect(ada.page.get_by_text("First date")).to_be_visible()


def test_an_unknown_concert_leads_to_a_search(visit, shared_backline):
    ada = visit().sign_in("/concerts/unknown")
    expect(ada.page.get_by_role("heading", name="Backline does not know this concert")).to_be_visible()
    ada.page.get_by_role("link", name="Find concerts").click()
    expect(ada.heading).to_have_text("Your artists")


def test_concerts_nearby(visit, shared_backline):
    ada = visit().sign_in("/explore")
    ada.page.get_by_role("link", name="Concerts nearby").click()
    expect(ada.page.get_by_role("heading", name="Enter a city")).to_be_visible()
    ada.button("Show concerts").click()
    expect(ada.page.get_by_role("alert").get_by_text("Enter a city.")).to_be_visible()
    expect(ada.page.get_by_label("City")).to_be_focused()
    ada.page.get_by_label("City").fill("Prague")
    ada.page.keyboard.press("Enter")
    expect(ada.shows.first).to_be_visible()
    ada.hears("concerts", whole=False)
    expect(ada.page).to_have_url(re.compile(r"/explore/nearby\?city=Prague&radius=50$"))
    near = ada.page.locator(".count").inner_text()
    assert_accessible(ada.page, "concerts nearby")
    ada.page.get_by_label("Within").select_option("200")
    ada.button("Show concerts").click()
    expect(ada.page).to_have_url(re.compile("radius=200$"))
    expect(ada.shows.first).to_be_visible()
    expect(ada.page.locator(".count")).not_to_have_text("")
    # The address keeps the question.
    ada.page.reload()
    expect(ada.page.get_by_label("City")).to_have_value("Prague")
    expect(ada.page.get_by_label("Within")).to_have_value("200")
    expect(ada.shows.first).to_be_visible()
    ada.page.get_by_label("Within").select_option("50")
    ada.button("Show concerts").click()
    expect(ada.page.locator(".count")).to_have_text(near)


def test_concerts_nearby_begin_with_the_home_city_and_lead_to_the_concert(visit, shared_backline):
    ada = visit()
    people.change(shared_backline, ada.person, homeCity="Praha")
    ada.sign_in("/explore/nearby")
    expect(ada.page.get_by_label("City")).to_have_value("Praha")
    link = ada.shows.first.get_by_role("heading").get_by_role("link")
    artist = link.inner_text()
    link.click()
    expect(ada.heading).to_have_text(artist)
    expect(ada.page.get_by_text("In your home city")).to_be_visible()


def test_a_city_without_letters_is_refused(visit, shared_backline):
    ada = visit().sign_in("/explore/nearby?city=%3F%3F")
    expect(ada.page.get_by_role("alert").get_by_text("name a city", exact=False)).to_be_visible()
    expect(ada.page.get_by_label("City")).to_have_attribute("aria-invalid", "true")


def test_find_concerts_waits_for_the_running_search(waiting_search):
    backline, ada, names = waiting_search()
    address = ada.page.url
    ada.open("/explore/concerts")
    ada.sees_artists(names)
    expect(ada.button("Find concerts")).to_be_disabled()
    assert_accessible(ada.page, "a search runs")
    backline.start_worker()
    expect(ada.button("Find concerts")).to_be_enabled()
    expect(ada.page.get_by_text("A search is running.")).to_have_count(0)
    ada.page.goto(address)
    expect(ada.shows.first).to_be_visible()


def test_the_running_search_is_one_press_away(waiting_search):
    _, ada, names = waiting_search()
    address = ada.page.url
    ada.open("/explore/concerts")
    ada.sees_artists(names)
    ada.page.get_by_role("link", name="See its progress").click()
    expect(ada.page).to_have_url(address)
    expect(ada.page.get_by_text("0 of 2 artists")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1280])
def test_a_concert_can_be_read_at_every_width(visit, shared_backline, width):
    ada = visit(viewport={"width": width, "height": 900})
    [first, *_] = search_ended(shared_backline, ada.person, shared_backline.simulator.artists("popular", 1))
    ada.sign_in(f"/concerts/{first['id']}")
    expect(ada.page.get_by_role("region", name="History")).to_be_visible()
    assert_readable(ada.page, "a concert")
