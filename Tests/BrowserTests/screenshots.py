"""Makes the pictures for the documentation: `scripts/test-pages --screenshots`."""

import io
import os
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from support import library
from support.installation import Installation
from support.visitor import Visitor

ARTISTS = [
    "Imagine Dragons", "Coldplay", "Kabát", "Metallica", "Florence + The Machine", "Radiohead", "Björk", "AC/DC",
    "Nick Cave & The Bad Seeds", "Taylor Swift", "Foo Fighters", "Rammstein",
]
WIDE = {"width": 1280, "height": 860}
NARROW = {"width": 390, "height": 844}
MOST_BYTES = 200_000
# Long enough for debug builds on a busy machine.
expect.set_options(timeout=20_000)


def save(page: Page, path: Path) -> None:
    page.mouse.move(0, 0)
    page.evaluate("() => document.activeElement?.blur()")
    image = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    image.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    size = path.stat().st_size
    assert size < MOST_BYTES, f"{path.name} has {size} bytes"
    print(f"{path.name}: {size // 1000} kB")


class Studio:
    """One person's list and search, shown in several windows."""

    def __init__(self, browser: Browser, backline: Installation, folder: Path):
        self.browser, self.backline, self.folder = browser, backline, folder
        self.person = backline.add_person()
        backline.rank(self.person, ARTISTS)

    def window(self, viewport: dict, scheme: str = "light") -> Visitor:
        context = self.browser.new_context(
            viewport=viewport, color_scheme=scheme, locale="en-GB", reduced_motion="reduce",
            device_scale_factor=1 if viewport == WIDE else 2)
        return Visitor(self.backline, context, self.person)

    def results(self, viewport: dict, scheme: str, name: str) -> None:
        visitor = self.window(viewport, scheme).sign_in("/explore/concerts")
        visitor.page.get_by_label("Home city").fill("Prague")
        visitor.find_concerts()
        expect(visitor.page.get_by_role("progressbar")).to_have_count(0)
        expect(visitor.page.locator(".ticket img").first).to_be_visible()
        save(visitor.page, self.folder / name)

    def artists(self) -> None:
        visitor = self.window(WIDE).sign_in("/explore/concerts")
        visitor.sees_artists(ARTISTS)
        visitor.page.get_by_label("Home city").fill("Prague")
        save(visitor.page, self.folder / "artists.png")

    def library(self) -> None:
        library.fill(self.backline, "listener-1", tracks=1_600)
        library.connect_apple_music(self.backline, self.person)
        library.connect_spotify(self.backline, self.person, "listener-1")
        assert library.sync(self.backline, self.person)["state"] == "complete"
        # Titles in Latin letters come first; the others need fonts that the machine may not have.
        visitor = self.window(WIDE).sign_in("/library?sort=title")
        expect(visitor.page.get_by_role("list", name="Songs", exact=True).get_by_role("listitem").first).to_be_visible()
        expect(visitor.button("Sync now")).to_have_attribute("aria-disabled", "false")
        save(visitor.page, self.folder / "library.png")


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    installation = Installation(with_setup=True, environment=library.ENVIRONMENT)
    with installation as backline, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("BACKLINE_TEST_CHROMIUM", "/usr/bin/chromium-headless-shell"),
            args=["--no-sandbox"] if os.geteuid() == 0 else [])
        studio = Studio(browser, backline, folder)
        studio.artists()
        studio.results(WIDE, "light", "results-light.png")
        studio.results(WIDE, "dark", "results-dark.png")
        studio.results(NARROW, "light", "results-phone.png")
        studio.library()
        browser.close()


if __name__ == "__main__":
    main()
