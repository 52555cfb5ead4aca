"""The results of a search."""

import re

import pytest
from playwright.sync_api import expect


@pytest.fixture
def results(visit, setup_backline):
    """A visitor at the results for popular artists, and the search's concerts from the API."""

    # With a sync-worker: pictures that nothing fetches would hold the browser's six connections for 15 seconds.
    def make(count: int = 3, names: list[str] | None = None, home: str = "Prague", **context):
        names = names or setup_backline.simulator.artists("popular", count)
        ada = visit(setup_backline, **context).at_artists(names)
        ada.page.get_by_label("Home city").fill(home)
        ada.find_concerts()
        expect(ada.shows.first).to_be_visible()
        expect(ada.page.get_by_role("progressbar")).to_have_count(0)
        return ada

    return make


def shows_of(visitor) -> list[dict]:
    search = visitor.page.url.rsplit("/", 1)[1]
    shows, cursor = [], ""
    while cursor is not None:
        page = visitor.backline.ask(
            visitor.person, "GET", f"/v1/concert-searches/{search}?limit=200" + (f"&cursor={cursor}" if cursor else ""))
        shows += page["items"]
        cursor = page["nextCursor"]
    return shows


def test_a_show_reads_artist_venue_city_date_and_home_city(results):
    ada = results()
    show = next(show for show in shows_of(ada)[:50] if show["isHomeCity"] and not show["dateTBA"])
    row = ada.page.get_by_role("article", name=re.compile(
        rf"^{re.escape(show['artistName'])} at {re.escape(show['venueName'])}, {re.escape(show['city'])}, "
        r"\w{3},? \d{1,2} \w+ \d{4}, \d\d:\d\d, in your home city$")).first
    expect(row.get_by_text("In your home city")).to_be_visible()
    elsewhere = next(show for show in shows_of(ada)[:50] if not show["isHomeCity"])
    rows = ada.shows.filter(has_text=elsewhere["city"]).filter(has_not_text="In your home city")
    expect(rows.first).not_to_have_attribute("aria-label", re.compile("home city"))


def test_shows_and_ranked_artists_have_their_pictures(visit, setup_backline):
    # A sync-worker fetches them.
    ada = visit(setup_backline).at_artists(setup_backline.simulator.artists("popular", 1))
    ada.find_concerts()
    expect(ada.page.get_by_role("progressbar")).to_have_count(0)
    expect(ada.shows.first).to_be_visible()
    path = next(show["picture"] for show in shows_of(ada) if show["picture"])
    image = ada.page.locator(f'.ticket img[src="{path}?size=64"]').first
    image.scroll_into_view_if_needed()
    # A picture that cannot be loaded or shown has no width, and the page removes it.
    expect(image).to_have_js_property("naturalWidth", 640)
    ada.open("/explore/concerts")
    expect(ada.artists.first.locator("img")).to_have_js_property("naturalWidth", 640)


def test_tickets_open_at_the_seller_in_a_new_tab(results):
    ada = results()
    show = next(show for show in shows_of(ada)[:50] if show["ticketURL"])
    row = ada.shows.filter(has=ada.page.locator(f'a[href="{show["ticketURL"]}"]')).first
    link = row.get_by_role("link", name="Get tickets")
    expect(link).to_have_attribute("target", "_blank")
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    expect(link).to_have_accessible_name(
        f"Get tickets for {show['artistName']} at {show['venueName']}, {show['city']} (opens in a new tab)")


def test_extras_are_folded_under_their_concert(results):
    ada = results()
    show = next(show for show in shows_of(ada)[:50] if show["extras"])
    row = ada.shows.filter(has=ada.page.locator(f'a[href="{show["ticketURL"]}"]')).first
    extra = row.get_by_text(show["extras"][0]["name"])
    expect(extra).to_be_hidden()
    row.locator("summary").click()
    expect(extra).to_be_visible()
    expect(row.locator("details a")).to_have_count(len([e for e in show["extras"] if e["ticketURL"]]))


def test_an_extra_has_its_kind_once(visit):
    ada = visit().sign_in("/profile")
    shown = ada.page.evaluate("""async () => {
        const { extrasList } = await import("/assets/concerts/concert-row.js");
        return [...extrasList([
            { kind: "vip", name: "VIP Packages: Radiohead", ticketURL: "https://example.com/1" },
            { kind: "parking", name: "Garage", ticketURL: "https://example.com/2" },
            { kind: "parking", name: "Parking: Radiohead", ticketURL: null },
        ]).children].map((one) => one.textContent);
    }""")
    assert shown == [
        "VIP Packages: Radiohead (opens in a new tab)", "Parking Garage (opens in a new tab)", "Parking: Radiohead"]


