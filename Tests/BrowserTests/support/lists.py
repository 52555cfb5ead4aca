"""The virtual lists of the pages."""

from playwright.sync_api import Locator, Page, expect

# The maximum number of rows that a list may have in the page.
MOST_ROWS = 300


def rows(page: Page, name: str = "Songs") -> Locator:
    return page.get_by_role("list", name=name, exact=True).get_by_role("listitem")


def row(page: Page, index: int) -> Locator:
    """The row of an item, counted from 0, while it is in the page."""
    return page.locator(f".virtual-rows > [aria-posinset='{index + 1}']")


def at_rest(page: Page) -> Page:
    """Waits until the rows that the window shows have been read."""
    expect(page.locator(".virtual-rows > .row").first).to_be_attached()
    page.wait_for_function("""() => {
        const shown = [...document.querySelectorAll(".virtual-rows > .row")].filter((row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return bottom > 0 && top < innerHeight;
        });
        return shown.length > 0 && shown.every((row) => !row.classList.contains("placeholder"));
    }""")
    return page


def scroll_to(page: Page, index: int, waits: bool = True) -> None:
    """Scrolls like a drag of the scrollbar, until the item is the first below the header."""
    expect(page.locator(".virtual-rows > .row").first).to_be_attached()
    page.evaluate("""async (index) => {
        const list = document.querySelector(".virtual-rows");
        const height = list.querySelector(".row").offsetHeight;
        const inset = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
        scrollTo(0, scrollY + list.getBoundingClientRect().top + index * height - inset);
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }""", index)
    expect(row(page, index)).to_be_attached()
    if waits:
        at_rest(page)


def titles(page: Page) -> dict[int, str]:
    """The titles of the rows in the page that have been read, by their indexes."""
    found = page.evaluate("""() => [...document.querySelectorAll(".virtual-rows > .row:not(.placeholder)")]
        .map((row) => [Number(row.ariaPosInSet) - 1, row.querySelector(".row-title").textContent])""")
    return dict(found)


def first_row(page: Page) -> dict:
    """The first whole row below the header: its `id`, `position` in the list and `top` in the window."""
    return page.evaluate("""() => {
        const inset = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
        const found = [...document.querySelectorAll(".virtual-rows > .row")]
            .find((row) => row.getBoundingClientRect().top >= inset - 1);
        return { id: found.dataset.song, position: Number(found.ariaPosInSet) - 1,
            top: found.getBoundingClientRect().top };
    }""")
