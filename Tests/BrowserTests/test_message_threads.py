"""Threads that end, requests, and the lists of threads."""

import re

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.messages import counter, field, friends_of, rows, shown, write
from support.people import follow, named

WIDTHS = pytest.mark.parametrize("width", [360, 1440])


@pytest.fixture
def friends(visit, shared_backline):
    """Makes Ada and Grace, who follow each other, and the id of their thread."""
    return friends_of(visit, shared_backline)


def test_a_block_while_the_thread_is_open(friends, shared_backline):
    ada, grace, id = friends()
    write(shared_backline, ada.person, grace.person, "From Ada")
    write(shared_backline, grace.person, ada.person, "From Grace")
    for visitor in (ada, grace):
        visitor.sign_in(f"/threads/{id}")
        expect(shown(visitor.page)).to_have_count(2)
    field(grace.page).fill("Half a sen")
    shared_backline.ask(ada.person, "PUT", f"/v1/users/{grace.person.name}/block")
    # Who is blocked sees what an erasure leaves.
    expect(grace.heading).to_have_text("Deleted person")
    expect(grace.page.get_by_text("From Ada")).to_have_count(0)
    expect(shown(grace.page).first).to_contain_text("This message is no longer available.")
    expect(shown(grace.page).last).to_contain_text("From Grace")
    expect(grace.page.get_by_text("You can no longer write in this conversation.")).to_be_visible()
    expect(field(grace.page)).to_have_count(0)
    expect(grace.heading).to_be_focused()
    assert_accessible(grace.page, "a closed thread")
    # Who blocks keeps the thread, and finds it under Blocked people.
    expect(ada.page.get_by_text("You have blocked Grace Hopper.")).to_be_visible()
    expect(shown(ada.page)).to_have_text([re.compile("From Ada"), re.compile("From Grace")])
    assert_accessible(ada.page, "the thread of a blocked person")
    ada.open("/threads")
    expect(ada.page.get_by_role("heading", name="No messages yet")).to_be_visible()
    ada.open("/people/blocked")
    ada.page.get_by_role("link", name="Messages with blocked people").click()
    expect(rows(ada.page)).to_contain_text("Grace Hopper")
    # The end of the block brings both back, and what was typed.
    shared_backline.ask(ada.person, "DELETE", f"/v1/users/{grace.person.name}/block")
    expect(rows(ada.page)).to_have_count(0)
    expect(grace.heading).to_have_text("Ada Lovelace")
    expect(shown(grace.page).first).to_contain_text("From Ada")
    expect(field(grace.page)).to_have_value("Half a sen")


def test_an_erasure_while_the_thread_is_open(friends, shared_backline):
    ada, grace, id = friends()
    write(shared_backline, grace.person, ada.person, "From Grace")
    write(shared_backline, ada.person, grace.person, "From Ada")
    ada.sign_in(f"/threads/{id}")
    expect(shown(ada.page)).to_have_count(2)
    shared_backline.ask(grace.person, "DELETE", "/v1/me", {
        "username": grace.person.name, "token": grace.person.token})
    expect(ada.heading).to_have_text("Deleted person")
    expect(ada.page.get_by_text("From Grace")).to_have_count(0)
    expect(shown(ada.page).last).to_contain_text("From Ada")
    expect(field(ada.page)).to_have_count(0)
    ada.open("/threads")
    expect(rows(ada.page)).to_contain_text("Deleted person")
    assert_accessible(ada.page, "the list with a deleted person")


def test_a_suspension_while_the_thread_is_open(friends, shared_backline):
    ada, grace, id = friends()
    root = shared_backline.add_person("--admin")
    suspension = f"/v1/admin/accounts/{grace.person.name}/suspension"
    write(shared_backline, grace.person, ada.person, "From Grace")
    ada.sign_in(f"/threads/{id}")
    expect(shown(ada.page)).to_contain_text("From Grace")
    # Neither follows the other any longer, so that no event of a person leads to it.
    for one, other in ((ada, grace), (grace, ada)):
        shared_backline.ask(one.person, "DELETE", f"/v1/users/{other.person.name}/follow")
    field(ada.page).fill("Half a sen")
    shared_backline.ask(root, "PUT", suspension)
    expect(ada.page.get_by_text("You can no longer write in this conversation.")).to_be_visible()
    expect(ada.page.get_by_text("From Grace")).to_have_count(0)
    expect(field(ada.page)).to_have_count(0)
    shared_backline.ask(root, "DELETE", suspension)
    expect(ada.heading).to_have_text("Grace Hopper")
    expect(shown(ada.page)).to_contain_text("From Grace")
    expect(field(ada.page)).to_have_value("Half a sen")


def test_a_change_of_who_may_write_while_the_thread_is_open(friends, shared_backline):
    ada, grace, id = friends()
    shared_backline.ask(grace.person, "DELETE", f"/v1/users/{ada.person.name}/follow")
    ada.sign_in(f"/threads/{id}")
    expect(ada.page.get_by_text("This is a request: Grace Hopper has to accept it")).to_be_visible()
    shared_backline.ask(grace.person, "PUT", "/v1/me/message-settings", {"policy": "mutual"})
    expect(ada.page.get_by_text("Grace Hopper does not receive messages from you.")).to_be_visible()
    expect(field(ada.page)).to_have_count(0)
    shared_backline.ask(grace.person, "PUT", f"/v1/users/{ada.person.name}/follow")
    expect(field(ada.page)).to_be_visible()
    expect(ada.page.get_by_text("This is a request")).to_have_count(0)


