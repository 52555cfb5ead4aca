"""Finding, following, asking, blocking and reporting people."""

import re

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.installation import Installation
from support.people import change, follow, named, people, person, usernames

WIDTHS = pytest.mark.parametrize("width", [360, 1440])


@pytest.fixture(scope="module")
def backline():
    """With at most a hundred people, so that Find people lists them all."""
    with Installation() as installation:
        yield installation


def test_an_installation_with_one_account_shows_nothing_of_people(visit, own_backline):
    backline = own_backline()
    ada = visit(backline).sign_in("/feed")
    expect(ada.page.get_by_role("link", name="Discover concerts")).to_be_visible()
    expect(ada.page.get_by_role("link", name="Find people")).to_have_count(0)
    expect(ada.page.get_by_text("Rank your artists. Their concerts and new releases")).to_be_visible()
    expect(ada.page.get_by_text("Follow people")).to_have_count(0)
    ada.open("/profile")
    expect(ada.page.get_by_role("region", name="Your usage")).to_be_visible()
    expect(ada.page.get_by_role("region", name="People", exact=True)).to_have_count(0)
    for path in ("/people/following", "/people/followers", "/people/requests", "/people/blocked", "/people"):
        ada.open(path)
        expect(ada.page.get_by_role("heading", name="There is nobody else here yet")).to_be_visible()
        expect(ada.page.get_by_role("navigation", name="People").get_by_role("link")).to_have_text(["← Profile"])
        expect(ada.page.get_by_role("link", name="Find people")).to_have_count(0)
    expect(ada.page.get_by_role("searchbox")).to_have_count(0)
    assert_accessible(ada.page, "people without others")
    ada.open(f"/users/{ada.person.name}")
    expect(ada.page.get_by_role("link", name="Edit profile")).to_be_visible()
    expect(ada.page.get_by_role("navigation", name="People").get_by_role("link")).to_have_text(["← Profile"])
    expect(ada.page.get_by_role("link", name="Your followers")).to_have_count(0)
    ada.open("/profile/edit")
    ada.page.get_by_label("Display name").fill("Ada")
    expect(ada.page.get_by_role("group", name="Who can see your profile")).to_have_count(0)
    ada.button("Save").click()
    expect(ada.heading).to_have_text("Profile")
    with ada.page.expect_response("**/v1/me"):
        ada.open("/explore")
    expect(ada.page.get_by_role("link", name="Make a playlist")).to_be_visible()
    expect(ada.page.get_by_role("link", name="Blends")).to_have_count(0)
    # The second account changes that.
    backline.add_person()
    ada.page.reload()
    expect(ada.page.get_by_role("link", name="Blends")).to_be_visible()
    ada.open("/profile/edit")
    expect(ada.page.get_by_role("group", name="Who can see your profile")).to_be_visible()
    ada.open("/profile")
    expect(ada.page.get_by_role("region", name="People", exact=True)).to_be_visible()
    ada.open("/feed")
    # The empty feed has such a link, too.
    ada.page.get_by_role("navigation", name="Quick actions").get_by_role("link", name="Find people").click()
    expect(ada.heading).to_have_text("Find people")


