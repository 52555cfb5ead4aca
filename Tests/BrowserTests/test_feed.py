"""The feed: its cards, what arrives while it is read, and what people do not want in it."""

import re

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.people import change, follow, named
from support.shares import card, cards, choose, played, share, share_listen

WIDTHS = pytest.mark.parametrize("width", [360, 1440])


@pytest.fixture
def friends(visit, shared_backline):
    """Ada, who follows Grace."""

    def make(**context):
        ada, grace = visit(**context), named(visit, shared_backline, "Grace Hopper")
        follow(shared_backline, ada.person, grace.person)
        return ada, grace

    return make


def mark(backline, person):
    return backline.ask(person, "GET", "/v1/feed?limit=1")["readMark"]


@WIDTHS
def test_an_empty_feed_leads_to_what_fills_it(visit, shared_backline, width):
    shared_backline.add_person()
    ada = visit(viewport={"width": width, "height": 800}).sign_in("/feed")
    main = ada.page.locator("main")
    expect(ada.page.get_by_role("heading", name="No activity yet")).to_be_visible()
    notice = ada.page.locator(".notice-view")
    expect(notice.get_by_role("link", name="Explore")).to_have_attribute("href", "/explore")
    expect(notice.get_by_role("link", name="Find people")).to_have_attribute("href", "/people")
    # What a person has to do, and what they can do, are above the feed.
    order = main.locator(".setup-card, .cards, .quick-actions, .feed")
    assert [one.get_attribute("class").split()[-1] for one in order.all()] == [
        "setup-card", "cards", "quick-actions", "feed"]
    actions = ada.page.get_by_role("navigation", name="Quick actions")
    expect(actions.get_by_role("button", name="Share a song")).to_be_visible()
    expect(actions.get_by_role("link")).to_have_text(["Make a playlist", "Find concerts", "Find people"])
    assert_accessible(ada.page, f"an empty feed at {width} px")
    assert_nothing_cut_off(ada.page, f"an empty feed at {width} px")


@WIDTHS
def test_a_share_arrives_without_moving_what_is_read(friends, shared_backline, width):
    ada, grace = friends(viewport={"width": width, "height": 800})
    share(shared_backline, grace.person, *[f"Song {number}" for number in range(1, 5)], message="For long evenings")
    ada.sign_in("/feed")
    expect(cards(ada.page)).to_have_count(4)
    assert_accessible(ada.page, f"a feed at {width} px")
    assert_nothing_cut_off(ada.page, f"a feed at {width} px")
    card(ada.page, "Song 3").scroll_into_view_if_needed()
    before = card(ada.page, "Song 3").bounding_box()
    share(shared_backline, grace.person, "Hello")
    expect(ada.button("1 new")).to_be_visible()
    ada.hears("1 new item in your feed.")
    expect(card(ada.page, "Hello")).to_have_count(0)
    assert card(ada.page, "Song 3").bounding_box() == before
    ada.button("1 new").click()
    expect(cards(ada.page).first).to_be_focused()
    expect(cards(ada.page).first.get_by_role("link", name="Hello by Adele, from Grace Hopper")).to_be_visible()
    expect(ada.button("1 new")).to_have_count(0)
    # The fifth share of one person on one day is folded.
    expect(card(ada.page, "Song 1")).to_have_count(0)
    ada.button("Show 1 more shared song").press("Enter")
    expect(card(ada.page, "Song 1")).to_be_focused()


def test_what_was_taken_back_is_gone_at_once(friends, shared_backline):
    ada, grace = friends()
    first, second = share(shared_backline, grace.person, "Hello", "Skyfall")
    ada.sign_in("/feed")
    expect(cards(ada.page)).to_have_count(2)
    shared_backline.ask(grace.person, "DELETE", f"/v1/shares/{first['id']}")
    expect(cards(ada.page)).to_have_count(1)
    expect(card(ada.page, "Skyfall")).to_be_visible()
    # So is everything of somebody whose profile has closed.
    change(shared_backline, grace.person, profileVisibility="private")
    expect(ada.page.get_by_role("heading", name="No activity yet")).to_be_visible()
    change(shared_backline, grace.person, profileVisibility="public")
    follow(shared_backline, ada.person, grace.person)
    expect(card(ada.page, "Skyfall").or_(ada.button("1 new"))).to_be_visible()


def test_a_message_is_a_text(friends, shared_backline):
    ada, grace = friends()
    share(shared_backline, grace.person, "Hello", message="<b>See</b> https://example.com\nand javascript:alert(1)")
    ada.sign_in("/feed")
    message = card(ada.page, "Hello").locator(".share-message")
    expect(message).to_have_text("<b>See</b> https://example.com\nand javascript:alert(1)")
    expect(message.locator("a, b")).to_have_count(0)


