"""A person's own Spotify app, on its setup page."""

import pytest
from playwright.sync_api import expect

from support import spotify
from support.accessibility import assert_accessible

WIDTHS = pytest.mark.parametrize("width", [360, 1440])
OWN = "own-client-of-ada"
CALLBACK = "/v1/setup/spotify/callback"


def configure(backline, people=None, owner_has_premium=True) -> None:
    """`people` are those that the installation's app lists; the person's own app lists the usual person."""
    addresses = [f"http://127.0.0.1{CALLBACK}"]
    backline.simulator.spotify.configure(clients=[
        {"id": "demo-spotify-client", "redirectURIs": addresses, **({} if people is None else {"people": people})},
        {"id": OWN, "redirectURIs": addresses, "people": ["demo-listener"], "ownerHasPremium": owner_has_premium}])


@pytest.fixture
def ada(visit, setup_backline):
    setup_backline.simulator.spotify.ask("POST", "reset")
    yield visit(setup_backline)
    configure(setup_backline)


def own_app(visitor, words: str = "Use your own Spotify app"):
    return visitor.page.locator("details").filter(has_text=words)


def save(visitor, client_id: str = OWN, label: str = "Client ID") -> None:
    visitor.page.get_by_label(label, exact=True).fill(client_id)
    visitor.button("Save").click()


def test_the_sixth_person_is_led_to_their_own_app(ada, setup_backline):
    configure(setup_backline, people=["second-listener"])
    ada.sign_in("/setup/spotify")
    # Nobody needs it at first.
    expect(own_app(ada)).not_to_have_attribute("open", "")
    ada.button("Connect with Spotify").click()
    ada.button("Allow").click()
    alert = ada.page.get_by_role("alert").filter(has_text="Spotify was not connected.")
    expect(alert).to_contain_text("Spotify lets five people use this Backline’s app")
    expect(own_app(ada)).to_have_attribute("open", "")
    # It says what the owner needs before the link to the dashboard.
    text = own_app(ada).inner_text()
    assert (
        text.index("its owner needs Spotify Premium") < text.index("import your library from a file")
        < text.index("Spotify’s developer dashboard"))
    way_around = own_app(ada).get_by_role("link", name="import your library from a file")
    expect(way_around).to_have_attribute("href", "/library/import")
    expect(own_app(ada).locator("code")).to_have_text(setup_backline.address + CALLBACK)
    assert_accessible(ada.page, "no place for the person")

    save(ada, "two words")
    expect(ada.page.get_by_label("Client ID", exact=True)).to_have_attribute("aria-invalid", "true")
    save(ada)
    ada.hears("Your app was saved. Connect with Spotify to use it.")
    expect(own_app(ada, "Your own Spotify app").get_by_text(OWN)).to_have_count(1)
    with ada.page.expect_request(f"**/authorize?client_id={OWN}&**"):
        ada.button("Connect with Spotify").click()
    ada.button("Allow").click()
    ada.hears("Spotify is connected.")

    ada.open("/setup/spotify")
    expect(ada.page.get_by_text("Connected as Dana Novák")).to_be_visible()
    own_app(ada, "Your own Spotify app").locator("summary").click()
    ada.button("Remove client ID").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    ada.hears("Backline removed your app’s client ID.")
    note = ada.page.get_by_role("region", name="What needs attention")
    expect(note).to_contain_text("The app at Spotify has changed since you connected.")
    expect(ada.button("Connect with Spotify")).to_be_enabled()


def test_the_redirect_uri_can_be_copied(ada, setup_backline):
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.sign_in("/setup/spotify")
    own_app(ada).locator("summary").click()
    ada.button("Copy").click()
    expect(ada.button("Copied")).to_be_visible()
    assert ada.page.evaluate("navigator.clipboard.readText()") == setup_backline.address + CALLBACK


def test_without_an_app_of_the_installation_the_step_begins_with_it(visit, own_backline):
    backline = own_backline(with_setup=True, environment={"BACKLINE_SPOTIFY_CLIENT_ID": None})
    configure(backline, owner_has_premium=False)
    ada = visit(backline).sign_in("/setup")
    step = ada.page.get_by_role("link", name="Spotify, not configured", exact=True)
    expect(step).to_contain_text("Enter the client id of your own app.")
    step.click()
    expect(own_app(ada)).to_have_attribute("open", "")
    expect(own_app(ada)).to_contain_text("This Backline has no Spotify app.")
    expect(ada.button("Connect with Spotify")).to_have_count(0)
    assert_accessible(ada.page, "no app at all")
    save(ada)
    ada.button("Connect with Spotify").click()
    ada.button("Allow").click()
    alert = ada.page.get_by_role("alert").filter(has_text="Spotify was not connected.")
    expect(alert).to_contain_text("its owner has no Premium subscription")
    expect(own_app(ada, "Your own Spotify app")).to_have_attribute("open", "")
    configure(backline)
    ada.button("Connect with Spotify").click()
    ada.hears("Spotify is connected.")


@pytest.mark.parametrize(("trouble", "words"), [
    ("accountNotAllowed", "lets five people use this Backline's app"),
    ("ownerPremiumMissing", "has no Premium subscription")])
def test_a_connection_that_is_refused_later_leads_there(ada, setup_backline, trouble, words):
    spotify.connect(setup_backline, ada.person)
    fault = "text403" if trouble == "accountNotAllowed" else "ownerPremium403"
    setup_backline.simulator.spotify.spoil(fault, match={"endpoint": "/me"})
    spotify.call_until(setup_backline, ada.person, trouble)
    setup_backline.simulator.spotify.mend()
    ada.sign_in("/setup/spotify")
    note = ada.page.get_by_role("region", name="What needs attention")
    expect(note).to_contain_text(words)
    expect(own_app(ada)).to_have_attribute("open", "")
    save(ada)
    # The connection continues with the former app, and the step offers to switch to the new one.
    expect(ada.button("Connect with your app")).to_be_enabled()


@WIDTHS
def test_axe_finds_nothing(visit, setup_backline, width):
    ada = visit(setup_backline, viewport={"width": width, "height": 900}).sign_in("/setup/spotify")
    own_app(ada).locator("summary").click()
    assert_accessible(ada.page, "how to register an app")
    save(ada)
    summary = own_app(ada, "Your own Spotify app").locator("summary")
    expect(summary).to_be_visible()
    summary.click()
    assert_accessible(ada.page, "an app of one's own")