def test_somebody_is_found_by_keyboard_and_followed_from_the_row(visit, backline):
    ada, grace = visit(backline), named(visit, backline, "Grace Hopper")
    grace.sign_in("/people/followers")
    expect(grace.page.get_by_role("heading", name="Nobody follows you yet")).to_be_visible()
    ada.sign_in("/people")
    expect(person(ada.page, "People", "Grace Hopper")).to_be_visible()
    ada.page.get_by_label("Name or username").focus()
    ada.page.keyboard.type("hopp")
    expect(people(ada.page, "People")).to_have_count(1)
    expect(ada.page.get_by_role("status").filter(has_text="1 person")).to_be_visible()
    expect(ada.page).to_have_url(f"{backline.address}/people?q=hopp")
    ada.page.keyboard.press("Tab")
    expect(ada.page.get_by_role("link", name="Grace Hopper")).to_be_focused()
    ada.page.keyboard.press("Tab")
    expect(ada.button("Follow Grace Hopper")).to_be_focused()
    ada.page.keyboard.press("Enter")
    ada.hears("You follow Grace Hopper.")
    expect(ada.button("Unfollow Grace Hopper")).to_be_focused()
    # Grace sees it without a reload, and follows back.
    expect(people(grace.page, "Followers")).to_have_count(1)
    grace.button(f"Follow {ada.person.name}").click()
    expect(person(ada.page, "People", "Follows you")).to_be_visible()
    assert usernames(backline, ada.person, "following") == [grace.person.name]

    # The search is there again after a look at the profile.
    ada.page.get_by_role("link", name="Grace Hopper").click()
    expect(ada.heading).to_have_text("Grace Hopper")
    expect(ada.page.get_by_text("1 follower · Follows 1 person")).to_be_visible()
    ada.page.go_back()
    expect(ada.page.get_by_label("Name or username")).to_have_value("hopp")
    expect(people(ada.page, "People")).to_have_count(1)


def test_the_answer_to_the_latest_question_is_shown(visit, backline):
    ada = visit(backline)
    for name in ("Quentin Early", "Quincy Late"):
        named(visit, backline, name)
    ada.sign_in("/people")
    held = []
    ada.page.route("**/v1/users?q=quent*", lambda route: held.append(route))
    field = ada.page.get_by_label("Name or username")
    field.fill("quent")
    while not held:
        ada.page.wait_for_timeout(20)
    field.fill("quinc")
    expect(people(ada.page, "People")).to_have_text([re.compile("Quincy Late")])
    field.fill("nobody is called this")
    expect(ada.page.get_by_role("heading", name="Nobody found")).to_be_visible()
    ada.hears("Nobody found.")


def test_a_search_that_fails_is_repeated_and_a_limit_says_how_long_to_wait(visit, backline):
    ada = visit(backline)
    named(visit, backline, "Barbara Liskov")
    sentence = "You can search for people 60 times a minute. You can search again in 1 second."
    refusal = {
        "title": "Too many requests of this kind", "status": 429, "code": "actLimitReached", "detail": sentence,
    }
    ada.page.route("**/v1/users?q=*", lambda route: route.fulfill(
        status=429, json=refusal, content_type="application/problem+json", headers={"Retry-After": "1"}), times=1)
    ada.sign_in("/people")
    ada.page.get_by_label("Name or username").fill("liskov")
    expect(ada.page.get_by_role("alert").get_by_text(sentence, exact=True)).to_be_visible()
    ada.button("Retry").click()
    expect(person(ada.page, "People", "Barbara Liskov")).to_be_visible()


def test_where_many_people_are_a_name_has_to_be_typed(visit, backline):
    ada, ben = visit(backline), named(visit, backline, "Ben Among Many")
    ada.page.route(re.compile(r"/v1/users\?limit="), lambda route: route.fulfill(
        json={"items": [], "nextCursor": None, "tooMany": True, "seq": 0}))
    ada.sign_in("/people")
    expect(ada.page.get_by_text("Type a name to find somebody.")).to_be_visible()
    expect(ada.page.get_by_role("heading", name="Nobody to show yet")).to_have_count(0)
    ada.page.get_by_label("Name or username").fill("ben among")
    expect(person(ada.page, "People", "Ben Among Many")).to_be_visible()
    ada.page.get_by_label("Name or username").fill("")
    expect(ada.page.get_by_text("Type a name to find somebody.")).to_be_visible()


