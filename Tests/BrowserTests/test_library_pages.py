"""The pages of single items of the library, of its changes, likely duplicates and settings."""

import re
import struct
import time
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from support import library, listens
from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.installation import Installation
from support.lists import at_rest, row, rows, scroll_to, titles
from support.readability import assert_readable

WIDTHS = pytest.mark.parametrize("width", [360, 1440])
# What the pages show once they have read their data.
CONTENT = ", ".join(f"main {part}" for part in (".row", ".notice-view", ".detail-part", ".pair"))
# The maximum that a first visit may transfer, in bytes. A page of 100 tracks is 34 kB of it.
MOST_BYTES = 150_000


@pytest.fixture(scope="module")
def backline():
    with Installation(with_setup=True, environment=library.ENVIRONMENT) as installation:
        library.fill(installation, "listener-1", tracks=700, albums=200)
        installation.reader = reader(installation)
        yield installation


def reader(backline: Installation):
    """A person with both services connected and synced."""
    person = backline.add_person()
    library.connect_spotify(backline, person, "listener-1")
    library.connect_apple_music(backline, person)
    assert library.sync(backline, person, force=True)["state"] == "complete"
    return person


@pytest.fixture
def ada(visit, backline):
    """Tests that use her do not change the library."""
    visitor = visit(backline)
    visitor.person = backline.reader
    visitor.begin_session()
    return visitor


@pytest.fixture
def eve(visit, backline):
    """A person whose library the test may change."""
    visitor = visit(backline)
    visitor.person = reader(backline)
    visitor.begin_session()
    return visitor


def ask(visitor, path: str) -> dict:
    return visitor.backline.ask(visitor.person, "GET", f"/v1/library/{path}")


def shared_song(visitor) -> dict:
    """A song that both services have."""
    return ask(visitor, f"tracks/{ask(visitor, 'tracks?source=both&sort=title&limit=1')['items'][0]['id']}")


def part(page: Page, name: str):
    return page.get_by_role("region", name=name, exact=True)


def fact(page: Page, section: str, name: str):
    return part(page, section).locator("div").filter(has=page.get_by_role("term").get_by_text(name, exact=True)) \
        .get_by_role("definition")


# Songs


def test_a_song_shows_what_each_service_reports(ada):
    song = shared_song(ada)
    at = {one["source"]: one for one in song["sourceTracks"]}
    ada.open(f"/library/tracks/{song['id']}")
    expect(ada.heading).to_have_text(song["title"])
    expect(ada.page).to_have_title(f"{song['title']} · Backline")
    expect(ada.page.get_by_role("link", name=song["artist"], exact=True)).to_be_visible()
    expect(fact(ada.page, "Track info", "ISRC")).to_have_text(song["isrc"])
    minutes, seconds = divmod(round(song["durationMs"] / 1_000), 60)
    expect(fact(ada.page, "Track info", "Duration")).to_have_text(f"{minutes}:{seconds:02}")
    plays = at["appleMusic"]["playCount"]
    # A number that the service does not report is not shown as none.
    if plays is None:
        expect(fact(ada.page, "Apple Music", "Plays")).to_have_count(0)
    else:
        expect(fact(ada.page, "Apple Music", "Plays")).to_have_text(f"{plays:,}")
    expect(fact(ada.page, "Spotify", "Page").get_by_role("link")).to_have_attribute(
        "href", f"https://open.spotify.com/track/{at['spotify']['sourceId']}")
    expect(fact(ada.page, "Sync info", "Synced from Spotify")).not_to_be_empty()
    evidence = ask(ada, f"tracks/{song['id']}/identity")["sourceTracks"]
    for sentence in evidence[0]["evidence"]:
        expect(part(ada.page, "Why is this one song?").get_by_text(sentence, exact=True).first).to_be_visible()
    changes = ask(ada, f"changes?trackId={song['id']}")
    assert changes["total"] >= 2
    expect(part(ada.page, "What changed").get_by_text("added to Spotify")).to_be_visible()


