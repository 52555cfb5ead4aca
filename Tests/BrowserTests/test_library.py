"""The library: its lists, and the sync above them."""

import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from support import library
from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.gestures import pull_down
from support.installation import Installation
from support.lists import MOST_ROWS, at_rest, first_row, row, rows, scroll_to, titles

WIDTHS = pytest.mark.parametrize("width", [360, 1440])
PROGRESS = re.compile(r"^(Apple Music|Spotify): (songs|playlists|songs of playlists|albums), [\d,]+( of [\d,]+)?$")


@pytest.fixture(scope="module")
def backline():
    with Installation(with_setup=True, environment=library.ENVIRONMENT) as installation:
        library.fill(installation, "listener-1")
        installation.reader = installation.add_person()
        library.connect_spotify(installation, installation.reader, "listener-1")
        library.connect_apple_music(installation, installation.reader)
        assert library.sync(installation, installation.reader, force=True)["state"] == "complete"
        yield installation


@pytest.fixture
def ada(visit, backline):
    """A person with both services connected and synced. Tests that use her do not change the library."""
    visitor = visit(backline)
    visitor.person = backline.reader
    return visitor.sign_in("/library")


def source(page: Page, name: str):
    return page.get_by_role("radio", name=re.compile(f"^{name}"))


def sync_text(page: Page):
    return page.locator(".sync-text")


def texts(locator) -> Callable[[], list[str]]:
    """Returns a function that lists all texts that an element has had from now on, however briefly."""
    had = locator.evaluate_handle("""element => {
        const had = [element.textContent];
        new MutationObserver(() => had.push(element.textContent)).observe(
            element, { childList: true, characterData: true, subtree: true });
        return had;
    }""")
    return had.json_value


def tab(page: Page, name: str):
    return page.get_by_role("tablist", name="Parts of your library").get_by_role("tab", name=name)


def all_titles(backline: Installation, person, query: str = "") -> list[str]:
    total = backline.ask(person, "GET", f"/v1/library/tracks?limit=1&{query}")["total"]
    pages = [backline.ask(person, "GET", f"/v1/library/tracks?limit=200&position={position}&{query}")["items"]
             for position in range(0, total, 200)]
    return [track["title"] for page in pages for track in page]


# The list


def test_the_list_has_every_song_and_only_the_rows_near_the_window_are_in_the_page(ada, backline):
    expected = all_titles(backline, ada.person)
    assert len(expected) > MOST_ROWS
    expect(ada.page.get_by_text(f"{len(expected)} songs", exact=True)).to_be_visible()
    seen: dict[int, str] = {}
    for place in (0, 40, 120, 230, len(expected) - 1, 90):
        scroll_to(ada.page, place)
        found = titles(ada.page)
        assert len(found) <= MOST_ROWS and place in found
        seen |= found
    assert seen == {index: expected[index] for index in seen}
    expect(rows(ada.page).first).to_have_attribute("aria-setsize", str(len(expected)))


def test_a_wheel_scrolls_through_the_list(ada, backline):
    expected = all_titles(backline, ada.person)
    at_rest(ada.page)
    ada.page.mouse.move(600, 600)
    seen = titles(ada.page)
    while len(expected) - 1 not in seen:
        ada.page.mouse.wheel(0, 1_500)
        ada.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found = titles(at_rest(ada.page))
        assert len(found) <= MOST_ROWS
        seen |= found
    assert [seen[index] for index in range(len(expected))] == expected


def test_the_keyboard_moves_between_rows_and_their_controls(ada, backline):
    expected = all_titles(backline, ada.person)
    focused = ada.page.locator(":focus")
    at_rest(ada.page)
    row(ada.page, 0).get_by_role("link").focus()
    for key, index in [("ArrowDown", 1), ("End", len(expected) - 1), ("ArrowUp", len(expected) - 2), ("Home", 0)]:
        ada.page.keyboard.press(key)
        expect(row(ada.page, index).locator(":focus")).to_have_text(expected[index])
    ada.page.keyboard.press("PageDown")
    expect(row(ada.page, 0).locator(":focus")).to_have_count(0)
    expect(focused).to_be_in_viewport()
    ada.page.keyboard.press("Home")
    ada.page.keyboard.press("ArrowRight")
    expect(focused).to_have_attribute("aria-haspopup", "menu")
    ada.page.keyboard.press("ArrowLeft")
    expect(focused).to_have_text(expected[0])
    # One Tab leaves the list: it has one stop.
    assert ada.page.locator(".virtual-rows [tabindex='0']").count() == 1