def test_a_list_loads_by_itself_when_the_gateway_is_back(visit, own_backline):
    backline = own_backline()
    ada, ben = visit(backline), named(visit, backline, "Ben Back")
    follow(backline, ada.person, ben.person)
    # The browser has opened the page before, so its modules are loaded.
    ada.sign_in("/people/following")
    expect(person(ada.page, "Following", "Ben Back")).to_be_visible()
    ada.page.get_by_role("link", name="Find people").click()
    expect(person(ada.page, "People", "Ben Back")).to_be_visible()
    backline.kill_gateway()
    ada.page.get_by_role("link", name="Following").click()
    expect(ada.page.get_by_role("heading", name="This could not be loaded")).to_be_visible()
    backline.start_gateway()
    expect(person(ada.page, "Following", "Ben Back")).to_be_visible()


def test_people_are_suggested_with_the_reason(visit, backline):
    ada, ben, cleo = visit(backline), named(visit, backline, "Ben"), named(visit, backline, "Cleo")

    def card(other, reason: dict) -> dict:
        name = other.person.name
        return {"username": name, "displayName": name.title(), "picture": None, "profileVisibility": "public",
                "follow": "none", "followsMe": False, "asksSince": None, "reason": reason}

    ada.page.route("**/v1/users/suggestions", lambda route: route.fulfill(json={"items": [
        card(ben, {"kind": "topArtists", "artists": ["Björk", "Adele", "Kabát", "Radiohead"]}),
        card(cleo, {"kind": "network"})]}))
    ada.sign_in("/people")
    rows = people(ada.page, "Suggested for you")
    expect(rows.nth(0)).to_contain_text("You both listen to Björk, Adele and Kabát.")
    expect(rows.nth(1)).to_contain_text("Followed by several people you follow.")
    rows.nth(1).get_by_role("button", name="Follow").click()
    expect(rows.nth(1).get_by_role("button", name="Unfollow")).to_be_visible()
    assert usernames(backline, ada.person, "following") == [cleo.person.name]
    ada.page.get_by_label("Name or username").fill("b")
    expect(ada.page.get_by_role("heading", name="Suggested for you")).to_be_hidden()


def test_unfollowing_is_undone(visit, backline):
    ada, ben, cleo = visit(backline), named(visit, backline, "Ben Bitdiddle"), named(visit, backline, "Cleo Codd")
    follow(backline, ada.person, ben.person, cleo.person)
    ada.sign_in("/people/following")
    expect(ada.page.get_by_role("status").filter(has_text="2 people")).to_be_visible()
    expect(people(ada.page, "Following")).to_have_text([re.compile("Cleo Codd"), re.compile("Ben Bitdiddle")])
    ada.button("Unfollow Cleo Codd").focus()
    ada.page.keyboard.press("Enter")
    ada.hears("You no longer follow Cleo Codd. You can undo this.")
    # The row stays, so that nothing moves under the person's finger, and has the focus.
    expect(ada.button("Follow Cleo Codd")).to_be_focused()
    assert usernames(backline, ada.person, "following") == [ben.person.name]
    # A change of another list does not take the row away.
    follow(backline, ben.person, ada.person)
    expect(person(ada.page, "Following", "Ben Bitdiddle")).to_contain_text("Follows you")
    expect(ada.button("Follow Cleo Codd")).to_be_visible()
    ada.button("Undo").click()
    ada.hears("You follow Cleo Codd.")
    expect(ada.button("Unfollow Cleo Codd")).to_be_visible()
    assert set(usernames(backline, ada.person, "following")) == {ben.person.name, cleo.person.name}
    # Without undo it is gone after the page was left.
    ada.button("Unfollow Ben Bitdiddle").click()
    ada.hears("You no longer follow Ben Bitdiddle. You can undo this.")
    ada.page.reload()
    expect(people(ada.page, "Following")).to_have_count(1)


def test_unfollowing_somebody_with_a_long_name_is_undone_on_a_phone(visit, backline):
    name = "Wolfeschlegelsteinhausenbergerdorffvoralternwaren"
    ada, wolf = visit(backline, viewport={"width": 360, "height": 740}), named(visit, backline, name)
    follow(backline, ada.person, wolf.person)
    ada.sign_in("/people/following")
    ada.button(f"Unfollow {name}").click()
    expect(ada.button("Undo")).to_be_in_viewport(ratio=1)
    assert_nothing_cut_off(ada.page, "a long name in a toast")
    ada.button("Undo").click()
    expect(ada.button(f"Unfollow {name}")).to_be_visible()


