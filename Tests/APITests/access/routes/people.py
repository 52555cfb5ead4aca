"""The classes of the routes of people."""

from ..forms import Routes, act
from ..rules import CONFLICT, FOLLOW_RESULTS, LISTED, THINGS, Administrator, Person, SignedIn, phrases, where

ROUTES: Routes = {
    "GET /v1/users/suggestions": SignedIn(status=200),
    # A profile for followers is asked. This gives no right until its person accepts.
    "PUT /v1/users/{username}/follow": Person(
        status=200, own=CONFLICT, says=phrases(FOLLOW_RESULTS, f='"follow":"following"', r='"follow":"requested"')),
    "DELETE /v1/users/{username}/follow": Person(status=204, own=CONFLICT),
    "PUT /v1/users/{username}/block": act(204, "b"),
    "DELETE /v1/users/{username}/block": act(204, "b"),
    "POST /v1/users/{username}/report": act(202, "b", body={"text": "Unkind"}),
    "DELETE /v1/me/followers/{username}": act(204, "r"),
    "PUT /v1/me/follow-requests/{username}": act(204, "a"),
    "DELETE /v1/me/follow-requests/{username}": act(204, "d"),
    "GET /v1/me/following": SignedIn(status=200, shows=where(LISTED, "f")),
    "GET /v1/me/followers": SignedIn(status=200, shows=where(LISTED, "r")),
    "GET /v1/me/blocked": SignedIn(status=200, shows=where(LISTED, "b")),
    "GET /v1/me/follow-requests": SignedIn(status=200),
    "GET /v1/admin/reports": Administrator(status=200),
    # An administrator does not decide about a report of themself.
    "POST /v1/admin/reports/{id}/decision": Administrator(
        names={"id": "report"}, status=204, own=CONFLICT, body={"decision": "nothing"}, targets=THINGS),
}
