"""axe, in both themes."""

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

from .readability import assert_readable


def violations(page: Page) -> AxeResults:
    """What axe finds in the current state of the page."""
    # The script has half a megabyte, so it is sent only once to each document. The answer leaves out what passed.
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return AxeResults(page.evaluate("""async () => {
        const { violations } = await axe.run({ resultTypes: ["violations"] });
        return { violations };
    }"""))


def assert_accessible(page: Page, state: str) -> None:
    """Checks that axe finds no violation in the current state of the page, in light and dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        results = violations(page)
        assert results.violations_count == 0, f"{state}, {scheme}:\n{results.generate_report()}"
    assert_readable(page, state)


def assert_nothing_cut_off(page: Page, state: str) -> None:
    """Checks that everything can be read at twice the text size."""
    assert_readable(page, state, text_size=200)
