"""The page that shows the components shared by all pages, and the components themselves."""

import re

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.lists import MOST_ROWS, row, rows

WIDTHS = pytest.mark.parametrize("width", [360, 1440])


@pytest.fixture
def ada(visit):
    return visit(options=("--admin",)).sign_in("/operations/components")


def test_only_administrators_see_the_page(visit):
    ada = visit().sign_in("/operations/components")
    expect(ada.page.get_by_role("heading", name="For administrators only")).to_be_visible()


@WIDTHS
def test_axe_finds_nothing(visit, width):
    ada = visit(options=("--admin",), viewport={"width": width, "height": 900}).sign_in("/operations/components")
    expect(row(ada.page, 0)).to_be_attached()
    assert_accessible(ada.page, "all components")
    assert_nothing_cut_off(ada.page, "all components")
    ada.button("A song without a preview").click()
    expect(ada.page.get_by_role("region", name="Preview")).to_contain_text("There is no preview of this song.")
    ada.button("Show a toast").click()
    assert_accessible(ada.page, "a toast and the player")
    ada.button("Open a sheet").click()
    assert_accessible(ada.page, "a sheet")


def test_a_list_of_100_000_rows_has_few_in_the_page_and_can_be_used_by_keyboard(ada):
    expect(row(ada.page, 0)).to_be_attached()
    sample = "Sample songs"
    row(ada.page, 0).get_by_role("link").focus()
    ada.page.keyboard.press("End")
    last = row(ada.page, 99_999)
    expect(last.locator(":focus")).to_have_text("Sample song 100000")
    expect(last).to_have_attribute("aria-setsize", "100000")
    assert rows(ada.page, sample).count() <= MOST_ROWS
    ada.page.keyboard.press("ArrowUp")
    expect(row(ada.page, 99_998).locator(":focus")).to_be_in_viewport()
    ada.page.keyboard.press("Home")
    expect(row(ada.page, 0).locator(":focus")).to_be_in_viewport()
    assert rows(ada.page, sample).count() <= MOST_ROWS


def test_tabs_follow_the_arrow_keys_and_open_with_enter(ada):
    tabs = ada.page.get_by_role("tablist", name="Sample tabs")
    tabs.get_by_role("tab", name="First").focus()
    ada.page.keyboard.press("ArrowLeft")
    expect(tabs.get_by_role("tab", name="Third")).to_be_focused()
    expect(tabs.get_by_role("tab", name="First")).to_have_attribute("aria-selected", "true")
    ada.page.keyboard.press("Enter")
    expect(ada.page.get_by_role("tabpanel", name="Third")).to_contain_text("The panel of the tab “three”.")


def test_a_menu_opens_and_closes_and_returns_the_focus(ada):
    button = ada.button("Open the menu")
    button.press("Enter")
    menu = ada.page.get_by_role("menu")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(menu.get_by_role("menuitem").first).to_be_focused()
    ada.page.keyboard.press("ArrowUp")
    impossible = menu.get_by_role("menuitem", name="Not possible")
    expect(impossible).to_be_focused()
    expect(impossible).to_have_accessible_description("This says why.")
    ada.page.keyboard.press("Enter")
    expect(menu).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(button).to_be_focused()
    ada.button("Open a slow menu").click()
    expect(menu).to_contain_text("Loading …")
    expect(menu.get_by_role("menuitem").first).to_be_focused()
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator(".toasts")).to_contain_text("A button of the menu was pressed.")


def test_a_sheet_answers_and_returns_the_focus(ada):
    ada.button("Open a sheet").click()
    ada.page.get_by_role("dialog", name="A sheet").get_by_role("button", name="Yes").click()
    expect(ada.page.get_by_text("The answer was “Yes”.")).to_be_visible()
    expect(ada.button("Open a sheet")).to_be_focused()
    ada.button("Open a sheet").click()
    ada.page.keyboard.press("Escape")
    expect(ada.page.get_by_text("The sheet was closed.")).to_be_visible()


def test_a_toast_is_undone_dismissed_and_reports_a_failed_undo(ada):
    toasts = ada.page.locator(".toasts")
    ada.button("With undo", exact=True).click()
    toasts.get_by_role("button", name="Undo").click()
    expect(toasts).to_be_empty()
    ada.button("With an undo that fails").click()
    toasts.get_by_role("button", name="Undo").click()
    expect(toasts).to_contain_text("It could not be undone.")
    toasts.get_by_role("button", name="Dismiss").click()
    expect(toasts).to_be_empty()
