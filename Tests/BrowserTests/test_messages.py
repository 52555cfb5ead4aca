"""The page of a thread: two people at once, what is not lost, what is deleted, and what has been read."""

import re

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.messages import choose, counter, field, friends_of, rows, shown, texts, write

WIDTHS = pytest.mark.parametrize("width", [360, 1440])
HOSTILE = "<img src=x onerror=alert(1)> \u202egnp.exe <b>&amp;</b> https://example.com/ שלום 😀" + "W" * 300


@pytest.fixture
def friends(visit, shared_backline):
    """Makes Ada and Grace, who follow each other, and the id of their thread."""
    return friends_of(visit, shared_backline)


@WIDTHS
def test_two_people_write_to_each_other_at_once(friends, shared_backline, width):
    ada, grace, id = friends(viewport={"width": width, "height": 800})
    ada.sign_in(f"/users/{grace.person.name}")
    grace.sign_in("/threads")
    expect(grace.page.get_by_role("heading", name="No messages yet")).to_be_visible()
    assert_accessible(grace.page, f"no messages at {width} px")
    ada.button("Message Grace Hopper").press("Enter")
    expect(ada.heading).to_have_text("Grace Hopper")
    expect(ada.page).to_have_url(f"{shared_backline.address}/threads/{id}")
    expect(ada.page.get_by_text("Nobody has written yet.")).to_be_visible()
    field(ada.page).press_sequentially("Hello")
    field(ada.page).press("Shift+Enter")
    field(ada.page).press_sequentially("there")
    expect(ada.page.get_by_text("11 of 2,000 characters")).to_be_visible()
    field(ada.page).press("Enter")
    ada.hears("Sent.")
    expect(field(ada.page)).to_have_value("")
    expect(field(ada.page)).to_be_focused()
    expect(shown(ada.page)).to_have_count(1)

    # Grace sees it in her list and in the header, and reads it.
    expect(rows(grace.page)).to_contain_text("Hello there")
    expect(counter(grace, "Messages 1 new")).to_be_visible()
    assert_accessible(grace.page, f"a new message at {width} px")
    assert_nothing_cut_off(grace.page, f"a new message at {width} px")
    with grace.page.expect_response("**/read-mark") as moved:
        grace.page.get_by_role("link", name="Ada Lovelace").click()
        expect(shown(grace.page)).to_contain_text("Hello\nthere", use_inner_text=True)
    assert moved.value.ok
    expect(counter(grace)).to_be_visible()
    field(grace.page).fill("Hi Ada")
    grace.button("Send").click()
    ada.hears("Grace Hopper: Hi Ada")
    expect(shown(ada.page)).to_have_count(2)
    expect(shown(ada.page).last).to_contain_text("Hi Ada")
    assert_accessible(ada.page, f"a thread at {width} px")
    assert_nothing_cut_off(ada.page, f"a thread at {width} px")
    assert texts(shared_backline, ada.person, id) == ["Hello\nthere", "Hi Ada"]


def test_a_lost_answer_sends_one_message(friends, shared_backline):
    ada, _, id = friends()
    ada.sign_in(f"/threads/{id}")
    expect(field(ada.page)).to_be_visible()
    lost = []

    def lose_first_answer(route):
        answer = route.fetch()
        if lost:
            return route.fulfill(response=answer)
        lost.append(answer)
        route.abort()

    # Otherwise the stream tells the page that the message has arrived, or the messages, once they are read again.
    ada.page.route(re.compile("/v1/(events|auth)$"), lambda route: route.abort())
    ada.page.reload()
    expect(field(ada.page)).to_be_visible()
    ada.page.route(re.compile(r"/messages\?"), lambda route: route.abort())
    ada.page.route(re.compile(r"/messages/[0-9a-f-]+$"), lose_first_answer)
    field(ada.page).fill("Only once")
    field(ada.page).press("Enter")
    expect(ada.button("Retry")).to_be_visible()
    expect(field(ada.page)).to_have_value("Only once")
    assert texts(shared_backline, ada.person, id) == ["Only once"]
    assert_accessible(ada.page, "a message that may not have arrived")
    ada.button("Retry").click()
    ada.hears("Sent.")
    expect(field(ada.page)).to_have_value("")
    expect(shown(ada.page)).to_have_count(1)
    assert texts(shared_backline, ada.person, id) == ["Only once"]


def test_the_stream_says_that_a_message_has_arrived_whose_answer_was_lost(friends, shared_backline):
    ada, _, id = friends()
    ada.sign_in(f"/threads/{id}")
    expect(field(ada.page)).to_be_visible()

    def lose_answer(route):
        route.fetch()
        route.abort()

    ada.page.route(re.compile(r"/messages/[0-9a-f-]+$"), lose_answer)
    field(ada.page).fill("Only once")
    field(ada.page).press("Enter")
    expect(shown(ada.page)).to_have_count(1)
    expect(field(ada.page)).to_have_value("")
    assert texts(shared_backline, ada.person, id) == ["Only once"]