def test_going_back_returns_to_the_place_and_the_focus(ada, backline):
    expected = all_titles(backline, ada.person)
    scroll_to(ada.page, 200)
    link = row(ada.page, 203).get_by_role("link")
    before = link.bounding_box()
    link.press("Enter")
    expect(ada.heading).to_have_text(expected[203])
    ada.page.go_back()
    expect(row(ada.page, 203).locator(":focus")).to_have_text(expected[203])
    assert abs(link.bounding_box()["y"] - before["y"]) < 2
    ada.page.reload()
    expect(row(ada.page, 203).get_by_role("link")).to_be_in_viewport()


def test_the_list_keeps_its_place_while_a_sync_writes(visit, backline):
    ada = visit(backline)
    backline.simulator.spotify.ask(
        "POST", "library", {"person": "listener-4", "first": 500, "tracks": 340, "playlists": 0, "albums": 0})
    library.connect_spotify(backline, ada.person, "listener-4")
    library.ended(backline, ada.person)
    ada.sign_in("/library")
    total = library.summary(backline, ada.person)["tracks"]["all"]
    scroll_to(ada.page, 150)
    kept = first_row(ada.page)
    backline.simulator.spotify.ask("POST", "library/changes", {"person": "listener-4", "add": 9})
    library.sync(backline, ada.person, source="spotify")
    expect(ada.page.get_by_text(f"{total + 9} songs", exact=True)).to_be_visible()
    at_rest(ada.page)
    now = first_row(ada.page)
    assert now["id"] == kept["id"] and abs(now["top"] - kept["top"]) < 2
    assert now["position"] == kept["position"] + 9


def test_rows_that_could_not_be_read_can_be_retried(ada, backline):
    at_rest(ada.page)
    ada.page.route(re.compile("position=300"), lambda route: route.fulfill(
        status=503, content_type="application/problem+json", json={"code": "storageBusy", "detail": "It is busy."}))
    scroll_to(ada.page, 320, waits=False)
    expect(ada.page.get_by_text("It is busy.")).to_be_attached()
    ada.page.unroute(re.compile("position=300"))
    ada.button("Retry").click()
    scroll_to(ada.page, 320)
    assert titles(ada.page)[320] == all_titles(backline, ada.person)[320]


def test_a_row_shows_its_services_and_is_named_title_by_artist(ada, backline):
    both = library.tracks(backline, ada.person, "source=both")[0]
    ada.page.get_by_label("Search songs").fill(both["title"])
    found = rows(ada.page).filter(has=ada.page.get_by_text(both["title"], exact=True)).first
    expect(found).to_contain_text(both["artist"])
    expect(found.get_by_role("link", name=f"{both['title']} by {both['artist']}")).to_be_visible()
    for name in ("Apple Music", "Spotify"):
        expect(found.get_by_text(name, exact=True)).to_be_visible()


def test_the_filter_counts_and_shows_the_songs_of_each_source(ada, backline):
    counts = library.summary(backline, ada.person)["tracks"]
    for name, label in [("appleMusic", "Apple Music"), ("spotify", "Spotify"), ("both", "Both"), ("all", "All")]:
        expect(source(ada.page, label)).to_have_accessible_name(f"{label} {counts[name]}")
        source(ada.page, label).check()
        expect(ada.page.get_by_text(f"{counts[name]} songs", exact=True)).to_be_visible()
        expected = library.tracks(backline, ada.person, f"source={name}")
        expect(ada.page.locator(".row-title").first).to_have_text(expected[0]["title"])
        found = titles(at_rest(ada.page))
        assert found == {index: expected[index]["title"] for index in found}
    # The choice is part of the address, so a reload keeps it.
    source(ada.page, "Both").check()
    expect(ada.page).to_have_url(f"{backline.address}/library?source=both")
    ada.page.reload()
    expect(source(ada.page, "Both")).to_be_checked()
    expect(ada.page.get_by_text(f"{counts['both']} songs", exact=True)).to_be_visible()


