"""Measures the pages of a large library in headless Chromium and prints JSON; `sections/library_pages.py` starts it.

Usage: library_pages.py ADDRESS TOKEN ROUNDS
"""

import json
import os
import statistics
import sys
import time

from playwright.sync_api import Browser, Page, sync_playwright

from page_load import signed_in

# Of the emulated link, added to each request.
LATENCY_MS = 60
# Screens of the wheel, and jumps of the scrollbar, in a round.
SCREENS = 120
JUMPS = 40
RECORD_FRAMES = """() => {
    window.frames = [];
    window.mostRows = 0;
    let last = performance.now();
    const count = (now) => {
        window.frames.push(now - last);
        window.mostRows = Math.max(window.mostRows, document.querySelectorAll(".virtual-rows > .row").length);
        last = now;
        window.counting = requestAnimationFrame(count);
    };
    window.counting = requestAnimationFrame(count);
}"""
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def rows_shown(page: Page) -> None:
    page.wait_for_function("""() => {
        const shown = [...document.querySelectorAll(".virtual-rows > .row")].filter((row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return bottom > 0 && top < innerHeight;
        });
        return shown.length > 3 && shown.every((row) => !row.classList.contains("placeholder"));
    }""", polling="raf")


def frames_of(page: Page, scroll) -> tuple[list[float], int]:
    """The times between frames while `scroll` runs, in milliseconds, and the most rows that were in the page."""
    page.evaluate(RECORD_FRAMES)
    scroll()
    frames = page.evaluate("() => { cancelAnimationFrame(window.counting); return window.frames.slice(1); }")
    return frames, page.evaluate("window.mostRows")


def wheel(page: Page) -> None:
    page.mouse.move(640, 500)
    for _ in range(SCREENS):
        page.mouse.wheel(0, 700)
        page.evaluate(TWO_FRAMES)


def drag(page: Page) -> None:
    """Places all over the list, as a drag of the scrollbar shows them."""
    for number in range(JUMPS):
        page.evaluate("(part) => scrollTo(0, document.documentElement.scrollHeight * part)", number * 7 % JUMPS / JUMPS)
        page.evaluate(TWO_FRAMES)


def timed(page: Page, action, shown) -> float:
    """Milliseconds from an action to what it shows, painted."""
    began = time.perf_counter()
    action()
    shown()
    page.evaluate(TWO_FRAMES)
    return (time.perf_counter() - began) * 1_000


def navigations(page: Page) -> dict[str, float]:
    heading = page.get_by_role("heading", level=1)
    tab = page.get_by_role("tab", name="Albums")
    link = page.locator(".virtual-rows > .row").nth(12).get_by_role("link")
    title = link.text_content()
    to_song = timed(page, link.click, lambda: page.wait_for_function(
        "(title) => document.querySelector('.detail-head h1')?.textContent.startsWith(title)", arg=title))
    back = timed(page, page.go_back, lambda: rows_shown(page))
    albums = timed(page, tab.click, lambda: page.locator(".virtual-rows[aria-label=Albums] > .row .row-title")
                   .first.wait_for())
    songs = timed(page, page.get_by_role("tab", name="Songs").click, lambda: page.locator(
        ".virtual-rows[aria-label=Songs] > .row .row-title").first.wait_for())
    feed = timed(page, page.get_by_role("link", name="Feed").click, lambda: heading.filter(has_text="Feed").wait_for())
    library = timed(page, page.get_by_role("link", name="Library").click, lambda: rows_shown(page))
    return {"a song": to_song, "back to the list": back, "albums": albums, "songs": songs, "the feed": feed,
            "the library": library}


def visits(browser: Browser, address: str, token: str) -> tuple[float, float]:
    """Milliseconds until the rows of the library are shown over a link with latency: the first visit of a browser with
    an empty cache, and the next one."""
    context = signed_in(browser, address, token)
    results = []
    for _ in range(2):
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", {
            "offline": False, "latency": LATENCY_MS, "downloadThroughput": -1, "uploadThroughput": -1})
        page.goto(f"{address}/library", wait_until="commit")
        rows_shown(page)
        results.append(page.evaluate("performance.now()"))
        page.close()
    context.close()
    return results[0], results[1]


def main() -> None:
    address, token, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("BACKLINE_TEST_CHROMIUM", "/usr/bin/chromium-headless-shell"),
            args=["--no-sandbox"] if os.geteuid() == 0 else [])
        context = signed_in(browser, address, token)
        page = context.new_page()
        page.goto(f"{address}/library")
        rows_shown(page)
        # The first of everything loads the modules.
        navigations(page)
        ways = [navigations(page) for _ in range(rounds)]
        wheeled, dragged, most = [], [], 0
        for _ in range(rounds):
            page.goto(f"{address}/library")
            rows_shown(page)
            frames, rows = frames_of(page, lambda: wheel(page))
            wheeled, most = wheeled + frames, max(most, rows)
            frames, rows = frames_of(page, lambda: drag(page))
            dragged, most = dragged + frames, max(most, rows)
            rows_shown(page)
        over_link = [visits(browser, address, token) for _ in range(rounds)]
        print(json.dumps({
            "firstVisit": statistics.median(first for first, _ in over_link),
            "nextVisit": statistics.median(following for _, following in over_link),
            "rows": most, "wheel": wheeled, "drag": dragged,
            "navigations": {name: statistics.median(way[name] for way in ways) for name in ways[0]},
        }))
        browser.close()


if __name__ == "__main__":
    main()
