"""The setup card, the checklist, and the views of keys."""

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible
from support.installation import Simulator

WIDTHS = pytest.mark.parametrize("width", [360, 1440])


@pytest.fixture
def ada(visit, setup_backline):
    yield visit(setup_backline).sign_in("/feed")
    setup_backline.simulator.gemini.mend()


def step(visitor, name: str):
    return visitor.page.get_by_role("link", name=name, exact=True)


def key(visitor):
    return visitor.page.get_by_label("API key", exact=True)


def save_gemini(visitor, text: str = Simulator.GEMINI_KEY) -> None:
    visitor.open("/setup/gemini")
    key(visitor).fill(text)
    visitor.button("Save").click()


def test_the_card_leads_to_three_steps_and_back(ada):
    card = ada.page.get_by_role("link", name="Set up Backline 0 of 3 complete")
    expect(card).to_be_visible()
    card.click()
    expect(ada.heading).to_have_text("Setup")
    expect(ada.heading).to_be_focused()
    for name in ("Spotify", "Gemini", "Ticketmaster"):
        expect(step(ada, f"{name}, not configured")).to_be_visible()
    expect(step(ada, "Apple Music, optional, not configured")).to_be_visible()
    for name, heading in [
        ("Spotify, not configured", "Spotify"), ("Gemini, not configured", "Gemini API key"),
        ("Ticketmaster, not configured", "Ticketmaster"), ("Apple Music, optional, not configured", "Apple Music"),
    ]:
        step(ada, name).click()
        expect(ada.heading).to_have_text(heading)
        ada.page.go_back()
        expect(ada.heading).to_have_text("Setup")
    ada.page.go_back()
    expect(ada.heading).to_have_text("Feed")


def test_a_wrong_key_stays_in_its_field_and_is_not_saved(ada):
    ada.open("/setup/gemini")
    ada.button("Save").click()
    expect(ada.page.get_by_text("Paste your Gemini API key first.")).to_be_visible()
    key(ada).fill("planted-wrong-key")
    ada.button("Save").click()
    expect(key(ada)).to_have_attribute("aria-invalid", "true")
    expect(key(ada)).to_be_focused()
    expect(key(ada)).to_have_value("planted-wrong-key")
    expect(ada.page.get_by_role("alert").filter(has_text="key")).to_be_visible()
    expect(key(ada)).to_have_attribute("type", "password")
    expect(key(ada)).to_have_attribute("autocomplete", "off")
    assert "planted" not in ada.page.url
    assert "planted" not in ada.page.evaluate("JSON.stringify([localStorage, sessionStorage, history.state])")
    ada.open("/setup")
    expect(step(ada, "Gemini, not configured")).to_be_visible()