def test_fifty_concerts_at_a_time(results):
    ada = results(count=20)
    total = len(shows_of(ada))
    assert total > 100
    expect(ada.shows).to_have_count(50)
    expect(ada.page.get_by_text("The first 50 concerts", exact=True)).to_be_visible()
    ada.button("Load more").click()
    expect(ada.shows).to_have_count(100)
    expect(ada.shows.nth(50)).to_be_focused()
    ada.hears("The first 100 concerts are shown.")
    while ada.button("Load more").is_visible():
        shown = ada.shows.count()
        ada.button("Load more").click()
        expect(ada.shows).to_have_count(min(total, shown + 50))
    expect(ada.page.get_by_text(f"{total} concerts", exact=True)).to_be_visible()
    ids = [show["id"] for show in shows_of(ada)]
    links = ada.page.locator("a[href*='?item=']").evaluate_all(
        "links => links.map(link => link.href.split('item=')[1])")
    assert len(links) == len(set(links)) and set(links) <= set(ids)


def test_grouping_by_date_orders_all_shows_and_is_remembered(results):
    ada = results(count=6)
    groups = ada.page.locator("section.group h2")
    expect(groups.first).to_contain_text(shows_of(ada)[0]["artistName"])
    ada.choose("Date")
    ada.hears("Grouped by date.")
    dates = sorted({show["localDate"] for show in shows_of(ada) if not show["dateTBA"]})
    first = ada.page.evaluate("async date => (await import('/assets/ui/formats.js')).dayHeading(date)", dates[0])
    expect(groups.first).to_have_text(first)
    expect(ada.shows).to_have_count(50)
    while ada.button("Load more").is_visible():
        shown = ada.shows.count()
        ada.button("Load more").click()
        expect(ada.shows).not_to_have_count(shown)
    unknown = any(show["dateTBA"] or not show["localDate"] for show in shows_of(ada))
    expect(groups).to_have_count(len(dates) + (1 if unknown else 0))
    if unknown:
        expect(groups.last).to_have_text("Date to be announced")
    ada.page.reload()
    expect(groups.first).to_have_text(first)
    ada.choose("Artist")
    expect(groups.first).to_contain_text(shows_of(ada)[0]["artistName"])


def test_unknown_dates_and_changed_states_are_shown(results):
    # Artists of the simulator whose shows are unusual in every way.
    ada = results(names=["The Uncertainty Principle", "Status Quo"])
    shows = shows_of(ada)

    def expect_words(words: str, holds) -> None:
        expected = sum(1 for show in shows if holds(show))
        assert expected > 0, f"the catalog has no show for '{words}'"
        expect(ada.shows.filter(has_text=words)).to_have_count(expected)

    expect_words("Date to be announced", lambda show: show["dateTBA"] or not show["localDate"])
    expect_words("Time to be announced", lambda show: show["localDate"] and not show["dateTBA"]
                 and (show["timeTBA"] or not show["localTime"]))
    for word in ("Postponed", "Rescheduled"):
        expect_words(word, lambda show: show["status"] == word.lower())
    expect_words("Not on sale", lambda show: show["status"] == "offsale")
    undated = ada.shows.filter(has_text="Date to be announced").first
    expect(undated.get_by_role("link", name="Add to calendar")).to_have_count(0)


def test_prices_are_shown_where_they_are_known(results):
    ada = results(count=3)
    priced = [show for show in shows_of(ada)[:50] if show["priceRange"]]
    assert priced
    expect(ada.page.locator(".price")).to_have_count(len(priced))


def test_dates_are_formatted_for_the_locale_and_never_shift(results):
    for locale, zone, expected in [
        ("en-GB", "America/Los_Angeles", r"^\w{3},? \d{1,2} \w+ \d{4}, \d\d:\d\d$"),
        ("de-DE", "Pacific/Kiritimati", r"^\w{2}\.?, \d{1,2}\. \w+ \d{4}, \d\d:\d\d$"),
        ("en-US", "Asia/Tokyo", r"^\w{3}, \w+ \d{1,2}, \d{4}, \d{1,2}:\d\d\s[AP]M$"),
    ]:
        ada = results(count=1, locale=locale, timezone_id=zone)
        show = next(show for show in shows_of(ada) if show["localTime"] and not show["timeTBA"])
        row = ada.shows.filter(has=ada.page.locator(f'a[href="{show["ticketURL"]}"]')).first
        when = row.locator(".when")
        expect(when).to_have_text(re.compile(expected))
        expect(when).to_contain_text(re.compile(rf"\b{int(show['localDate'][8:])}\b"))


