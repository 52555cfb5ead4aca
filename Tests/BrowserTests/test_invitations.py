"""Invitations: making them, coming in with one, and what newcomers are asked and shown."""

import re

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.people import change

WIDTHS = pytest.mark.parametrize("width", [360, 1440])


def invitation(visitor) -> str:
    """Makes an invitation on the page, and returns its link."""
    visitor.button("Create an invitation").click()
    link = visitor.page.locator(".new-token code")
    expect(link).to_be_visible()
    return link.inner_text()


@WIDTHS
def test_a_link_leads_to_an_account_once(visit, shared_backline, width):
    root = visit(options=("--admin",)).sign_in("/profile/settings")
    root.page.get_by_role("link", name="Invite somebody").click()
    expect(root.page.get_by_text("There are none.")).to_be_visible()
    link = invitation(root)
    root.hears("The invitation was created. Copy its link now: it will not be shown again.")
    expect(root.page.get_by_role("region", name="Open invitations").get_by_role("listitem")).to_have_count(1)
    expect(root.page.get_by_text("There are none.")).to_have_count(0)
    assert link.startswith(f"{shared_backline.address}/invitation#")
    assert_accessible(root.page, "an invitation")
    assert_nothing_cut_off(root.page, "an invitation")

    grace = visit(viewport={"width": width, "height": 900})
    grace.page.goto(link)
    expect(grace.heading).to_have_text("Welcome to Backline")
    # The code leaves the address bar, and a reload keeps it.
    expect(grace.page).to_have_url(f"{shared_backline.address}/invitation")
    grace.page.reload()
    username = grace.page.get_by_label("Username")
    expect(username).to_be_visible()
    assert_accessible(grace.page, "the choice of a username")
    assert_nothing_cut_off(grace.page, "the choice of a username")
    grace.button("Create my account").click()
    expect(grace.page.get_by_text("Enter a username.")).to_be_visible()
    username.fill(root.person.name)
    grace.page.keyboard.press("Enter")
    expect(username).to_have_attribute("aria-invalid", "true")
    expect(username).to_be_focused()
    name = f"grace.{width}"
    username.fill(name)
    grace.page.keyboard.press("Enter")
    grace.hears("Your account was created. You are signed in.")
    expect(grace.page).to_have_url(f"{shared_backline.address}/welcome")
    expect(grace.page.get_by_role("region", name="Introduction")).to_be_visible()
    expect(grace.page.get_by_role("link", name="make one in your settings")).to_have_attribute(
        "href", "/profile/settings")
    assert_accessible(grace.page, "the page for newcomers")
    assert_nothing_cut_off(grace.page, "the page for newcomers")
    assert grace.page.evaluate("JSON.stringify([history.state, localStorage, sessionStorage])").count("bli_") == 0
    assert not [line for line in shared_backline.gateway.lines if link.split("#")[1] in line]
    grace.open("/profile")
    expect(grace.page.get_by_text(name, exact=True).first).to_be_visible()

    # Nobody chooses a username in vain.
    late = visit()
    late.page.goto(link)
    late.hears("This invitation does not work.")
    expect(late.page.get_by_role("heading", name="This invitation does not work")).to_be_visible()
    expect(late.page.get_by_label("Username")).to_have_count(0)
    assert_accessible(late.page, "a used invitation")


def test_an_invitation_that_ends_while_its_page_is_open(visit):
    link = invitation(visit(options=("--admin",)).sign_in("/profile/invitations"))
    slow, fast = visit(), visit()
    slow.page.goto(link)
    slow.page.get_by_label("Username").fill("too_late")
    fast.page.goto(link)
    fast.page.get_by_label("Username").fill("in_time")
    fast.button("Create my account").click()
    expect(fast.page).to_have_url(f"{fast.backline.address}/welcome")
    slow.button("Create my account").click()
    expect(slow.page.get_by_role("heading", name="This invitation does not work")).to_be_visible()


def test_an_invitation_is_withdrawn(visit):
    root = visit(options=("--admin",)).sign_in("/profile/invitations")
    link = invitation(root)
    root.button(re.compile("^Withdraw Invitation of ")).click()
    root.page.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
    root.hears("The invitation was withdrawn.")
    stranger = visit()
    stranger.page.goto(link)
    expect(stranger.page.get_by_role("heading", name="This invitation does not work")).to_be_visible()
    stranger.open("/invitation")
    expect(stranger.page.get_by_role("heading", name="This invitation does not work")).to_be_visible()


def test_who_is_signed_in_already_is_asked_first(visit):
    link = invitation(visit(options=("--admin",)).sign_in("/profile/invitations"))
    ada = visit().sign_in("/feed")
    expect(ada.heading).to_have_text("Feed")
    ada.page.goto(link)
    expect(ada.page.get_by_role("heading", name="You have an account already")).to_be_visible()
    expect(ada.page.get_by_text(f"You are signed in as {ada.person.name}.")).to_be_visible()
    ada.button("Sign out and use it").click()
    ada.page.get_by_label("Username").fill("second_self")
    ada.button("Create my account").click()
    expect(ada.page).to_have_url(f"{ada.backline.address}/welcome")