# MARK: Requests


@WIDTHS
@pytest.mark.parametrize("answer", ["Accept", "Decline"])
def test_a_request_is_answered(visit, shared_backline, width, answer):
    ada = named(visit, shared_backline, "Ada Lovelace", viewport={"width": width, "height": 800})
    linus = named(visit, shared_backline, "Linus Torvalds", viewport={"width": width, "height": 800})
    linus.sign_in(f"/users/{ada.person.name}")
    linus.button("Ask to write to Ada Lovelace").click()
    expect(linus.page.get_by_text("This is a request: Ada Lovelace has to accept it")).to_be_visible()
    field(linus.page).fill("May I?")
    field(linus.page).press("Enter")
    expect(linus.page.get_by_text("Your request has no answer yet.")).to_be_visible()
    expect(field(linus.page)).to_have_count(0)
    assert_accessible(linus.page, f"an own request at {width} px")

    ada.sign_in("/threads")
    expect(ada.page.get_by_role("heading", name="No messages yet")).to_be_visible()
    # A request is not counted in the header.
    ada.page.get_by_role("link", name="1 request").click()
    expect(rows(ada.page, "Message requests")).to_contain_text("Linus Torvalds")
    expect(ada.page.get_by_text("May I?")).to_have_count(0)
    assert_accessible(ada.page, f"a request at {width} px")
    assert_nothing_cut_off(ada.page, f"a request at {width} px")
    ada.page.get_by_role("link", name="Linus Torvalds").click()
    expect(shown(ada.page)).to_contain_text("May I?")
    expect(field(ada.page)).to_have_count(0)
    assert_accessible(ada.page, f"the thread of a request at {width} px")
    ada.button(f"{answer} the request of Linus Torvalds").click()
    if answer == "Accept":
        expect(field(ada.page)).to_be_focused()
        field(ada.page).fill("You may")
        field(ada.page).press("Enter")
        linus.hears("Ada Lovelace: You may")
        expect(field(linus.page)).to_be_visible()
    else:
        expect(ada.page.get_by_role("heading", name="No requests")).to_be_visible()
        # A decline is not told.
        expect(linus.page.get_by_text("Your request has no answer yet.")).to_be_visible()
        assert shared_backline.ask(ada.person, "GET", "/v1/threads")["items"] == []


def test_a_request_that_is_withdrawn_disappears(visit, shared_backline):
    ada, linus = visit(), named(visit, shared_backline, "Linus Torvalds")
    asked = write(shared_backline, linus.person, ada.person, "May I?")
    ada.sign_in(f"/threads/{asked['threadId']}")
    expect(ada.page.get_by_role("heading", name="Linus Torvalds asks to write to you")).to_be_visible()
    shared_backline.ask(linus.person, "DELETE", f"/v1/threads/{asked['threadId']}/messages/{asked['id']}")
    expect(ada.page.get_by_role("heading", name="There is no such conversation")).to_be_visible()
    expect(ada.page.get_by_text("May I?")).to_have_count(0)


def test_whoever_receives_nothing_has_no_button(visit, shared_backline):
    ada = visit().sign_in("/profile/messages")
    grace = named(visit, shared_backline, "Grace Hopper")
    ada.choose("People I follow who follow me back")
    ada.hears("Saved.")
    assert shared_backline.ask(ada.person, "GET", "/v1/me/message-settings")["policy"] == "mutual"
    assert_accessible(ada.page, "message settings")
    grace.sign_in(f"/users/{ada.person.name}")
    expect(grace.button(f"Follow {ada.person.name}")).to_be_visible()
    expect(grace.page.get_by_role("button", name=re.compile("^(Message|Ask to write)"))).to_have_count(0)
    assert_accessible(grace.page, "the profile of somebody who receives nothing")
    # An open page shows the button once the two follow each other.
    grace.button(f"Follow {ada.person.name}").click()
    follow(shared_backline, ada.person, grace.person)
    expect(grace.button(f"Message {ada.person.name}")).to_be_visible()


# MARK: Lists


def test_the_list_is_in_order_and_has_further_pages(visit, shared_backline):
    ada = visit()
    for number in range(22):
        other = shared_backline.add_person()
        follow(shared_backline, ada.person, other)
        write(shared_backline, other, ada.person, f"Number {number}")
    ada.sign_in("/threads")
    expect(rows(ada.page)).to_have_count(20)
    expect(rows(ada.page).first).to_contain_text("Number 21")
    expect(counter(ada, "Messages 22 new")).to_be_visible()
    ada.button("Load more").press("Enter")
    ada.hears("2 more conversations.")
    expect(rows(ada.page)).to_have_count(22)
    expect(rows(ada.page).nth(20).get_by_role("link")).to_be_focused()
    write(shared_backline, other, ada.person, "Once more")
    expect(rows(ada.page).first).to_contain_text("Once more")
    expect(rows(ada.page).first.locator(".unread-mark")).to_contain_text("2 new")
