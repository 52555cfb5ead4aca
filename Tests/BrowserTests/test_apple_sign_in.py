"""Signing in with Apple on the setup page, with the simulator's stand-in for MusicKit on the Web."""

import re

import pytest
from playwright.sync_api import Page, expect

from support import library
from support.accessibility import assert_accessible

WIDTHS = pytest.mark.parametrize("width", [360, 1440])
STEP = "/setup/apple-music"


@pytest.fixture(scope="module")
def backline():
    """A Backline with its own developer key."""
    from support.installation import Installation

    with Installation(with_setup=True, with_apple_key=True) as installation:
        yield installation


@pytest.fixture
def ada(visit, backline):
    visitor = visit(backline).sign_in("/setup")
    yield visitor
    backline.simulator.apple_music.mend()


def open_step(visitor) -> None:
    visitor.page.get_by_role("link", name=re.compile("^Apple Music, ")).click()
    expect(visitor.heading).to_have_text("Apple Music")


def sign_in(visitor, decision: str = "Allow", again: bool = False) -> None:
    button = visitor.button("Sign in with Apple again" if again else "Sign in with Apple", exact=True)
    expect(button).to_have_attribute("aria-disabled", "false")
    with visitor.page.expect_popup() as opened:
        button.click()
    opened.value.get_by_role("button", name=decision).click()


def kept(page: Page) -> list[str]:
    """The names of what the script has stored in the browser."""
    return [name for name in page.evaluate("Object.keys(localStorage)") if name.startswith("music.")]


def notice(visitor):
    return visitor.page.locator(".setup-notice")


def disconnect(visitor) -> None:
    visitor.button("Disconnect").click()
    dialog = visitor.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Continue").click()
    dialog.get_by_role("button", name=re.compile("^Disconnect")).click()


def test_a_person_signs_in_and_out_again(ada, backline):
    open_step(ada)
    sign_in(ada)
    expect(ada.heading).to_have_text("Setup")
    expect(notice(ada)).to_have_text("Apple Music is connected.")
    ada.hears("Apple Music is connected.")
    step = ada.page.get_by_role("link", name="Apple Music, connected", exact=True)
    expect(step).to_be_visible()
    tokens = backline.simulator.apple_music.ask("GET", "config")["userTokens"]
    assert not [token for token in tokens if token in ada.page.url]

    library.ended(backline, ada.person)
    step.click()
    expect(ada.page.get_by_role("region", name="Connection")).to_contain_text("Connected since")
    expect(ada.button("Sign in with Apple")).to_have_count(0)
    # The script is loaded only when it is needed.
    assert ada.page.evaluate("window.MusicKit === undefined")
    calls = backline.simulator.apple_music.calls("logout")
    disconnect(ada)
    expect(notice(ada)).to_have_text("Apple Music is disconnected, and your sign-in with Apple has ended.")
    expect(ada.page.get_by_role("link", name="Apple Music, optional, not configured")).to_be_visible()
    assert backline.simulator.apple_music.calls("logout") == calls + 1
    after = backline.simulator.apple_music.ask("GET", "config")["userTokens"]
    assert len(set(tokens) - set(after)) == 1
    assert kept(ada.page) == []


def test_a_refusal_changes_nothing_and_can_be_repeated(ada):
    open_step(ada)
    alert = ada.page.get_by_role("alert").filter(has_text="Apple did not give access")
    sign_in(ada, "Cancel")
    expect(alert).to_be_visible()
    button = ada.button("Sign in with Apple", exact=True)
    expect(button).to_have_attribute("aria-disabled", "false")
    # A window that is closed sends no answer.
    with ada.page.expect_popup() as opened:
        button.click()
    expect(alert).to_have_count(0)
    opened.value.close()
    expect(alert).to_be_visible()
    sign_in(ada)
    expect(notice(ada)).to_have_text("Apple Music is connected.")


def test_an_ended_sign_in_is_repeated(ada, backline):
    open_step(ada)
    sign_in(ada)
    expect(notice(ada)).to_be_visible()
    assert len(kept(ada.page)) == 1
    library.ended(backline, ada.person)
    tokens = backline.simulator.apple_music.ask("GET", "config")["userTokens"]
    backline.simulator.apple_music.configure(userTokens={"demo-music-user-token": "fr"})
    library.sync(backline, ada.person, force=True)
    expect(ada.page.get_by_role("link", name="Apple Music, needs attention", exact=True)).to_be_visible()
    open_step(ada)
    note = ada.page.get_by_role("region", name="What needs attention")
    expect(note).to_contain_text("your password has changed. Connect again.")
    assert_accessible(ada.page, "the sign-in has ended")
    # Apple's script still has the expired token. The page asks Apple for a new one nevertheless.
    sign_in(ada, again=True)
    expect(notice(ada)).to_have_text("Apple Music is connected.")
    expect(ada.page.get_by_role("link", name="Apple Music, connected", exact=True)).to_be_visible()
    assert set(backline.simulator.apple_music.ask("GET", "config")["userTokens"]).isdisjoint(
        set(tokens) - {"demo-music-user-token"})


