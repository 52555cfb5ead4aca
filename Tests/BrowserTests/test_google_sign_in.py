"""Signing in with Google, on its simulated pages."""

import re

from playwright.sync_api import expect

from support.accessibility import assert_accessible
from support.visitor import PIXEL

DANA = "Continue as Dana Novák (dana@example.org)"
GOOGLE = re.compile(r"/google/o/oauth2/v2/auth\?")
PICTURES = re.compile(r"^https://lh3\.googleusercontent\.com/")


def stranger(visit, backline, address: str):
    """A visitor who is not signed in."""
    visitor = visit(backline)
    visitor.context.route(PICTURES, lambda route: route.fulfill(content_type="image/png", body=PIXEL))
    return visitor.open(address)


def test_allowing_and_cancelling(visit, setup_backline):
    ada = stranger(visit, setup_backline, "/profile")
    google = ada.page.get_by_role("link", name="Sign in with Google")
    google.click()
    expect(ada.page).to_have_url(GOOGLE)
    ada.button("Cancel").click()
    expect(ada.heading).to_have_text("Sign in to Backline")
    expect(ada.page).to_have_url(f"{setup_backline.address}/sign-in?next=%2Fprofile")
    expect(ada.page.get_by_role("alert").filter(has_text="Google")).to_have_count(0)
    assert_accessible(ada.page, "sign-in with Google")

    google.focus()
    ada.page.keyboard.press("Enter")
    ada.button(DANA).click()
    # The redirect leads to the page that the visitor had opened first.
    expect(ada.page).to_have_url(f"{setup_backline.address}/profile")
    expect(ada.page.get_by_text("Dana Novák", exact=True)).to_be_visible()

    # The callback's address is valid once.
    ada.button("Sign out").click()
    expect(ada.heading).to_have_text("Sign in to Backline")
    ada.page.go_back()
    expect(ada.heading).to_have_text("Sign in to Backline")


def test_a_failed_sign_in_shows_its_reason_once(visit, setup_backline):
    ada = stranger(visit, setup_backline, "/sign-in?next=/library")
    with_google = ada.page.get_by_role("link", name="Sign in with Google")
    failure = ada.page.get_by_role("alert").filter(has_text="You were not signed in with Google.")
    expect(with_google).to_be_visible()
    setup_backline.simulator.google.spoil("status502", match={"endpoint": "POST /google/token"}, times=1)
    with_google.click()
    ada.button(DANA).click()
    expect(failure).to_contain_text("Backline got no valid answer from Google. Try again in a moment.")
    expect(ada.page).to_have_url(f"{setup_backline.address}/sign-in?next=%2Flibrary")
    assert_accessible(ada.page, "a sign-in with Google that failed")
    ada.page.reload()
    expect(with_google).to_be_visible()
    expect(failure).to_have_count(0)

    with_google.click()
    expect(ada.page).to_have_url(GOOGLE)
    ada.context.clear_cookies()
    ada.button(DANA).click()
    expect(failure).to_contain_text("was started in another browser")
    # Only the browser that started the sign-in has the page to return to.
    with_google.click()
    ada.button(DANA).click()
    expect(ada.heading).to_have_text("Feed")


def test_the_sign_in_page_explains_errors_of_the_gateway(visit, setup_backline):
    ada = stranger(visit, setup_backline, "/sign-in?next=/library")
    failure = ada.page.get_by_role("alert").filter(has_text="You were not signed in with Google.")
    with setup_backline.write_lock():
        ada.page.get_by_role("link", name="Sign in with Google").click()
        expect(failure).to_contain_text("Backline could not save this. Try again in a moment.")
    expect(ada.page).to_have_url(f"{setup_backline.address}/sign-in?next=%2Flibrary")
    ada.open("/v1/auth/google/start?returnTo=//elsewhere.example")
    expect(failure).to_contain_text("The page to open after signing in does not belong to this Backline.")
    expect(ada.page).to_have_url(f"{setup_backline.address}/sign-in")
