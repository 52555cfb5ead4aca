"""The administrators' pages of accounts and reports."""

import re

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.installation import Installation
from support.people import named

WIDTHS = pytest.mark.parametrize("width", [360, 1440])
STALE = {
    "title": "Prove again who you are", "status": 403, "code": "recentSignInRequired",
    "detail": "This cannot be undone, so it needs a sign-in of the last ten minutes.",
}


@pytest.fixture(scope="module")
def backline():
    with Installation() as installation:
        yield installation


def account(root, name: str):
    return root.page.get_by_role("list", name="Accounts", exact=True).get_by_role("listitem").filter(has_text=name)


def choose(root, name: str, action: str) -> None:
    root.button(f"Actions for {name}").click()
    root.page.get_by_role("menuitem", name=action).click()


def confirm(root, action: str) -> None:
    root.page.get_by_role("dialog").get_by_role("button", name=action).click()


@WIDTHS
def test_an_account_is_suspended_and_reinstated(visit, backline, width):
    root = visit(backline, ("--admin",), viewport={"width": width, "height": 900}).sign_in("/operations")
    ben = named(visit, backline, f"Ben {width}").sign_in("/feed")
    expect(ben.heading).to_have_text("Feed")
    root.page.get_by_role("link", name="Accounts").click()
    expect(account(root, root.person.name)).to_contain_text("This is you")
    expect(account(root, f"Ben {width}")).to_contain_text("Last seen")
    choose(root, f"Ben {width}", "Suspend")
    assert_accessible(root.page, "the question before a suspension")
    confirm(root, "Suspend")
    root.hears(f"Ben {width} is suspended.")
    expect(account(root, f"Ben {width}").get_by_text("Suspended", exact=True)).to_be_visible()
    expect(root.button(f"Actions for Ben {width}")).to_be_focused()
    # Who is suspended cannot become an administrator.
    root.page.keyboard.press("Enter")
    expect(root.page.get_by_role("menuitem")).to_have_text(["Reinstate", "Erase"])
    root.page.keyboard.press("Escape")
    assert_accessible(root.page, "a suspended account")
    assert_nothing_cut_off(root.page, "a suspended account")
    ben.open("/profile")
    expect(ben.heading).to_have_text("Sign in to Backline")
    choose(root, f"Ben {width}", "Reinstate")
    root.hears(f"Ben {width} can use Backline again.")
    expect(account(root, f"Ben {width}").get_by_text("Suspended", exact=True)).to_have_count(0)
    assert ben.sign_in("/feed").heading.inner_text() == "Feed"


def test_administrators_are_named_and_withdrawn(visit, backline):
    root, ben = visit(backline, ("--admin",)), named(visit, backline, "Ben Promoted")
    root.sign_in("/operations/accounts")
    choose(root, "Ben Promoted", "Make administrator")
    confirm(root, "Make administrator")
    root.hears("Ben Promoted is an administrator now.")
    assert backline.ask(ben.person, "GET", "/v1/me")["isAdmin"]
    choose(root, "Ben Promoted", "Remove as administrator")
    root.hears("Ben Promoted is no longer an administrator.")
    assert not backline.ask(ben.person, "GET", "/v1/me")["isAdmin"]


def test_erasing_asks_for_a_token_if_the_sign_in_is_old(visit, backline):
    root, ben = visit(backline, ("--admin",)), named(visit, backline, "Ben Erased")
    # The first attempt is refused, as ten minutes after the sign-in.
    root.page.route(f"**/v1/admin/accounts/{ben.person.name}", lambda route: route.fulfill(
        status=403, json=STALE, content_type="application/problem+json"), times=1)
    root.sign_in("/operations/accounts")
    choose(root, "Ben Erased", "Erase")
    # As the page on which people delete their own accounts.
    for words in ("earlier backups", "blends", "reports", "usernames"):
        expect(root.page.get_by_role("dialog")).to_contain_text(words)
    confirm(root, "Erase")
    sheet = root.page.get_by_role("dialog", name="Confirm that it is you")
    expect(sheet.get_by_role("link", name="Sign in again")).to_have_attribute(
        "href", "/sign-in?next=%2Foperations%2Faccounts")
    assert_accessible(root.page, "the question for a token")
    assert_nothing_cut_off(root.page, "the question for a token")
    sheet.get_by_role("button", name="Erase").click()
    expect(sheet.get_by_text("Paste a token first.")).to_be_visible()
    sheet.get_by_label("One of your tokens").fill(root.person.token)
    sheet.get_by_role("button", name="Erase").click()
    root.hears("Ben Erased was erased.")
    expect(account(root, "Ben Erased")).to_have_count(0)