@WIDTHS
def test_a_song_and_its_artist_show_the_persons_listens(eve, width):
    eve.page.set_viewport_size({"width": width, "height": 900})
    song = shared_song(eve)
    secret = listens.token(eve.backline, eve.person)
    listens.submit(eve.backline, secret, *[
        listens.listen(song["title"], song["artist"], ago=900 * number, duration_ms=song["durationMs"])
        for number in range(1, 4)])
    end = time.monotonic() + library.PATIENCE
    while (counted := ask(eve, f"tracks/{song['id']}"))["listens"] < 3:
        assert time.monotonic() < end, counted
        time.sleep(0.1)
    assert counted["playCount"] == max(3, counted["servicePlayCount"])
    for path in (f"tracks/{song['id']}", f"artists?name={quote(song['artist'])}"):
        eve.open(f"/library/{path}")
        expect(fact(eve.page, "Your listens", "Listens")).to_have_text("3")
        expect(fact(eve.page, "Your listens", "Time")).to_have_text(
            re.compile(f"^{3 * song['durationMs'] // 60_000} minutes?$"))
        assert_accessible(eve.page, f"own listens at {width} px")


def test_an_unknown_song_is_reported(ada):
    ada.open("/library/tracks/0199ffff-0000-7000-8000-000000000000")
    expect(ada.page.get_by_role("heading", name="There is no such song")).to_be_visible()
    assert_accessible(ada.page, "an unknown song")


def test_a_song_is_split_and_the_toast_undoes_it(eve):
    song = shared_song(eve)
    spotify = next(one for one in song["sourceTracks"] if one["source"] == "spotify")
    eve.open(f"/library/tracks/{song['id']}")
    split = eve.button("Split off the selected ones")
    split.click(force=True)
    expect(eve.page.get_by_text("Select some of the entries, but not all of them.")).to_be_visible()
    part(eve.page, "Why is this one song?").locator(f"input[value='{spotify['id']}']").check()
    split.click()
    expect(eve.page.locator(".toasts")).to_contain_text("became a separate song")
    expect(part(eve.page, "Which song is this?")).to_be_visible()
    assert len(ask(eve, f"tracks/{song['id']}")["sourceTracks"]) == len(song["sourceTracks"]) - 1
    assert_accessible(eve.page, "a toast")
    eve.page.locator(".toasts").get_by_role("button", name="Undo").click()
    expect(part(eve.page, "Why is this one song?").locator(f"input[value='{spotify['id']}']")).to_be_visible()
    assert ask(eve, f"tracks/{song['id']}")["sources"] == song["sources"]


def test_songs_are_merged_and_the_page_undoes_it(eve):
    first, other = [ask(eve, f"tracks?source={source}&sort=title&limit=1&position=3")["items"][0]
                    for source in ("appleMusic", "spotify")]
    eve.open(f"/library/tracks/{first['id']}")
    eve.button("Merge with another song").click()
    sheet = eve.page.get_by_role("dialog")
    expect(sheet).to_contain_text(first["title"])
    sheet.get_by_label("Search songs").fill(other["title"])
    assert_accessible(eve.page, "the sheet of a merge")
    sheet.get_by_role("list", name="Songs found").get_by_role("button").filter(has_text=other["title"]).first.click()
    expect(eve.page.get_by_text("You marked these as one song")).to_be_visible()
    merged = ask(eve, f"tracks/{first['id']}")
    assert ask(eve, f"tracks/{other['id']}")["id"] == merged["id"]
    part(eve.page, "Why is this one song?").get_by_role("button", name="Undo").click()
    expect(eve.page.get_by_text("You marked these as one song")).to_have_count(0)
    assert ask(eve, f"tracks/{other['id']}")["id"] == other["id"]


# Albums, playlists, artists


def album_with_songs(visitor) -> dict:
    """The album with the most songs in the library."""
    listed = [
        album for position in (0, 200) for album in ask(visitor, f"albums?limit=200&position={position}")["items"]]
    album = max((ask(visitor, f"albums/{album['id']}") for album in listed), key=lambda found: found["total"])
    assert album["total"] > 0, "no saved album has a song of the library"
    return album