def test_reactions_and_thanks_reach_the_sender(friends, shared_backline):
    ada, grace = friends()
    share(shared_backline, grace.person, "Hello")
    grace.sign_in("/shares")
    expect(card(grace.page, "Hello")).to_be_visible()
    expect(card(grace.page, "Hello").get_by_role("group")).to_be_hidden()
    ada.sign_in("/feed")
    reactions = card(ada.page, "Hello").get_by_role("group", name="Reactions to Hello by Adele")
    expect(reactions.get_by_role("button")).to_have_count(7)
    fire, heart, thanks = (reactions.get_by_role("button", name=name) for name in ("Fire", "Heart", "thanks"))
    heart.press("Enter")
    expect(heart).to_have_attribute("aria-pressed", "true")
    ada.hears("You reacted: Heart.")
    expect(card(grace.page, "Hello").get_by_role("button", name="Heart")).to_have_text(re.compile("1"))
    # One reaction of each person, and thanks beside it.
    fire.press("Enter")
    expect(heart).to_have_attribute("aria-pressed", "false")
    thanks.press("Enter")
    expect(thanks).to_have_text(re.compile("^You said thanks"))
    own = card(grace.page, "Hello")
    expect(own.get_by_role("button", name="Fire")).to_have_text(re.compile("1"))
    expect(own.get_by_role("button", name="Heart")).to_be_hidden()
    expect(own.get_by_role("button", name="Thanks")).to_be_visible()
    choose(grace.page, own, "Who reacted")
    reactor = grace.page.get_by_role("dialog").get_by_role("listitem")
    expect(reactor).to_contain_text("Fire, Thanks")
    assert_accessible(grace.page, "who reacted")
    expect(grace.page.get_by_role("dialog").get_by_role("status")).to_be_empty()
    grace.button("Close").click()
    # Whose page is that of nobody is not named.
    change(shared_backline, ada.person, profileVisibility="private")
    shared_backline.ask(ada.person, "DELETE", f"/v1/users/{grace.person.name}/follow")
    choose(grace.page, own, "Who reacted")
    expect(grace.page.get_by_role("dialog").get_by_role("status")).to_have_text(
        "1 person reacted, whose name you cannot see.")
    expect(reactor).to_have_count(0)
    assert_accessible(grace.page, "a reaction of somebody who is not shown")
    grace.button("Close").click()
    change(shared_backline, ada.person, profileVisibility="public")
    follow(shared_backline, ada.person, grace.person)
    ada.page.reload()
    expect(fire).to_have_attribute("aria-pressed", "true")
    fire.press("Enter")
    expect(own.get_by_role("button", name="Fire")).to_be_hidden()


def test_the_read_mark_follows_what_was_seen_and_not_what_was_loaded(friends, shared_backline):
    ada, grace = friends(viewport={"width": 1280, "height": 700})
    share(shared_backline, grace.person, *[f"Song {number}" for number in range(1, 5)])
    # Nothing below the window counts, and neither does a feed that nobody looks at.
    ada.sign_in("/profile")
    assert mark(shared_backline, ada.person) is None
    with ada.page.expect_response("**/v1/feed/read-mark") as moved:
        ada.open("/feed")
        cards(ada.page).first.scroll_into_view_if_needed()
    assert moved.value.ok
    newest = shared_backline.ask(ada.person, "GET", "/v1/feed?limit=1")["items"][0]
    assert mark(shared_backline, ada.person) == {"score": newest["sortScore"], "number": newest["number"]}
    # What arrives does not move it before it is shown.
    share(shared_backline, grace.person, "Hello")
    expect(ada.button("1 new")).to_be_visible()
    assert mark(shared_backline, ada.person) == {"score": newest["sortScore"], "number": newest["number"]}
    with ada.page.expect_response("**/v1/feed/read-mark"):
        ada.button("1 new").click()
    unread = shared_backline.ask(ada.person, "GET", "/v1/feed/unread")
    assert (unread["count"], unread["isMore"]) == (0, False)


def test_all_of_a_long_feed_is_read_on_while_scrolling_each_item_once(friends, visit, shared_backline):
    ada, grace = friends()
    alan = visit()
    follow(shared_backline, ada.person, alan.person)
    titles = [f"Song {number}" for number in range(1, 46)]
    # By turns, so that no neighbors are folded.
    senders = [(one.person, played(shared_backline, one.person, *titles)) for one in (grace, alan)]
    for number, title in enumerate(titles):
        sender, listens = senders[number % 2]
        share_listen(shared_backline, sender, listens[title])
    ada.sign_in("/feed")
    expect(cards(ada.page).nth(19)).to_be_attached()
    while ada.page.get_by_role("button", name="Load more").is_visible():
        # The button may disappear at any moment.
        ada.page.evaluate("scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })")
        ada.page.wait_for_function("count => document.querySelectorAll('.share-card').length > count"
                                   " || document.querySelector('.more').hidden", arg=cards(ada.page).count())
    shown = cards(ada.page).locator(".row-title").all_text_contents()
    assert shown == list(reversed(titles))
    # Coming back leads to where the person was.
    card(ada.page, "Song 3").get_by_role("link", name="Grace Hopper", exact=True).click()
    expect(ada.heading).to_have_text("Grace Hopper")
    ada.page.go_back()
    expect(card(ada.page, "Song 3")).to_be_in_viewport()