def test_the_search_waits_for_a_pause_and_says_what_it_found(ada, backline):
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url) if "q=" in request.url else None)
    word = library.tracks(backline, ada.person)[0]["artist"]
    found = backline.ask(ada.person, "GET", f"/v1/library/tracks?q={quote(word)}")["total"]
    at_rest(ada.page)
    # One letter after another, faster than any pause.
    ada.page.get_by_label("Search songs").evaluate("""(box, word) => {
        for (let end = 1; end <= word.length; end += 1) {
            box.value = word.slice(0, end);
            box.dispatchEvent(new Event("input", { bubbles: true }));
        }
    }""", word)
    ada.hears(f"{found} song{'' if found == 1 else 's'}.")
    assert len(asked) == 1, asked
    ada.page.get_by_label("Search songs").fill("no song is called like this")
    expect(ada.page.get_by_role("heading", name="No songs found")).to_be_visible()
    ada.button("Show all songs").click()
    expect(ada.page.get_by_label("Search songs")).to_be_focused()
    expect(rows(ada.page).first).to_be_visible()


def test_the_latest_answer_wins(ada, backline):
    track = library.tracks(backline, ada.person)[0]
    held = []
    # Its own function: Playwright sets attributes on handlers, which a built-in method does not allow.
    ada.page.route(re.compile("q=slow"), lambda route: held.append(route))
    search = ada.page.get_by_label("Search songs")
    with ada.page.expect_request(re.compile("q=slow")):
        search.fill("slow")
    search.fill(track["title"])
    first = ada.page.locator(".row-title").first
    expect(first).to_contain_text(track["title"])
    try:
        held[0].fulfill(json={"items": [], "total": 0, "nextCursor": None})
    except Exception:  # The page has given up on it.
        pass
    expect(first).to_contain_text(track["title"])
    expect(ada.page.get_by_role("heading", name="No songs found")).to_have_count(0)


@pytest.mark.parametrize("label, name", [("Title", "title"), ("Artist", "artist"), ("Album", "album"),
                                         ("Play count", "playCount"), ("Recently added", "recentlyAdded")])
def test_the_order_is_the_chosen_one(ada, backline, label, name):
    ada.page.get_by_label("Sort by").select_option("album" if name == "title" else "title")
    with ada.page.expect_response(re.compile(f"/v1/library/tracks.*sort={name}")):
        ada.page.get_by_label("Sort by").select_option(label=label)
    expected = [track["title"] for track in library.tracks(backline, ada.person, f"sort={name}")]
    expect(ada.page.locator(".row-title").first).to_have_text(expected[0])
    found = titles(at_rest(ada.page))
    assert found == {index: expected[index] for index in found}


def test_playlists_and_albums_have_tabs_with_their_own_counts(ada, backline):
    tab(ada.page, "Songs").focus()
    for name, noun in [("Playlists", "playlist"), ("Albums", "album")]:
        ada.page.keyboard.press("ArrowRight")
        ada.page.keyboard.press("Enter")
        expect(tab(ada.page, name)).to_have_attribute("aria-selected", "true")
        expect(tab(ada.page, name)).to_be_focused()
        items = backline.ask(ada.person, "GET", f"/v1/library/{noun}s?limit=100")["items"]
        expect(rows(ada.page, name)).to_have_count(len(items))
        spotify = len([item for item in items if item["source"] == "spotify"])
        expect(source(ada.page, "Spotify")).to_have_accessible_name(f"Spotify {spotify}")
        source(ada.page, "Spotify").check()
        expect(rows(ada.page, name)).to_have_count(spotify)
        tab(ada.page, name).focus()
    ada.page.go_back()
    expect(tab(ada.page, "Playlists")).to_have_attribute("aria-selected", "true")


def test_the_menu_of_a_row_opens_by_button_keyboard_and_right_click(ada, backline):
    both = library.tracks(backline, ada.person, "source=both")[0]
    details = backline.ask(ada.person, "GET", f"/v1/library/tracks/{both['id']}")
    [at_spotify] = [one for one in details["sourceTracks"] if one["source"] == "spotify"]
    label = f"{both['title']} by {both['artist']}"
    ada.open("/library?source=both")
    menu = ada.page.get_by_role("menu", name=f"Actions for {label}")
    link = ada.page.get_by_role("link", name=label, exact=True).first
    link.focus()
    ada.page.keyboard.press("Shift+F10")
    expect(menu.get_by_role("menuitem", name="Send to friend")).to_be_focused()
    assert_accessible(ada.page, "a menu")
    ada.page.keyboard.press("a")
    expect(menu.get_by_role("menuitem", name="Add to playlist")).to_be_focused()
    expect(menu.get_by_role("menuitem", name="Remove from Spotify")).to_be_visible()
    # The reason shows before any click.
    kept = menu.get_by_role("menuitem", name="Remove from Apple Music")
    expect(kept).to_have_attribute("aria-disabled", "true")
    expect(kept).to_contain_text("Apple Music does not let other apps remove songs.")
    expect(menu.get_by_role("menuitem", name="Open in Spotify")).to_have_attribute(
        "href", f"https://open.spotify.com/track/{at_spotify['sourceId']}")
    ada.page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(link).to_be_focused()
    link.click(button="right")
    expect(menu).to_be_visible()
    ada.page.mouse.click(5, 400)
    expect(menu).to_have_count(0)
    ada.button(f"Actions for {label}").first.click()
    menu.get_by_role("menuitem", name="Show the song").click()
    expect(ada.heading).to_have_text(both["title"])


