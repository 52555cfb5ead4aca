"""The classes of the routes of listening."""

from ..forms import Routes, item
from ..rules import NOWHERE, SEES, Item, Person, SignedIn, where

ROUTES: Routes = {
    "GET /v1/users/{username}/stats": Person(
        status=200, own=200, reaches=where(SEES, "p"), shows_profile=True),
    "GET /v1/listening/listens": SignedIn(status=200),
    "DELETE /v1/listening/listens/{id}": item("listen", 204),
    "GET /v1/listening/recent": SignedIn(status=200),
    "GET /v1/listening/export": SignedIn(status=200),
    "GET /v1/listening/stats": SignedIn(status=200),
    "GET /v1/listening/history": Item(status=200, unknown=200, malformed=422, query="trackId=<track>"),
    "GET /v1/listening/feedback": SignedIn(status=200),
    "DELETE /v1/listening/feedback/{id}": item("feedback", 204),
    "GET /v1/listening/sources": SignedIn(status=200),
    "DELETE /v1/listening/sources/{source}": SignedIn(names={"source": "listenBrainz"}, status=202),
}

# What the API's document does not describe: the ListenBrainz API, in which other people do not exist.
_LISTENER = Person(status=200, own=200, reaches=NOWHERE)
BESIDE: Routes = {
    "GET /1/user/{username}/listens": _LISTENER,
    "GET /1/user/{username}/listen-count": _LISTENER,
    "GET /1/user/{username}/playing-now": _LISTENER,
    "GET /1/user/{username}/following": _LISTENER,
    "GET /1/user/{username}/followers": _LISTENER,
    "GET /1/stats/user/{username}/artists": _LISTENER,
    "GET /1/feedback/user/{username}/get-feedback": _LISTENER,
    "GET /1/latest-import": Person(status=200, own=200, reaches=NOWHERE, query="user_name=<username>"),
}
