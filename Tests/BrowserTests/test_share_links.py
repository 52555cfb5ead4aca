"""The page of a link to a share, for people without an account."""

import uuid

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.installation import Installation, Person
from support.listens import listen, submit, token
from support.people import named

WIDTHS = pytest.mark.parametrize("width", [360, 1440])


@pytest.fixture
def backline(shared_backline: Installation) -> Installation:
    return shared_backline


def share(backline: Installation, person: Person, title: str, message: str | None = None) -> str:
    """Shares a song that the person has listened to, and returns the share's id."""
    submit(backline, token(backline, person), listen(title))
    listens = backline.ask(person, "GET", "/v1/listening/listens")["items"]
    chosen = next(one["id"] for one in listens if one["title"] == title)
    body = {"song": {"listenId": chosen}, **({"message": message} if message else {})}
    return backline.ask(person, "PUT", f"/v1/shares/{uuid.uuid4()}", body)["id"]


def link(backline: Installation, person: Person, share_id: str, **options) -> str:
    """Makes a link, and returns its path."""
    url = backline.ask(person, "POST", f"/v1/shares/{share_id}/links", options)["url"]
    return url[url.index("/p/"):]


@WIDTHS
def test_a_link_shows_the_song_to_somebody_without_an_account(visit, backline, width):
    ada = named(visit, backline, "Ada Lovelace")
    message = "For long evenings <b>here</b>\nhttps://example.org " + "w" * 200
    path = link(backline, ada.person, share(backline, ada.person, "Eple", message), showsName=True)
    stranger = visit(backline, viewport={"width": width, "height": 800})
    requests = []
    stranger.page.on("request", lambda request: requests.append(request.url))
    stranger.open(path)
    expect(stranger.heading).to_have_text("Eple")
    expect(stranger.page.get_by_text("Ada Lovelace shared a song")).to_be_visible()
    # The song has no picture, and so there is no place for one.
    expect(stranger.page.locator(".linked-picture")).to_have_count(0)
    # A message is text.
    expect(stranger.page.get_by_text("<b>here</b>")).to_be_visible()
    expect(stranger.page.get_by_role("link", name="https://example.org")).to_have_count(0)
    expect(stranger.page.get_by_role("link", name="Search Spotify")).to_be_visible()
    assert_accessible(stranger.page, f"a link at {width} pixels")
    assert_nothing_cut_off(stranger.page, f"a link at {width} pixels")
    # The page asks no other site.
    assert all(url.startswith(backline.address) for url in requests), requests


def test_a_link_that_has_ended_says_so(visit, backline):
    ada = visit(backline)
    shared = share(backline, ada.person, "Eple")
    path = link(backline, ada.person, shared)
    stranger = visit(backline)
    stranger.open(path)
    expect(stranger.heading).to_have_text("Eple")
    expect(stranger.page.get_by_text("A shared song")).to_be_visible()
    expect(stranger.page.get_by_text(ada.person.name)).to_have_count(0)
    backline.ask(ada.person, "DELETE", f"/v1/shares/{shared}")
    stranger.page.reload()
    expect(stranger.heading).to_have_text("This link is no longer valid")
    assert_accessible(stranger.page, "a link that has ended")
