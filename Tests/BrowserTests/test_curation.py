"""Lists made for people, through the pages."""

import re

import pytest
from playwright.sync_api import expect

from support import library
from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.installation import Installation

ENVIRONMENT = library.ENVIRONMENT | {
    "BACKLINE_UPSTREAMS_GEMINI_REQUESTS": "1000", "BACKLINE_UPSTREAMS_GEMINI_DAILY_REQUESTS": "0",
    "BACKLINE_UPSTREAMS_GEMINI_TOKENS": "0", "BACKLINE_AI_PRICES": "gemini-3.8-flash=0.30/2.50",
    "BACKLINE_AI_PRICE_CURRENCY": "EUR", "BACKLINE_LIBRARY_SPOTIFY_SETTLE_SECONDS": "1",
}


@pytest.fixture(scope="module")
def backline():
    with Installation(with_setup=True, environment=ENVIRONMENT) as installation:
        library.fill(installation, "listener-1")
        installation.reader = installation.add_person()
        installation.friend = installation.add_person()
        library.connect_spotify(installation, installation.reader, "listener-1")
        library.connect_apple_music(installation, installation.friend)
        for person in (installation.reader, installation.friend):
            assert library.sync(installation, person, force=True)["state"] == "complete"
        yield installation


def sign_in(visit, backline, person, path, width=1280):
    visitor = visit(backline, viewport={"width": width, "height": 900})
    visitor.person = person
    return visitor.sign_in(path).page


def key(backline, is_there):
    if is_there:
        backline.ask(backline.reader, "PUT", "/v1/setup/gemini", {"apiKey": "demo-gemini-key"})
    else:
        backline.ask(backline.reader, "DELETE", "/v1/setup/gemini")


@pytest.mark.parametrize("width", [360, 1440])
def test_a_playlist_is_made_changed_undone_and_saved(visit, backline, width):
    key(backline, True)
    page = sign_in(visit, backline, backline.reader, "/explore", width)
    page.get_by_role("link", name="Make a playlist").click()
    about = r"Gemini chooses the songs, with about 6,500 tokens for about €0\.005\d\. You have used"
    expect(page.get_by_text(re.compile(about))).to_be_visible()
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_text("Describe what the playlist should be like.")).to_be_visible()
    page.get_by_role("button", name="Calm songs I have never played").click()
    expect(page.get_by_label("What should it be like?")).to_have_value("Calm songs I have never played")
    page.get_by_label("What should it be like?").fill("rainy Sunday")
    page.get_by_label("Songs", exact=True).fill("12")
    page.get_by_label("Songs from").select_option("library")
    assert_accessible(page, f"the form at {width} px")
    page.get_by_role("button", name="Make it").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Rainy Sunday")
    rows = page.get_by_role("list", name="Songs").get_by_role("listitem")
    expect(rows).to_have_count(12)
    expect(page.get_by_text("12 songs. Made with gemini-3.8-flash.")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^It used [\d,]+ tokens, which cost €0\.00\d+\.$"))).to_be_visible()
    assert_accessible(page, f"a playlist at {width} px")
    assert_nothing_cut_off(page, f"a playlist at {width} px")

    kept = rows.first.get_by_role("link").first.get_attribute("aria-label")
    page.get_by_role("button", name=f"Keep {kept}").click()
    expect(page.get_by_text("Keeping 1 song.")).to_be_visible()
    page.get_by_role("button", name=f"Actions for {kept}").click()
    # The menu of every song, and then that of these lists.
    expect(page.get_by_role("menuitem").first).to_have_text("Send to friend")
    for name in ("Add to playlist", re.compile("^(Open in|Search on) Spotify$"),
                 re.compile("^(Open in|Search on) Apple Music$")):
        expect(page.get_by_role("menuitem", name=name)).to_be_visible()
    page.get_by_role("menuitem", name="Why this?").click()
    expect(page.get_by_role("dialog").get_by_role("listitem").first).to_be_visible()
    assert_accessible(page, f"the reasons at {width} px")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="What was sent").click()
    expect(page.get_by_role("dialog").get_by_text('"wish": "rainy Sunday"')).to_be_visible()
    page.get_by_role("button", name="Close").click()

    removed = rows.nth(3).get_by_role("link").first.get_attribute("aria-label")
    page.get_by_role("button", name=f"Actions for {removed}").click()
    page.get_by_role("menuitem", name="Remove from this list").click()
    expect(rows).to_have_count(11)

    page.get_by_label("What should be different?").fill("louder")
    page.get_by_role("button", name="Change it").click()
    expect(page.get_by_role("button", name="Undo the change")).to_be_visible()
    expect(rows.first.get_by_role("link").first).to_have_attribute("aria-label", kept)
    page.get_by_role("button", name="Undo the change").click()
    expect(page.get_by_role("button", name="Undo the change")).to_have_count(0)
    expect(rows).to_have_count(11)

    page.get_by_role("button", name="Save to Spotify").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rainy Sunday")
    expect(page.get_by_role("list", name=re.compile("^Entries of"))).to_be_visible()


