"""Send to friend, from the menu of a song to the thread and the feed of the other person."""

import re

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.messages import friends_of, shown, texts, thread, write
from support.people import follow
from support.shares import played

WIDTHS = pytest.mark.parametrize("width", [360, 1440])


def open_sheet(visitor, title: str = "Hello"):
    """Opens the sheet from the menu of a listen, by keyboard."""
    visitor.sign_in("/listening")
    visitor.button(f"Actions for {title} by Adele").press("Enter")
    expect(visitor.page.get_by_role("menuitem").first).to_have_text("Send to friend")
    expect(visitor.page.get_by_role("menuitem").first).to_be_focused()
    visitor.page.keyboard.press("Enter")
    return visitor.page.get_by_role("dialog", name=f"Send “{title}”")


@pytest.fixture
def friends(visit, shared_backline):
    """Ada, who has played a song and follows Grace, who follows her."""

    def make(**context):
        ada, grace, _ = friends_of(visit, shared_backline)(**context)
        played(shared_backline, ada.person, "Hello")
        return ada, grace

    return make


@WIDTHS
def test_a_song_is_sent_to_a_friend_by_keyboard(friends, shared_backline, width):
    ada, grace = friends(viewport={"width": width, "height": 800})
    grace.sign_in("/feed")
    expect(grace.page.get_by_role("navigation", name="Quick actions")).to_be_visible()
    sheet = open_sheet(ada)
    expect(sheet.get_by_role("radio")).to_have_count(1)
    assert_accessible(ada.page, f"the sheet at {width} px")
    assert_nothing_cut_off(ada.page, f"the sheet at {width} px")
    sheet.get_by_role("button", name="Send").press("Enter")
    expect(sheet.get_by_text("Choose who to send the song to.")).to_be_visible()
    expect(sheet.get_by_role("radio", name="Grace Hopper")).to_be_focused()
    ada.page.keyboard.press("Space")
    ada.page.keyboard.press("Tab")
    expect(sheet.get_by_label("Message (optional)")).to_be_focused()
    ada.page.keyboard.type("Listen to this")
    ada.page.keyboard.press("Tab")
    ada.page.keyboard.press("Enter")
    expect(sheet).to_have_count(0)
    ada.hears("You sent “Hello” to Grace Hopper.")

    # It is in Grace's feed and in the thread.
    card = grace.page.get_by_role("article").filter(has_text="sent you a song")
    news = grace.page.locator(".feed-news button")
    expect(card.or_(news).first).to_be_visible()
    if news.is_visible():
        news.click()
    expect(card).to_contain_text("Listen to this")
    expect(card.get_by_role("link", name=re.compile("^Hello by Adele"))).to_be_visible()
    assert_accessible(grace.page, f"the card of a sent song at {width} px")
    assert_nothing_cut_off(grace.page, f"the card of a sent song at {width} px")
    card.get_by_role("link", name="Show the message").click()
    expect(shown(grace.page)).to_contain_text("Listen to this")
    expect(shown(grace.page).get_by_role("link", name=re.compile("^Hello by Adele"))).to_be_visible()
    expect(shown(grace.page).get_by_role("button", name="Actions for Hello by Adele")).to_be_visible()
    assert_accessible(grace.page, f"a song in a thread at {width} px")
    assert_nothing_cut_off(grace.page, f"a song in a thread at {width} px")


def test_a_song_of_no_service_is_sent_on_from_the_thread(friends, shared_backline):
    ada, grace = friends()
    linus = shared_backline.add_person()
    follow(shared_backline, grace.person, linus)
    follow(shared_backline, linus, grace.person)
    listen = shared_backline.ask(ada.person, "GET", "/v1/listening/listens")["items"][0]["id"]
    sent = write(shared_backline, ada.person, grace.person, None, {"listenId": listen})
    assert sent["song"]["sources"] == []
    grace.sign_in(f"/threads/{sent['threadId']}")
    grace.button("Actions for Hello by Adele").click()
    grace.page.get_by_role("menuitem", name="Send to friend").click()
    sheet = grace.page.get_by_role("dialog", name="Send “Hello”")
    sheet.get_by_role("radio", name=linus.name).check()
    sheet.get_by_role("button", name="Send").click()
    grace.hears(f"You sent “Hello” to {linus.name}.")
    received = shared_backline.ask(linus, "GET", "/v1/threads")["items"][0]["last"]
    assert received["song"]["title"] == "Hello"