def test_a_draft_and_its_id_outlive_a_reload(friends, shared_backline):
    ada, _, id = friends()
    ada.sign_in(f"/threads/{id}")
    expect(field(ada.page)).to_be_visible()
    sent = []

    def refuse(route):
        sent.append(route.request.url)
        # Without this type, it would be the answer of a proxy.
        route.fulfill(status=503, json={"code": "storageBusy", "detail": "The database is busy. Try again."},
                      content_type="application/problem+json")

    ada.page.route(re.compile(r"/messages/[0-9a-f-]+$"), refuse, times=1)
    field(ada.page).fill("Do not forget me")
    field(ada.page).press("Enter")
    expect(ada.page.get_by_text("The database is busy. Try again.")).to_be_visible()
    ada.page.reload()
    expect(field(ada.page)).to_have_value("Do not forget me")
    with ada.page.expect_request(re.compile(r"/messages/[0-9a-f-]+$")) as again:
        field(ada.page).press("Enter")
    assert [again.value.url] == sent
    expect(shown(ada.page)).to_have_count(1)
    ada.page.reload()
    expect(shown(ada.page)).to_have_count(1)
    expect(field(ada.page)).to_have_value("")
    assert texts(shared_backline, ada.person, id) == ["Do not forget me"]


def test_signing_out_deletes_what_was_typed(friends):
    ada, _, id = friends()
    ada.sign_in(f"/threads/{id}")
    field(ada.page).fill("A secret")
    ada.page.get_by_role("navigation", name="Main").get_by_role("link", name="Profile").click()
    ada.button("Sign out").click()
    expect(ada.heading).not_to_have_text("Profile")
    assert "A secret" not in ada.page.evaluate("JSON.stringify({ ...sessionStorage, ...localStorage })")


def test_a_text_that_is_too_long_stays(friends, shared_backline):
    ada, _, id = friends()
    ada.sign_in(f"/threads/{id}")
    field(ada.page).press("Enter")
    expect(ada.page.get_by_text("Write a message or add a song first.")).to_be_visible()
    field(ada.page).fill("😀" * 2_001)
    field(ada.page).press("Enter")
    expect(ada.page.get_by_text("The message has 2,001 characters; the limit is 2,000.")).to_be_visible()
    expect(field(ada.page)).to_be_focused()
    field(ada.page).fill("😀" * 2_000)
    field(ada.page).press("Enter")
    expect(shown(ada.page)).to_have_count(1)
    assert texts(shared_backline, ada.person, id) == ["😀" * 2_000]


@WIDTHS
def test_what_people_write_is_only_text(friends, shared_backline, width):
    ada, grace, id = friends(viewport={"width": width, "height": 800})
    write(shared_backline, grace.person, ada.person, HOSTILE)
    ada.sign_in(f"/threads/{id}")
    expect(shown(ada.page)).to_contain_text("<img src=x onerror=alert(1)>")
    expect(shown(ada.page).locator("img, b, .message-text a")).to_have_count(0)
    assert_accessible(ada.page, f"a hostile text at {width} px")
    assert_nothing_cut_off(ada.page, f"a hostile text at {width} px")
    ada.open("/threads")
    expect(rows(ada.page)).to_contain_text("<img src=x onerror=alert(1)>")
    assert_nothing_cut_off(ada.page, f"a hostile text in the list at {width} px")


def test_an_own_message_is_deleted_for_both_by_keyboard(friends, shared_backline):
    ada, grace, id = friends()
    write(shared_backline, ada.person, grace.person, "A mistake")
    ada.sign_in(f"/threads/{id}")
    grace.sign_in(f"/threads/{id}")
    expect(shown(grace.page)).to_contain_text("A mistake")
    choose(ada.page, shown(ada.page).first, "Delete message")
    question = ada.page.get_by_role("dialog", name="Delete this message?")
    question.get_by_role("button", name="Cancel").press("Enter")
    expect(shown(ada.page)).to_contain_text("A mistake")
    ada.button("Actions for the message of You").press("Enter")
    ada.page.get_by_role("menuitem", name="Delete message").press("Enter")
    question.get_by_role("button", name="Delete message").press("Enter")
    ada.hears("The message was deleted.")
    expect(shown(ada.page)).to_contain_text("You deleted this message.")
    assert ada.page.evaluate("document.activeElement !== document.body")
    expect(shown(grace.page)).to_contain_text("This message was deleted.")
    expect(grace.page.get_by_text("A mistake")).to_have_count(0)
    assert texts(shared_backline, grace.person, id) == [None]