def test_an_album_shows_its_songs_with_their_numbers(ada):
    album = album_with_songs(ada)
    ada.open(f"/library?show=albums&q={quote(album['name'])}")
    ada.page.locator(f".row-title[href='/library/albums/{album['id']}']").click()
    expect(ada.heading).to_have_text(album["name"])
    expect(rows(ada.page, f"Songs on {album['name']}")).to_have_count(album["total"])
    assert list(titles(at_rest(ada.page)).values()) == [track["title"] for track in album["tracks"]]
    lead = row(ada.page, 0).locator(".row-lead")
    expect(lead).to_have_text(str(album["tracks"][0]["trackNumber"] or ""))


@pytest.mark.parametrize("kind", ["playlists", "albums"])
def test_a_list_shows_when_it_was_last_synced(ada, kind):
    [item] = ask(ada, f"{kind}?source=spotify&limit=1")["items"]
    ada.open(f"/library/{kind}/{item['id']}")
    expect(ada.heading).to_have_text(item["name"])
    shown = ada.page.evaluate("""async (instant) => {
        const { clockTime } = await import("/assets/ui/formats.js");
        return clockTime(instant);
    }""", item["lastSyncedAt"])
    expect(ada.page.locator(".detail-words")).to_contain_text(f"Last synced {shown}")


def test_a_playlist_keeps_its_order_and_marks_missing_songs(ada):
    playlists = ask(ada, "playlists?limit=50")["items"]
    shown = [ask(ada, f"playlists/{playlist['id']}?limit=200") for playlist in playlists]
    playlist = max(shown, key=lambda found: len({entry["kind"] for entry in found["entries"]}))
    ada.open(f"/library/playlists/{playlist['id']}")
    expect(ada.heading).to_have_text(playlist["name"])
    for entry in playlist["entries"]:
        scroll_to(ada.page, entry["position"])
        found = row(ada.page, entry["position"])
        expect(found.locator(".row-lead")).to_have_text(str(entry["position"] + 1))
        if entry["track"]:
            expect(found.locator(".row-title")).to_have_text(entry["track"]["title"])
        else:
            expect(found.locator(".remark-mark")).to_be_visible()
            expect(found).to_contain_text(entry["title"] or "Unknown title")


@WIDTHS
def test_remarks_on_entries_can_be_read_completely(visit, backline, width):
    ada = visit(backline, viewport={"width": width, "height": 900})
    ada.person = backline.reader
    ada.begin_session()
    for source in ("appleMusic", "spotify"):
        listed = ask(ada, f"playlists?limit=50&source={source}")["items"]
        shown = [ask(ada, f"playlists/{playlist['id']}?limit=200") for playlist in listed]
        playlist = max(shown, key=lambda found: len({entry["kind"] for entry in found["entries"]}))
        ada.open(f"/library/playlists/{playlist['id']}")
        first = {}
        for entry in playlist["entries"]:
            is_saved = entry["track"] is None or entry["track"]["inLibrary"]
            first.setdefault((entry["kind"], is_saved), entry["position"])
        for kind, position in first.items():
            scroll_to(ada.page, position)
            assert_readable(ada.page, f"{kind} in a playlist of {source}")
            assert_nothing_cut_off(ada.page, f"{kind} in a playlist of {source}")


def test_an_artist_has_the_songs_and_albums_of_the_library(ada):
    album = album_with_songs(ada)
    songs = ask(ada, f"tracks?artist={quote(album['artist'])}&sort=album&limit=200")
    ada.open(f"/library/artists?name={quote(album['artist'])}")
    expect(ada.heading).to_have_text(album["artist"])
    expect(part(ada.page, "Albums").get_by_role("link", name=album["name"]).first).to_be_visible()
    found = titles(at_rest(ada.page))
    assert len(found) > 0 and found == {index: songs["items"][index]["title"] for index in found}
    expect(part(ada.page, "Concerts")).to_contain_text("Your latest search did not include this artist.")
    ada.open("/library/artists")
    expect(ada.page.get_by_role("heading", name="No artist selected")).to_be_visible()


# Previews