def test_a_long_press_opens_the_menu_and_plays_nothing(visit, backline):
    ada = visit(backline, viewport={"width": 360, "height": 800}, has_touch=True, is_mobile=True)
    ada.person = backline.reader
    ada.sign_in("/library")
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/preview") else None)
    at_rest(ada.page)
    box = row(ada.page, 0).bounding_box()
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + 12}
    devtools = ada.context.new_cdp_session(ada.page)
    devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(ada.page.get_by_role("menuitem", name="Add to playlist")).to_be_visible()
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert_accessible(ada.page, "the menu of a phone")
    assert asked == []


def assert_left_to_right(line) -> None:
    """Checks that the parts of a line are drawn side by side, in the order of the document."""
    boxes = line.evaluate("""element => [...element.childNodes].map(node => {
        const range = document.createRange();
        range.selectNodeContents(node);
        const { left, right } = (node.nodeType === Node.ELEMENT_NODE ? node : range).getBoundingClientRect();
        return [left, right];
    }).filter(([left, right]) => right > left)""")
    for (_, end), (beginning, _) in zip(boxes, boxes[1:]):
        assert beginning >= end - 1, f"{line.text_content()}: {boxes}"


def test_right_to_left_names_do_not_reorder_anything_else(visit, backline):
    # Narrow windows show the artist and the album on one line.
    ada = visit(backline, viewport={"width": 800, "height": 900})
    ada.person = backline.reader
    ada.begin_session()
    names = [
        ("אביב גפן", "1984"), ("Air", "ירח"), ("فيروز", "نسم علينا الهوى"), ("1984", "(שיר)"), ("Air", "Moon Safari"),
    ]
    tracks = [
        {"id": f"track-{number}", "title": "!שיר", "artist": artist, "album": album, "durationMs": 200_000,
         "explicit": True, "sources": ["spotify"], "inLibrary": True, "missingSince": None, "picture": None,
         "addedAt": "2026-11-20T10:00:00.000000Z"}
        for number, (artist, album) in enumerate(names)]
    playlists = [
        {"id": f"playlist-{number}", "name": "Mix", "owner": owner, "source": "spotify", "sourceId": "x",
         "trackCount": 3, "missingSince": None, "picture": None}
        for number, owner in enumerate(["דנה", "7 דנה", "Dana"])]

    def answer(shelf: str, items: list[dict]) -> None:
        page = {"items": items, "total": len(items), "nextCursor": None}
        ada.page.route(re.compile(rf"/v1/library/{shelf}\?"), lambda route: route.fulfill(json=page))

    answer("tracks", tracks)
    answer("playlists", playlists)
    ada.open("/library")
    expect(ada.page.locator(".row-text")).to_have_text([f"{artist} · {album}" for artist, album in names])
    for found in rows(ada.page).all():
        assert_left_to_right(found.locator(".row-head"))
        assert_left_to_right(found.locator(".row-narrow"))
    ada.open("/library?show=playlists")
    expect(ada.page.locator(".row-text")).to_have_text([f"By {item['owner']} · 3 songs" for item in playlists])
    for found in rows(ada.page, "Playlists").all():
        assert_left_to_right(found.locator(".row-narrow > span"))


def test_without_a_service_the_library_leads_to_the_setup(visit, backline):
    ada = visit(backline).sign_in("/library")
    ada.page.get_by_role("link", name="Connect a service").click()
    expect(ada.heading).to_have_text("Setup")