def test_the_end_of_a_follow_that_asks_is_not_undone(visit, backline):
    ada, ben = visit(backline), named(visit, backline, "Ben Closing")
    follow(backline, ada.person, ben.person)
    change(backline, ben.person, profileVisibility="followers")
    ada.sign_in("/people/following")
    ada.button("Unfollow Ben Closing").click()
    expect(ada.page.locator(".toasts")).to_contain_text(
        "You no longer follow Ben Closing. If you follow them again, they have to accept first.")
    expect(ada.button("Undo")).to_have_count(0)


def test_a_request_is_accepted_declined_and_withdrawn(visit, backline):
    ada, ben = named(visit, backline, "Ada Asked"), named(visit, backline, "Ben Asking")
    change(backline, ada.person, profileVisibility="followers", bio="Engines.")
    ada.sign_in("/people/requests")
    expect(ada.page.get_by_role("heading", name="No requests")).to_be_visible()
    ben.sign_in(f"/users/{ada.person.name}")
    expect(ben.page.get_by_text("Only followers see the whole profile.")).to_be_visible()
    expect(ben.page.get_by_text("Engines.")).to_have_count(0)
    ben.button("Ask to follow Ada Asked").click()
    expect(ben.page.locator("main").get_by_text("You asked to follow Ada Asked.")).to_be_visible()
    # Live, and with two answers.
    ada.button("Decline the request of Ben Asking").click()
    expect(ada.page.locator(".toasts")).to_contain_text("You declined the request. Ben Asking is not notified.")
    expect(ada.page.get_by_role("heading", name="No requests")).to_be_visible()
    expect(ben.button("Ask to follow Ada Asked")).to_be_visible()
    ben.button("Ask to follow Ada Asked").click()
    ben.button("Withdraw request to Ada Asked").click()
    expect(ben.button("Ask to follow Ada Asked")).to_be_visible()
    expect(people(ada.page, "Requests")).to_have_count(0)
    ben.button("Ask to follow Ada Asked").click()
    ada.button("Accept the request of Ben Asking").click()
    expect(ada.page.locator(".toasts")).to_contain_text("Ben Asking now follows you.")
    # The one who asked sees the whole profile at once.
    expect(ben.page.get_by_text("Engines.")).to_be_visible()
    expect(ben.button("Unfollow Ada Asked")).to_be_visible()
    assert usernames(backline, ada.person, "followers") == [ben.person.name]


def test_lists_ask_whoever_has_to_agree(visit, backline):
    ada, ben = visit(backline), named(visit, backline, "Ben Agreeing")
    follow(backline, ben.person, ada.person)
    change(backline, ben.person, profileVisibility="followers")
    ada.sign_in("/people?q=agreeing")
    ada.button("Ask to follow Ben Agreeing").click()
    expect(ada.button("Withdraw request to Ben Agreeing")).to_be_visible()
    # The profile says who asks, and Ben's followers have the same button.
    ben.sign_in(f"/users/{ada.person.name}")
    expect(ben.page.locator("main").get_by_text("Asks to follow you")).to_be_visible()
    ada.open("/people/followers")
    ada.button("Withdraw request to Ben Agreeing").click()
    expect(ada.button("Ask to follow Ben Agreeing")).to_be_visible()
    assert_accessible(ada.page, "a follower who has to accept")
    # Nobody can follow somebody with a private profile, not even whom they follow.
    change(backline, ben.person, profileVisibility="private")
    ada.page.reload()
    expect(person(ada.page, "Followers", "Ben Agreeing")).to_be_visible()
    expect(ada.button("Ask to follow Ben Agreeing")).to_have_count(0)
    expect(ada.button("Follow Ben Agreeing")).to_have_count(0)
    expect(ada.button("Remove Ben Agreeing as a follower")).to_be_visible()