def test_without_a_key_the_page_says_what_works_and_how_to_add_one(visit, backline):
    key(backline, False)
    page = sign_in(visit, backline, backline.reader, "/explore/playlists")
    expect(page.get_by_role("link", name="Add a Gemini key")).to_have_attribute("href", "/setup/gemini")
    page.get_by_label("What should it be like?").fill("something calm")
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_text(re.compile("Made without AI, from your library"))).to_be_visible()
    expect(page.get_by_role("list", name="Songs").get_by_role("listitem")).to_have_count(25)
    expect(page.get_by_text(re.compile("^It used"))).to_have_count(0)
    key(backline, True)
    page.get_by_role("button", name="Ask again").click()
    expect(page.get_by_text("25 songs. Made with gemini-3.8-flash.")).to_be_visible()


def test_people_choose_among_the_administrators_models(visit):
    models = {
        f"BACKLINE_AI_ENDPOINTS_{name}_{key}": value for name in ("HOME", "AT_WORK")
        for key, value in {"URL": "http://127.0.0.1:9", "MODEL": f"model-{name[-1].lower()}"}.items()
    }
    with Installation(environment=models) as backline:
        page = sign_in(visit, backline, backline.add_person(), "/explore/playlists", 360)
        select = page.get_by_label("Chosen by")
        expect(page.get_by_text("This Backline’s model at-work (model-k) chooses the songs")).to_be_visible()
        select.select_option(label="home (model-e)")
        expect(page.get_by_text("This Backline’s model home (model-e) chooses the songs, with about")).to_be_visible()
        expect(select).to_be_focused()
        assert_accessible(page, "the choice of a model")
        assert_nothing_cut_off(page, "the choice of a model")
        select.select_option(label="No model: only rules")
        expect(page.get_by_text("Backline makes playlists from your library by fixed rules.")).to_be_visible()
        page.reload()
        expect(select).to_have_value("none")


def test_songs_that_a_model_invents_are_shown_as_left_out(visit, backline):
    key(backline, True)
    backline.simulator.gemini.configure(behaviour="inventing")
    page = sign_in(visit, backline, backline.reader, "/explore/playlists")
    page.get_by_label("What should it be like?").fill("new songs")
    page.get_by_label("Songs from").select_option("discovery")
    page.get_by_role("button", name="Make it").click()
    page.get_by_text(re.compile(r"\d+ named but left out")).click()
    expect(page.get_by_text(re.compile("That Never Was: No such song was found")).first).to_be_visible()
    assert_accessible(page, "a playlist with songs that were left out")
    backline.simulator.gemini.configure(behaviour="plausible")


def test_songs_are_recommended_and_one_is_dismissed(visit, backline):
    key(backline, False)
    page = sign_in(visit, backline, backline.reader, "/explore", 360)
    page.get_by_role("button", name="Recommend songs").click()
    rows = page.get_by_role("region", name="For you").get_by_role("list", name="Songs").get_by_role("listitem")
    expect(rows).to_have_count(10)
    assert_accessible(page, "recommendations")
    first = rows.first.get_by_role("link").first.get_attribute("aria-label")
    # The page may also show the song among the top songs.
    rows.first.get_by_role("button", name=f"Actions for {first}").click()
    page.get_by_role("menuitem", name="Not for me").click()
    expect(page.locator(".toasts")).to_contain_text("will not be recommended again.")
    expect(page.get_by_role("link", name=first, exact=True)).to_be_hidden()
    assert len(backline.ask(backline.reader, "GET", "/v1/ai/dismissals")["items"]) == 1

    title = first.rsplit(" by ", 1)[0]
    page.goto(backline.address + "/profile/settings")
    page.get_by_role("link", name="Not for you").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Not for you")
    expect(page.get_by_role("list", name="Songs").get_by_text(title)).to_be_visible()
    assert_accessible(page, "songs that are not for the person")
    page.get_by_role("button", name=f"Allow {title} again").click()
    expect(page.get_by_text("No songs here")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    assert backline.ask(backline.reader, "GET", "/v1/ai/dismissals")["items"] == []


def test_all_earlier_lists_are_shown_page_by_page(visit, backline):
    for prompt in ("one", "two", "three"):
        backline.ask(backline.reader, "POST", "/v1/ai/playlists", {"prompt": f"page {prompt}", "size": 5})
    page = sign_in(visit, backline, backline.reader, "/explore")
    page.route("**/v1/ai/playlists?*", lambda route: route.continue_(url=route.request.url + "&limit=2"))
    page.route("**/v1/ai/playlists", lambda route: route.continue_(url=route.request.url + "?limit=2"))
    page.get_by_role("link", name="Make a playlist").click()
    rows = page.get_by_role("list", name="Earlier playlists").get_by_role("listitem")
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="Load more").click()
    expect(rows.nth(2).get_by_role("link")).to_be_focused()
    expect(rows.nth(2).get_by_role("link")).to_have_text("Page one")
    assert_accessible(page, "earlier lists")