def lengthen_previews(page: Page) -> None:
    """Plays a minute of silence instead of the simulator's tones, which may end too early on a busy machine."""
    rate, seconds = 8_000, 60
    head = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, rate, rate, 1, 8)
    data = b"data" + struct.pack("<I", rate * seconds) + b"\x80" * rate * seconds
    file = b"RIFF" + struct.pack("<I", len(head) + len(data)) + head + data

    def answer(route) -> None:
        if route.request.resource_type != "media":
            return route.fallback()
        # A browser can seek only if the server supports ranges (RFC 9110, section 14).
        first = int(re.match(r"bytes=(\d+)-", route.request.headers.get("range", "bytes=0-"))[1])
        return route.fulfill(status=206, content_type="audio/wav", body=file[first:], headers={
            "Accept-Ranges": "bytes", "Content-Range": f"bytes {first}-{len(file) - 1}/{len(file)}"})

    page.route("**/*", answer)


def test_a_preview_plays_on_click_and_space_seeks_and_stops(ada):
    lengthen_previews(ada.page)
    song = shared_song(ada)
    ada.open("/library?source=both&sort=title")
    found = row(at_rest(ada.page), 0)
    link = found.get_by_role("link")
    player = part(ada.page, "Preview")
    position = player.get_by_role("slider", name="Position in the preview")
    # Clicked beside the title, which is a link.
    found.locator(".row-second").click()
    expect(player).to_contain_text(song["title"])
    expect(player.get_by_role("button", name="Pause")).to_be_enabled()
    expect(position).to_be_enabled()
    expect(found).to_have_class(re.compile("playing"))
    ada.hears(f"Playing a preview of {song['title']}.")
    link.press(" ")
    expect(player.get_by_role("button", name="Play")).to_be_enabled()
    expect(found).not_to_have_class(re.compile("playing"))
    paused_at = float(position.input_value())
    position.press("ArrowRight")
    expect(position).to_have_attribute("aria-valuetext", f"0:{int(paused_at + 5):02} of 1:00")
    position.press("ArrowLeft")
    expect(position).to_have_attribute("aria-valuetext", f"0:{int(paused_at):02} of 1:00")
    assert_accessible(ada.page, "the player")
    # The player outlives the page.
    link.press("Enter")
    expect(ada.heading).to_have_text(song["title"])
    expect(player).to_contain_text(song["artist"])
    player.get_by_role("button", name="Stop").click()
    expect(player).to_be_hidden()


def test_a_missing_preview_is_reported(ada):
    missing = {"url": None, "source": None, "reason": "none", "detail": "There is no preview of this song."}
    ada.page.route("**/preview", lambda route: route.fulfill(json=missing))
    song = shared_song(ada)
    ada.open(f"/library/tracks/{song['id']}")
    ada.button("Play preview").click()
    player = part(ada.page, "Preview")
    expect(player).to_contain_text("There is no preview of this song.")
    expect(player.get_by_role("button", name="Play")).to_be_disabled()
    ada.hears("There is no preview of this song.")


# Changes, duplicates, settings


def test_changes_are_listed_by_day_and_by_kind(ada):
    total = ask(ada, "changes?limit=1")["total"]
    ada.open("/library/changes")
    expect(ada.page.get_by_text(f"{total:,} changes", exact=True)).to_be_visible()
    # All changes are from the fixture's sync.
    expect(at_rest(ada.page).locator(".change-day")).to_have_count(1)
    scroll_to(ada.page, total - 20)
    first = ask(ada, f"changes?limit=1&position={19}")["items"][0]
    expect(row(ada.page, total - 20)).to_contain_text(first["title"])
    expect(ada.page.locator(".change-day")).to_have_count(0)
    ada.choose("Returned")
    expect(ada.page.get_by_role("heading", name="No changes of this kind")).to_be_visible()
    expect(ada.page).to_have_url(re.compile(r"kind=returned$"))


