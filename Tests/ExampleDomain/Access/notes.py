"""The classes of the routes of notes."""

from ..forms import Routes
from ..rules import SignedIn

ROUTES: Routes = {
    "GET /v1/notes": SignedIn(status=200),
    "POST /v1/notes": SignedIn(status=201, body={"words": "The live take is better."}),
}
