"""From the sign-in to the results in one go: by mouse, and by keyboard only."""

from playwright.sync_api import expect

from support.gestures import drag_with_mouse

MOST_TABS = 120


def test_by_mouse(visit, shared_backline):
    ada = visit()
    ada.page.goto(shared_backline.sign_in_link(ada.person))
    ada.page.get_by_role("link", name="Discover concerts").click()
    names = shared_backline.simulator.artists("popular", 3)
    for name in names:
        ada.add(name)
    ada.sees_artists(names)
    drag_with_mouse(ada.page, ada.button(f"Reorder: {names[2]}"), ada.artist(names[0]))
    ada.sees_artists([names[2], names[0], names[1]])
    ada.page.get_by_label("Home city").fill("Prague")
    ada.button("Find concerts").click()
    expect(ada.shows.first).to_be_visible()
    expect(ada.page.get_by_role("heading", level=2).first).to_contain_text(names[2])
    ada.choose("Date")
    expect(ada.page.get_by_role("heading", level=2).first).not_to_contain_text(names[2])
    with ada.page.expect_download():
        ada.page.get_by_role("link", name="Download calendar").click()
    ada.page.get_by_role("link", name="← Your artists").click()
    ada.sees_artists([names[2], names[0], names[1]])
    ada.page.get_by_role("link", name="Profile").click()
    ada.button("Sign out").click()
    expect(ada.heading).to_have_text("Sign in to Backline")


def test_by_keyboard_alone(visit, shared_backline):
    ada = visit().open("/sign-in")
    press, typed = ada.page.keyboard.press, ada.page.keyboard.type

    def tab_to(locator, key: str = "Tab") -> None:
        """Presses Tab until the element has the focus."""
        expect(locator).to_be_visible()
        for _ in range(MOST_TABS):
            press(key)
            if locator.evaluate("element => element === document.activeElement"):
                return
        raise AssertionError(f"Tab never reached {locator}")

    tab_to(ada.page.get_by_label("Token", exact=True))
    typed(ada.person.token)
    press("Enter")
    expect(ada.heading).to_be_focused()
    tab_to(ada.page.get_by_role("link", name="Discover concerts"))
    press("Enter")
    expect(ada.heading).to_have_text("Your artists")
    names = shared_backline.simulator.artists("popular", 3)
    tab_to(ada.page.get_by_label("Add an artist by name"))
    for name in names:
        typed(name)
        press("Enter")
    ada.sees_artists(names)
    tab_to(ada.button(f"Reorder: {names[1]}"))
    press("ArrowUp")
    ada.sees_artists([names[1], names[0], names[2]])
    tab_to(ada.button(f"Move down: {names[0]}"))
    press("Space")
    ada.sees_artists([names[1], names[2], names[0]])
    tab_to(ada.button(f"Remove: {names[0]}"))
    press("Enter")
    ada.sees_artists([names[1], names[2]])
    tab_to(ada.page.get_by_label("Home city"))
    typed("Prague")
    press("Enter")
    expect(ada.heading).to_have_text("Concerts")
    expect(ada.shows.first).to_be_visible()
    tab_to(ada.page.get_by_role("radio", name="Artist"))
    press("ArrowRight")
    ada.hears("Grouped by date.")
    tab_to(ada.page.get_by_role("link", name="Download calendar"))
    with ada.page.expect_download():
        press("Enter")
    tab_to(ada.page.get_by_role("link", name="Get tickets").first)
    tab_to(ada.page.get_by_role("link", name="← Your artists"), key="Shift+Tab")
    press("Enter")
    ada.sees_artists([names[1], names[2]])


def test_the_skip_link_leads_past_the_navigation(visit):
    ada = visit().sign_in("/feed")
    expect(ada.heading).to_be_visible()
    ada.page.keyboard.press("Tab")
    skip = ada.page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    ada.page.keyboard.press("Enter")
    ada.page.keyboard.press("Tab")
    expect(ada.page.locator("main :focus")).to_have_count(1)
