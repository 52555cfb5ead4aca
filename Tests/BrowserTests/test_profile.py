"""Profile, tokens and devices."""

import io

import pytest
from PIL import Image
from playwright.sync_api import expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.readability import assert_readable


def test_a_profile_is_changed(visit):
    # Who sees a profile is asked where others are.
    ada, _ = visit(), visit()
    ada.sign_in("/profile")
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
    taken = "This username, or one that differs from it only in dots, is not free. Choose another one."
    expect(ada.page.get_by_text(taken, exact=True)).to_be_visible()
    expect(username).to_be_focused()
    expect(username).to_have_value(ben.person.name)
    username.fill("Not a username")
    ada.button("Save").click()
    expect(ada.page.get_by_text("This cannot be a username.")).to_be_visible()
    expect(username).to_be_focused()
    username.fill(ada.person.name)
    time_zone = ada.page.get_by_label("Time zone")
    time_zone.fill("Mars/Olympus")
    ada.button("Save").click()
    expect(time_zone).to_have_attribute("aria-invalid", "true")
    wrong = "Give the name of a time zone, such as Europe/Prague."
    expect(ada.page.get_by_text(wrong, exact=True)).to_be_visible()
    assert_accessible(ada.page, "a refused field")


def picture(size: tuple[int, int], kind: str) -> bytes:
    file = io.BytesIO()
    Image.effect_noise(size, 60).convert("RGB").save(file, kind)
    return file.getvalue()


@pytest.mark.parametrize("kind, media_type", [("JPEG", "image/jpeg"), ("PNG", "image/png"), ("WEBP", "image/webp")])
def test_a_picture_is_uploaded_shown_to_others_and_removed(visit, shared_backline, kind, media_type):
    ada, ben = visit(), visit()
    ada.sign_in("/profile/edit")
    part = ada.page.get_by_role("region", name="Picture")
    chooser = part.get_by_label("Choose a picture")
    expect(part.get_by_role("button", name="Remove the picture")).to_be_hidden()
    chooser.set_input_files({"name": "me", "mimeType": media_type, "buffer": picture((800, 600), kind)})
    ada.hears("Your picture was changed.")
    assert_accessible(ada.page, "a picture")
    assert_nothing_cut_off(ada.page, "a picture")
    shown = part.locator("img")
    expect(shown).to_have_js_property("complete", True)
    assert shown.evaluate("(image) => Math.max(image.naturalWidth, image.naturalHeight)") == 200
    address = shared_backline.ask(ada.person, "GET", "/v1/me")["picture"]
    ben.sign_in(f"/users/{ada.person.name}")
    expect(ben.page.locator("main img")).to_have_attribute("src", address)
    part.get_by_role("button", name="Remove the picture").click()
    ada.hears("Your picture was removed.")
    expect(chooser).to_be_focused()
    expect(shown).to_have_count(0)
    assert ben.context.request.get(shared_backline.address + address).status == 404


def test_a_file_that_is_no_picture_is_refused_with_a_word(visit):
    ada = visit().sign_in("/profile/edit")
    part = ada.page.get_by_role("region", name="Picture")
    chooser = part.get_by_label("Choose a picture")
    for file, words in [
            ({"name": "IMG_1.HEIC", "mimeType": "image/heic", "buffer": b"ftypheic"}, "HEIC pictures cannot be read here."),
            ({"name": "a.gif", "mimeType": "image/gif", "buffer": b"GIF89a"}, "This is not a JPEG, PNG or WebP file."),
            ({"name": "a.png", "mimeType": "image/png", "buffer": bytes(6 << 20)}, "at most 5 MiB are allowed"),
            ({"name": "a.png", "mimeType": "image/png", "buffer": b"\x89PNG\r\n\x1a\n" + bytes(100)}, "Send")]:
        chooser.set_input_files(file)
        expect(part.get_by_role("alert")).to_contain_text(words)
    assert_accessible(ada.page, "a refused picture")


def old_sign_in(route, token: str) -> None:
    body = route.request.post_data_json if route.request.method == "DELETE" else {"token": token}
    if "token" not in body:
        route.fulfill(status=403, content_type="application/problem+json", json={
            "title": "Prove again who you are", "status": 403, "code": "recentSignInRequired", "detail": "…"})
    elif body["token"] != token:
        route.fulfill(status=422, content_type="application/problem+json", json={
            "title": "Invalid request", "status": 422, "code": "invalidField", "field": "$.token",
            "detail": "$.token: this is not one of your tokens, or it no longer works; nothing was done."})
    else:
        route.continue_()


def test_an_account_is_deleted_after_a_fresh_proof(visit, shared_backline):
    ada = visit().sign_in("/profile/settings")
    # As ten minutes after the sign-in: without a token it is refused, and with a wrong one.
    ada.page.route("**/v1/me", lambda route: old_sign_in(route, ada.person.token))
    deletion = ada.page.get_by_role("region", name="Delete account")
    expect(deletion).to_contain_text("What stays: earlier backups")
    deletion.get_by_label("Type your username").fill("somebody_else")
    deletion.get_by_role("button", name="Delete my account").click()
    expect(deletion.get_by_text("This is not your username.")).to_be_visible()
    deletion.get_by_label("Type your username").fill(ada.person.name)
    deletion.get_by_role("button", name="Delete my account").click()
    sheet = ada.page.get_by_role("dialog", name="Confirm that it is you")
    sheet.get_by_label("One of your tokens").fill("bl_wrong")
    sheet.get_by_role("button", name="Delete my account").click()
    expect(sheet.get_by_label("One of your tokens")).to_have_attribute("aria-invalid", "true")
    assert_accessible(ada.page, "a wrong token")
    sheet.get_by_label("One of your tokens").fill(ada.person.token)
    sheet.get_by_role("button", name="Delete my account").click()
    expect(ada.heading).to_have_text("Sign in to Backline")
    ada.hears("Your account was deleted.")
    ben = visit().sign_in(f"/users/{ada.person.name}")
    expect(ben.page.get_by_role("heading", name="There is nobody here")).to_be_visible()


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


@pytest.mark.parametrize("width", [360, 1440])
def test_a_long_name_fits(visit, shared_backline, width):
    ada = visit(viewport={"width": width, "height": 900})
    ada.begin_session()
    for name in ("Wolfeschlegelsteinhausenbergerdorffvoralternwaren", "x" * 100):
        shared_backline.ask(ada.person, "PATCH", "/v1/me", {"displayName": name})
        ada.open("/profile")
        expect(ada.page.get_by_text(name, exact=True).first).to_be_visible()
        assert_readable(ada.page, f"a name of {len(name)} letters at {width} px")
        assert_nothing_cut_off(ada.page, f"a name of {len(name)} letters at {width} px")