def test_the_next_person_in_the_browser_gets_none_of_it(ada, backline):
    open_step(ada)
    sign_in(ada)
    expect(notice(ada)).to_be_visible()
    assert len(kept(ada.page)) == 1
    ada.open("/profile")
    ada.button("Sign out").click()
    expect(ada.heading).to_have_text("Sign in to Backline")
    assert kept(ada.page) == []
    # Nothing is carried over if the session ended in another way, either.
    ada.page.evaluate("localStorage.setItem('music.demoteam01.media-user-token', 'of somebody else')")
    ada.person = backline.add_person()
    ada.sign_in(STEP)
    sign_in(ada, "Cancel")
    expect(ada.page.get_by_role("alert").filter(has_text="Apple did not give access")).to_be_visible()
    assert kept(ada.page) == []


def test_no_other_page_runs_beside_the_script(ada):
    ada.page.evaluate("window.isSetup = true")
    open_step(ada)
    expect(ada.button("Sign in with Apple", exact=True)).to_have_attribute("aria-disabled", "false")
    assert ada.page.evaluate("[window.isSetup === undefined, window.MusicKit !== undefined]") == [True, True]
    ada.page.evaluate("window.isStep = true")
    ada.page.get_by_role("link", name="← Setup").click()
    expect(ada.heading).to_have_text("Setup")
    assert ada.page.evaluate("[window.isStep === undefined, window.MusicKit === undefined]") == [True, True]
    # The other pages share a document.
    ada.page.evaluate("window.isSetup = true")
    ada.page.get_by_role("link", name=re.compile("^Spotify, ")).click()
    expect(ada.heading).to_have_text("Spotify")
    assert ada.page.evaluate("window.isSetup")
    ada.page.go_back()
    ada.page.go_back()
    expect(ada.heading).to_have_text("Apple Music")
    ada.page.go_back()
    expect(ada.heading).to_have_text("Setup")


def test_without_apple_the_step_says_so_and_accepts_a_token(ada, backline):
    backline.simulator.apple_music.spoil("status503", match={"endpoint": "musickit.js"})
    open_step(ada)
    alert = ada.page.get_by_role("alert").filter(has_text="Apple’s sign-in could not be loaded")
    expect(alert).to_be_visible()
    backline.simulator.apple_music.mend()
    ada.button("Sign in with Apple", exact=True).click()
    expect(alert).to_have_count(0)
    expect(ada.button("Sign in with Apple", exact=True)).to_have_attribute("aria-disabled", "false")
    ada.page.get_by_text("Enter a music user token instead").click()
    expect(ada.page.get_by_label("Private key")).to_have_count(0)
    token = ada.page.get_by_label("Music user token")
    token.fill("planted-wrong-token")
    ada.button("Save").click()
    expect(token).to_have_attribute("aria-invalid", "true")
    token.fill(backline.simulator.apple_music.ask("GET", "key")["userToken"])
    ada.button("Save").click()
    expect(notice(ada)).to_have_text("Apple Music is connected.")


def test_disconnecting_does_not_need_apple(ada, backline):
    open_step(ada)
    sign_in(ada)
    expect(notice(ada)).to_be_visible()
    library.ended(backline, ada.person)
    open_step(ada)
    backline.simulator.apple_music.spoil("status503", match={"endpoint": "musickit.js"})
    disconnect(ada)
    expect(notice(ada)).to_contain_text("Apple could not be reached, so withdraw access")
    expect(ada.page.get_by_role("link", name="Apple Music, optional, not configured")).to_be_visible()


@WIDTHS
def test_axe_finds_nothing(visit, backline, width):
    ada = visit(backline, viewport={"width": width, "height": 900}).sign_in(STEP)
    expect(ada.button("Sign in with Apple", exact=True)).to_have_attribute("aria-disabled", "false")
    assert_accessible(ada.page, "ready to sign in")
    ada.page.get_by_text("Enter a music user token instead").click()
    assert_accessible(ada.page, "with the token's field")
    with ada.page.expect_popup() as opened:
        ada.button("Sign in with Apple", exact=True).click()
    expect(opened.value.get_by_role("button", name="Allow")).to_be_visible()
    assert_accessible(opened.value, "Apple's window")
    assert_accessible(ada.page, "waiting for Apple")
    opened.value.get_by_role("button", name="Cancel").click()
    expect(ada.page.get_by_role("alert").filter(has_text="Apple did not give access")).to_be_visible()
    assert_accessible(ada.page, "no access")


def test_signing_in_never_loads_a_page_with_its_own_document_from_another_site(visit, backline):
    elsewhere = []
    for address in ("/.//elsewhere.example/setup/apple-music", "/%2e//elsewhere.example/setup/apple-music"):
        ada = visit(backline)
        ada.page.on("request", lambda request: elsewhere.append(request.url)
                    if "//elsewhere.example" in request.url.split("?")[0] else None)
        ada.open(f"/sign-in?next={address}")
        ada.page.get_by_label("Token", exact=True).fill(ada.person.token)
        ada.page.keyboard.press("Enter")
        expect(ada.heading).to_have_text("Feed")
    assert elsewhere == []