def test_the_other_pages_have_text_links_and_a_menu_in_narrow_windows(visit, backline):
    names = ["Import a file", "Changes", "Likely duplicates", "Library settings"]
    ada = visit(backline).sign_in("/library")
    links = ada.page.get_by_role("navigation", name="Library").get_by_role("link")
    more = ada.button("More", exact=True)
    expect(links.last).to_have_text(names[-1])
    # Those of other domains are first.
    shown = links.all_text_contents()
    assert "Listening" in shown[:-4] and shown[-4:] == names
    expect(more).to_be_hidden()
    assert_accessible(ada.page, "the links to the other pages")
    ada.page.set_viewport_size({"width": 360, "height": 800})
    expect(links.first).to_be_hidden()
    more.press("Enter")
    menu = ada.page.get_by_role("menu", name="Library")
    expect(menu.get_by_role("menuitem")).to_have_text(shown)
    assert_accessible(ada.page, "the menu of the other pages")
    expect(menu.get_by_role("menuitem").first).to_be_focused()
    ada.page.keyboard.press("Escape")
    expect(more).to_be_focused()
    more.press("Enter")
    ada.page.keyboard.press("End")
    ada.page.keyboard.press("Enter")
    expect(ada.heading).to_have_text("Library settings")


# The sync


def test_pulling_down_on_a_phone_syncs_all_services(visit, backline):
    ada = visit(backline, viewport={"width": 360, "height": 800}, has_touch=True, is_mobile=True)
    ada.person = backline.reader
    ada.sign_in("/library")
    at_rest(ada.page)
    with ada.page.expect_request("**/v1/library/syncs") as begun:
        pull_down(ada.page, 160)
    assert begun.value.post_data_json == {"force": True}
    library.ended(backline, ada.person)


def test_an_empty_library_syncs_by_itself(visit, backline):
    ada = visit(backline)
    library.connect_spotify(backline, ada.person, "listener-2")
    library.ended(backline, ada.person)
    # As before the first sync.
    ada.page.route("**/v1/library/syncs/latest", lambda route: route.fulfill(status=204))
    with ada.page.expect_request(lambda request: request.method == "POST" and "/library/syncs" in request.url):
        ada.sign_in("/library")


def test_a_sync_is_shown_live_and_its_outcome_disappears(visit, own_backline):
    backline = own_backline(with_setup=True, environment=library.ENVIRONMENT)
    library.fill(backline, "listener-1", tracks=900)
    # Each of its twenty pages takes two seconds, until the page has shown the sync.
    backline.simulator.spotify.configure(latencyMs=2_000)
    ada = visit(backline)
    library.connect_apple_music(backline, ada.person)
    library.ended(backline, ada.person)
    library.connect_spotify(backline, ada.person, "listener-1")
    ada.sign_in("/library")
    spotify = ada.page.locator(".sync-source[data-source=spotify]")
    expect(sync_text(ada.page)).to_have_text("Syncing …")
    expect(spotify).to_have_text(PROGRESS)
    expect(ada.button("Sync now")).to_have_attribute("aria-disabled", "true")
    ada.hears("Syncing Spotify.")
    expect(ada.page.get_by_role("progressbar", name="Progress of Spotify")).to_be_visible()
    # The songs appear while the sync continues.
    expect(source(ada.page, "Spotify")).to_have_accessible_name(re.compile("^Spotify [1-9]"))
    expect(spotify).to_have_text(PROGRESS)
    shown = texts(sync_text(ada.page))
    backline.simulator.spotify.configure(latencyMs=0)
    # The outcome disappears by itself.
    expect(ada.button("Sync now")).to_have_attribute("aria-disabled", "false")
    expect(sync_text(ada.page)).to_be_hidden()
    assert any(re.match(r"Synced at \d\d:\d\d", text) for text in shown())
    expect(ada.page.get_by_role("progressbar")).to_have_count(0)
    counts = library.summary(backline, ada.person)["tracks"]
    expect(source(ada.page, "Both")).to_have_accessible_name(f"Both {counts['both']:,}")


def test_the_banner_says_how_many_songs_were_merged(visit):
    ada = visit().sign_in("/profile")
    said = ada.page.evaluate("""async () => {
        const { outcomeText } = await import("/assets/library/sync-text.js");
        const said = (merged) => outcomeText({ state: "complete", merged, finishedAt: new Date(), sources: [] });
        return [0, 1, 1200].map(said);
    }""")
    assert [re.sub(r"\d\d:\d\d", "14:05", one) for one in said] == [
        "Synced at 14:05", "Synced at 14:05. 1 song was merged into another",
        "Synced at 14:05. 1,200 songs were merged into others"]


