"""axe, in both themes."""

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page


def violations(page: Page) -> AxeResults:
    """What axe finds in the present state of the page."""
    # Half a megabyte of script, so it is sent once to each document. The answer leaves out what passed.
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return AxeResults(page.evaluate("""async () => {
        const { violations } = await axe.run({ resultTypes: ["violations"] });
        return { violations };
    }"""))


def assert_accessible(page: Page, state: str) -> None:
    """Checks that axe finds no violation in the present state of the page, in light and dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        results = violations(page)
        assert results.violations_count == 0, f"{state}, {scheme}:\n{results.generate_report()}"
    # axe does not check that everything fits the window's width.
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0, f"{state}: {overflow} px wider than the window"


def assert_nothing_cut_off(page: Page, state: str) -> None:
    """Checks that texts of twice the size fit their places, and that the page is not wider than the window."""
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    cut = page.evaluate("""() => [...document.querySelectorAll("main *")].filter((element) => {
        const { overflowX, overflowY, textOverflow } = getComputedStyle(element);
        // One pixel is for screen readers alone.
        if (element.clientHeight <= 1 || element.closest(".visually-hidden, .picture, [hidden]")) return false;
        const hides = (overflow) => overflow === "hidden" || overflow === "clip";
        // A single line may end in an ellipsis: its page has the whole text.
        return hides(overflowY) && element.scrollHeight > element.clientHeight + 2
            || hides(overflowX) && textOverflow !== "ellipsis" && element.scrollWidth > element.clientWidth + 2;
    }).map((element) => `${element.className || element.tagName}: ${element.textContent.slice(0, 60)}`)""")
    rows = page.evaluate("""() => [...document.querySelectorAll(".virtual-rows > .row")]
        .filter((row) => row.scrollHeight > row.clientHeight + 2).map((row) => row.textContent.slice(0, 60))""")
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
    assert cut + rows == [], f"{state}, at 200 % text: {(cut + rows)[:5]}"
    assert overflow <= 0, f"{state}, at 200 % text: {overflow} px wider than the window"