def test_a_follower_is_removed(visit, backline):
    ada, ben, cleo = visit(backline), named(visit, backline, "Ben Removed"), named(visit, backline, "Cleo Staying")
    for other in (ben, cleo):
        follow(backline, other.person, ada.person)
    ada.sign_in("/people/followers")
    ada.button("Remove Ben Removed as a follower").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    ada.hears("Ben Removed no longer follows you.")
    expect(people(ada.page, "Followers")).to_have_count(1)
    expect(ada.page.get_by_role("link", name="Cleo Staying")).to_be_focused()
    assert usernames(backline, ben.person, "following") == []


def test_blocking_makes_two_people_invisible_to_each_other(visit, backline):
    ada, ben = named(visit, backline, "Ada Blocking"), named(visit, backline, "Ben Blocked")
    follow(backline, ada.person, ben.person)
    follow(backline, ben.person, ada.person)
    ben.sign_in(f"/users/{ada.person.name}")
    expect(ben.button("Unfollow Ada Blocking")).to_be_visible()
    ada.sign_in(f"/users/{ben.person.name}")
    ada.button("More about Ben Blocked").press("Enter")
    expect(ada.page.get_by_role("menuitem", name="Block")).to_be_focused()
    ada.page.keyboard.press("Enter")
    question = ada.page.get_by_role("dialog", name="Block Ben Blocked?")
    expect(question).to_contain_text("Ben Blocked is not notified.")
    question.get_by_role("button", name="Block").click()
    expect(ada.page.get_by_role("heading", name="You have blocked them")).to_be_visible()
    expect(ada.heading).to_be_focused()
    assert_accessible(ada.page, "a block")
    # The blocked person sees what a missing account looks like, without a reload.
    expect(ben.page.get_by_role("heading", name="There is nobody here")).to_be_visible()
    ben.open("/people?q=blocking")
    expect(ben.page.get_by_role("heading", name="Nobody found")).to_be_visible()
    assert usernames(backline, ben.person, "following") == usernames(backline, ada.person, "following") == []

    ada.page.get_by_role("link", name="Blocked people").click()
    expect(person(ada.page, "Blocked people", "Ben Blocked")).to_be_visible()
    # Their profile is not shown, so nothing leads to it.
    expect(ada.page.get_by_role("link", name="Ben Blocked")).to_have_count(0)
    assert_accessible(ada.page, "blocked people")
    ada.button("Unblock Ben Blocked").click()
    expect(ada.page.get_by_role("heading", name="You have not blocked anybody")).to_be_visible()
    ada.open(f"/users/{ben.person.name}")
    expect(ada.button("Follow Ben Blocked")).to_be_visible()


def test_who_is_private_is_blocked_from_a_list(visit, backline):
    ada, ben, cleo = visit(backline), named(visit, backline, "Ben Private"), named(visit, backline, "Cleo Private")
    follow(backline, ben.person, ada.person)
    change(backline, ada.person, profileVisibility="followers")
    follow(backline, cleo.person, ada.person)
    for other in (ben, cleo):
        change(backline, other.person, profileVisibility="private")
    ada.sign_in("/people")
    for path, name, empty in (("followers", "Ben Private", "Nobody follows you yet"),
                              ("requests", "Cleo Private", "No requests")):
        ada.open(f"/people/{path}")
        ada.button(f"More about {name}").press("Enter")
        assert_accessible(ada.page, "the menu of a row")
        ada.page.get_by_role("menuitem", name="Block").press("Enter")
        ada.page.get_by_role("dialog", name=f"Block {name}?").get_by_role("button", name="Block").click()
        expect(ada.page.locator(".toasts")).to_contain_text(f"{name} is blocked.")
        expect(ada.page.get_by_role("heading", name=empty)).to_be_visible()
    assert set(usernames(backline, ada.person, "blocked")) == {ben.person.name, cleo.person.name}


