"""The whole setup, from the sign-in to the last step, and its state after a restart."""

from playwright.sync_api import expect

from support.installation import Simulator


def test_from_nothing_to_three_of_three(visit, own_backline):
    backline = own_backline(with_setup=True)
    ada = visit(backline)

    def step(name: str):
        return ada.page.get_by_role("link", name=name, exact=True)

    def card(words: str):
        return ada.page.get_by_role("link", name=f"Set up Backline {words}")

    ada.page.goto(backline.sign_in_link(ada.person))
    card("0 of 3 complete").click()

    step("Gemini, not configured").click()
    key = ada.page.get_by_label("API key", exact=True)
    key.fill("planted-wrong-key")
    ada.button("Save").click()
    expect(key).to_have_attribute("aria-invalid", "true")
    expect(key).to_have_value("planted-wrong-key")
    key.fill(Simulator.GEMINI_KEY)
    ada.button("Save").click()
    expect(step("Gemini, configured")).to_be_visible()
    expect(ada.page.get_by_text("1 of 3 complete")).to_be_visible()

    step("Ticketmaster, not configured").click()
    key.fill("planted-wrong-key")
    ada.page.get_by_label("City").fill("Brno")
    ada.button("Save").click()
    expect(key).to_have_attribute("aria-invalid", "true")
    expect(ada.page.get_by_label("City")).to_have_value("Brno")
    key.fill(Simulator.KEY)
    ada.button("Save").click()
    expect(step("Ticketmaster, configured")).to_be_visible()
    expect(ada.page.get_by_text("2 of 3 complete")).to_be_visible()

    step("Spotify, not configured").click()
    ada.button("Connect with Spotify").click()
    ada.button("Cancel").click()
    expect(ada.heading).to_have_text("Spotify")
    expect(ada.button("Connect with Spotify")).to_be_enabled()
    expect(ada.page.get_by_role("alert").filter(has_text="Spotify")).to_have_count(0)
    expect(ada.page).to_have_url(f"{backline.address}/setup/spotify")
    ada.button("Connect with Spotify").click()
    ada.button("Allow").click()
    expect(ada.heading).to_have_text("Setup")
    ada.hears("Spotify is connected.")
    expect(step("Spotify, connected")).to_be_visible()
    expect(ada.page.get_by_text("Setup complete")).to_be_visible()

    step("Ticketmaster, configured").click()
    # The last characters of a short key are not shown.
    expect(ada.page.get_by_text("••••", exact=True)).to_be_visible()
    ada.page.get_by_label("City").fill("Prague")
    ada.button("Save").click()
    expect(ada.page.get_by_text("Setup complete")).to_be_visible()

    backline.restart()
    ada.open("/feed")
    card("Setup complete").click()
    for name in ("Spotify, connected", "Gemini, configured", "Ticketmaster, configured"):
        expect(step(name)).to_be_visible()
    step("Ticketmaster, configured").click()
    expect(ada.page.get_by_label("City")).to_have_value("Prague")
    ada.page.go_back()
    step("Spotify, connected").click()
    expect(ada.page.get_by_text("renew by")).to_be_visible()
    ada.button("Disconnect").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Continue").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Disconnect").click()
    expect(ada.page.get_by_text("2 of 3 complete")).to_be_visible()
    expect(step("Spotify, not configured")).to_be_visible()
