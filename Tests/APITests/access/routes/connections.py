"""The classes of the routes of connected services."""

from ..forms import Routes
from ..rules import SignedIn

ROUTES: Routes = {
    "GET /v1/setup": SignedIn(status=200),
    "PUT /v1/setup/gemini": SignedIn(status=422, body={}),
    "PUT /v1/setup/ticketmaster": SignedIn(status=422, body={}),
    "PUT /v1/setup/apple-music": SignedIn(status=422, body={}),
    "DELETE /v1/setup/gemini": SignedIn(status=204),
    "DELETE /v1/setup/ticketmaster": SignedIn(status=204),
    "DELETE /v1/setup/apple-music": SignedIn(status=204),
    # Neither a developer key nor a client id is configured.
    "POST /v1/setup/apple-music/sign-in": SignedIn(status=503),
    "POST /v1/setup/spotify/authorize": SignedIn(status=503, body={}),
    "PUT /v1/setup/spotify/app": SignedIn(status=422, body={}),
    "DELETE /v1/setup/spotify/app": SignedIn(status=200),
    "GET /v1/setup/spotify/callback": SignedIn(status=303),
    "POST /v1/setup/spotify/callback": SignedIn(status=422, body={"code": "c", "state": "s"}),
    "POST /v1/setup/spotify/account": SignedIn(status=422, body={"id": "q", "answer": "cancel"}),
    "DELETE /v1/setup/spotify": SignedIn(status=200),
}
