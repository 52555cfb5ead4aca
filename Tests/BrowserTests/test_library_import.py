"""Files that people import and export."""

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible
from support.installation import Installation
from support.library import go_to

CSV = "Title,Artist,Album\nTeardrop,Massive Attack,Mezzanine\n,Nobody,\nAngel,Massive Attack,Mezzanine\n"


@pytest.fixture(scope="module")
def backline():
    with Installation(with_setup=True) as installation:
        yield installation


def chosen(name, text):
    return {"name": name, "mimeType": "text/csv", "buffer": text.encode()}


@pytest.mark.parametrize("width", [360, 1440])
def test_a_file_provides_a_library_without_any_key(visit, backline, width):
    visitor = visit(backline, viewport={"width": width, "height": 900}).sign_in("/library")
    page = visitor.page
    page.get_by_role("link", name="Import a file").last.click()
    expect(page.get_by_role("heading", level=1, name="Import a file")).to_be_focused()
    assert_accessible(page, f"the page of imports at {width} px")
    page.get_by_label("Choose a file").set_input_files(chosen("songs.csv", CSV))
    card = page.get_by_role("list", name="Imports").get_by_role("article")
    expect(card.get_by_text("3 rows: 2 new, 1 skipped.")).to_be_visible()
    card.get_by_text("1 row was not imported").click()
    expect(card.get_by_text("Line 3: the song has no title")).to_be_visible()
    assert_accessible(page, f"an import at {width} px")

    card.get_by_role("link", name="Show your library").click()
    songs = page.get_by_role("list", name="Songs", exact=True)
    expect(songs.get_by_role("link", name="Teardrop by Massive Attack")).to_be_visible()
    songs.get_by_role("link", name="Teardrop by Massive Attack").click()
    expect(page.get_by_role("region", name="Files")).to_contain_text("Last played")
    page.get_by_role("button", name="Actions for Teardrop").click()
    expect(page.get_by_role("menuitem", name="Add to playlist")).to_contain_text(
        "Backline has not found this song on any connected service.")
    page.keyboard.press("Escape")
    page.go_back()
    # Restoring the person's place in the list would close a menu.
    expect(songs.get_by_role("link", name="Teardrop by Massive Attack")).to_be_visible()
    go_to(page, "Library settings")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export as CSV").click()
    assert "Teardrop,Massive Attack,Mezzanine" in download.value.path().read_text()

    page.get_by_role("link", name="Import a file").click()
    card.get_by_role("button", name="Remove this import").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(card.get_by_text("This import was removed.")).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="cut off")).to_have_count(0)


def test_an_answer_that_arrives_after_the_end_changes_nothing(visit, backline):
    page = visit(backline).sign_in("/library/import").page
    held = []
    page.route("**/v1/library/imports?filename=*", lambda route: held.append((route, route.fetch())))
    page.get_by_label("Choose a file").set_input_files(chosen("late.csv", CSV))
    card = page.get_by_role("list", name="Imports").get_by_role("article").filter(has_text="late.csv")
    expect(card.get_by_role("button", name="Remove this import")).to_be_visible()
    route, answer = held[0]
    route.fulfill(response=answer)
    expect(page.get_by_role("progressbar", name="Sending late.csv")).to_have_count(0)
    expect(card.get_by_role("button", name="Remove this import")).to_be_visible()


def test_a_file_without_songs_is_refused(visit, backline):
    page = visit(backline).sign_in("/library/import").page
    page.get_by_label("Choose a file").set_input_files(chosen("page.html", "<html></html>"))
    card = page.get_by_role("article").filter(has_text="page.html")
    expect(card.get_by_text("This is a web page and not an export;")).to_be_visible()
    expect(card.get_by_role("button", name="Remove this import")).to_have_count(0)
    expect(card.get_by_role("link", name="Show your library")).to_have_count(0)
    page.get_by_label("Choose a file").set_input_files(chosen("empty.csv", ""))
    expect(page.get_by_role("alert").get_by_text("The file is empty.")).to_be_visible()


def test_a_file_is_dropped_on_the_page(visit, backline):
    page = visit(backline).sign_in("/library/import").page
    transfer = page.evaluate_handle("""(text) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], "dropped.csv", { type: "text/csv" }));
        return transfer;
    }""", CSV)
    zone = page.locator(".drop-zone")
    zone.dispatch_event("dragover", {"dataTransfer": transfer})
    expect(zone).to_have_class("drop-zone over")
    zone.dispatch_event("drop", {"dataTransfer": transfer})
    expect(page.get_by_role("article").filter(has_text="dropped.csv").get_by_text("3 rows: 2 new, 1 skipped.")).to_be_visible()
    expect(zone).to_have_class("drop-zone")
