"""Signing in and out."""

from playwright.sync_api import expect

USED = "This link has been used or has expired. Run “backline open” again on the server for a new one."


def test_a_link_signs_in_once_and_leaves_the_address_bar(visit, shared_backline):
    ada = visit()
    link = shared_backline.sign_in_link(ada.person)
    ada.page.goto(link)
    expect(ada.heading).to_have_text("Feed")
    expect(ada.page).to_have_url(f"{shared_backline.address}/feed")
    assert not [line for line in shared_backline.gateway.lines if link.split("#")[1] in line]
    ada.open("/profile")
    expect(ada.page.get_by_text(ada.person.name, exact=True)).to_be_visible()

    stranger = visit()
    stranger.page.goto(link)
    expect(stranger.page.get_by_role("alert").get_by_text(USED)).to_be_visible()
    expect(stranger.page).to_have_url(f"{shared_backline.address}/sign-in")


def test_a_new_link_works_in_the_page_that_refused_the_old_one(visit, shared_backline):
    ada = visit().open("/sign-in#bll_" + "x" * 43)
    expect(ada.page.get_by_text(USED)).to_be_visible()
    ada.page.goto(shared_backline.sign_in_link(ada.person))
    expect(ada.heading).to_have_text("Feed")


def test_a_token_signs_in(visit):
    ada = visit().open("/sign-in")
    ada.page.get_by_label("Token", exact=True).fill(f" {ada.person.token} ")
    ada.button("Sign in").click()
    expect(ada.heading).to_have_text("Feed")


def test_a_wrong_token_is_refused(visit):
    ada = visit().open("/sign-in")
    token = ada.page.get_by_label("Token", exact=True)
    ada.button("Sign in").click()
    expect(ada.page.get_by_text("Paste a token first.")).to_be_visible()
    token.fill("bl_wrong")
    ada.button("Sign in").click()
    expect(ada.page.get_by_text("Backline does not know this token.")).to_be_visible()
    expect(token).to_be_focused()
    expect(token).to_have_attribute("aria-invalid", "true")


def test_only_the_question_of_who_is_signed_in_is_refused(visit, shared_backline):
    # A page cannot see the session's cookie, so it has to ask.
    ada = visit().open("/sign-in")
    expect(ada.button("Sign in")).to_be_visible()
    assert len(ada.refused) == 1 and ada.refused[0].endswith(f" {shared_backline.address}/v1/session"), ada.refused


def test_a_signed_out_person_is_led_to_the_sign_in_page_and_back(visit):
    ada = visit().open("/explore/concerts")
    expect(ada.heading).to_have_text("Sign in to Backline")
    expect(ada.page.get_by_text("Please sign in to continue.")).to_be_visible()
    expect(ada.page.get_by_role("navigation", name="Main")).to_be_hidden()
    ada.page.get_by_label("Token", exact=True).fill(ada.person.token)
    ada.page.keyboard.press("Enter")
    expect(ada.heading).to_have_text("Your artists")


def test_the_sign_in_page_never_leads_to_another_site(visit):
    for address in ("https://example.com/", "//example.com/feed", "javascript:alert(1)", "http://[",
                    "/.//example.com/feed", "/%2e//example.com/feed", "/feed/..//example.com/feed"):
        ada = visit().open(f"/sign-in?next={address}")
        ada.page.get_by_label("Token", exact=True).fill(ada.person.token)
        ada.page.keyboard.press("Enter")
        expect(ada.heading).to_have_text("Feed")


def test_signing_out_ends_the_session(visit, shared_backline):
    ada = visit().sign_in("/profile")
    note = ada.page.get_by_text("Your keys and connections stay, encrypted")
    expect(note.get_by_role("link", name="Setup")).to_have_attribute("href", "/setup")
    ada.button("Sign out").click()
    expect(ada.heading).to_have_text("Sign in to Backline")
    assert ada.context.request.get(f"{shared_backline.address}/v1/session").status == 401
    ada.page.go_back()
    expect(ada.heading).to_have_text("Sign in to Backline")


def test_a_session_that_ended_elsewhere_leads_to_the_sign_in_page_and_back(visit, shared_backline):
    ada = visit().at_artists(["Adele"])
    ada.context.request.delete(
        f"{shared_backline.address}/v1/session", headers={"Origin": shared_backline.address})
    ada.add("Coldplay")
    expect(ada.heading).to_have_text("Sign in to Backline")
    ada.page.get_by_label("Token", exact=True).fill(ada.person.token)
    ada.page.keyboard.press("Enter")
    ada.sees_artists(["Adele"])
