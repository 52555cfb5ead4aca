"""The frame around the pages: navigation, themes, widths, security headers."""

import re
import pytest
from playwright.sync_api import expect

PAGES = {"Feed": "/feed", "Explore": "/explore", "Library": "/library", "Profile": "/profile"}


def test_navigation_marks_the_page_titles_it_and_moves_the_focus(visit):
    ada = visit().sign_in("/")
    navigation = ada.page.get_by_role("navigation", name="Main")
    for name in ("Explore", "Library", "Profile", "Feed"):
        navigation.get_by_role("link", name=name).click()
        expect(ada.heading).to_have_text(name)
        expect(ada.heading).to_be_focused()
        expect(ada.page).to_have_title(f"{name} · Backline")
        expect(navigation.locator("[aria-current=page]")).to_have_text(name)
        expect(ada.page).to_have_url(f"{ada.backline.address}{PAGES[name]}")
    expect(navigation.get_by_role("link", name="Operations")).to_have_count(0)


def test_each_section_returns_to_its_place(visit):
    ada = visit(viewport={"width": 360, "height": 640}).sign_in("/profile/settings")
    section = ada.page.get_by_role("navigation", name="Main").get_by_role("link", name="Profile")
    downloads = ada.page.get_by_role("link", name="Download my data")
    expect(ada.page.get_by_role("region", name="Devices").get_by_role("listitem")).to_have_count(1)
    downloads.scroll_into_view_if_needed()
    place = ada.page.evaluate("scrollY")
    assert place > 0
    ada.page.get_by_role("navigation", name="Main").get_by_role("link", name="Explore").click()
    ada.page.get_by_label("Search your library and Spotify").fill("love")
    expect(ada.page).to_have_url(f"{ada.backline.address}/explore?q=love")

    # By keyboard, and with the page's heading read first.
    section.press("Enter")
    expect(ada.heading).to_have_text("Settings")
    expect(ada.heading).to_be_focused()
    expect(downloads).to_be_in_viewport()
    ada.page.wait_for_function("(place) => Math.abs(scrollY - place) < 2", arg=place)
    # The back button leads to where they were before, and the section to the search that they typed.
    ada.page.go_back()
    expect(ada.heading).to_have_text("Explore")
    section.click()
    expect(ada.heading).to_have_text("Settings")
    ada.page.get_by_role("navigation", name="Main").get_by_role("link", name="Explore").click()
    expect(ada.page.get_by_label("Search your library and Spotify")).to_have_value("love")

    # The link of the section that is open leads to its first page.
    section.click()
    expect(ada.heading).to_have_text("Settings")
    section.click()
    expect(ada.heading).to_have_text("Profile")
    expect(ada.page).to_have_url(f"{ada.backline.address}/profile")


def test_who_signs_in_next_does_not_see_where_another_was(visit):
    ada = visit().sign_in("/profile/settings")
    expect(ada.heading).to_have_text("Settings")
    ada.page.get_by_role("navigation", name="Main").get_by_role("link", name="Explore").click()
    ada.page.get_by_label("Search your library and Spotify").fill("secret")
    expect(ada.page).to_have_url(f"{ada.backline.address}/explore?q=secret")
    ada.page.get_by_role("navigation", name="Main").get_by_role("link", name="Profile").click()
    ada.page.get_by_role("navigation", name="Main").get_by_role("link", name="Profile").click()
    ada.button("Sign out").click()
    ada.page.get_by_label("Token", exact=True).fill(visit().person.token)
    ada.page.keyboard.press("Enter")
    expect(ada.heading).to_have_text("Feed")
    ada.page.get_by_role("navigation", name="Main").get_by_role("link", name="Explore").click()
    expect(ada.page.get_by_label("Search your library and Spotify")).to_have_value("")


def test_an_unknown_address_has_a_page(visit):
    ada = visit().sign_in("/feed")
    ada.open("/explore/nothing/here")
    expect(ada.heading).to_have_text("Page not found")


@pytest.mark.parametrize("chosen, system, ground", [
    ("Dark", "light", "rgb(13, 18, 17)"), ("Light", "dark", "rgb(242, 245, 243)"),
    ("Same as the system", "dark", "rgb(13, 18, 17)"),
])
def test_the_chosen_theme_is_used_and_stays(visit, chosen, system, ground):
    ada = visit(color_scheme=system).sign_in("/profile")
    root = ada.page.locator("html")
    ada.choose(chosen)
    expect(root).to_have_css("background-color", ground)
    ada.page.reload()
    expect(root).to_have_css("background-color", ground)
    expect(ada.page.get_by_role("radio", name=chosen)).to_be_checked()


def test_nothing_comes_from_elsewhere(visit, shared_backline):
    ada = visit()
    elsewhere: list[str] = []
    ada.page.on("request", lambda request: elsewhere.append(request.url)
                if not request.url.startswith((shared_backline.address, "data:")) else None)
    ada.at_artists(shared_backline.simulator.artists("popular", 1)).find_concerts()
    expect(ada.shows.first).to_be_visible()
    expect(ada.page.locator(".ticket img").first).to_be_visible()
    assert elsewhere == []


def test_the_pages_may_run_no_script_but_their_own(visit):
    ada = visit()
    answer = ada.page.goto(ada.backline.address + "/sign-in")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
    assert "worker-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy and "img-src 'self' data:;" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_no_animation_with_reduced_motion(visit):
    ada = visit(reduced_motion="reduce").at_artists(["Adele", "Coldplay"])
    ada.page.evaluate("""() => {
        window.animations = 0;
        Element.prototype.animate = () => { window.animations += 1; };
    }""")
    ada.button("Move up: Coldplay").click()
    ada.sees_artists(["Coldplay", "Adele"])
    assert ada.page.evaluate("window.animations") == 0