def test_a_block_is_undone_where_it_was_made(visit, backline):
    ada, ben = visit(backline), named(visit, backline, "Ben Briefly")
    ada.sign_in(f"/users/{ben.person.name}")
    ada.button("More about Ben Briefly").click()
    ada.page.get_by_role("menuitem", name="Block").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Block").click()
    ada.button("Unblock Ben Briefly").click()
    expect(ada.button("Follow Ben Briefly")).to_be_visible()
    expect(ada.heading).to_be_focused()


def test_somebody_is_reported(visit, backline):
    root, ada, ben = visit(backline, ("--admin",)), visit(backline), named(visit, backline, "Ben Reported")
    ada.sign_in(f"/users/{ben.person.name}")
    ada.button("More about Ben Reported").click()
    ada.page.get_by_role("menuitem", name="Report").click()
    sheet = ada.page.get_by_role("dialog", name="Report Ben Reported")
    sheet.get_by_role("button", name="Send the report").click()
    expect(sheet.get_by_text("Say what is wrong.")).to_be_visible()
    assert_accessible(ada.page, "a report without words")
    sheet.get_by_label("What is wrong?").fill("Sells tickets that do not exist.")
    sheet.get_by_role("button", name="Send the report").click()
    expect(sheet).to_have_count(0)
    ada.hears("Your report was sent to the administrators.")
    [report] = [one for one in backline.ask(root.person, "GET", "/v1/admin/reports")["items"]
                if one["subject"] == ben.person.name]
    assert report["text"] == "Sells tickets that do not exist." and report["reporter"] == ada.person.name


def test_somebody_unknown_private_or_oneself(visit, backline):
    ada, ben = visit(backline), visit(backline)
    change(backline, ben.person, profileVisibility="private")
    ada.sign_in("/users/nobody_here")
    for name in ("nobody_here", ben.person.name, "no.body"):
        ada.open(f"/users/{name}")
        expect(ada.page.get_by_role("heading", name="There is nobody here")).to_be_visible()
    assert_accessible(ada.page, "nobody")
    ada.open(f"/users/{ada.person.name}")
    expect(ada.page.get_by_text("Everyone here sees this page as you do.")).to_be_visible()
    expect(ada.button(re.compile("^(Follow|More)"))).to_have_count(0)
    ada.page.get_by_role("link", name="Edit profile").click()
    expect(ada.heading).to_have_text("Edit profile")


def test_a_profile_asks_only_for_what_the_reader_may_see(visit, backline):
    ada, ben = visit(backline), named(visit, backline, "Ben Followed")
    change(backline, ben.person, profileVisibility="followers")
    ada.page.clock.install()
    asked = []
    ada.page.on("request", lambda request: asked.append(request.url.removeprefix(backline.address)))

    def open_profile(username: str) -> None:
        asked.clear()
        with ada.page.expect_response("**/v1/events"):
            ada.open(f"/users/{username}")
        expect(ada.page.get_by_text("Only followers see").or_(ada.page.get_by_text("There is nobody here"))).to_be_visible()
        # As long as the page gathers events.
        ada.page.clock.run_for(1_000)

    ada.begin_session()
    open_profile(ben.person.name)
    assert [path for path in asked if path.endswith("/shares")] == []
    open_profile("nobody_here")
    assert asked.count("/v1/users/nobody_here") == 1
    assert [line for line in ada.refused if "/shares" in line] == []


def test_stats_are_shown_where_their_person_shows_them(visit, backline):
    ada, ben = visit(backline), named(visit, backline, "Ben Listening")
    ada.sign_in(f"/users/{ben.person.name}")
    ada.page.get_by_role("link", name="Stats", exact=True).click()
    expect(ada.heading).to_have_text("Stats of Ben Listening")
    expect(ada.page.get_by_role("heading", name="No listens in this period")).to_be_visible()
    assert_accessible(ada.page, "another person's stats")
    change(backline, ben.person, showListeningStats=False)
    ada.choose("This year")
    expect(ada.page.get_by_role("heading", name="There are no stats for you here")).to_be_visible()
    ada.open(f"/users/{ben.person.name}")
    expect(ada.heading).to_have_text("Ben Listening")
    expect(ada.page.get_by_role("link", name="Stats", exact=True)).to_have_count(0)


