"""The ranked artists."""

import pytest
from playwright.sync_api import expect

from support.gestures import drag_with_finger, drag_with_mouse, swipe

TRIO = ["Imagine Dragons", "Coldplay", "Adele"]


def test_artists_are_added_by_name_and_stay(visit):
    ada = visit().sign_in("/explore/concerts")
    expect(ada.page.get_by_role("heading", name="No artists yet")).to_be_visible()
    for count, name in enumerate(TRIO, start=1):
        ada.add(name)
        expect(ada.artist(name)).to_be_visible()
        ada.hears(f"{name} added at rank {count}. {count} of 20.")
    ada.sees_artists(TRIO)
    expect(ada.page.get_by_text("3 of 20", exact=True)).to_be_visible()
    expect(ada.page.get_by_role("listitem", name="Imagine Dragons, ranked number 1")).to_be_visible()
    ada.page.reload()
    ada.sees_artists(TRIO)


@pytest.mark.parametrize("width", [360, 600, 1440])
def test_all_rows_have_the_same_height(visit, shared_backline, width):
    ada = visit(viewport={"width": width, "height": 900})
    shared_backline.ask(ada.person, "PUT", "/v1/artists", {"artists": [
        "Adele", "Rammstein", "Nick Cave & The Bad Seeds", "Godspeed You! Black Emperor", "Einstürzende Neubauten",
        {"name": "Radiohead", "spotifyId": "A" * 22, "genres": ["alternative rock", "art rock", "melancholia"]},
    ]})
    ada.sign_in("/explore/concerts")
    expect(ada.artists).to_have_count(6)
    heights = ada.artists.evaluate_all("rows => rows.map((row) => row.offsetHeight)")
    assert len(set(heights)) == 1, heights


def test_a_search_needs_an_artist(visit):
    ada = visit().sign_in("/explore/concerts")
    expect(ada.button("Find concerts")).to_be_disabled()
    expect(ada.page.get_by_text("Add an artist first")).to_be_visible()
    ada.add("Adele")
    expect(ada.button("Find concerts")).to_be_enabled()
    ada.button("Remove: Adele").click()
    expect(ada.button("Find concerts")).to_be_disabled()


def test_a_duplicate_name_is_refused_and_stays_in_the_field(visit):
    ada = visit().at_artists(TRIO)
    ada.add("  imagine dragons ")
    field = ada.page.get_by_label("Add an artist by name")
    expect(ada.page.locator("#artist-error")).to_contain_text("already")
    expect(field).to_have_value("imagine dragons")
    expect(field).to_be_focused()
    ada.sees_artists(TRIO)
    ada.page.keyboard.press("Control+A")
    ada.page.keyboard.press("Delete")
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("#artist-error")).to_have_text("Type an artist’s name.")


def test_a_full_list_accepts_no_more_artists(visit, shared_backline):
    names = shared_backline.simulator.artists("popular", 20)
    ada = visit().at_artists(names[:19])
    ada.add(names[19])
    expect(ada.page.get_by_text("20 of 20", exact=True)).to_be_visible()
    expect(ada.page.get_by_text("The list is full. Remove an artist")).to_be_visible()
    expect(ada.page.get_by_label("Add an artist by name")).to_be_disabled()
    ada.hears("the list is full", whole=False)
    expect(ada.button("Find concerts")).to_be_focused()
    ada.button(f"Remove: {names[4]}").click()
    expect(ada.page.get_by_label("Add an artist by name")).to_be_enabled()


def test_buttons_move_an_artist_and_keep_the_focus(visit):
    ada = visit().at_artists(TRIO)
    ada.button("Move down: Imagine Dragons").click()
    ada.sees_artists(["Coldplay", "Imagine Dragons", "Adele"])
    ada.hears("Imagine Dragons moved to rank 2 of 3")
    expect(ada.button("Move down: Imagine Dragons")).to_be_focused()
    ada.page.keyboard.press("Enter")
    ada.sees_artists(["Coldplay", "Adele", "Imagine Dragons"])
    expect(ada.button("Move down: Imagine Dragons")).to_be_disabled()
    expect(ada.button("Move down: Imagine Dragons")).to_be_focused()
    ada.button("Move up: Adele").click()
    ada.sees_artists(["Adele", "Coldplay", "Imagine Dragons"])
    ada.page.reload()
    ada.sees_artists(["Adele", "Coldplay", "Imagine Dragons"])


def test_arrow_keys_on_the_handle_move_an_artist(visit):
    ada = visit().at_artists(TRIO)
    handle = ada.button("Reorder: Adele")
    expect(handle).to_have_accessible_description(
        "Use the up and down arrow keys to move the artist, Home for the first rank and End for the last, or drag it. "
        "Delete removes it; with a finger, swipe the row to a side.")
    for key, order, rank in [
        ("ArrowUp", ["Imagine Dragons", "Adele", "Coldplay"], 2),
        ("Home", ["Adele", "Imagine Dragons", "Coldplay"], 1),
        ("ArrowDown", ["Imagine Dragons", "Adele", "Coldplay"], 2),
        ("End", ["Imagine Dragons", "Coldplay", "Adele"], 3),
    ]:
        handle.press(key)
        ada.sees_artists(order)
        expect(handle).to_be_focused()
        ada.hears(f"Adele moved to rank {rank} of 3")
    ada.page.reload()
    ada.sees_artists(TRIO)