def test_a_playlist_grows_by_the_chosen_songs(visit, backline):
    key(backline, False)
    playlist = next(
        one for one in backline.ask(backline.reader, "GET", "/v1/library/playlists?source=spotify")["items"]
        if one["trackCount"] > 5 and one["canAdd"])
    page = sign_in(visit, backline, backline.reader, f"/library/playlists/{playlist['id']}")
    page.get_by_role("link", name="Extend it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Extend “{playlist['name']}”")
    rows = page.get_by_role("list", name="Songs").get_by_role("listitem")
    expect(rows.first).to_be_visible()
    assert_accessible(page, "growing a playlist")
    page.get_by_role("button", name=re.compile("^Add .* by ")).first.click()
    page.get_by_role("button", name="Add 1 song").click()
    expect(page.locator(".toasts")).to_contain_text("1 song added.")
    grown = backline.ask(backline.reader, "GET", f"/v1/library/playlists/{playlist['id']}")
    assert grown["total"] == playlist["trackCount"] + 1


def test_a_playlist_that_does_not_exist_cannot_grow_and_the_page_says_so(visit, backline):
    friends = backline.ask(backline.friend, "GET", "/v1/library/playlists")["items"][0]
    for unknown in ("nonsense", friends["id"]):
        page = sign_in(visit, backline, backline.reader, f"/explore/growth/{unknown}", 360)
        expect(page.get_by_role("heading", name="There is no such playlist")).to_be_visible()
        expect(page.get_by_text(
            "The playlist may have left your library, or the address may be mistyped.")).to_be_visible()
        assert_accessible(page, "growing an unknown playlist")
        page.get_by_role("link", name="Go to your playlists").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Library")


def test_a_blend_is_requested_accepted_and_seen_by_both(visit, backline):
    page = sign_in(visit, backline, backline.reader, "/explore/blends", 360)
    friends = sign_in(visit, backline, backline.friend, "/explore/blends", 1440)
    # The page does not reveal whether the username exists.
    page.get_by_label("The other person’s username").fill("nobody-here")
    page.get_by_role("button", name="Make a blend").click()
    expect(page.get_by_text("Waiting for the other person to agree …")).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("button", name="Withdraw")).to_have_count(0)
    page.get_by_label("The other person’s username").fill(backline.friend.name)
    page.get_by_role("button", name="Make a blend").click()
    expect(page.get_by_text("Waiting for the other person to agree …")).to_be_visible()
    # Live, without a reload.
    expect(friends.get_by_text("Wants to make blends with you.")).to_be_visible()
    assert_accessible(friends, "a request for blends")
    friends.get_by_role("button", name="Agree").click()
    rows = page.get_by_role("list", name="Songs").get_by_role("listitem")
    expect(rows).to_have_count(25)
    expect(page.get_by_text("Both", exact=True).first).to_be_visible()
    assert_accessible(page, "a blend")
    friends.get_by_role("link", name=re.compile("^You and ")).first.click()
    expect(friends.get_by_role("list", name="Songs").get_by_role("listitem")).to_have_count(25)
    friends.go_back()
    friends.get_by_role("button", name="End blends").click()
    expect(friends.get_by_role("button", name="End blends")).to_have_count(0)


@pytest.mark.parametrize("amount, currency, locale, expected", [
    ("0.00525", "USD", "en-US", "$0.0053"), ("0.000175", "EUR", "de-DE", "0,00018 €"), ("0.5", "USD", "en-US", "$0.50"),
    ("12.345", "EUR", "en-GB", "€12.35"), ("0", "USD", "en-US", "$0.00"), ("0.2", "JPY", "en-US", "¥0.20"),
])
def test_costs_are_formatted_for_the_locale(visit, amount, currency, locale, expected):
    ada = visit().open("/sign-in")
    written = ada.page.evaluate(
        "async ([amount, currency, locale]) => (await import('/assets/ui/formats.js')).money({ amount, currency }, locale)",
        [amount, currency, locale])
    assert re.sub(r"\s+", " ", written) == expected
