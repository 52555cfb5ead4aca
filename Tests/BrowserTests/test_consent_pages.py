"""The consent pages of the simulated Spotify and Google."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from support.accessibility import assert_accessible

# The SHA-256 of an arbitrary verifier. These tests do not exchange a code.
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
PAGES = {
    "spotify": ("/spotify-accounts/authorize", "/v1/setup/spotify/callback",
                {"client_id": "demo-spotify-client", "scope": "user-read-private user-top-read"}),
    "google": ("/google/o/oauth2/v2/auth", "/v1/auth/google/callback",
               {"client_id": "demo-web.apps.googleusercontent.com", "scope": "openid email profile"}),
}


class App(BaseHTTPRequestHandler):
    """A server for the redirect URI; the parameters stay in the window's address."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"back")

    def log_message(self, *_) -> None:
        pass


@pytest.fixture(scope="module")
def app() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), App) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(params=PAGES)
def consent(request, visit, shared_backline, app):
    """Opens a consent page, and returns the name of the button that consents."""
    path, callback, parameters = PAGES[request.param]
    page = visit(viewport={"width": 360, "height": 800}).page
    query = {"response_type": "code", "state": "s", "code_challenge_method": "S256", "code_challenge": CHALLENGE,
             "redirect_uri": app + callback, "show_dialog": "true", **parameters}

    def open_page() -> Page:
        page.goto(f"{shared_backline.simulator.address}{path}?{urlencode(query)}")
        return page

    return open_page, "Allow" if request.param == "spotify" else "Continue as Dana Novák (dana@example.org)"


def came_back(page: Page) -> dict[str, str]:
    page.wait_for_url("**/callback?*")
    return dict(parse_qsl(urlsplit(page.url).query))


def test_consent_and_refusal(consent):
    open_page, consenting = consent
    page = open_page()
    assert_accessible(page, "consent page")
    page.get_by_role("button", name=consenting).click()
    answer = came_back(page)
    assert answer["state"] == "s" and answer["code"] and "error" not in answer

    page = open_page()
    page.get_by_role("button", name="Cancel").press("Enter")
    assert came_back(page) == {"error": "access_denied", "state": "s"}


def test_a_wrong_link(consent):
    open_page, _ = consent
    page = open_page()
    page.goto(page.url.replace("response_type=code", "response_type=token"))
    expect(page.get_by_role("heading", name="Something is wrong with this link")).to_be_visible()
    assert_accessible(page, "a wrong link")