def test_an_item_is_hidden_and_a_kind_is_muted_with_undo(friends, shared_backline):
    ada, grace = friends()
    share(shared_backline, grace.person, "Hello", "Skyfall")
    ada.sign_in("/feed")
    choose(ada.page, card(ada.page, "Hello"), "Hide this")
    expect(card(ada.page, "Hello")).to_have_count(0)
    expect(card(ada.page, "Skyfall")).to_be_visible()
    ada.button("Undo").click()
    expect(card(ada.page, "Hello")).to_be_visible()
    choose(ada.page, card(ada.page, "Skyfall"), "Hide this")
    ada.page.reload()
    expect(card(ada.page, "Hello")).to_be_visible()
    expect(card(ada.page, "Skyfall")).to_have_count(0)

    choose(ada.page, card(ada.page, "Hello"), "Mute shared songs")
    expect(ada.page.get_by_role("heading", name="No activity yet")).to_be_visible()
    muted = ada.page.get_by_role("region", name="Muted")
    expect(muted).to_contain_text("Shared songs")
    assert_accessible(ada.page, "a muted kind")
    ada.page.reload()
    expect(muted).to_be_visible()
    ada.button("Unmute shared songs").click()
    expect(card(ada.page, "Hello")).to_be_visible()
    expect(muted).to_be_hidden()


def test_a_new_follower_is_a_card_and_is_followed_back(visit, shared_backline):
    ada, grace = visit(), named(visit, shared_backline, "Grace Hopper")
    follow(shared_backline, grace.person, ada.person)
    ada.sign_in("/feed")
    follower = ada.page.get_by_role("article").filter(has_text="Grace Hopper follows you")
    follower.get_by_role("button", name="Follow Grace Hopper").click()
    expect(follower.get_by_role("button", name="Unfollow Grace Hopper")).to_be_visible()
    follower.get_by_role("link", name="Grace Hopper").click()
    expect(ada.heading).to_have_text("Grace Hopper")


def test_page_down_and_page_up_lead_from_card_to_card(friends, shared_backline):
    ada, grace = friends()
    share(shared_backline, grace.person, "Hello", "Skyfall")
    ada.sign_in("/feed")
    feed = ada.page.get_by_role("feed", name="Feed")
    articles = feed.get_by_role("article")
    expect(articles).to_have_count(2)
    articles.first.focus()
    ada.page.keyboard.press("PageDown")
    expect(articles.nth(1)).to_be_focused()
    ada.page.keyboard.press("PageUp")
    expect(articles.first).to_be_focused()
    expect(articles.first).to_have_attribute("aria-posinset", "1")


def test_a_feed_that_could_not_be_read_is_read_again(friends, shared_backline):
    ada, grace = friends()
    share(shared_backline, grace.person, "Hello")
    held = []

    def refuse(route):
        held.append(route.request.url)
        if len(held) > 1:
            return route.continue_()
        route.fulfill(status=500, json={"code": "internal", "detail": "Something failed."},
                      headers={"Content-Type": "application/problem+json"})

    ada.page.route(re.compile(r"/v1/feed\?"), refuse)
    ada.sign_in("/feed")
    expect(ada.page.get_by_role("heading", name="This could not be loaded")).to_be_visible()
    ada.button("Retry").click()
    expect(card(ada.page, "Hello")).to_be_visible()


def test_neighbors_are_folded_from_the_fifth_on(visit):
    ada = visit().sign_in("/profile")
    folded = ada.page.evaluate("""async () => {
        const { cardsOf } = await import("/assets/feed/folding.js");
        const items = (key, count) => Array.from({ length: count }, (_, index) =>
            ({ kind: "concert", id: `${key}${index}`, foldKey: key }));
        const shown = (list, unfolded) => cardsOf(list, new Set(unfolded))
            .map(({ item, folded }) => item?.id ?? folded.length);
        const list = [...items("a", 4), ...items("b", 7), ...items("c", 1), ...items("b", 5)];
        return [shown(list, []), shown(list, ["b"]).length, shown([], [])];
    }""")
    assert folded == [
        ["a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3", 3, "c0", "b0", "b1", "b2", "b3", 1], 17, []]
