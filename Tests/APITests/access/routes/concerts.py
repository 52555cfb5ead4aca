"""The classes of the routes of concerts."""

from ..forms import Routes, item
from ..items import SHOW
from ..rules import CONFLICT, Linked, SignedIn

ROUTES: Routes = {
    "GET /v1/artists": SignedIn(status=200),
    "PUT /v1/artists": SignedIn(status=200, body={"artists": ["Air"]}),
    "POST /v1/artists": SignedIn(status=201, body={"name": "Moby"}),
    "POST /v1/artists/reset": SignedIn(status=422, body={"timeRange": "never"}),
    "DELETE /v1/artists/{id}": item("artist", 204),
    "POST /v1/artists/{id}/move": item("artist", 200, body={"to": 1}),
    "GET /v1/concert-searches": SignedIn(status=200),
    "POST /v1/concert-searches": SignedIn(status=202, body={"artists": ["Air"]}),
    "GET /v1/concert-searches/{id}": item("search", 200),
    # It has found no show with a date, and has ended.
    "GET /v1/concert-searches/{id}.ics": item("search", CONFLICT),
    "POST /v1/concert-searches/{id}/cancel": item("search", CONFLICT),
    "POST /v1/concert-searches/{id}/retry": item("search", 202),
    "GET /v1/concerts/nearby": SignedIn(status=422),
    # Shows belong to nobody.
    "GET /v1/concerts/{id}": (
        SignedIn(names={"id": SHOW}, status=200),
        SignedIn(names={"id": "none"}, status=404),
    ),
    "GET /v1/concerts/{id}.ics": (
        SignedIn(names={"id": SHOW}, status=200),
        SignedIn(names={"id": "none"}, status=404),
    ),
    "GET /v1/me/calendar": SignedIn(status=200),
    "POST /v1/me/calendar": SignedIn(status=201, body={}),
    "PATCH /v1/me/calendar": SignedIn(status=200, body={"places": "anywhere"}),
    "DELETE /v1/me/calendar": SignedIn(status=204),
    # It has an address of its own, which shows it whatever the profile is.
    "GET /v1/calendar/{secret}.ics": Linked(names={"secret": "calendarToken"}, status=200, ends_when_private=False),
    "HEAD /v1/calendar/{secret}.ics": Linked(names={"secret": "calendarToken"}, status=200, ends_when_private=False),
}