def test_a_valid_key_is_announced_masked_edited_and_removed(ada):
    save_gemini(ada, f"  {Simulator.GEMINI_KEY} ")
    expect(ada.heading).to_have_text("Setup")
    ada.hears("Your Gemini API key works and is saved.")
    expect(ada.page.get_by_text("1 of 3 complete")).to_be_visible()
    step(ada, "Gemini, configured").click()
    expect(ada.page.get_by_text("••••" + Simulator.GEMINI_KEY[-4:])).to_be_visible()
    expect(ada.page.get_by_label("New API key")).to_have_value("")
    ada.button("Remove key").click()
    dialog = ada.page.get_by_role("dialog", name="Remove key?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(ada.button("Remove key")).to_be_focused()
    ada.button("Remove key").click()
    dialog.get_by_role("button", name="Remove").click()
    expect(ada.page.get_by_text("0 of 3 complete")).to_be_visible()


def test_a_temporary_failure_can_be_retried(ada, setup_backline):
    setup_backline.simulator.gemini.spoil("status503")
    save_gemini(ada)
    retry = ada.button("Retry")
    expect(retry).to_be_focused()
    expect(key(ada)).to_have_value(Simulator.GEMINI_KEY)
    setup_backline.simulator.gemini.mend()
    retry.click()
    expect(ada.page.get_by_text("1 of 3 complete")).to_be_visible()


def test_ticketmaster_keeps_the_key_while_the_city_changes(ada):
    ada.open("/setup/ticketmaster")
    key(ada).fill("planted-wrong-key")
    ada.page.get_by_label("City").fill("Brno")
    ada.button("Save").click()
    expect(key(ada)).to_have_attribute("aria-invalid", "true")
    expect(ada.page.get_by_label("City")).to_have_value("Brno")
    key(ada).fill(Simulator.KEY)
    ada.button("Save").click()
    step(ada, "Ticketmaster, configured").click()
    # The last characters of a short key are not shown.
    expect(ada.page.get_by_text("••••", exact=True)).to_be_visible()
    expect(ada.page.get_by_label("City")).to_have_value("Brno")
    ada.page.get_by_label("City").fill("Prague")
    ada.button("Save").click()
    expect(ada.heading).to_have_text("Setup")
    step(ada, "Ticketmaster, configured").click()
    expect(ada.page.get_by_label("City")).to_have_value("Prague")


def test_another_window_shows_the_change_at_once(ada, setup_backline):
    ada.open("/setup")
    expect(ada.page.get_by_text("0 of 3 complete")).to_be_visible()
    setup_backline.ask(ada.person, "PUT", "/v1/setup/gemini", {"apiKey": Simulator.GEMINI_KEY})
    expect(ada.page.get_by_text("1 of 3 complete")).to_be_visible()
    # The stream is already open, so its opening cannot cause the update.
    setup_backline.ask(ada.person, "DELETE", "/v1/setup/gemini")
    expect(step(ada, "Gemini, not configured")).to_be_visible()
    setup_backline.ask(ada.person, "PUT", "/v1/setup/gemini", {"apiKey": Simulator.GEMINI_KEY})
    expect(step(ada, "Gemini, configured")).to_be_visible()


def look_away(page, is_hidden: bool = True) -> None:
    """Makes the page believe that another tab covers it. A headless browser has no other way."""
    page.evaluate(
        """(isHidden) => {
            Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""", is_hidden)


def test_more_windows_can_be_open_than_a_browser_has_connections(ada, setup_backline):
    windows = [ada.page]
    for _ in range(7):
        look_away(windows[-1])
        # A browser opens at most six HTTP/1.1 connections to a host.
        windows.append(ada.context.new_page())
        with windows[-1].expect_response("**/v1/events"):
            windows[-1].goto(f"{setup_backline.address}/setup")
        expect(windows[-1].get_by_text("0 of 3 complete")).to_be_visible()
    look_away(windows[-1])
    setup_backline.ask(ada.person, "PUT", "/v1/setup/gemini", {"apiKey": Simulator.GEMINI_KEY})
    expect(windows[-1].get_by_text("0 of 3 complete")).to_be_visible()
    # A window that becomes visible again shows past and new changes.
    look_away(windows[-1], is_hidden=False)
    expect(windows[-1].get_by_text("1 of 3 complete")).to_be_visible()
    setup_backline.ask(ada.person, "DELETE", "/v1/setup/gemini")
    expect(windows[-1].get_by_text("0 of 3 complete")).to_be_visible()


def test_an_ended_session_leads_to_the_sign_in_page(ada, setup_backline):
    ada.open("/setup")
    expect(ada.page.get_by_text("0 of 3 complete")).to_be_visible()
    look_away(ada.page)
    ada.context.request.delete(f"{setup_backline.address}/v1/session", headers={"Origin": setup_backline.address})
    # Only the event stream reports the end of the session.
    look_away(ada.page, is_hidden=False)
    expect(ada.heading).to_have_text("Sign in to Backline")
    expect(ada.page).to_have_url(f"{setup_backline.address}/sign-in?next=%2Fsetup")


def test_by_keyboard_alone(ada):
    def tab_to(locator) -> None:
        expect(locator).to_be_visible()
        for _ in range(40):
            ada.page.keyboard.press("Tab")
            if locator.evaluate("element => element === document.activeElement"):
                return
        raise AssertionError(f"Tab never reached {locator}")

    tab_to(ada.page.get_by_role("link", name="Set up Backline"))
    ada.page.keyboard.press("Enter")
    tab_to(step(ada, "Gemini, not configured"))
    ada.page.keyboard.press("Enter")
    tab_to(key(ada))
    ada.page.keyboard.type(Simulator.GEMINI_KEY)
    ada.page.keyboard.press("Enter")
    expect(ada.heading).to_have_text("Setup")
    tab_to(step(ada, "Gemini, configured"))


@WIDTHS
def test_axe_finds_nothing(visit, setup_backline, width):
    ada = visit(setup_backline, viewport={"width": width, "height": 900}).sign_in("/setup")
    expect(step(ada, "Gemini, not configured")).to_be_visible()
    assert_accessible(ada.page, "nothing set up")
    for page in ("spotify", "ticketmaster", "apple-music"):
        ada.open(f"/setup/{page}")
        expect(ada.heading).to_be_visible()
        expect(ada.page.get_by_text("Loading")).to_have_count(0)
        assert_accessible(ada.page, page)
    save_gemini(ada, "planted-wrong-key")
    expect(key(ada)).to_have_attribute("aria-invalid", "true")
    assert_accessible(ada.page, "a wrong key")
    save_gemini(ada)
    expect(step(ada, "Gemini, configured")).to_be_visible()
    assert_accessible(ada.page, "one step complete")
    step(ada, "Gemini, configured").click()
    ada.button("Remove key").click()
    assert_accessible(ada.page, "a question")