def test_a_song_that_may_have_been_sent_is_not_sent_twice(friends, shared_backline):
    ada, grace = friends()
    id = thread(shared_backline, ada.person, grace.person)["id"]
    sheet = open_sheet(ada)
    lost = []

    def lose_first_answer(route):
        answer = route.fetch()
        if lost:
            return route.fulfill(response=answer)
        lost.append(answer)
        route.abort()

    ada.page.route(re.compile(r"/messages/[0-9a-f-]+$"), lose_first_answer)
    sheet.get_by_role("radio", name="Grace Hopper").check()
    sheet.get_by_label("Message (optional)").fill("Once")
    sheet.get_by_role("button", name="Send").click()
    expect(sheet.get_by_label("Message (optional)")).to_have_value("Once")
    # Another text would be another message: it is not sent before the person knows of the first one.
    sheet.get_by_label("Message (optional)").fill("Twice")
    sheet.get_by_role("button", name="Retry").click()
    expect(sheet.get_by_text("An earlier version of this message had arrived already.")).to_be_visible()
    assert texts(shared_backline, ada.person, id) == ["Once"]


def test_those_to_whom_one_writes_most_are_first_and_others_are_found(friends, shared_backline):
    ada, grace = friends()
    for name in ("linus", "margaret"):
        other = shared_backline.add_person()
        shared_backline.ask(other, "PATCH", "/v1/me", {"displayName": name.title()})
        follow(shared_backline, ada.person, other)
        follow(shared_backline, other, ada.person)
    write(shared_backline, ada.person, other, "Hello")
    write(shared_backline, ada.person, other, "Are you there?")
    sheet = open_sheet(ada)
    expect(sheet.get_by_role("radio")).to_have_count(3)
    expect(sheet.locator(".recipient").first).to_contain_text("Margaret")
    sheet.get_by_role("radio", name="Margaret").check()
    search = sheet.get_by_role("searchbox", name="To")
    search.fill("linu")
    # Whoever is chosen stays.
    expect(sheet.locator(".recipient")).to_have_text([re.compile("Margaret"), re.compile("Linus")])
    expect(sheet.get_by_role("radio", name="Margaret")).to_be_checked()
    search.fill("nobody-is-called-this")
    expect(sheet.locator(".recipient")).to_have_count(1)


def test_whoever_receives_nothing_is_not_offered(friends, shared_backline):
    ada, grace = friends()
    shared_backline.ask(grace.person, "PUT", "/v1/me/message-settings", {"policy": "mutual"})
    shared_backline.ask(grace.person, "DELETE", f"/v1/users/{ada.person.name}/follow")
    sheet = open_sheet(ada)
    expect(sheet.get_by_text("You can send songs to people you follow or have a conversation with")).to_be_visible()
    expect(sheet.get_by_role("radio")).to_have_count(0)
    sheet.get_by_role("searchbox", name="To").fill("grace")
    expect(sheet.get_by_text("Nobody found among your conversations and the people you follow.")).to_be_visible()
    assert_accessible(ada.page, "nobody who receives anything")


def test_a_request_is_named_as_one(friends, shared_backline):
    ada, grace = friends()
    shared_backline.ask(grace.person, "DELETE", f"/v1/users/{ada.person.name}/follow")
    sheet = open_sheet(ada)
    expect(sheet.get_by_text("Has to accept your request first")).to_be_visible()
    expect(sheet.get_by_role("radio", name="Grace Hopper")).to_be_enabled()


def test_somebody_who_follows_nobody_is_told_whom_they_can_send_songs(visit, shared_backline):
    ada = visit()
    played(shared_backline, ada.person, "Hello")
    sheet = open_sheet(ada)
    expect(sheet.get_by_text("You can send songs to people you follow or have a conversation with.")).to_be_visible()
    expect(sheet.get_by_role("link", name="Find people")).to_be_visible()