def test_a_song_that_left_its_service_is_marked(visit, own_backline):
    backline = own_backline(with_setup=True, environment=library.ENVIRONMENT)
    library.fill(backline, "listener-1", tracks=60)
    ada = visit(backline)
    library.connect_spotify(backline, ada.person, "listener-1")
    library.ended(backline, ada.person)
    track = next(track for track in library.tracks(backline, ada.person) if track["inLibrary"])
    [at_spotify] = backline.ask(ada.person, "GET", f"/v1/library/tracks/{track['id']}")["sourceTracks"]
    backline.simulator.spotify.ask(
        "POST", "library/changes", {"person": "listener-1", "removeIds": [at_spotify["sourceId"]]})
    ada.sign_in("/library")
    ada.page.get_by_label("Search songs").fill(track["title"])
    mark = rows(ada.page).filter(has_text=track["title"]).get_by_text("Left your library on")
    expect(rows(ada.page).first).to_contain_text(track["title"])
    expect(mark).to_have_count(0)
    with ada.page.expect_request("**/v1/library/syncs") as begun:
        ada.button("Sync now").click()
    assert begun.value.post_data_json == {"force": True}
    expect(mark).to_have_count(1)


def test_an_error_stays_until_it_is_dismissed_and_can_be_retried(visit, backline):
    ada = visit(backline)
    backline.simulator.spotify.configure(withheldScopes=["user-library-read"])
    try:
        library.connect_spotify(backline, ada.person, "listener-3")
    finally:
        backline.simulator.spotify.configure(withheldScopes=[])
    library.sync(backline, ada.person, source="spotify")
    ada.sign_in("/library")
    errors = ada.page.get_by_role("region", name="Sync errors")
    expect(errors.get_by_role("heading", name="Spotify was not synced")).to_be_visible()
    expect(errors.get_by_role("link", name="Set up Spotify")).to_have_attribute("href", "/setup/spotify")
    with ada.page.expect_response("**/v1/library/syncs") as retried:
        errors.get_by_role("button", name="Retry").click()
    assert retried.value.request.post_data_json == {"force": True}
    asked = retried.value.json()["id"]
    library.ended(backline, ada.person, lambda found: found["id"] >= asked)
    with ada.page.expect_response("**/v1/library/syncs/latest"):
        ada.page.reload()
    expect(ada.button("Sync now")).to_have_attribute("aria-disabled", "false")
    errors.get_by_role("button", name="Dismiss").click()
    expect(errors).to_have_count(0)
    expect(ada.button("Sync now")).to_be_focused()
    with ada.page.expect_response("**/v1/library/syncs/latest"):
        ada.page.reload()
    expect(ada.page.get_by_role("tablist")).to_be_visible()
    expect(errors).to_have_count(0)


def test_a_paused_service_is_shown_and_prevents_no_sync(ada):
    paused = {
        "id": "0199ffff-0000-7000-8000-000000000000", "state": "running", "merged": 0, "finishedAt": None,
        "sources": [
            {"source": "appleMusic", "state": "complete", "phase": "albums", "found": 9, "new": 0, "changed": 0,
             "total": 9, "error": None},
            {"source": "spotify", "state": "waiting", "phase": "tracks", "found": 100, "new": 100, "changed": 0,
             "total": 320, "error": {"code": "rateLimited", "message": "Spotify asked for a pause."}}]}
    ada.page.route("**/v1/library/syncs/latest", lambda route: route.fulfill(json=paused))
    ada.open("/library")
    expect(ada.page.get_by_role("heading", name="Spotify has to wait")).to_be_visible()
    expect(ada.button("Sync now")).to_have_attribute("aria-disabled", "false")
    # The requested sync runs beside the paused one, and leaves Spotify to it.
    following = dict(paused, id="0199ffff-0000-7000-8000-000000000001")
    following["sources"] = [dict(paused["sources"][0], state="running", phase="tracks"), paused["sources"][1]]
    ada.page.route("**/v1/library/syncs", lambda route: route.fulfill(
        status=202, json={"id": following["id"], "state": "queued"}))
    ada.page.unroute("**/v1/library/syncs/latest")
    ada.page.route("**/v1/library/syncs/latest", lambda route: route.fulfill(json=following))
    ada.button("Sync now").click()
    expect(ada.page.locator(".sync-source[data-source=appleMusic]")).to_contain_text("songs")
    expect(ada.page.get_by_role("heading", name="Spotify has to wait")).to_be_visible()
    expect(ada.button("Sync now")).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize("codes, outcome", [
    ({"appleMusic": "noCloudLibrary", "spotify": "rateLimited"}, "Not synced: Spotify"),
    ({"appleMusic": "userTokenRefused", "spotify": "rateLimited"}, "Not synced: Apple Music, Spotify"),
])
def test_an_account_without_a_library_was_synced(ada, codes, outcome):
    sync = {"state": "partial", "finishedAt": "2026-11-20T10:00:00.000000Z", "sources": [
        {"source": source, "state": "complete" if code == "noCloudLibrary" else "failed",
         "error": {"code": code, "message": "It was not read."}} for source, code in codes.items()]}
    written = ada.page.evaluate(
        "async sync => (await import('/assets/library/sync-text.js')).outcomeText(sync)", sync)
    assert written == outcome