def test_the_streams_of_a_page_share_one_connection(visit):
    ada = visit()
    # The number of new items follows changes on every page. The modules of the test are others than those of the page.
    with ada.page.expect_response("**/v1/events"):
        ada.sign_in("/profile")
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url) if "/v1/events" in request.url else None)
    ada.page.evaluate("""async () => {
        const { EventStream } = await import("/assets/shell/event-stream.js");
        const [first, second] = [new AbortController(), new AbortController()];
        const opened = ({ signal }) => new Promise((resolve) => {
            const stream = new EventStream({ signal });
            stream.addEventListener("open", () => resolve(stream));
        });
        await opened(first);
        // It is open for a later stream at once, and stays open without the first one.
        const later = await opened(second);
        first.abort();
        if (!later.isOpen) throw new Error("The stream ended with another one.");
        second.abort();
        if (later.isOpen) throw new Error("The connection outlives its streams.");
    }""")
    assert len(asked) == 1, asked


def test_sentences_announced_at_the_same_moment_are_all_read(visit):
    ada = visit().sign_in("/profile")
    region = ada.page.get_by_role("log")
    expect(region).to_have_attribute("aria-live", "polite")
    ada.page.clock.install()
    ada.page.evaluate("""async () => {
        const { announce } = await import("/assets/ui/announcer.js");
        for (const sentence of ["Saved.", "Synced at 14:05.", "Saved."]) announce(sentence);
    }""")
    expect(region.locator("p")).to_have_text(["Saved.", "Synced at 14:05.", "Saved."])
    for sentence in ("Saved.", "Synced at 14:05.", "Saved."):
        ada.hears(sentence)
    # Someone who reads through the page does not come across old sentences.
    ada.page.clock.fast_forward(10_000)
    expect(region).to_be_empty()


def test_a_toast_is_announced_with_its_undo_even_if_another_replaces_it(visit):
    ada = visit().sign_in("/profile")
    ada.page.evaluate("""async () => {
        const { toast } = await import("/assets/ui/toast.js");
        toast("Saved “Teardrop” to Spotify.", { undo: async () => {} });
        toast("The copy is complete.");
    }""")
    ada.hears("Saved “Teardrop” to Spotify. You can undo this.")
    ada.hears("The copy is complete.")


def test_a_page_does_not_lead_to_another_site(visit):
    ada = visit().sign_in("/profile")
    address = ada.page.url
    refused = ada.page.evaluate("""async () => {
        const { navigate } = await import("/assets/shell/navigate.js");
        const refused = [];
        for (const address of ["//elsewhere.example/feed", "https://elsewhere.example/", "javascript:alert(1)"]) {
            try {
                await navigate(address);
            } catch (error) {
                refused.push(error.name);
            }
        }
        return refused;
    }""")
    assert refused == ["RangeError"] * 3 and ada.page.url == address


def test_a_page_whose_files_were_replaced_is_loaded_again(visit):
    ada = visit().sign_in("/profile")
    # As after an upgrade of the gateway: the document's version of the files is gone.
    for module in ("library/library.js", "shell/loading.js"):
        ada.page.route(
            re.compile(rf"/assets/[0-9a-f]{{16}}/{module}$"), lambda route: route.fulfill(status=404), times=1)
    with ada.page.expect_event("load"):
        ada.page.get_by_role("navigation").get_by_role("link", name="Library").click()
    expect(ada.heading).to_have_text("Library")
    assert ada.page.evaluate("performance.getEntriesByType('navigation')[0].type") == "reload"


def test_a_link_starts_no_upstream_work_and_a_page_does(visit):
    ada = visit().sign_in("/feed")
    nearby = "/v1/concerts/nearby?city=Prague"
    address = ada.backline.address + nearby
    # First a typed address or a link in a message, then a link from another site.
    assert ada.page.goto(address).status == 403
    ada.page.goto("about:blank")
    ada.page.set_content(f'<a href="{address}">Tickets</a>')
    with ada.page.expect_response(lambda response: response.url == address) as followed:
        ada.page.get_by_role("link", name="Tickets").click()
    assert followed.value.status == 403
    ada.open("/feed")
    state = ada.page.evaluate(
        """async (path) => (await (await import("/assets/shell/api.js")).api.get(path)).state""", nearby)
    assert state in ("running", "complete")


def test_a_refused_stream_is_retried_less_and_less_often(visit):
    ada = visit()
    # The page's own stream, which is not that of the test's module.
    with ada.page.expect_response("**/v1/events"):
        ada.sign_in("/library")
    expect(ada.heading).to_have_text("Library")
    pauses = ada.page.evaluate("""async () => {
        const { EventStream } = await import("/assets/shell/event-stream.js");
        const pauses = [];
        let opened;
        // In place of the browser's own: one that is refused when the test wants it, and timers that wait for nothing.
        window.EventSource = class extends EventTarget {
            static CLOSED = 2;
            readyState = 2;
            constructor() {
                super();
                opened?.(this);
            }
            close() {}
        };
        const nextSource = () => new Promise((resolve) => { opened = resolve; });
        const later = window.setTimeout;
        window.setTimeout = (callback, pause) => {
            // Shorter ones are those of the page.
            if (pause < 3_000) return later(callback, pause);
            pauses.push(pause);
            return later(callback, 0);
        };
        const leaving = new AbortController();
        let next = nextSource();
        const stream = new EventStream({ signal: leaving.signal });
        for (let count = 0; count < 7; count += 1) {
            const source = await next;
            next = nextSource();
            source.onerror();
        }
        const source = await next;
        source.onopen();
        source.onerror();
        leaving.abort();
        return pauses;
    }""")
    assert pauses == [3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000, 3_000]
