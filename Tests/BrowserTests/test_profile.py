"""Profile, tokens and devices."""

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible


def test_a_profile_is_changed(visit):
    ada = visit().sign_in("/profile")
    ada.page.get_by_role("link", name="Edit profile").click()
    ada.page.get_by_label("Display name").fill("Ada Lovelace")
    ada.page.get_by_label("About you").fill("Engines.")
    ada.page.get_by_label("Home city").fill("London")
    ada.choose("Only you")
    ada.button("Save").click()
    expect(ada.heading).to_have_text("Profile")
    ada.hears("Your profile was saved.")
    for words in ("Ada Lovelace", "Engines.", "London", "Only you"):
        expect(ada.page.get_by_text(words, exact=True)).to_be_visible()


def test_the_profile_shows_the_usage_of_quotas(visit, shared_backline):
    ada = visit()
    shared_backline.ask(
        ada.person, "POST", "/v1/jobs",
        {"kind": "diagnostics.echo", "payload": "x" * 524_286, "runAt": "2100-01-01T00:00:00Z"})
    ada.sign_in("/profile")
    shown = ada.page.get_by_role("region", name="Your usage")
    for words in ("1 of 10,000", "512 KiB of 256 MiB", "0 of 10"):
        expect(shown.get_by_text(words, exact=True)).to_be_visible()
    assert_accessible(ada.page, "the profile")


def test_a_refused_value_is_shown_at_its_field(visit):
    ada, ben = visit(), visit()
    ada.sign_in("/profile/edit")
    username = ada.page.get_by_label("Username")
    username.fill(ben.person.name)
    ada.button("Save").click()
    expect(username).to_have_attribute("aria-invalid", "true")
    taken = "Somebody already has this username, or one that differs only in case or accents. Choose another one."
    expect(ada.page.get_by_text(taken, exact=True)).to_be_visible()
    expect(username).to_be_focused()
    expect(username).to_have_value(ben.person.name)
    username.fill(ada.person.name)
    picture = ada.page.get_by_label("Picture URL")
    picture.fill("http://example.org/me.png")
    ada.button("Save").click()
    expect(picture).to_have_attribute("aria-invalid", "true")
    wrong = "Give an https:// address without a username or password."
    expect(ada.page.get_by_text(wrong, exact=True)).to_be_visible()
    assert_accessible(ada.page, "a refused field")


def test_a_token_is_shown_once_and_revoked(visit, shared_backline):
    ada = visit().sign_in("/profile/settings")
    tokens = ada.page.get_by_role("region", name="API tokens")
    ada.button("Create token").click()
    expect(ada.page.get_by_text("Give the token a name first.")).to_be_visible()
    ada.page.get_by_label("Name of the new token").fill("Laptop")
    ada.button("Create token").click()
    token = tokens.locator(".new-token code")
    expect(token).to_be_visible()
    answer = ada.context.request.get(
        f"{shared_backline.address}/v1/me", headers={"Authorization": f"Bearer {token.inner_text()}"})
    assert answer.status == 200
    assert_accessible(ada.page, "a new token")
    ada.page.reload()
    expect(tokens.get_by_role("listitem").filter(has_text="Laptop")).to_be_visible()
    expect(token).to_have_count(0)
    ada.button("Revoke Laptop").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    ada.hears("The token was revoked.")
    expect(tokens.get_by_role("listitem").filter(has_text="Laptop")).to_have_count(0)


def test_another_device_is_signed_out(visit, browser, shared_backline):
    ada = visit().sign_in("/feed")
    elsewhere = browser.new_context(user_agent="Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
    elsewhere.request.post(
        f"{shared_backline.address}/v1/session", data={"token": ada.person.token},
        headers={"Origin": shared_backline.address})
    ada.open("/profile/settings")
    devices = ada.page.get_by_role("region", name="Devices")
    expect(devices.get_by_role("listitem").filter(has_text="This device")).to_be_visible()
    ada.button("Sign out Firefox on Linux").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    ada.hears("The device was signed out.")
    expect(devices.get_by_role("listitem")).to_have_count(1)
    assert elsewhere.request.get(f"{shared_backline.address}/v1/session").status == 401
    elsewhere.close()


@pytest.mark.parametrize("width", [360, 1440])
def test_axe_finds_nothing(visit, width):
    ada = visit(viewport={"width": width, "height": 900}).sign_in("/profile")
    for path in ("/profile", "/profile/edit", "/profile/settings"):
        ada.open(path)
        expect(ada.heading).to_be_visible()
        expect(ada.page.get_by_text("Loading")).to_have_count(0)
        assert_accessible(ada.page, path)