def test_erasing_can_be_given_up(visit, backline):
    root, ben = visit(backline, ("--admin",)), named(visit, backline, "Ben Kept")
    root.page.route(f"**/v1/admin/accounts/{ben.person.name}", lambda route: route.fulfill(
        status=403, json=STALE, content_type="application/problem+json"))
    root.sign_in("/operations/accounts")
    choose(root, "Ben Kept", "Erase")
    confirm(root, "Erase")
    root.page.get_by_role("dialog", name="Confirm that it is you").get_by_role("button", name="Close").click()
    expect(account(root, "Ben Kept")).to_be_visible()
    expect(root.page.locator(".toasts")).not_to_contain_text("was erased")


@WIDTHS
def test_a_report_is_decided(visit, backline, width):
    root = visit(backline, ("--admin",), viewport={"width": width, "height": 900})
    ada, ben = visit(backline), named(visit, backline, f"Ben Reported {width}")
    for words in ("Sells tickets.", "Sells tickets again.\nAnd again."):
        backline.ask(ada.person, "POST", f"/v1/users/{ben.person.name}/report", {"text": words})
    root.sign_in("/operations")
    root.page.get_by_role("link", name="Reports").click()
    reports = root.page.get_by_role("list", name="Open reports")
    # The second report of the same person replaces the first one.
    report = reports.get_by_role("listitem").filter(has_text=ben.person.name)
    expect(report).to_have_count(1)
    expect(report).to_contain_text("Sells tickets again.")
    report.get_by_text("The profile when it was reported").click()
    expect(report).to_contain_text(f"Ben Reported {width}")
    assert_accessible(root.page, "an open report")
    assert_nothing_cut_off(root.page, "an open report")
    root.button(f"Suspend {ben.person.name}").click()
    confirm(root, "Suspend")
    root.hears(f"{ben.person.name} is suspended.")
    expect(report).to_have_count(0)
    root.page.get_by_role("tab", name="Decided").click()
    decided = root.page.get_by_role("list", name="Decided reports").get_by_role("listitem")
    expect(decided.filter(has_text=ben.person.name)).to_contain_text("The person was suspended.")
    # What was reported is gone with the decision.
    expect(decided.filter(has_text="Sells tickets")).to_have_count(0)
    assert_accessible(root.page, "decided reports")
    root.page.reload()
    expect(root.page.get_by_role("tab", name="Decided")).to_have_attribute("aria-selected", "true")


def test_a_report_that_another_administrator_decided_disappears(visit, backline):
    root, ada, ben = visit(backline, ("--admin",)), visit(backline), named(visit, backline, "Ben Twice")
    backline.ask(ada.person, "POST", f"/v1/users/{ben.person.name}/report", {"text": "Twice."})
    root.sign_in("/operations/reports")
    button = root.button(f"Dismiss the report about {ben.person.name}")
    expect(button).to_be_visible()
    [report] = [one for one in backline.ask(root.person, "GET", "/v1/admin/reports")["items"] if one["text"] == "Twice."]
    backline.ask(root.person, "POST", f"/v1/admin/reports/{report['id']}/decision", {"decision": "suspend"})
    button.click()
    expect(root.page.locator(".toasts")).to_contain_text("The report already has a different decision.")
    expect(button).to_have_count(0)


@pytest.mark.parametrize("path", ["/operations/accounts", "/operations/reports"])
def test_only_administrators_see_them(visit, path):
    ada = visit().sign_in(path)
    expect(ada.page.get_by_role("heading", name="For administrators only")).to_be_visible()
    assert_accessible(ada.page, path)


def test_the_list_of_accounts_grows(visit, backline):
    root = visit(backline, ("--admin",))
    for _ in range(3):
        backline.add_person()
    root.page.route(re.compile(r"/v1/admin/accounts\?limit=50"), lambda route: route.continue_(
        url=route.request.url.replace("limit=50", "limit=2")))
    root.sign_in("/operations/accounts")
    rows = root.page.get_by_role("list", name="Accounts", exact=True).get_by_role("listitem")
    expect(rows).to_have_count(2)
    root.button("Load more").click()
    expect(rows).to_have_count(4)