def test_a_message_is_reported(friends, shared_backline):
    ada, grace, id = friends()
    write(shared_backline, grace.person, ada.person, "A threat")
    ada.sign_in(f"/threads/{id}")
    choose(ada.page, shown(ada.page).first, "Report message")
    sheet = ada.page.get_by_role("dialog", name="Report message")
    assert_accessible(ada.page, "the report of a message")
    sheet.get_by_label("What is wrong?").fill("This is a threat")
    with ada.page.expect_response("**/report") as sent:
        sheet.get_by_role("button", name="Send the report").click()
    assert sent.value.status == 202
    expect(ada.page.locator(".toasts")).to_contain_text("Your report was sent to the administrators.")


def test_older_messages_are_read_with_a_press(friends, shared_backline):
    ada, grace, id = friends()
    for sender, recipient in ((ada, grace), (grace, ada)):
        for number in range(28):
            write(shared_backline, sender.person, recipient.person, f"Number {number} of {sender.person.name}")
    # A page whose stream opens reads its messages again, up to a hundred of them.
    ada.page.route(re.compile("/v1/(events|auth)$"), lambda route: route.abort())
    ada.sign_in(f"/threads/{id}")
    expect(shown(ada.page)).to_have_count(50)
    expect(shown(ada.page).last).to_be_in_viewport()
    ada.button("Load older messages").press("Enter")
    ada.hears("6 older messages.")
    expect(shown(ada.page)).to_have_count(56)
    expect(ada.button("Load older messages")).to_have_count(0)
    expect(shown(ada.page).first).to_be_focused()
    assert shown(ada.page).first.locator(".message-text").text_content() == f"Number 0 of {ada.person.name}"


def test_a_message_that_arrives_while_older_ones_are_read_moves_nothing(friends, shared_backline):
    ada, grace, id = friends(viewport={"width": 1280, "height": 500})
    for number in range(20):
        write(shared_backline, grace.person, ada.person, f"Number {number}")
    ada.sign_in(f"/threads/{id}")
    expect(shown(ada.page).last).to_be_in_viewport()
    ada.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    write(shared_backline, grace.person, ada.person, "And one more")
    ada.hears("Grace Hopper: And one more")
    assert ada.page.evaluate("scrollY") == 0
    ada.button("Show new messages").click()
    expect(shown(ada.page).last).to_be_in_viewport()
    expect(shown(ada.page).last).to_be_focused()


def test_what_was_missed_without_the_stream_is_read_again(friends, shared_backline):
    ada, grace, id = friends()
    write(shared_backline, grace.person, ada.person, "First")
    with ada.page.expect_response("**/read-mark"):
        ada.sign_in(f"/threads/{id}")
        expect(shown(ada.page)).to_have_count(1)
    # As in a window that was hidden.
    ada.page.evaluate("""() => {
        Object.defineProperty(document, "hidden", { value: true, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }""")
    for number in range(4):
        write(shared_backline, grace.person, ada.person, f"Missed {number}")
    unread = shared_backline.ask(ada.person, "GET", "/v1/threads/unread")
    assert unread["messages"] == 4
    with ada.page.expect_response("**/read-mark"):
        ada.page.evaluate("""() => {
            delete document.hidden;
            document.dispatchEvent(new Event("visibilitychange"));
        }""")
        expect(shown(ada.page)).to_have_count(5)
    expect(shown(ada.page).last).to_contain_text("Missed 3")


def test_read_marks_are_shown_if_both_want_that(friends, shared_backline):
    ada, grace, id = friends()
    ada.sign_in("/profile/messages")
    switch = ada.page.get_by_role("switch", name="Show others what I have read")
    expect(switch).to_have_attribute("aria-describedby", "marks-hint")
    expect(switch).not_to_be_checked()
    switch.check()
    ada.hears("Saved.")
    shared_backline.ask(grace.person, "PUT", "/v1/me/message-settings", {"showsReadMarks": True})
    write(shared_backline, ada.person, grace.person, "Have you read this?")
    ada.open(f"/threads/{id}")
    expect(shown(ada.page)).to_have_count(1)
    expect(ada.page.get_by_text("Read", exact=True)).to_have_count(0)
    grace.sign_in(f"/threads/{id}")
    expect(shown(ada.page).first.get_by_text("Read", exact=True)).to_be_visible()


def test_a_message_on_the_page_that_shows_it_is_acknowledged(friends, shared_backline):
    ada, grace, id = friends()
    ada.sign_in(f"/threads/{id}")
    expect(field(ada.page)).to_be_visible()
    with ada.page.expect_response("**/v1/notifications/seen") as seen:
        write(shared_backline, grace.person, ada.person, "Hello")
    assert seen.value.status == 204
    expect(shown(ada.page)).to_contain_text("Hello")
