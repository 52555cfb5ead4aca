"""Spotify's page in each state of a connection, with a real gateway and worker."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from support import spotify
from support.accessibility import assert_accessible

DAY = 86_400_000_000


class Clock:
    """The wall clock of an installation. A test moves it ahead, by microseconds."""

    def __init__(self, file: Path):
        self.file = file
        self.set(days=0)

    def set(self, days: int) -> None:
        self.file.write_text(str(days * DAY))


@pytest.fixture
def simulated(setup_backline):
    """The Spotify of the shared installation; faults end with the test."""
    upstream = setup_backline.simulator.spotify
    # Scopes that were granted in other tests are requested again.
    upstream.ask("POST", "reset")
    yield upstream
    upstream.mend()
    upstream.configure(
        refresh="keep", codeSeconds=600, unlisted=[], withheldScopes=[], signedInAs="demo-listener")


@pytest.fixture
def ada(visit, setup_backline):
    return visit(setup_backline)


def note(visitor):
    return visitor.page.get_by_role("region", name="What needs attention")


def sees_no_trouble(visitor) -> None:
    expect(visitor.page.get_by_text("Connected as Dana Novák")).to_be_visible()
    expect(note(visitor)).to_have_count(0)


def test_two_weeks_before_its_end_the_consent_has_to_be_renewed(visit, own_backline, tmp_path):
    clock = Clock(tmp_path / "clock")
    backline = own_backline(with_setup=True, environment={"BACKLINE_TEST_CLOCK_OFFSET_FILE": str(clock.file)})
    ada = visit(backline)
    spotify.connect(backline, ada.person)

    clock.set(days=165)
    ada.sign_in("/setup/spotify")
    sees_no_trouble(ada)
    expect(ada.page.get_by_text("renew by")).to_be_visible()
    expect(ada.button("Renew access at Spotify")).to_have_count(0)

    clock.set(days=167)
    ada.sign_in("/setup/spotify")
    expect(note(ada)).to_contain_text("Your consent ends soon")
    expect(ada.page.get_by_text("Connected as Dana Novák")).to_be_visible()
    assert_accessible(ada.page, "renewal is due")
    ada.open("/setup")
    expect(ada.page.get_by_role("link", name="Spotify, connected", exact=True)).to_contain_text("ends soon")
    ada.open("/setup/spotify")
    # Spotify redirects at once, without a second consent page.
    ada.button("Renew access at Spotify").click()
    ada.hears("Spotify is connected.")
    ada.open("/setup/spotify")
    sees_no_trouble(ada)

    clock.set(days=167 + 181)
    ada.sign_in("/setup/spotify")
    expect(note(ada)).to_contain_text("Your consent at Spotify has ended.")
    expect(ada.page.get_by_text("Was connected as Dana Novák")).to_be_visible()
    assert_accessible(ada.page, "the consent has ended")
    ada.button("Connect with Spotify").click()
    ada.hears("Spotify is connected.")


def test_a_pause_shows_when_it_ends(visit, own_backline):
    backline = own_backline(with_setup=True)
    ada = visit(backline, timezone_id="UTC")
    spotify.connect(backline, ada.person)
    backline.simulator.spotify.spoil("limit429", retryAfter=86_400, match={"endpoint": "/me"})
    spotify.call_until(backline, ada.person, "rateLimited")
    until = spotify.step(backline, ada.person)["until"]
    ada.sign_in("/setup/spotify")
    expect(note(ada)).to_contain_text("Spotify asked for fewer requests. Backline continues by itself after a pause.")
    expect(note(ada)).to_contain_text("This lasts until ")
    expect(note(ada).locator("time")).to_have_attribute("datetime", until)
    expect(note(ada).locator("time")).to_contain_text(until[11:16])
    # The connection stays during the pause.
    expect(ada.page.get_by_text("Connected as Dana Novák")).to_be_visible()
    expect(ada.button("Connect with Spotify")).to_have_count(0)
    assert_accessible(ada.page, "a pause")


@pytest.mark.parametrize(
    ("reason", "words"),
    [("revoked", "Spotify no longer accepts the connection"), ("tokenLost", "lost when Backline renewed it")])
def test_a_lost_connection_says_why_and_can_be_restored(ada, setup_backline, simulated, reason, words):
    spotify.connect(setup_backline, ada.person)
    simulated.configure(refresh="rotate")
    if reason == "revoked":
        simulated.ask("POST", "tokens", {"access": "expire", "refresh": "revoke"})
    else:
        simulated.ask("POST", "tokens", {"access": "expire"})
        simulated.spoil("loseAnswer", times=1, match={"endpoint": "refresh_token"})
    spotify.call_until(setup_backline, ada.person, reason)
    ada.sign_in("/setup/spotify")
    expect(note(ada)).to_contain_text(words)
    expect(ada.page.get_by_text("Was connected as Dana Novák")).to_be_visible()
    assert_accessible(ada.page, reason)
    ada.open("/setup")
    expect(ada.page.get_by_role("link", name="Spotify, needs attention", exact=True)).to_contain_text(words)
    ada.open("/setup/spotify")
    ada.button("Connect with Spotify").click()
    # After a withdrawn consent, Spotify asks for it again.
    if reason == "revoked":
        ada.button("Allow").click()
    ada.hears("Spotify is connected.")
    ada.open("/setup/spotify")
    sees_no_trouble(ada)


def test_a_missing_permission_is_requested_by_name(ada, setup_backline, simulated):
    simulated.configure(withheldScopes=["user-read-private"])
    spotify.connect(setup_backline, ada.person)
    simulated.configure(withheldScopes=[])
    ada.sign_in("/setup/spotify")
    expect(note(ada)).to_contain_text("without the permission 'user-read-private'")
    assert_accessible(ada.page, "a missing permission")
    with ada.page.expect_request("**/v1/setup/spotify/authorize") as asked:
        ada.button("Allow on Spotify").click()
    assert asked.value.post_data_json == {"scopes": ["user-read-private"]}
    ada.button("Allow").click()
    ada.hears("Spotify is connected.")
    ada.open("/setup/spotify")
    expect(ada.page.get_by_text("Connected")).to_be_visible()
    expect(note(ada)).to_have_count(0)


@pytest.mark.parametrize(
    ("answer", "words", "connected"),
    [("Connect Lee O'Hara, keep the data", "Spotify is connected as Lee O'Hara.", "Lee O'Hara"),
     ("Connect Lee O'Hara, delete the data", "Spotify is connected as Lee O'Hara.", "Lee O'Hara"),
     ("Stay with Dana Novák", "Nothing has changed.", "Dana Novák")])
def test_another_account_is_asked_about(ada, setup_backline, simulated, answer, words, connected):
    spotify.connect(setup_backline, ada.person)
    simulated.ask("POST", "tokens", {"access": "expire", "refresh": "revoke"})
    spotify.call_until(setup_backline, ada.person, "revoked")
    simulated.configure(signedInAs="second-listener")
    ada.sign_in("/setup/spotify")
    ada.button("Connect with Spotify").click()
    ada.button("Allow").click()
    question = ada.page.get_by_role("region", name="Another Spotify account")
    expect(question).to_contain_text("You signed in to Spotify as Lee O'Hara")
    expect(question).to_contain_text("replace Dana Novák?")
    # Until the question is answered, the page offers nothing else, and the checklist shows the question.
    expect(ada.button("Connect with Spotify")).to_have_count(0)
    assert_accessible(ada.page, "another account")
    ada.open("/setup")
    expect(ada.page.get_by_role("link", name="Spotify, ")).to_contain_text(
        "You signed in at Spotify as Lee O'Hara.")
    ada.open("/setup/spotify")
    ada.button(answer).click()
    ada.hears(words)
    ada.open("/setup/spotify")
    expect(ada.page.get_by_text(f"onnected as {connected}")).to_be_visible()
    expect(question).to_have_count(0)
    kept = ada.page.get_by_text("Backline also keeps the data from Dana Novák.")
    expect(kept).to_have_count(1 if "keep" in answer else 0)


@pytest.mark.parametrize(
    ("code", "words"),
    [("codeRefused", "rejected its own authorization code"), ("serverError", "an internal error"),
     ("accountNotAllowed", "developer dashboard")])
def test_an_error_on_the_way_back_is_reported(ada, simulated, code, words):
    match code:
        case "codeRefused":
            simulated.configure(codeSeconds=0)
        case "serverError":
            simulated.spoil("status502", match={"endpoint": "authorization_code"})
        case "accountNotAllowed":
            simulated.configure(unlisted=["demo-listener"])
    ada.sign_in("/setup/spotify")
    ada.button("Connect with Spotify").click()
    ada.button("Allow").click()
    alert = ada.page.get_by_role("alert").filter(has_text="Spotify was not connected.")
    expect(alert).to_contain_text(words)
    expect(ada.button("Connect with Spotify")).to_be_enabled()
    assert_accessible(ada.page, code)
    # The message is shown once, and not again after a reload.
    ada.page.reload()
    expect(ada.button("Connect with Spotify")).to_be_enabled()
    expect(alert).to_have_count(0)


def test_another_persons_way_back_is_refused(ada):
    ada.sign_in("/v1/setup/spotify/callback?code=c&state=s")
    alert = ada.page.get_by_role("alert").filter(has_text="Spotify was not connected.")
    expect(alert).to_contain_text("was started in another browser")