def test_a_doubt_about_the_account_is_a_question(ada):
    unclear = {
        "id": "0199ffff-0000-7000-8000-000000000000", "state": "partial", "merged": 0,
        "finishedAt": "2026-11-20T10:00:00.000000Z", "sources": [{
            "source": "appleMusic", "state": "failed", "phase": "tracks", "found": 9, "new": 0, "changed": 0,
            "total": 9, "error": {"code": "accountUnclear", "message": "Few of the known songs are there."}}]}
    ada.page.route("**/v1/library/syncs/latest", lambda route: route.fulfill(json=unclear))
    ada.page.route("**/v1/library/sources/appleMusic/account", lambda route: route.fulfill(status=204))
    ada.open("/library")
    expect(ada.page.get_by_role("heading", name="Is this the same Apple Music account?")).to_be_visible()
    assert_accessible(ada.page, "a question about the account")
    with ada.page.expect_request("**/v1/library/sources/appleMusic/account") as answered:
        ada.button("No, another account").click()
    assert answered.value.post_data_json == {"same": False}


def test_a_dismissed_doubt_about_the_account_can_be_answered(ada):
    dismissed = {
        "id": "0199ffff-0000-7000-8000-000000000000", "state": "complete", "merged": 0,
        "finishedAt": "2026-11-20T10:00:00.000000Z", "sources": [{
            "source": "appleMusic", "state": "complete", "phase": "albums", "found": 9, "new": 0, "changed": 0,
            "total": 9, "asksForAccount": True, "error": None}]}
    ada.page.route("**/v1/library/syncs/latest", lambda route: route.fulfill(json=dismissed))
    ada.page.route("**/v1/library/sources/appleMusic/account", lambda route: route.fulfill(status=204))
    ada.open("/library")
    expect(ada.page.get_by_role("heading", name="Is this the same Apple Music account?")).to_be_visible()
    expect(ada.button("Dismiss")).to_have_count(0)
    assert_accessible(ada.page, "an open question about the account")
    with ada.page.expect_request("**/v1/library/sources/appleMusic/account") as answered:
        ada.button("Yes, the same account").click()
    assert answered.value.post_data_json == {"same": True}


# Disconnecting


def test_disconnecting_asks_twice_and_shows_the_counts_first(visit, own_backline):
    backline = own_backline(with_setup=True, environment=library.ENVIRONMENT)
    library.fill(backline, "listener-1", tracks=80)
    ada = visit(backline)
    library.connect_spotify(backline, ada.person, "listener-1")
    library.ended(backline, ada.person)
    counts = backline.ask(ada.person, "GET", "/v1/library/sources/spotify/removal")
    assert counts["tracks"] == library.summary(backline, ada.person)["tracks"]["all"] > 0
    said = f"{counts['tracks']} songs, {counts['playlists']} playlists and {counts['albums']} albums"
    dialog = ada.page.get_by_role("dialog")
    ada.sign_in("/setup/spotify")
    ada.button("Disconnect").click()
    expect(dialog).to_contain_text(said)
    dialog.get_by_role("button", name="Continue").click()
    expect(ada.page.get_by_role("dialog", name=f"Delete {said}?")).to_be_visible()
    assert_accessible(ada.page, "the second question")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    expect(ada.page.get_by_role("link", name="your apps at Spotify")).to_have_attribute(
        "href", "https://www.spotify.com/account/apps/")
    assert library.summary(backline, ada.person)["tracks"]["all"] > 0
    ada.button("Disconnect").click()
    dialog.get_by_role("button", name="Continue").click()
    dialog.get_by_role("button", name="Disconnect and delete").click()
    ada.hears("Spotify is disconnected.")
    expect(ada.page.get_by_role("link", name="Remove Backline from your apps at Spotify, too")).to_have_attribute(
        "href", "https://www.spotify.com/account/apps/")
    # Opened at once: the page follows the removal until it has ended.
    ada.open("/library")
    expect(ada.page.get_by_role("heading", name="Your library is empty")).to_be_visible()
    library.emptied(backline, ada.person)