def test_people_without_the_right_are_not_offered_invitations(visit, own_backline):
    ada = visit().sign_in("/profile/settings")
    expect(ada.page.get_by_role("region", name="Devices").get_by_role("listitem")).to_have_count(1)
    expect(ada.page.get_by_role("link", name="Invite somebody")).to_have_count(0)
    ada.open("/profile/invitations")
    ada.button("Create an invitation").click()
    expect(ada.page.get_by_role("alert").filter(has_text=re.compile("administrator", re.IGNORECASE))).to_be_visible()
    everyone = visit(own_backline(environment={"BACKLINE_ACCOUNTS_INVITATIONS": "everyone"}))
    everyone.sign_in("/profile/settings").page.get_by_role("link", name="Invite somebody").click()
    assert "/invitation#" in invitation(everyone)


@WIDTHS
def test_the_introduction_is_shown_once_and_again_from_the_profile(visit, width):
    # Two of the cards are about others.
    ada, _ = visit(viewport={"width": width, "height": 900}), visit()
    ada.sign_in("/feed")
    cards = ada.page.get_by_role("region", name="Introduction")
    expect(cards.get_by_role("heading", name="All your music in one library")).to_be_visible()
    assert_accessible(ada.page, "the first card on the feed")
    assert_nothing_cut_off(ada.page, "the first card on the feed")
    # By keyboard, with each title read.
    cards.get_by_role("button", name="Next").press("Enter")
    expect(cards.get_by_role("heading", name="Concerts by your artists")).to_be_focused()
    expect(cards.get_by_text("2 of 5")).to_be_visible()
    cards.get_by_role("button", name="Back").press("Enter")
    expect(cards.get_by_role("heading", name="All your music in one library")).to_be_focused()
    cards.get_by_role("button", name="Skip the introduction").press("Enter")
    expect(cards).to_have_count(0)
    expect(ada.heading).to_be_focused()
    ada.page.reload()
    expect(ada.page.get_by_role("link", name="Discover concerts")).to_be_visible()
    expect(cards).to_have_count(0)

    ada.open("/profile")
    ada.page.get_by_role("link", name="Introduction").click()
    expect(ada.heading).to_have_text("Welcome to Backline")
    for _ in range(4):
        assert_accessible(ada.page, "a card of the introduction")
        assert_nothing_cut_off(ada.page, "a card of the introduction")
        cards.get_by_role("button", name="Next").click()
    expect(cards.get_by_role("heading", name="You decide who sees you")).to_be_visible()
    expect(cards.get_by_role("button", name="Skip the introduction")).to_be_hidden()
    cards.get_by_role("button", name="Done").click()
    expect(ada.heading).to_have_text("Feed")


def ask_for_a_username(ada, **profile) -> None:
    """Makes the pages believe that Backline had to make the person's username, until they send one."""
    asking = {"mustChooseUsername": True, "onboarding": False, **profile}

    def answer(route) -> None:
        if route.request.method == "PATCH":
            asking.clear()
            route.continue_()
        else:
            response = route.fetch()
            route.fulfill(response=response, json={**response.json(), **asking})

    ada.page.route("**/v1/me", answer)


@pytest.mark.parametrize("path", ["/feed", "/profile"])
def test_a_username_is_asked_for_once(visit, path):
    ada, ben = visit(), visit()
    ask_for_a_username(ada)
    ada.sign_in(path)
    question = ada.page.get_by_role("region", name="Choose your username")
    expect(question).to_contain_text(f"Backline named you {ada.person.name}")
    expect(question).to_contain_text("Programs that already send your listens keep working")
    assert_accessible(ada.page, "the question for a username")
    assert_nothing_cut_off(ada.page, "the question for a username")
    question.get_by_role("button", name="Use this name").click()
    expect(question.get_by_text("Enter a username.")).to_be_visible()
    question.get_by_label("Username").fill(ben.person.name)
    question.get_by_role("button", name="Use this name").click()
    expect(question.get_by_label("Username")).to_have_attribute("aria-invalid", "true")
    question.get_by_role("button", name=f"Keep {ada.person.name}").click()
    ada.hears(f"Your username is {ada.person.name}.")
    expect(question).to_have_count(0)
    expect(ada.heading).to_be_focused()


@pytest.mark.parametrize("new", [{"onboarding": True}, {"email": "ada@example.org"}])
def test_a_new_account_is_asked_without_a_word_about_programs(visit, new):
    ada = visit()
    ask_for_a_username(ada, **new)
    ada.sign_in("/feed")
    question = ada.page.get_by_role("region", name="Choose your username")
    expect(question).to_contain_text(f"Backline named you {ada.person.name}")
    expect(question).not_to_contain_text("Programs")


def test_a_username_can_be_changed_again_only_later(visit, shared_backline):
    ada = visit()
    change(shared_backline, ada.person, username=f"{ada.person.name}.new")
    ada.sign_in("/profile/edit")
    expect(ada.page.get_by_text("You can choose another one from ")).to_be_visible()
    expect(ada.page.get_by_label("Username", exact=True)).to_have_count(0)
    former = ada.page.get_by_label(re.compile(f"Redirect my former username, {ada.person.name}, to my profile"))
    former.check()
    ada.page.get_by_label("Display name").fill("Ada")
    ada.button("Save").click()
    expect(ada.heading).to_have_text("Profile")
    me = shared_backline.ask(ada.person, "GET", "/v1/me")
    assert me["formerUsername"]["leadsOn"] and me["displayName"] == "Ada"
    ben = visit().sign_in(f"/users/{ada.person.name}")
    expect(ben.heading).to_have_text("Ada")
    expect(ben.page).to_have_url(f"{shared_backline.address}/users/{ada.person.name}.new")
