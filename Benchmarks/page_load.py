"""Measures the pages in headless Chromium and prints JSON; `sections/pages.py` starts it in the browser tests' Python.

Usage: page_load.py ADDRESS TOKEN LOADS [SEARCH]; with a search, its shows are scrolled through as well.
"""

import json
import os
import statistics
import sys

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

SHOWN = 1_000
TIMEOUT_MS = 60_000


def signed_in(browser: Browser, address: str, token: str) -> BrowserContext:
    """A browser profile of its own, with nothing in its cache."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(TIMEOUT_MS)
    context.request.post(f"{address}/v1/session", data={"token": token}, headers={"Origin": address})
    return context


def first_load(browser: Browser, address: str, token: str) -> dict:
    context = signed_in(browser, address, token)
    page = context.new_page()
    page.goto(f"{address}/feed")
    page.get_by_role("heading", name="Feed").wait_for()
    result = page.evaluate("""() => {
        const loaded = ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type));
        return {
            requests: loaded.length,
            bytes: loaded.reduce((sum, entry) => sum + entry.decodedBodySize, 0),
            transferred: loaded.reduce((sum, entry) => sum + entry.transferSize, 0),
            readyMs: performance.getEntriesByName("ready")[0]?.startTime ?? null,
        };
    }""")
    context.close()
    return result


def scroll_through(page: Page) -> None:
    """Scrolls like a mouse wheel, screen by screen, to the end and back."""
    page.mouse.move(640, 500)
    for step in (700, -1400):
        height = page.evaluate("document.documentElement.scrollHeight")
        for _ in range(height // abs(step) + 1):
            page.mouse.wheel(0, step)
            # Waits until the new content is painted.
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def thousand_shows(browser: Browser, address: str, token: str, search: str) -> dict:
    context = signed_in(browser, address, token)
    # Blocks pictures. The measurement of loading does not, because this handler would delay all requests.
    context.route(lambda url: not url.startswith(address), lambda route: route.abort())
    page = context.new_page()
    page.goto(f"{address}/explore/concerts/{search}")
    shows, more = page.locator("main article"), page.get_by_role("button", name="Load more")
    shows.first.wait_for()
    page.evaluate("""() => {
        window.longTasks = [];
        new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((entry) => entry.duration)))
            .observe({ type: "longtask" });
    }""")
    while (count := shows.count()) < SHOWN:
        more.click()
        shows.nth(count).wait_for()
    loading = page.evaluate("window.longTasks.splice(0)")
    scroll_through(page)
    scrolling = page.evaluate("window.longTasks.splice(0)")
    context.close()
    return {"shows": count, "loading": max(loading, default=0), "scrolling": max(scrolling, default=0)}


def main() -> None:
    address, token, loads, *searches = sys.argv[1:]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("BACKLINE_TEST_CHROMIUM", "/usr/bin/chromium-headless-shell"),
            args=["--no-sandbox"] if os.geteuid() == 0 else [])
        # The browser itself starts with the first.
        first_load(browser, address, token)
        results = [first_load(browser, address, token) for _ in range(int(loads))]
        ready = [result["readyMs"] for result in results]
        print(json.dumps({
            **results[-1], "readyMs": statistics.median(ready), "slowestReadyMs": max(ready),
            **{"thousand": thousand_shows(browser, address, token, search) for search in searches},
        }))
        browser.close()


if __name__ == "__main__":
    main()