def test_a_running_removal_of_tracks_is_shown(ada, backline):
    counts = library.summary(backline, ada.person)
    state = {"isRemoved": False}

    # As between disconnecting Spotify and the end of the removal.
    def setup(route):
        answer = route.fetch()
        checklist = answer.json()
        for step in [*checklist["steps"], *checklist["optional"]]:
            if step["id"] == "spotify":
                step["state"] = "incomplete"
                step.pop("connectedAt", None)
        route.fulfill(response=answer, json=checklist)

    def summary(route):
        spotify = 0 if state["isRemoved"] else counts["tracks"]["spotify"]
        route.fulfill(json={**counts, "tracks": {**counts["tracks"], "spotify": spotify}})

    ada.page.route("**/v1/setup", setup)
    ada.page.route("**/v1/library/summary", summary)
    ada.open("/library")
    said = ada.page.get_by_text("Removing the songs from Spotify …")
    expect(said).to_be_visible()
    expect(rows(ada.page).first).to_be_visible()
    assert_accessible(ada.page, "a removal")
    state["isRemoved"] = True
    expect(said).to_have_count(0)
    expect(source(ada.page, "Spotify")).to_have_accessible_name("Spotify 0")


def test_apple_music_is_disconnected_in_the_same_way(visit, backline):
    ada = visit(backline)
    library.connect_apple_music(backline, ada.person)
    library.ended(backline, ada.person)
    ada.sign_in("/setup/apple-music")
    expect(ada.page.get_by_role("link", name="your Apple account")).to_be_visible()
    assert_accessible(ada.page, "Apple Music, connected")
    ada.button("Disconnect").click()
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Continue").click()
    dialog.get_by_role("button", name="Disconnect and delete").click()
    expect(ada.page.get_by_role("link", name="Apple Music, optional, not configured")).to_be_visible()


# For everyone


def test_by_keyboard_alone(ada, backline):
    def tab_to(locator) -> None:
        expect(locator).to_be_visible()
        for _ in range(40):
            ada.page.keyboard.press("Tab")
            if locator.evaluate("element => element === document.activeElement"):
                return
        raise AssertionError(f"Tab never reached {locator}")

    track = library.tracks(backline, ada.person)[0]
    expect(rows(ada.page).first).to_be_visible()
    tab_to(ada.button("Sync now"))
    tab_to(ada.page.get_by_label("Search songs"))
    ada.page.keyboard.type(track["title"])
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator(".row-title").first).to_contain_text(track["title"])
    tab_to(ada.page.get_by_label("Sort by"))
    tab_to(source(ada.page, "All"))
    ada.page.keyboard.press("ArrowRight")
    expect(source(ada.page, "Apple Music")).to_be_checked()
    expect(ada.page).to_have_url(re.compile("source=appleMusic"))


@WIDTHS
def test_axe_finds_nothing(visit, backline, width):
    ada = visit(backline, viewport={"width": width, "height": 900})
    ada.person = backline.reader
    ada.sign_in("/library")
    at_rest(ada.page)
    assert_accessible(ada.page, "songs")
    assert_nothing_cut_off(ada.page, "songs")
    ada.page.get_by_label("Search songs").fill("no song is called like this")
    expect(ada.page.get_by_role("heading", name="No songs found")).to_be_visible()
    assert_accessible(ada.page, "nothing found")
    for path, name in [("/library?show=playlists", "Playlists"), ("/library?show=albums", "Albums")]:
        ada.open(path)
        expect(rows(ada.page, name).first).to_be_visible()
        assert_accessible(ada.page, name)
        assert_nothing_cut_off(ada.page, name)
    running = {
        "id": "0199ffff-0000-7000-8000-000000000000", "state": "running", "merged": 0, "finishedAt": None,
        "sources": [
            {"source": "appleMusic", "state": "failed", "phase": "tracks", "found": 0, "new": 0, "changed": 0,
             "total": None, "error": {"code": "userTokenRefused", "message": "Apple Music refuses your token."}},
            {"source": "spotify", "state": "running", "phase": "tracks", "found": 1_200, "new": 3, "changed": 0,
             "total": 3_400, "error": None}]}
    ada.page.route("**/v1/library/syncs/latest", lambda route: route.fulfill(json=running))
    ada.open("/library")
    expect(ada.page.locator(".sync-source[data-source=spotify]")).to_have_text("Spotify: songs, 1,200 of 3,400")
    expect(ada.page.get_by_role("heading", name="Apple Music was not synced")).to_be_visible()
    assert_accessible(ada.page, "a running sync with an error")