def test_open_stats_disappear_when_their_person_blocks_the_reader(visit, backline):
    ada, ben = visit(backline), named(visit, backline, "Ben Hiding")
    follow(backline, ada.person, ben.person)
    ada.sign_in(f"/users/{ben.person.name}/stats")
    expect(ada.heading).to_have_text("Stats of Ben Hiding")
    expect(ada.page.get_by_role("heading", name="No listens in this period")).to_be_visible()
    backline.ask(ben.person, "PUT", f"/v1/users/{ada.person.name}/block")
    expect(ada.page.get_by_role("heading", name="There are no stats for you here")).to_be_visible()
    expect(ada.heading).to_have_text(f"Stats of {ben.person.name}")


def test_the_profile_of_somebody_not_followed_is_read_again_every_minute(visit, backline):
    ada, ben = visit(backline), named(visit, backline, "Ben Unfollowed")
    ada.page.clock.install(time=0)
    ada.sign_in(f"/users/{ben.person.name}")
    expect(ada.heading).to_have_text("Ben Unfollowed")
    change(backline, ben.person, profileVisibility="private")
    ada.page.clock.run_for(60_000)
    expect(ada.page.get_by_role("heading", name="There is nobody here")).to_be_visible()
    change(backline, ben.person, profileVisibility="public")
    ada.page.clock.run_for(60_000)
    expect(ada.heading).to_have_text("Ben Unfollowed")


def test_pages_of_somebody_not_followed_are_current_when_the_reader_returns(visit, backline):
    ada, ben = visit(backline), named(visit, backline, "Ben Changing")
    stats, profile = visit(backline).sign_in(f"/users/{ben.person.name}/stats"), ada
    profile.sign_in(f"/users/{ben.person.name}")
    nobody = profile.page.get_by_role("heading", name="There is nobody here")
    no_stats = stats.page.get_by_role("heading", name="There are no stats for you here")

    def sees(condition) -> None:
        """Returns to both windows."""
        for visitor in (profile, stats):
            visitor.page.evaluate("dispatchEvent(new Event('focus'))")
        condition()

    expect(profile.heading).to_have_text("Ben Changing")
    expect(stats.page.get_by_role("heading", name="No listens in this period")).to_be_visible()
    change(backline, ben.person, profileVisibility="private")
    sees(lambda: (expect(nobody).to_be_visible(), expect(no_stats).to_be_visible()))
    change(backline, ben.person, profileVisibility="public")
    sees(lambda: (expect(profile.heading).to_have_text("Ben Changing"), expect(no_stats).to_have_count(0)))
    expect(nobody).to_have_count(0)


@pytest.mark.parametrize("act", ["follow", "block"])
def test_whoever_does_something_on_the_page_of_somebody_erased_is_told(visit, backline, act):
    ada, ben = visit(backline), named(visit, backline, f"Ben Erased {act}")
    # The page reads the profile again when the stream opens, and would show what it finds before anything is pressed.
    ada.page.route("**/v1/events**", lambda route: None)
    ada.sign_in(f"/users/{ben.person.name}")
    expect(ada.button(f"Follow Ben Erased {act}")).to_be_visible()
    backline.ask(ben.person, "DELETE", "/v1/me", {"username": ben.person.name, "token": ben.person.token})
    if act == "follow":
        ada.button(f"Follow Ben Erased {act}").press("Enter")
    else:
        ada.button(f"More about Ben Erased {act}").press("Enter")
        ada.page.get_by_role("menuitem", name="Block").press("Enter")
        ada.page.get_by_role("dialog").get_by_role("button", name="Block").click()
    ada.hears("There is nobody with that name, or you may not see them.")
    expect(ada.page.get_by_role("heading", name="There is nobody here")).to_be_visible()
    expect(ada.button(re.compile("^(Follow|More)"))).to_have_count(0)
    expect(ada.heading).to_be_focused()