def test_shows_go_into_a_calendar(results):
    ada = results(count=2)
    with ada.page.expect_download() as everything:
        ada.page.get_by_role("link", name="Download calendar").click()
    dated = [show for show in shows_of(ada) if show["localDate"] and not show["dateTBA"]]
    text = everything.value.path().read_text()
    assert everything.value.suggested_filename.endswith(".ics")
    assert text.startswith("BEGIN:VCALENDAR") and text.count("BEGIN:VEVENT") == len(dated)
    with ada.page.expect_download() as one:
        ada.page.get_by_role("link", name="Add to calendar").first.click()
    assert one.value.path().read_text().count("BEGIN:VEVENT") == 1


def test_the_home_city_is_the_profiles_and_not_the_browsers(results, setup_backline):
    ada = results(count=1, home="Wien")
    # The entry that earlier versions stored in the browser.
    ada.page.evaluate("localStorage.setItem('backline.home-city', 'Brno')")
    ada.open("/explore/concerts")
    home = ada.page.get_by_label("Home city")
    expect(home).to_have_value("")
    assert ada.page.evaluate("localStorage.getItem('backline.home-city')") is None
    setup_backline.ask(ada.person, "PATCH", "/v1/me", {"homeCity": "Prague"})
    ada.page.reload()
    expect(home).to_have_attribute("placeholder", "Prague")
    expect(home).to_have_value("")
    ada.find_concerts()
    expect(ada.shows.first).to_be_visible()
    search = ada.page.url.rsplit("/", 1)[1]
    assert setup_backline.ask(ada.person, "GET", f"/v1/concert-searches/{search}")["homeCity"] == "Prague"


@pytest.mark.parametrize("text, locale, expected", [
    ("EUR 45.17–90.34", "en-GB", "€45.17–€90.34"),
    ("EUR 45–90", "de-DE", "45,00–90,00 €"),
    ("USD 10", "en-US", "$10.00"),
    ("from 12 at the door", "en-GB", "from 12 at the door"),
])
def test_prices_are_formatted_for_the_locale(visit, text, locale, expected):
    ada = visit().open("/sign-in")
    written = ada.page.evaluate(
        "async ([text, locale]) => (await import('/assets/ui/formats.js')).price(text, locale)", [text, locale])
    assert re.sub(r"\s+", " ", written).replace(" – ", "–") == expected


@pytest.mark.parametrize("text, locale, expected", [
    ("2024-02-29T08:40:00Z", "en-GB", ["29 Feb, 08:40", "08:40"]),
    ("2024-02-29T00:05:00Z", "en-US", ["Feb 29, 12:05 AM", "12:05 AM"]),
    ("2023-12-31T23:59:59Z", "de-DE", ["31. Dez., 23:59", "23:59"]),
])
def test_times_have_one_format_today_and_on_other_days(visit, text, locale, expected):
    ada = visit(timezone_id="UTC").open("/sign-in")
    written = ada.page.evaluate("""async ([text, locale]) => {
        const { clockTime } = await import("/assets/ui/formats.js");
        const otherDay = clockTime(text, { locale });
        const now = Date.parse(text);
        globalThis.Date = class extends Date {
            constructor(value = now) { super(value); }
        };
        return [otherDay, clockTime(text, { locale })];
    }""", [text, locale])
    assert [re.sub(r"\s+", " ", time) for time in written] == expected


@pytest.mark.parametrize("locale", ["en-US", "ko", "cs"])
def test_no_line_breaks_within_a_time(visit, locale):
    ada = visit(timezone_id="UTC").open("/sign-in")
    written = ada.page.evaluate("""async (locale) => {
        const { clockOnly, clockTime, localTimes, showDate } = await import("/assets/ui/formats.js");
        const time = "2024-02-29T23:24:00Z";
        return [clockOnly(time, locale), clockTime(time, { locale }), localTimes(`Since ${time}.`, locale),
            showDate({ localDate: "2024-02-29", localTime: "23:24:00" }, locale)];
    }""", locale)
    # The hour and what is written before or after it, such as "PM".
    assert not [text for text in written if re.search(r"(PM|AM)[ \u2009\u202f]\d|\d[ \u2009\u202f](PM|AM)", text)], written
    assert all("24" in text for text in written)


def test_only_http_addresses_become_links(visit):
    ada = visit().open("/sign-in")
    kept = ada.page.evaluate("""async () => {
        const { safeURL } = await import("/assets/ui/safe-url.js");
        const urls = ["https://a.example/", "javascript:alert(1)", "data:text/html,x", "nonsense", null];
        return urls.map((url) => safeURL(url));
    }""")
    assert kept == ["https://a.example/", None, None, None, None]