def test_likely_duplicates_are_decided_with_one_key(eve):
    page = ask(eve, "duplicates?limit=3")
    assert page["total"] >= 2, "the simulator's libraries have no likely duplicates"
    eve.open("/library/duplicates")
    expect(eve.page.get_by_text(f"{page['total']} pairs", exact=True)).to_be_visible()
    assert_accessible(eve.page, "a pair")
    eve.page.keyboard.press("n")
    expect(eve.page.locator(".toast")).to_contain_text("are different songs.")
    left = ask(eve, "duplicates?limit=1")
    assert left["total"] == page["total"] - 1
    expect(eve.page.locator(".pair").get_by_role("heading").first).to_have_text(left["items"][0]["songs"][0]["title"])
    expect(eve.page.locator(".pair")).to_be_focused()
    eve.page.keyboard.press("y")
    expect(eve.page.locator(".toast")).to_contain_text("are one song.")
    first, second = left["items"][0]["tracks"]
    assert ask(eve, f"tracks/{first}")["id"] == ask(eve, f"tracks/{second}")["id"]
    eve.page.locator(".toasts").get_by_role("button", name="Undo").click()
    expect(eve.page.get_by_text(re.compile(rf"^{left['total']} pairs?$"))).to_be_visible()
    assert ask(eve, f"tracks/{first}")["id"] != ask(eve, f"tracks/{second}")["id"]


def test_the_settings_sync_one_service_and_keep_a_choice(eve):
    eve.open("/library/settings")
    for name in ("Apple Music", "Spotify"):
        expect(eve.page.get_by_role("link", name=f"Disconnect {name}")).to_be_visible()
    with eve.page.expect_request("**/v1/library/syncs") as begun:
        eve.button("Sync Spotify").click()
    assert begun.value.post_data_json == {"source": "spotify"}
    library.ended(eve.backline, eve.person)
    eve.page.get_by_label("A remaster is the same song as the original").uncheck()
    eve.hears("Saved.")
    assert ask(eve, "settings")["remastersAreSame"] is False
    eve.page.reload()
    expect(eve.page.get_by_label("A remaster is the same song as the original")).not_to_be_checked()


# For everyone


def addresses(visitor) -> dict[str, str]:
    song = shared_song(visitor)
    return {
        "a song": f"/library/tracks/{song['id']}",
        "an album": f"/library/albums/{ask(visitor, 'albums?limit=1')['items'][0]['id']}",
        "a playlist": f"/library/playlists/{ask(visitor, 'playlists?limit=1')['items'][0]['id']}",
        "an artist": f"/library/artists?name={quote(song['artist'])}",
        "changes": "/library/changes", "duplicates": "/library/duplicates", "settings": "/library/settings",
    }


@WIDTHS
def test_axe_finds_nothing_and_large_text_is_not_cut_off(visit, backline, width):
    ada = visit(backline, viewport={"width": width, "height": 900})
    ada.person = backline.reader
    ada.begin_session()
    for name, path in addresses(ada).items():
        ada.open(path)
        expect(ada.page.locator(CONTENT).first).to_be_visible()
        expect(ada.page.get_by_text("Loading …", exact=True)).to_have_count(0)
        assert_accessible(ada.page, name)
        assert_nothing_cut_off(ada.page, name)


def test_the_first_load_of_every_page_is_small(visit, backline):
    ada = visit(backline)
    ada.person = backline.reader
    paths = [
        "/feed", "/explore", "/explore/concerts", "/library", "/library?show=albums", "/profile", "/profile/settings",
        "/setup", "/setup/spotify", "/listening", "/threads", "/notifications", "/profile/notifications", "/people",
        *addresses(ada).values()]
    for path in paths:
        # A new browser profile has nothing in its cache.
        newcomer = visit(backline)
        newcomer.person = backline.reader
        newcomer.sign_in(path)
        expect(newcomer.heading).to_be_visible()
        if path.startswith("/library"):
            expect(newcomer.page.locator(CONTENT).first).to_be_visible()
        bytes_ = newcomer.page.evaluate("""() => ["navigation", "resource"]
            .flatMap((type) => performance.getEntriesByType(type))
            .filter((entry) => !entry.name.includes("/v1/pictures/"))
            .reduce((sum, entry) => sum + entry.transferSize, 0)""")
        assert 0 < bytes_ <= MOST_BYTES, f"{path} transfers {bytes_:,} bytes"
        newcomer.page.close()
