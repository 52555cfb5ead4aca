"""axe, in both themes."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

axe = Axe()


def assert_accessible(page: Page, state: str) -> None:
    """Checks that axe finds no violation in the present state of the page, in light and dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        results = axe.run(page)
        assert results.violations_count == 0, f"{state}, {scheme}:\n{results.generate_report()}"
    # axe does not check that everything fits the window's width.
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0, f"{state}: {overflow} px wider than the window"