def test_quick_moves_are_saved_in_order(visit):
    names = [f"Artist {number}" for number in range(1, 11)]
    ada = visit().at_artists(names)
    ada.button("Reorder: Artist 10").focus()
    for _ in range(9):
        ada.page.keyboard.press("ArrowUp")
    ada.sees_artists(["Artist 10", *names[:9]])
    ada.page.reload()
    ada.sees_artists(["Artist 10", *names[:9]])


def test_the_mouse_drags_an_artist_to_another_rank(visit):
    ada = visit().at_artists(TRIO)
    drag_with_mouse(ada.page, ada.button("Reorder: Imagine Dragons"), ada.artist("Adele"))
    ada.sees_artists(["Coldplay", "Adele", "Imagine Dragons"])
    ada.hears("Imagine Dragons moved to rank 3 of 3")
    ada.page.reload()
    ada.sees_artists(["Coldplay", "Adele", "Imagine Dragons"])


def test_escape_cancels_a_drag(visit):
    ada = visit().at_artists(TRIO)
    drag_with_mouse(ada.page, ada.button("Reorder: Imagine Dragons"), ada.artist("Adele"), drops=False)
    expect(ada.artist("Imagine Dragons")).to_contain_class("dragged")
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator(".dragged")).to_have_count(0)
    ada.page.mouse.up()
    ada.sees_artists(TRIO)
    assert ada.saved_artists() == TRIO


def test_a_finger_drags_an_artist_without_scrolling_the_page(visit):
    names = [f"Artist {number}" for number in range(1, 13)]
    ada = visit(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True).at_artists(names)
    drag_with_finger(ada.page, ada.button("Reorder: Artist 3"), ada.artist("Artist 1, ranked"))
    ada.sees_artists(["Artist 3", "Artist 1", "Artist 2", *names[3:]])
    assert ada.page.evaluate("scrollY") == 0
    ada.page.reload()
    ada.sees_artists(["Artist 3", "Artist 1", "Artist 2", *names[3:]])


def test_a_drag_to_the_edge_scrolls_the_list(visit):
    names = [f"Artist {number}" for number in range(1, 21)]
    ada = visit(viewport={"width": 1280, "height": 600}).at_artists(names)
    height = ada.page.evaluate("document.documentElement.scrollHeight")
    drag_with_mouse(ada.page, ada.button("Reorder: Artist 1", exact=True), down_to=590, drops=False)
    # The list scrolls to the page's end only: a dragged row must not make the page longer.
    root = ada.page.locator("html")
    expect(root).to_have_js_property("scrollTop", height - 600)
    expect(root).to_have_js_property("scrollHeight", height)
    ada.page.mouse.up()
    ada.hears("Artist 1 moved to rank 20 of 20")
    ada.sees_artists([*names[1:], names[0]])


def phone(visit):
    return visit(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)


@pytest.mark.parametrize("way", [220, -220])
def test_a_row_is_swiped_away_and_put_back(visit, way):
    ada = phone(visit).at_artists(TRIO)
    swipe(ada.page, ada.artist(TRIO[1]), way)
    ada.sees_artists([TRIO[0], TRIO[2]])
    ada.hears(f"{TRIO[1]} removed. 2 of 20.", whole=False)
    assert ada.page.evaluate("document.documentElement.scrollWidth") == 360
    ada.button("Undo").click()
    ada.sees_artists(TRIO)
    assert ada.saved_artists() == TRIO


def test_a_short_or_vertical_swipe_removes_nothing(visit):
    ada = phone(visit).at_artists(TRIO)
    swipe(ada.page, ada.artist(TRIO[1]), 60)
    swipe(ada.page, ada.artist(TRIO[1]), 20, down=-150)
    expect(ada.page.locator(".swiped")).to_have_count(0)
    ada.sees_artists(TRIO)


def test_delete_on_the_handle_removes_an_artist(visit):
    ada = visit().at_artists(TRIO)
    ada.button(f"Reorder: {TRIO[0]}").press("Delete")
    ada.sees_artists(TRIO[1:])
    ada.button("Undo").click()
    ada.sees_artists(TRIO)


@pytest.mark.parametrize("index", [0, 1, 2])
def test_a_removed_artist_can_be_restored_to_its_rank(visit, index):
    ada = visit().at_artists(TRIO)
    name = TRIO[index]
    ada.button(f"Remove: {name}").click()
    left = [other for other in TRIO if other != name]
    ada.sees_artists(left)
    expect(ada.button(f"Remove: {left[min(index, 1)]}")).to_be_focused()
    ada.hears(f"{name} removed. 2 of 20.", whole=False)
    ada.button("Undo").click()
    ada.sees_artists(TRIO)
    expect(ada.page.locator(".unsaved")).to_have_count(0)
    expect(ada.button("Undo")).to_be_hidden()
    assert ada.saved_artists() == TRIO


def test_the_last_removal_moves_the_focus_to_the_field(visit):
    ada = visit().at_artists(["Adele"])
    ada.button("Remove: Adele").click()
    expect(ada.page.get_by_label("Add an artist by name")).to_be_focused()
    expect(ada.page.get_by_role("heading", name="No artists yet")).to_be_visible()


def test_a_refused_change_is_undone_and_shown(visit, shared_backline):
    ada = visit().at_artists(TRIO)
    # The same person has changed the list in another window.
    shared_backline.rank(ada.person, ["Coldplay", "Adele"])
    ada.button("Move down: Imagine Dragons").click()
    expect(ada.page.get_by_role("alert").get_by_text("Imagine Dragons was not moved.")).to_be_visible()
    ada.sees_artists(["Coldplay", "Adele"])