def test_a_long_list_grows_and_returns_to_its_place(visit, backline):
    ada = visit(backline, viewport={"width": 360, "height": 640})
    others = [named(visit, backline, f"Long List {number}") for number in range(7)]
    follow(backline, ada.person, *[other.person for other in others])
    ada.page.route("**/v1/me/following?limit=50*", lambda route: route.continue_(
        url=route.request.url.replace("limit=50", "limit=3")))
    ada.sign_in("/people/following")
    rows = people(ada.page, "Following")
    expect(rows).to_have_count(3)
    ada.button("Load more").click()
    expect(rows).to_have_count(6)
    expect(rows.nth(3).get_by_role("link")).to_be_focused()
    rows.nth(5).get_by_role("link").focus()
    rows.nth(5).scroll_into_view_if_needed()
    name = rows.nth(5).get_by_role("link").inner_text()
    # At once: the page stores where the person is before a link leads away.
    ada.page.keyboard.press("Enter")
    expect(ada.heading).to_have_text(name)
    ada.page.go_back()
    expect(rows).to_have_count(6)
    expect(ada.page.get_by_role("link", name=name)).to_be_focused()
    expect(rows.nth(5)).to_be_in_viewport()
    # So does the section, after a look at another one.
    navigation = ada.page.get_by_role("navigation", name="Main")
    navigation.get_by_role("link", name="Library").click()
    expect(ada.heading).to_have_text("Library")
    navigation.get_by_role("link", name="Profile").click()
    expect(rows).to_have_count(6)
    expect(rows.nth(5)).to_be_in_viewport()


def test_a_refused_follow_is_explained_and_leaves_the_button(visit, backline):
    ada, ben = visit(backline), named(visit, backline, "Ben Beyond")
    ada.page.route(f"**/v1/users/{ben.person.name}/follow", lambda route: route.fulfill(
        status=409, content_type="application/problem+json",
        json={"title": "Conflict", "status": 409, "code": "tooManyFollows", "detail": "You follow 10000 people."}))
    ada.sign_in(f"/users/{ben.person.name}")
    ada.button("Follow Ben Beyond").click()
    expect(ada.page.locator(".toasts")).to_contain_text("You follow 10000 people.")
    expect(ada.button("Follow Ben Beyond")).to_be_focused()


@WIDTHS
def test_axe_finds_nothing_and_nothing_is_cut_off(visit, backline, width):
    ada = visit(backline, viewport={"width": width, "height": 900})
    long_name = named(visit, backline, "Supercalifragilisticexpialidocious Bartholomew-Featherstonehaugh")
    endless = named(visit, backline, "x" * 100)
    for other in (long_name, endless):
        follow(backline, other.person, ada.person)
        follow(backline, ada.person, other.person)
    asking = named(visit, backline, "Somebody Asking")
    change(backline, ada.person, profileVisibility="followers", displayName="Ada", bio="Two\nlines.")
    follow(backline, asking.person, ada.person)
    backline.ask(ada.person, "PUT", f"/v1/users/{visit(backline).person.name}/block")
    ada.sign_in("/profile")
    for path in (
            "/profile", "/people", "/people?q=supercali", "/people?q=nobody-is-called-this", "/people/following",
            "/people/followers", "/people/requests", "/people/blocked", f"/users/{long_name.person.name}",
            f"/users/{endless.person.name}", f"/users/{ada.person.name}"):
        ada.open(path)
        expect(ada.heading).to_be_visible()
        expect(ada.page.get_by_text("Loading")).to_have_count(0)
        assert_accessible(ada.page, path)
        assert_nothing_cut_off(ada.page, path)
