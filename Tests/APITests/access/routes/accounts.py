"""The classes of the routes of accounts: signing in, what a person has, administrators."""

from ..forms import Routes, item
from ..items import png
from ..rules import (
    ACTS, CONFLICT, FORBIDDEN, FOUND, GUESSED, LISTED, NAMES, OTHERS, SHARED, THINGS, Administrator, Open, Person,
    SignedIn, either, where)

ROUTES: Routes = {
    "GET /v1/auth": Open(status=200),
    # Nobody's token is unknown.
    "POST /v1/session": SignedIn(status=200, body={"token": "<own token>"}),
    # The invitation is unknown, and no client id is configured.
    "POST /v1/session/invitation": Open(status=401, body={"code": "bli_nobody", "username": "eve"}),
    "POST /v1/session/invitation/check": Open(status=401, body={"code": "bli_nobody"}),
    "POST /v1/auth/google": Open(status=503, body={"idToken": "e30.e30.e30"}),
    "GET /v1/auth/google/start": Open(status=503),
    "GET /v1/auth/google/callback": Open(status=303),
    "GET /v1/session": SignedIn(status=200),
    # A token has no session to end.
    "DELETE /v1/session": SignedIn(status=CONFLICT),
    "GET /v1/me": SignedIn(status=200),
    "PATCH /v1/me": SignedIn(status=200, body={"bio": "Hello"}),
    # The last administrator stays while others are here.
    "DELETE /v1/me": (
        SignedIn(
            status=204, administrator=CONFLICT, body={"username": "<own username>", "token": "<own token>"},
            ends=("blend_partners", "share_reactions", "notification_events", "notification_groups")),
        # Neither another person's name nor their token erases anybody.
        SignedIn(status=422, body={"username": "<username>", "token": "<own token>"}, targets=(OTHERS, GUESSED)),
        SignedIn(status=422, body={"username": "<own username>", "token": "<token of another>"}),
    ),
    # Each viewer has asked the target for a blend.
    # It names what the viewer has reacted to, as long as they see it.
    "GET /v1/me/export": SignedIn(
        status=200, shows=either(FOUND, where(LISTED, "frb")), shows_share=SHARED),
    "PUT /v1/me/picture": SignedIn(status=200, body=png(), content_type="image/png"),
    "DELETE /v1/me/picture": SignedIn(status=204),
    "GET /v1/me/tokens": SignedIn(status=200),
    "POST /v1/me/tokens": SignedIn(status=201, body={"name": "phone"}),
    "DELETE /v1/me/tokens/{id}": item("token", 204),
    "GET /v1/me/sessions": SignedIn(status=200),
    "DELETE /v1/me/sessions/{id}": item("session", 204),
    "GET /v1/invitations": SignedIn(status=200),
    "POST /v1/invitations": SignedIn(status=FORBIDDEN, administrator=201),
    "DELETE /v1/invitations/{id}": item("invitation", 204),
    "GET /v1/users": (
        SignedIn(status=200, shows=FOUND),
        SignedIn(status=200, query="q=<username>", shows=FOUND),
        SignedIn(status=200, query="q=<display name>", shows=FOUND),
    ),
    "GET /v1/users/{username}": Person(status=200, own=200, shows=FOUND, shows_profile=True),
    "GET /v1/pictures/people/{address}": Person(
        names={"address": "picture"}, status=200, own=200, reaches=where(ACTS, "s"), targets=THINGS),
    "GET /v1/admin/accounts": Administrator(status=200),
    "DELETE /v1/admin/accounts/{username}": Administrator(
        status=204, own=CONFLICT, body={"token": "<own token>"}, targets=NAMES),
    "PUT /v1/admin/accounts/{username}/suspension": Administrator(status=204, own=CONFLICT, targets=NAMES),
    "DELETE /v1/admin/accounts/{username}/suspension": Administrator(status=204, targets=NAMES),
    "PUT /v1/admin/accounts/{username}/administrator": Administrator(
        status=204, suspended=CONFLICT, targets=NAMES),
    # The last administrator stays while others are here.
    "DELETE /v1/admin/accounts/{username}/administrator": Administrator(status=204, own=CONFLICT, targets=NAMES),
}
